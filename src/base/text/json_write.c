/* SPDX-License-Identifier: MIT */
#include "base/text/json_write.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/memory/alloc.h"
#include "base/memory/sizes.h"
#include "base/text/number.h"
#include "base/text/utf8.h"

void owi_json_begin(owi_json *json, ow_context *ctx)
{
    *json = (owi_json){.ctx = ctx};
}

static void append(owi_json *json, const char *bytes, size_t size)
{
    size_t wanted;
    if (json->status != OW_OK) return;
    if (!owi_size_add(json->size, size, &wanted) || !owi_size_add(wanted, 1, &wanted)) {
        json->status = owi_fail(OW_ERR_MEMORY, "out of memory: the JSON text is too long");
        return;
    }
    json->status = owi_grow_bytes(json->ctx, &json->text, &json->capacity, wanted);
    if (json->status != OW_OK) return;
    memcpy(json->text + json->size, bytes, size);
    json->size += size;
}

static void append_text(owi_json *json, const char *text)
{
    append(json, text, strlen(text));
}

/* What is kept on one line may be broken on request: under the first item, one further in
 * than the bracket, which stands where its line begins. */
static void new_line(owi_json *json, bool is_break)
{
    const unsigned indent = is_break ? 2 * (json->depth - 1) + 1 : 2 * json->depth;
    append_text(json, "\n");
    for (unsigned i = 0; i < indent; i++) append_text(json, " ");
}

/* Whatever stands between this item and what came before it. */
static void begin_item(owi_json *json)
{
    if (json->after_key) {
        json->after_key = false;
        return;
    }
    if (json->depth == 0) return;
    const unsigned top = json->depth - 1;
    const bool is_first = !json->has_items[top];
    json->has_items[top] = true;
    if (!is_first) append_text(json, ",");
    if (!json->on_one_line[top]) new_line(json, false);
    if (json->on_one_line[top] && json->at_break) new_line(json, true);
    if (json->on_one_line[top] && !json->at_break && !is_first && !json->compact)
        append_text(json, " ");
    json->at_break = false;
}

static void open_item(owi_json *json, const char *bracket, bool on_one_line)
{
    enum { deepest = sizeof json->has_items / sizeof *json->has_items };
    begin_item(json);
    append_text(json, bracket);
    if (json->status != OW_OK) return;
    if (json->depth == deepest) {
        json->status =
            owi_fail(OW_ERR_UNSUPPORTED, "JSON nested more than %d deep", (int)deepest);
        return;
    }
    /* What is inside one line is on that line too. */
    const bool inherited = json->depth > 0 && json->on_one_line[json->depth - 1];
    json->on_one_line[json->depth] = on_one_line || inherited;
    json->has_items[json->depth] = false;
    json->depth++;
}

static void close_item(owi_json *json, const char *bracket)
{
    if (json->status != OW_OK) return;
    assert(json->depth > 0 && !json->after_key);
    json->depth--;
    if (!json->on_one_line[json->depth] && json->has_items[json->depth])
        new_line(json, false);
    append_text(json, bracket);
    if (json->depth == 0 && !json->on_one_line[0]) append_text(json, "\n");
}

void owi_json_open_object(owi_json *json, bool on_one_line)
{
    open_item(json, "{", on_one_line);
}

void owi_json_close_object(owi_json *json)
{
    close_item(json, "}");
}

void owi_json_open_array(owi_json *json, bool on_one_line)
{
    open_item(json, "[", on_one_line);
}

void owi_json_close_array(owi_json *json)
{
    close_item(json, "]");
}

void owi_json_break(owi_json *json)
{
    json->at_break = true;
}

/* The two-letter escape of a character that has one, else NULL. */
static const char *short_escape(char character)
{
    switch (character) {
    case '"':
        return "\\\"";
    case '\\':
        return "\\\\";
    case '\b':
        return "\\b";
    case '\f':
        return "\\f";
    case '\n':
        return "\\n";
    case '\r':
        return "\\r";
    case '\t':
        return "\\t";
    default:
        return NULL;
    }
}

static void append_escaped(owi_json *json, const char *text)
{
    size_t length = strlen(text);
    append_text(json, "\"");
    while (length > 0) {
        const size_t n = owi_utf8_character(text, length);
        const char *escape = short_escape(text[0]);
        if (n == 0) {
            append_text(json, "\xEF\xBF\xBD"); /* U+FFFD stands for one bad byte */
        } else if (escape != NULL) {
            append_text(json, escape);
        } else if ((unsigned char)text[0] < 0x20) {
            char code[8];
            snprintf(code, sizeof code, "\\u%04x", (unsigned)(unsigned char)text[0]);
            append_text(json, code);
        } else {
            append(json, text, n);
        }
        text += n > 0 ? n : 1;
        length -= n > 0 ? n : 1;
    }
    append_text(json, "\"");
}

void owi_json_key(owi_json *json, const char *key)
{
    begin_item(json);
    append_escaped(json, key);
    append_text(json, json->compact ? ":" : ": ");
    json->after_key = true;
}

/* A value that is written as it stands. */
static void append_value(owi_json *json, const char *text)
{
    begin_item(json);
    append_text(json, text);
}

void owi_json_text(owi_json *json, const char *text)
{
    if (text == NULL) {
        owi_json_null(json);
        return;
    }
    begin_item(json);
    append_escaped(json, text);
}

void owi_json_number(owi_json *json, double value)
{
    char text[owi_number_size];
    if (!isfinite(value)) {
        owi_json_null(json);
        return;
    }
    owi_print_number(value == 0.0 ? 0.0 : value, text); /* readers take -0 for 0 */
    append_value(json, text);
}

void owi_json_decimal(owi_json *json, double value, int digits)
{
    char printed[40], text[48];
    size_t n = 0;
    bool is_real = false;
    if (!isfinite(value)) {
        owi_json_null(json);
        return;
    }
    snprintf(printed, sizeof printed, "%.*g", digits, value);
    for (const char *p = printed; *p != '\0'; p++) {
        if (*p == 'e') { /* e-07 and e+20 become e-7 and e20 */
            is_real = true;
            text[n++] = *p++;
            if (*p == '-') text[n++] = *p;
            while (p[1] == '0') p++;
            continue;
        }
        const bool is_point = strchr("-0123456789", *p) == NULL; /* or the locale's */
        is_real = is_real || is_point;
        text[n++] = *p;
        if (is_point) text[n - 1] = '.';
    }
    memcpy(text + n, is_real ? "" : ".0", is_real ? 1 : 3);
    append_value(json, text);
}

void owi_json_integer(owi_json *json, int64_t value)
{
    char text[32];
    snprintf(text, sizeof text, "%" PRId64, value);
    append_value(json, text);
}

void owi_json_bool(owi_json *json, bool value)
{
    append_value(json, value ? "true" : "false");
}

void owi_json_null(owi_json *json)
{
    append_value(json, "null");
}

void owi_json_raw(owi_json *json, const char *text)
{
    append_text(json, text);
}

ow_status owi_json_end(owi_json *json, char **text, size_t *size)
{
    *text = NULL;
    append(json, "", 0); /* there is a block even if nothing was written */
    const ow_status status = json->status;
    assert(status != OW_OK || json->depth == 0);
    if (status == OW_OK) {
        json->text[json->size] = '\0';
        *text = json->text;
        if (size != NULL) *size = json->size;
    } else {
        ow_bytes_free(json->text);
    }
    *json = (owi_json){.ctx = json->ctx};
    return status;
}
