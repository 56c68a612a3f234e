/* SPDX-License-Identifier: MIT */
/* Of Python's literals the header needs these, with blanks between any two of them:
 *
 *     header   = "{" [ pair { "," pair } [ "," ] ] "}"
 *     pair     = "'descr'" ":" string | "'fortran_order'" ":" bool | "'shape'" ":" tuple
 *     string   = "'" characters "'"  |  '"' characters '"'      without escapes
 *     bool     = "True" | "False"
 *     tuple    = "(" ")"  |  "(" size "," ")"  |  "(" size { "," size } [ "," ] ")"
 *
 * It is read by one function for each, from left to right, without looking back. */
#include "data/array/npy_header.h"

#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/memory/sizes.h"

const char owi_npy_magic[owi_npy_magic_size] = {'\x93', 'N', 'U', 'M', 'P', 'Y'};

/* NumPy's codes, without the byte order before them. */
static const struct {
    char code[3];
    owi_element element;
} codes[] = {{"f4", OWI_FLOAT32}, {"f8", OWI_FLOAT64}, {"u1", OWI_UINT8},
             {"u2", OWI_UINT16},  {"u4", OWI_UINT32},  {"u8", OWI_UINT64},
             {"i1", OWI_INT8},    {"i2", OWI_INT16},   {"i4", OWI_INT32},
             {"i8", OWI_INT64},   {"b1", OWI_BOOL}};
enum { n_codes = sizeof codes / sizeof *codes };

/* ---- Reading: a cursor over the text ---- */

typedef struct {
    const char *name, *text;
    size_t size, at;
} cursor;

/* A piece of the header between quotes; lent by it. */
typedef struct {
    const char *text;
    size_t length;
} span;

static ow_status fail_here(const cursor *in, const char *expected)
{
    char got[32] = "its end";
    if (in->at < in->size) {
        const unsigned char c = (unsigned char)in->text[in->at];
        snprintf(got, sizeof got, c >= ' ' && c < 0x7f ? "'%c'" : "byte 0x%02x", c);
    }
    return owi_fail(OW_ERR_FORMAT, "%s: NPY header, character %zu: expected %s, got %s",
                    in->name, in->at + 1, expected, got);
}

static void skip_blanks(cursor *in)
{
    while (in->at < in->size && in->text[in->at] != '\0' &&
           strchr(" \t\r\n", in->text[in->at]) != NULL)
        in->at++;
}

/* Passes over blanks and then this character, if it is the next. */
static bool accept(cursor *in, char wanted)
{
    skip_blanks(in);
    if (in->at == in->size || in->text[in->at] != wanted) return false;
    in->at++;
    return true;
}

static ow_status expect(cursor *in, char wanted)
{
    const char name[] = {'\'', wanted, '\'', '\0'};
    return accept(in, wanted) ? OW_OK : fail_here(in, name);
}

static bool accept_word(cursor *in, const char *word)
{
    const size_t length = strlen(word);
    skip_blanks(in);
    if (in->size - in->at < length || memcmp(in->text + in->at, word, length) != 0)
        return false;
    in->at += length;
    return true;
}

/* A string without escapes: no key and no element type has any. */
static ow_status parse_string(cursor *in, const char *expected, span *out)
{
    skip_blanks(in);
    const char quote = in->at < in->size ? in->text[in->at] : '\0';
    if (quote != '\'' && quote != '"') return fail_here(in, expected);
    const size_t start = ++in->at;
    while (in->at < in->size && in->text[in->at] != quote) {
        const unsigned char c = (unsigned char)in->text[in->at];
        if (c < ' ' || c == '\\' || c == 0x7f) return fail_here(in, "a plain character");
        in->at++;
    }
    *out = (span){in->text + start, in->at - start};
    return expect(in, quote);
}

static bool is_text(span s, const char *text)
{
    return s.length == strlen(text) && memcmp(s.text, text, s.length) == 0;
}

static ow_status parse_type(cursor *in, owi_array_head *head)
{
    skip_blanks(in);
    if (in->at < in->size && in->text[in->at] == '[')
        return owi_fail(OW_ERR_UNSUPPORTED,
                        "%s: an NPY array of records (several named fields); expected one "
                        "number an element",
                        in->name);
    span type;
    OWI_TRY(parse_string(in, "an element type in quotes", &type));
    const char order = type.length == 3 ? type.text[0] : '\0';
    for (size_t i = 0; order != '\0' && i < n_codes; i++) {
        if (memcmp(type.text + 1, codes[i].code, 2) != 0) continue;
        const bool is_byte = owi_element_size(codes[i].element) == 1;
        if (order != '<' && order != '>' && !(order == '|' && is_byte)) break;
        head->element = codes[i].element;
        head->big_endian = order == '>';
        return OW_OK;
    }
    return owi_fail(
        OW_ERR_UNSUPPORTED,
        "%s: NPY elements of type '%.*s'; expected f4, f8, i1 to i8, u1 to u8 or "
        "b1 behind '<', '>' or '|'",
        in->name, (int)owi_smaller(type.length, 40), type.text);
}

static ow_status parse_bool(cursor *in, bool *value)
{
    *value = accept_word(in, "True");
    if (*value || accept_word(in, "False")) return OW_OK;
    return fail_here(in, "True or False");
}

static ow_status parse_size(cursor *in, size_t *value)
{
    skip_blanks(in);
    const size_t start = in->at;
    *value = 0;
    for (; in->at < in->size; in->at++) {
        const char c = in->text[in->at];
        if (c < '0' || c > '9') break;
        if (!owi_size_multiply(*value, 10, value) ||
            !owi_size_add(*value, (size_t)(c - '0'), value))
            return fail_here(in, "the end of a dimension that is too large");
    }
    if (in->at == start) return fail_here(in, "a dimension");
    if (in->at < in->size && in->text[in->at] == 'L') in->at++; /* Python 2 wrote 3L */
    return OW_OK;
}

/* A tuple: (), (3,), (3, 4) or (3, 4,); (3) is just a number in brackets. */
static ow_status parse_shape(cursor *in, owi_array_head *head)
{
    bool more = true;
    OWI_TRY(expect(in, '('));
    for (head->rank = 0; !accept(in, ')'); head->rank++) {
        if (!more) return fail_here(in, "',' or ')'");
        if (head->rank == owi_most_dimensions)
            return fail_here(in, "the end of the shape after 32 dimensions");
        OWI_TRY(parse_size(in, &head->shape[head->rank]));
        more = accept(in, ',');
        if (!more && head->rank == 0) return fail_here(in, "','");
    }
    return OW_OK;
}

ow_status owi_npy_parse_header(const char *text, size_t size, const char *name,
                               owi_array_head *head)
{
    enum { descr, fortran_order, shape, n_keys };
    static const char *const keys[n_keys] = {"descr", "fortran_order", "shape"};
    bool seen[n_keys] = {false}, more = true;
    cursor in = {.name = name, .text = text, .size = size};
    *head = (owi_array_head){0};

    OWI_TRY(expect(&in, '{'));
    while (!accept(&in, '}')) {
        if (!more) return fail_here(&in, "',' or '}'");
        span key;
        OWI_TRY(parse_string(&in, "a key in quotes or '}'", &key));
        size_t k = 0;
        while (k < n_keys && !is_text(key, keys[k])) k++;
        if (k == n_keys || seen[k])
            return owi_fail(OW_ERR_FORMAT,
                            "%s: NPY header: expected the keys descr, fortran_order and "
                            "shape once each, got %.*s%s",
                            name, (int)owi_smaller(key.length, 40), key.text,
                            k == n_keys ? "" : " twice");
        seen[k] = true;
        OWI_TRY(expect(&in, ':'));
        OWI_TRY(k == descr           ? parse_type(&in, head)
                : k == fortran_order ? parse_bool(&in, &head->fortran_order)
                                     : parse_shape(&in, head));
        more = accept(&in, ',');
    }
    skip_blanks(&in);
    if (in.at < in.size) return fail_here(&in, "blanks after '}'");
    for (size_t k = 0; k < n_keys; k++)
        if (!seen[k])
            return owi_fail(OW_ERR_FORMAT, "%s: NPY header: the key %s is missing", name,
                            keys[k]);
    return OW_OK;
}

/* ---- Writing ---- */

size_t owi_npy_print_head(const owi_array_head *head, char bytes[owi_npy_head_size])
{
    enum { prefix_size = owi_npy_magic_size + 4, alignment = 64 };
    size_t i = 0;
    while (codes[i].element != head->element) i++;
    const char order = owi_element_size(head->element) == 1 ? '|'
                       : head->big_endian                   ? '>'
                                                            : '<';
    /* 32 dimensions of at most 20 digits fit into owi_npy_head_size with room to spare. */
    size_t n = prefix_size;
    n += (size_t)snprintf(bytes + n, owi_npy_head_size - n,
                          "{'descr': '%c%s', 'fortran_order': %s, 'shape': (", order,
                          codes[i].code, head->fortran_order ? "True" : "False");
    for (size_t d = 0; d < head->rank; d++)
        n += (size_t)snprintf(bytes + n, owi_npy_head_size - n,
                              head->rank == 1 ? "%zu,"
                              : d == 0        ? "%zu"
                                              : ", %zu",
                              head->shape[d]);
    n += (size_t)snprintf(bytes + n, owi_npy_head_size - n, "), }");

    const size_t total = (n + alignment) / alignment * alignment; /* n + 1, rounded up */
    memset(bytes + n, ' ', total - n - 1);
    bytes[total - 1] = '\n';
    memcpy(bytes, owi_npy_magic, owi_npy_magic_size);
    bytes[owi_npy_magic_size] = 1;     /* major */
    bytes[owi_npy_magic_size + 1] = 0; /* minor */
    bytes[owi_npy_magic_size + 2] = (char)((total - prefix_size) & 0xff);
    bytes[owi_npy_magic_size + 3] = (char)((total - prefix_size) >> 8);
    return total;
}
