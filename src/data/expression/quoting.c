/* SPDX-License-Identifier: MIT */
/* Names in expressions: bare, or between " or `, where the quote itself is doubled. */
#include <string.h>

#include "base/error.h"
#include "base/memory/alloc.h"
#include "data/expression/expression.h"
#include "data/expression/words.h"

size_t owi_quoted_length(const char *text)
{
    const char quote = text[0];
    size_t n = 1;
    for (; text[n] != '\0'; n++) {
        if (text[n] != quote) continue;
        if (text[n + 1] != quote) return n + 1;
        n++;
    }
    return 0;
}

char *owi_unquote(ow_context *ctx, const char *text, size_t length)
{
    const bool is_quoted =
        length > 1 && owi_is_quote(text[0]) && owi_quoted_length(text) == length;
    if (!is_quoted) return owi_copy_text(ctx, text, length);
    char *copy = owi_alloc_array(ctx, length, 1);
    size_t n = 0;
    for (size_t i = 1; copy != NULL && i + 1 < length; i++) {
        copy[n++] = text[i];
        if (text[i] == text[0]) i++;
    }
    return copy;
}

char *owi_write_column_name(ow_context *ctx, const char *name)
{
    const size_t length = strlen(name);
    if (length > 0 && owi_bare_length(name) == length)
        return owi_copy_text(ctx, name, length);
    char *copy = owi_alloc_array(ctx, 2 * length + 3, 1);
    size_t n = 0;
    if (copy == NULL) return NULL;
    copy[n++] = '`';
    for (size_t i = 0; i < length; i++) {
        if (name[i] == '`') copy[n++] = '`';
        copy[n++] = name[i];
    }
    copy[n++] = '`';
    return copy;
}

ow_status owi_find_written_column(ow_context *ctx, const ow_schema *schema,
                                  const char *text, size_t length, size_t *column)
{
    char *name = owi_unquote(ctx, text, length);
    if (name == NULL) return OW_ERR_MEMORY;
    const ow_status status = ow_schema_find_column(schema, name, column);
    owi_free(ctx, name);
    return status;
}

ow_status owi_expression_split(ow_context *ctx, const ow_schema *schema, const char *text,
                               size_t *column, const char **expression)
{
    const char *at = text + strspn(text, owi_blanks);
    size_t length = owi_is_quote(*at) ? owi_quoted_length(at) : 0;
    const char *equals = strchr(at + length, '=');
    if (equals == NULL)
        return owi_fail(OW_ERR_ARGUMENT, "expected COLUMN = EXPRESSION, got \"%s\"", text);
    length = (size_t)(equals - at);
    while (length > 0 && strchr(owi_blanks, at[length - 1]) != NULL) length--;
    *expression = equals + 1 + strspn(equals + 1, owi_blanks);
    return owi_find_written_column(ctx, schema, at, length, column);
}
