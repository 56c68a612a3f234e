/* SPDX-License-Identifier: MIT */
/* JSON read strictly: every value has the type it should have, every field is a known one,
 * and the sentence for what is not so names the file, the object, the field, what was
 * expected and what was found.
 *
 *     owi_json_fields column = {.file = "credit.schema.json", .object = item};
 *     snprintf(column.where, sizeof column.where, "column \"%s\", ", name);
 *     OWI_TRY(owi_json_read_number(&column, "mean", &mean));
 *
 * A field that is absent leaves its variable as it was: set the default before. */
#ifndef OWI_JSON_READ_H
#define OWI_JSON_READ_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/call.h"

/* One object, and how sentences speak of it: FILE: WHEREfield "NAME": ... */
typedef struct {
    const char *file;
    char where[160];
    const json_t *object;
    const owi_call *call; /* that the file is read for; NULL: none */
} owi_json_fields;

/* Parses a text; the caller json_decrefs *out.  All numbers are reals; a key that an object
 * has twice, a NUL byte and nesting beyond any sense are errors, with line and column.
 * jansson cannot be given an allocator for one call: this memory comes from malloc. */
ow_status owi_json_parse(const char *text, size_t size, const char *file, json_t **out);
/* The same inside a call, with ticks. */
ow_status owi_json_parse_in(const owi_call *call, const char *text, size_t size,
                            const char *file, json_t **out);

/* Fails with OW_ERR_FORMAT: FILE: WHEREfield "NAME": expected EXPECTED, got GOT.  got may
 * be NULL: nothing. */
ow_status owi_json_unexpected(const owi_json_fields *fields, const char *name,
                              const char *expected, const json_t *got);

/* That it is an object, with none but these fields. */
ow_status owi_json_check_fields(const owi_json_fields *fields, const char *const *known,
                                size_t n_known);

/* Texts are lent by the JSON value and hold no NUL. */
ow_status owi_json_read_text(const owi_json_fields *fields, const char *name,
                             const char **text);
ow_status owi_json_read_number(const owi_json_fields *fields, const char *name,
                               double *number);
/* A whole number from 0 to max. */
ow_status owi_json_read_count(const owi_json_fields *fields, const char *name, size_t max,
                              size_t *count);
ow_status owi_json_read_bool(const owi_json_fields *fields, const char *name, bool *value);
/* One of the words name_of(0), name_of(1), ..., which ends with NULL. */
ow_status owi_json_read_choice(const owi_json_fields *fields, const char *name,
                               const char *(*name_of)(int), int *choice);
/* NULL where absent. */
ow_status owi_json_read_array(const owi_json_fields *fields, const char *name,
                              const json_t **array);

/* The items of arrays; name is the array's field. */
ow_status owi_json_item_text(const owi_json_fields *fields, const char *name,
                             const json_t *item, const char **text);
ow_status owi_json_item_number(const owi_json_fields *fields, const char *name,
                               const json_t *item, double *number);
ow_status owi_json_item_count(const owi_json_fields *fields, const char *name, size_t max,
                              const json_t *item, size_t *count);

#endif
