/* SPDX-License-Identifier: MIT */
/* JSON written as it comes, into a growing text: objects and arrays nest up to 32 deep;
 * each is either spread over lines or kept on one, with all that is in it.  Numbers are the
 * shortest that read back as the same double; NaN and infinities are null; text is escaped,
 * bytes that are not UTF-8 become U+FFFD.  A document spread over lines ends with a
 * newline.  The first failure sticks and owi_json_end returns it. */
#ifndef OWI_JSON_WRITE_H
#define OWI_JSON_WRITE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "otherwise/context.h"

typedef struct {
    ow_context *ctx;
    char *text;
    size_t size, capacity;
    unsigned depth;
    bool on_one_line[32], has_items[32], after_key, at_break;
    bool compact; /* set after begin: no blanks between items on one line */
    ow_status status;
} owi_json;

void owi_json_begin(owi_json *json, ow_context *ctx);
/* Hands the NUL-terminated text over (freed with ow_bytes_free), or frees it and returns
 * the failure.  size may be NULL. */
ow_status owi_json_end(owi_json *json, char **text, size_t *size);

void owi_json_open_object(owi_json *json, bool on_one_line);
void owi_json_close_object(owi_json *json);
void owi_json_open_array(owi_json *json, bool on_one_line);
void owi_json_close_array(owi_json *json);

/* On one line: the next item begins a new line after all, under the first. */
void owi_json_break(owi_json *json);

void owi_json_key(owi_json *json, const char *key);
void owi_json_text(owi_json *json, const char *text); /* NULL: null */
void owi_json_number(owi_json *json, double value);
/* With so many significant digits at most, and always a point or an exponent: 1.0, 0.25,
 * 1e-7. */
void owi_json_decimal(owi_json *json, double value, int digits);
void owi_json_integer(owi_json *json, int64_t value);
void owi_json_bool(owi_json *json, bool value);
void owi_json_null(owi_json *json);
/* Bytes as they stand, for a document that is made of pieces: no separators are added. */
void owi_json_raw(owi_json *json, const char *text);

#endif
