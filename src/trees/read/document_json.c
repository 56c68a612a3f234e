/* SPDX-License-Identifier: MIT */
/* JSON (RFC 8259), with NaN, Infinity and -Infinity as numbers, which XGBoost writes. */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/memory/alloc.h"
#include "base/text/number.h"
#include "base/text/utf8.h"
#include "trees/read/document.h"

static bool is_space(unsigned char c)
{
    return c == ' ' || c == '\n' || c == '\t' || c == '\r';
}

/* The next character that is no space; 0 at the end of the file. */
static unsigned char look(owi_document *document)
{
    while (document->at < document->size && is_space(document->bytes[document->at]))
        document->at++;
    return document->at < document->size ? document->bytes[document->at] : 0;
}

static ow_status unexpected(const owi_document *document, const char *expected)
{
    if (document->at >= document->size)
        return owi_document_fail(document, "the file ends where %s should follow",
                                 expected);
    return owi_document_fail(document, "expected %s", expected);
}

/* ---- Texts ---- */

static int hex_digit(unsigned char c)
{
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

/* The four digits of \uXXXX at p; -1 if they are none. */
static int32_t read_unit(const unsigned char *p, const unsigned char *end)
{
    int32_t unit = 0;
    if (end - p < 4) return -1;
    for (int i = 0; i < 4; i++) {
        const int digit = hex_digit(p[i]);
        if (digit < 0) return -1;
        unit = 16 * unit + digit;
    }
    return unit;
}

static size_t put_utf8(uint32_t c, char *to)
{
    if (c < 0x80) return to[0] = (char)c, 1;
    size_t n = c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
    for (size_t i = n - 1; i > 0; i--, c >>= 6) to[i] = (char)(0x80 | (c & 0x3f));
    to[0] = (char)((n == 2 ? 0xc0u : n == 3 ? 0xe0u : 0xf0u) | c);
    return n;
}

/* One escape behind the backslash at *p, which moves on; returns how many bytes it is, 0 if
 * it is no escape. */
static size_t unescape(const unsigned char **p, const unsigned char *end, char *to)
{
    static const char from[] = "\"\\/bfnrt", into[] = "\"\\/\b\f\n\r\t";
    const unsigned char c = *(*p)++;
    const char *found = c != 0 ? strchr(from, c) : NULL;
    if (found != NULL) return *to = into[found - from], 1;
    if (c != 'u') return 0;
    int32_t unit = read_unit(*p, end);
    if (unit <= 0 || (unit >= 0xdc00 && unit < 0xe000)) return 0;
    *p += 4;
    if (unit < 0xd800 || unit >= 0xe000) return put_utf8((uint32_t)unit, to);
    if (end - *p < 6 || (*p)[0] != '\\' || (*p)[1] != 'u') return 0;
    const int32_t low = read_unit(*p + 2, end);
    if (low < 0xdc00 || low >= 0xe000) return 0;
    *p += 6;
    unit = 0x10000 + ((unit - 0xd800) << 10) + (low - 0xdc00);
    return put_utf8((uint32_t)unit, to);
}

/* From the backslash at p on into the document's own memory. */
static ow_status read_escaped(owi_document *document, const unsigned char *p,
                              const unsigned char *end, owi_token *token)
{
    const unsigned char *first = document->bytes + document->at;
    size_t n = (size_t)(p - first);
    OWI_TRY(owi_grow(document->ctx, &document->text, &document->text_capacity,
                     (size_t)(end - first) + 4, 1));
    memcpy(document->text, first, n);
    while (p < end) {
        if (*p != '\\') {
            document->text[n++] = (char)*p++;
            continue;
        }
        p++;
        const size_t length = p < end ? unescape(&p, end, document->text + n) : 0;
        if (length == 0)
            return owi_document_fail(document, "a text holds an unknown escape");
        n += length;
    }
    token->text = document->text;
    token->length = n;
    return OW_OK;
}

/* document->at is behind the opening quote. */
static ow_status read_text(owi_document *document, owi_token *token)
{
    const unsigned char *first = document->bytes + document->at, *p = first;
    const unsigned char *end = document->bytes + document->size, *escape = NULL;
    for (; p < end && *p != '"'; p++) {
        if (*p < 0x20)
            return owi_document_fail(document, "a text holds a control character");
        if (*p == '\\' && escape == NULL) escape = p;
        if (*p == '\\' && p + 1 < end) p++;
    }
    if (p >= end) return owi_document_fail(document, "the file ends inside a text");
    token->text = (const char *)first;
    token->length = (size_t)(p - first);
    if (escape != NULL) OWI_TRY(read_escaped(document, escape, p, token));
    if (!owi_is_utf8(token->text, token->length))
        return owi_document_fail(document, "a text is not UTF-8");
    document->at = (size_t)(p - document->bytes) + 1;
    return OW_OK;
}

/* ---- Words and numbers ---- */

static bool take_word(owi_document *document, const char *word)
{
    const size_t length = strlen(word);
    if (document->size - document->at < length ||
        memcmp(document->bytes + document->at, word, length) != 0)
        return false;
    document->at += length;
    return true;
}

static ow_status read_number(owi_document *document, owi_token *token)
{
    const unsigned char *first = document->bytes + document->at, *p = first;
    const unsigned char *end = document->bytes + document->size;
    token->kind = owi_token_number;
    while (p < end && ((*p >= '0' && *p <= '9') || *p == '-' || *p == '+' || *p == '.' ||
                       *p == 'e' || *p == 'E'))
        p++;
    if (p > first && *first != '+' && *first != '.' &&
        owi_parse_number((const char *)first, (size_t)(p - first), &token->number, NULL)) {
        document->at += (size_t)(p - first);
        return OW_OK;
    }
    if (take_word(document, "NaN"))
        token->number = (double)NAN;
    else if (take_word(document, "Infinity"))
        token->number = (double)INFINITY;
    else if (take_word(document, "-Infinity"))
        token->number = -(double)INFINITY;
    else
        return unexpected(document, "a value");
    return OW_OK;
}

static ow_status read_value(owi_document *document, unsigned char c, owi_token *token)
{
    *token = (owi_token){.kind = owi_token_null};
    if (c == '{' || c == '[') {
        document->at++;
        return owi_document_open(document, c == '{', token);
    }
    if (c == '"') {
        token->kind = owi_token_text;
        document->at++;
        return read_text(document, token);
    }
    if (take_word(document, "null")) return OW_OK;
    token->kind = owi_token_boolean;
    token->truth = c == 't';
    if (take_word(document, "true") || take_word(document, "false")) return OW_OK;
    return read_number(document, token);
}

/* ---- Structure ---- */

static ow_status read_key(owi_document *document, owi_document_level *level,
                          owi_token *token)
{
    if (look(document) != '"') return unexpected(document, "a key in quotes");
    document->at++;
    *token = (owi_token){.kind = owi_token_key};
    OWI_TRY(read_text(document, token));
    if (look(document) != ':') return unexpected(document, "\":\" behind a key");
    document->at++;
    look(document);
    level->wants_value = true;
    return OW_OK;
}

ow_status owi_document_next_json(owi_document *document, owi_token *token)
{
    unsigned char c = look(document);
    if (document->depth == 0) {
        if (document->is_done && document->at < document->size)
            return unexpected(document, "nothing behind the outermost object");
        if (document->is_done) return *token = (owi_token){.kind = owi_token_end}, OW_OK;
        if (c != '{' && c != '[') return unexpected(document, "an object {...}");
        return read_value(document, c, token);
    }
    owi_document_level *level = &document->levels[document->depth - 1];
    if (!level->wants_value) {
        if (c == (level->is_object ? '}' : ']')) {
            document->at++;
            return owi_document_close(document, token);
        }
        if (level->has_items) {
            if (c != ',') return unexpected(document, "a comma or the closing bracket");
            document->at++;
            c = look(document);
        }
        level->has_items = true;
        if (level->is_object) return read_key(document, level, token);
    }
    level->wants_value = false;
    return read_value(document, c, token);
}
