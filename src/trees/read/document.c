/* SPDX-License-Identifier: MIT */
#include "trees/read/document.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/memory/alloc.h"

void owi_document_begin(owi_document *document, ow_context *ctx, const void *bytes,
                        size_t size, bool is_binary, const char *name)
{
    *document = (owi_document){
        .ctx = ctx, .name = name, .bytes = bytes, .size = size, .is_binary = is_binary};
}

void owi_document_clear(owi_document *document)
{
    owi_free(document->ctx, document->text);
    document->text = NULL;
    document->text_capacity = 0;
}

ow_status owi_document_fail(const owi_document *document, const char *format, ...)
{
    char sentence[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(sentence, sizeof sentence, format, arguments);
    va_end(arguments);
    if (document->is_binary)
        return owi_fail(OW_ERR_FORMAT, "%s, byte %zu: %s", document->name, document->at,
                        sentence);
    size_t line = 1, column = 1;
    for (size_t i = 0; i < document->at && i < document->size; i++, column++)
        if (document->bytes[i] == '\n') {
            line++;
            column = 0;
        }
    return owi_fail(OW_ERR_FORMAT, "%s:%zu:%zu: %s", document->name, line, column,
                    sentence);
}

bool owi_token_is(const owi_token *token, const char *text)
{
    return token->length == strlen(text) && memcmp(token->text, text, token->length) == 0;
}

ow_status owi_document_open(owi_document *document, bool is_object, owi_token *token)
{
    if (document->depth == owi_document_max_depth)
        return owi_document_fail(document, "objects and lists nest more than %d deep",
                                 owi_document_max_depth);
    document->levels[document->depth++] = (owi_document_level){.is_object = is_object};
    *token = (owi_token){.kind = is_object ? owi_token_object : owi_token_array};
    return OW_OK;
}

/* Ends the innermost object or array; the document ends with the outermost. */
ow_status owi_document_close(owi_document *document, owi_token *token)
{
    const owi_document_level *level = &document->levels[--document->depth];
    *token =
        (owi_token){.kind = level->is_object ? owi_token_object_end : owi_token_array_end};
    if (document->depth == 0) document->is_done = true;
    return OW_OK;
}

ow_status owi_document_next(owi_document *document, owi_token *token)
{
    return document->is_binary ? owi_document_next_ubjson(document, token)
                               : owi_document_next_json(document, token);
}

/* Where the token opened an object or array: up to its end. */
ow_status owi_document_skip_from(owi_document *document, const owi_token *token)
{
    if (token->kind != owi_token_object && token->kind != owi_token_array) return OW_OK;
    const unsigned depth = document->depth - 1;
    owi_token skipped;
    while (document->depth > depth) OWI_TRY(owi_document_next(document, &skipped));
    return OW_OK;
}

/* A JSON array of numbers alone is passed over by its characters, which is several times as
 * fast as reading them; it ends at the next bracket. */
static bool skip_plain_array(owi_document *document)
{
    const unsigned char *from = document->bytes + document->at;
    const size_t left = document->size - document->at;
    if (document->is_binary || left == 0 || from[0] != '[') return false;
    const unsigned char *end = memchr(from, ']', left);
    if (end == NULL || memchr(from + 1, '[', (size_t)(end - from - 1)) != NULL ||
        memchr(from, '"', (size_t)(end - from)) != NULL ||
        memchr(from, '{', (size_t)(end - from)) != NULL)
        return false;
    document->at += (size_t)(end - from) + 1;
    document->levels[document->depth - 1].has_items = true;
    document->levels[document->depth - 1].wants_value = false;
    return true;
}

ow_status owi_document_skip(owi_document *document)
{
    owi_token token;
    if (document->depth > 0 && skip_plain_array(document)) return OW_OK;
    OWI_TRY(owi_document_next(document, &token));
    return owi_document_skip_from(document, &token);
}

ow_status owi_document_numbers(owi_document *document, const char *what, double **numbers,
                               size_t *n, size_t *capacity)
{
    owi_token token;
    *n = 0;
    OWI_TRY(owi_document_next(document, &token));
    if (token.kind != owi_token_array)
        return owi_document_fail(document, "\"%s\" should be a list of numbers", what);
    for (;;) {
        OWI_TRY(owi_document_next(document, &token));
        if (token.kind == owi_token_array_end) return OW_OK;
        if (token.kind == owi_token_boolean)
            token.number = token.truth ? 1.0 : 0.0;
        else if (token.kind != owi_token_number)
            return owi_document_fail(document, "\"%s\" should hold numbers only", what);
        if (*n == *capacity)
            OWI_TRY(owi_grow(document->ctx, numbers, capacity, *n + 1, sizeof **numbers));
        (*numbers)[(*n)++] = token.number;
    }
}
