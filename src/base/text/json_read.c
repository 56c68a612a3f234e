/* SPDX-License-Identifier: MIT */
#include "base/text/json_read.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/memory/sizes.h"
#include "base/text/number.h"
#include "base/text/quote.h"
#include "base/text/spelling.h"

enum { parse_flags = JSON_REJECT_DUPLICATES | JSON_DECODE_INT_AS_REAL };

static ow_status explain(const json_error_t *error, const char *file)
{
    if (json_error_code(error) == json_error_out_of_memory)
        return owi_fail(OW_ERR_MEMORY, "out of memory while reading %s", file);
    if (error->line < 1) return owi_fail(OW_ERR_FORMAT, "%s: %s", file, error->text);
    return owi_fail(OW_ERR_FORMAT, "%s:%d:%d: %s", file, error->line, error->column,
                    error->text);
}

ow_status owi_json_parse(const char *text, size_t size, const char *file, json_t **out)
{
    json_error_t error;
    *out = json_loadb(text, size, parse_flags, &error);
    return *out != NULL ? OW_OK : explain(&error, file);
}

/* A text that jansson asks for piece by piece. */
typedef struct {
    const owi_call *call;
    const char *text;
    size_t size, at;
    ow_status status; /* of the last tick */
} pieces;

static size_t next_piece(void *buffer, size_t room, void *user)
{
    pieces *p = user;
    const size_t n = owi_smaller(room, p->size - p->at);
    p->status = owi_call_tick(p->call);
    if (p->status != OW_OK) return (size_t)-1;
    memcpy(buffer, p->text + p->at, n);
    p->at += n;
    return n;
}

ow_status owi_json_parse_in(const owi_call *call, const char *text, size_t size,
                            const char *file, json_t **out)
{
    json_error_t error;
    pieces p = {.call = call, .text = text, .size = size};
    *out = json_load_callback(next_piece, &p, parse_flags, &error);
    if (p.status != OW_OK) {
        json_decref(*out);
        *out = NULL;
        return p.status;
    }
    return *out != NULL ? OW_OK : explain(&error, file);
}

enum { description_size = owi_quote_size };

/* A value as a sentence shows it. */
static void describe(const json_t *value, char text[description_size])
{
    char number[owi_number_size];
    const char *whole = "nothing";
    if (json_is_string(value)) {
        owi_quote(json_string_value(value), json_string_length(value), text);
        return;
    }
    if (json_is_number(value)) {
        owi_print_number(json_number_value(value), number);
        whole = number;
    }
    if (json_is_object(value)) whole = "an object {...}";
    if (json_is_array(value)) whole = "a list [...]";
    if (json_is_true(value)) whole = "true";
    if (json_is_false(value)) whole = "false";
    if (json_is_null(value)) whole = "null";
    snprintf(text, description_size, "%s", whole);
}

ow_status owi_json_unexpected(const owi_json_fields *fields, const char *name,
                              const char *expected, const json_t *got)
{
    char description[description_size];
    describe(got, description);
    return owi_fail(OW_ERR_FORMAT, "%s: %sfield \"%s\": expected %s, got %s", fields->file,
                    fields->where, name, expected, description);
}

static bool is_known(const char *field, const char *const *known, size_t n_known)
{
    for (size_t i = 0; i < n_known; i++)
        if (strcmp(field, known[i]) == 0) return true;
    return false;
}

ow_status owi_json_check_fields(const owi_json_fields *fields, const char *const *known,
                                size_t n_known)
{
    if (!json_is_object(fields->object)) {
        char description[description_size];
        describe(fields->object, description);
        return owi_fail(OW_ERR_FORMAT, "%s: %sexpected an object {...}, got %s",
                        fields->file, fields->where, description);
    }
    /* jansson iterates over an object that it will not change by a pointer to non-const. */
    json_t *object = (json_t *)fields->object;
    for (void *at = json_object_iter(object); at != NULL;
         at = json_object_iter_next(object, at)) {
        const char *field = json_object_iter_key(at);
        if (is_known(field, known, n_known)) continue;
        owi_spelling spelling;
        char hint[owi_hint_size], quoted[owi_quote_size];
        owi_spelling_begin(&spelling, field);
        for (size_t i = 0; i < n_known; i++) owi_spelling_offer(&spelling, known[i], i);
        owi_spelling_hint(&spelling, hint);
        return owi_fail(OW_ERR_FORMAT, "%s: %sthere is no field %s%s", fields->file,
                        fields->where, owi_quote_text(field, quoted), hint);
    }
    return OW_OK;
}

ow_status owi_json_item_text(const owi_json_fields *fields, const char *name,
                             const json_t *item, const char **text)
{
    if (!json_is_string(item)) return owi_json_unexpected(fields, name, "a text", item);
    *text = json_string_value(item);
    return OW_OK;
}

ow_status owi_json_item_number(const owi_json_fields *fields, const char *name,
                               const json_t *item, double *number)
{
    if (!json_is_number(item)) return owi_json_unexpected(fields, name, "a number", item);
    *number = json_number_value(item);
    return OW_OK;
}

ow_status owi_json_item_count(const owi_json_fields *fields, const char *name, size_t max,
                              const json_t *item, size_t *count)
{
    const double number = json_is_number(item) ? json_number_value(item) : -1.0;
    if (number >= 0.0 && number == floor(number) && number <= (double)max &&
        number < 9007199254740992.0) { /* 2^53: beyond it reals skip whole numbers */
        *count = (size_t)number;
        return OW_OK;
    }
    char expected[64] = "a whole number from 0 on";
    if (max < SIZE_MAX)
        snprintf(expected, sizeof expected, "a whole number from 0 to %zu", max);
    return owi_json_unexpected(fields, name, expected, item);
}

ow_status owi_json_read_text(const owi_json_fields *fields, const char *name,
                             const char **text)
{
    const json_t *item = json_object_get(fields->object, name);
    return item != NULL ? owi_json_item_text(fields, name, item, text) : OW_OK;
}

ow_status owi_json_read_number(const owi_json_fields *fields, const char *name,
                               double *number)
{
    const json_t *item = json_object_get(fields->object, name);
    return item != NULL ? owi_json_item_number(fields, name, item, number) : OW_OK;
}

ow_status owi_json_read_count(const owi_json_fields *fields, const char *name, size_t max,
                              size_t *count)
{
    const json_t *item = json_object_get(fields->object, name);
    return item != NULL ? owi_json_item_count(fields, name, max, item, count) : OW_OK;
}

ow_status owi_json_read_bool(const owi_json_fields *fields, const char *name, bool *value)
{
    const json_t *item = json_object_get(fields->object, name);
    if (item == NULL) return OW_OK;
    if (!json_is_boolean(item))
        return owi_json_unexpected(fields, name, "true or false", item);
    *value = json_is_true(item);
    return OW_OK;
}

/* Lists the words:  continuous, integer, categorical or ordinal. */
static void list_words(const char *(*name_of)(int), char *text, size_t size)
{
    size_t used = 0;
    text[0] = '\0';
    for (int i = 0; name_of(i) != NULL && used < size; i++) {
        const char *between = i == 0 ? "" : name_of(i + 1) != NULL ? ", " : " or ";
        used += (size_t)snprintf(text + used, size - used, "%s\"%s\"", between, name_of(i));
    }
}

ow_status owi_json_read_choice(const owi_json_fields *fields, const char *name,
                               const char *(*name_of)(int), int *choice)
{
    const json_t *item = json_object_get(fields->object, name);
    if (item == NULL) return OW_OK;
    for (int i = 0; json_is_string(item) && name_of(i) != NULL; i++)
        if (strcmp(json_string_value(item), name_of(i)) == 0) {
            *choice = i;
            return OW_OK;
        }
    char words[160];
    list_words(name_of, words, sizeof words);
    return owi_json_unexpected(fields, name, words, item);
}

ow_status owi_json_read_array(const owi_json_fields *fields, const char *name,
                              const json_t **array)
{
    *array = json_object_get(fields->object, name);
    if (*array == NULL || json_is_array(*array)) return OW_OK;
    return owi_json_unexpected(fields, name, "a list [...]", *array);
}
