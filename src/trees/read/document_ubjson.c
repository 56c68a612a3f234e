/* SPDX-License-Identifier: MIT */
/* UBJSON, draft 12: a byte for the type, numbers with the highest byte first, lists that
 * may say their type and count in advance. */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/text/utf8.h"
#include "trees/read/document.h"

static ow_status cut_off(const owi_document *document)
{
    return owi_document_fail(document, "the file ends inside a value");
}

static ow_status take_byte(owi_document *document, unsigned char *byte)
{
    if (document->at >= document->size) return cut_off(document);
    *byte = document->bytes[document->at++];
    return OW_OK;
}

static ow_status take_word(owi_document *document, size_t n_bytes, uint64_t *word)
{
    if (document->size - document->at < n_bytes) return cut_off(document);
    *word = 0;
    for (size_t i = 0; i < n_bytes; i++)
        *word = *word << 8 | document->bytes[document->at++];
    return OW_OK;
}

/* Bytes of a number of this type; 0: the type is none. */
static size_t number_size(unsigned char type)
{
    switch (type) {
    case 'i':
    case 'U':
        return 1;
    case 'I':
        return 2;
    case 'l':
    case 'd':
        return 4;
    case 'L':
    case 'D':
        return 8;
    default:
        return 0;
    }
}

static double real_of(unsigned char type, uint64_t word)
{
    double real;
    float half;
    const uint32_t low = (uint32_t)word;
    if (type == 'D') {
        memcpy(&real, &word, sizeof real);
    } else {
        memcpy(&half, &low, sizeof half);
        real = (double)half;
    }
    return real;
}

static ow_status read_number(owi_document *document, unsigned char type, double *number)
{
    const size_t n_bytes = number_size(type);
    uint64_t word = 0;
    OWI_TRY(take_word(document, n_bytes, &word));
    if (type == 'd' || type == 'D') {
        *number = real_of(type, word);
    } else {
        const uint64_t sign = UINT64_C(1) << (8 * n_bytes - 1);
        if (type != 'U') word = (word ^ sign) - sign; /* the sign into all higher bits */
        *number = (double)(int64_t)word;
    }
    return OW_OK;
}

/* A count or a length: a whole number behind a type of its own. */
static ow_status read_count(owi_document *document, uint64_t *count)
{
    unsigned char type = 0;
    double number;
    OWI_TRY(take_byte(document, &type));
    if (number_size(type) == 0 || type == 'd' || type == 'D')
        return owi_document_fail(document, "expected a length");
    OWI_TRY(read_number(document, type, &number));
    if (!(number >= 0.0 && number < 0x1p53))
        return owi_document_fail(document, "a length is negative or too large");
    *count = (uint64_t)number;
    return OW_OK;
}

static ow_status read_text(owi_document *document, owi_token *token)
{
    uint64_t length;
    OWI_TRY(read_count(document, &length));
    if (length > document->size - document->at) return cut_off(document);
    token->text = (const char *)document->bytes + document->at;
    token->length = (size_t)length;
    if (!owi_is_utf8(token->text, token->length) ||
        memchr(token->text, 0, token->length) != NULL)
        return owi_document_fail(document, "a text is not UTF-8");
    document->at += token->length;
    return OW_OK;
}

/* Behind the opening bracket: $ type # count, or # count, or neither.  A count beyond the
 * bytes that are left cannot be true, unless its items take none. */
static ow_status read_head(owi_document *document)
{
    owi_document_level *level = &document->levels[document->depth - 1];
    unsigned char byte = document->at < document->size ? document->bytes[document->at] : 0;
    if (byte == '$') {
        document->at++;
        OWI_TRY(take_byte(document, &level->type));
        if (number_size(level->type) == 0 && level->type != 'S')
            return owi_document_fail(document, "a list of an unknown type");
        byte = document->at < document->size ? document->bytes[document->at] : 0;
        if (byte != '#') return owi_document_fail(document, "a typed list has no count");
    }
    if (byte != '#') return OW_OK;
    document->at++;
    level->counted = true;
    OWI_TRY(read_count(document, &level->n_left));
    if (level->n_left > document->size - document->at) return cut_off(document);
    return OW_OK;
}

static ow_status read_value(owi_document *document, unsigned char type, owi_token *token)
{
    *token = (owi_token){.kind = owi_token_null};
    switch (type) {
    case '{':
    case '[':
        OWI_TRY(owi_document_open(document, type == '{', token));
        return read_head(document);
    case 'S':
        token->kind = owi_token_text;
        return read_text(document, token);
    case 'T':
    case 'F':
        token->kind = owi_token_boolean;
        token->truth = type == 'T';
        return OW_OK;
    case 'Z':
        return OW_OK;
    default:
        if (number_size(type) == 0)
            return owi_document_fail(document, "a value of unknown type 0x%02x", type);
        token->kind = owi_token_number;
        return read_number(document, type, &token->number);
    }
}

/* A value's type: its list's, or its own byte, before which no-ops may stand. */
static ow_status read_type(owi_document *document, unsigned char list_type,
                           unsigned char *type)
{
    *type = list_type;
    while (*type == 0 || *type == 'N') OWI_TRY(take_byte(document, type));
    return OW_OK;
}

/* Whether the innermost object or list ends here; an uncounted one takes its bracket. */
static bool at_end(owi_document *document, const owi_document_level *level)
{
    if (level->counted) return level->n_left == 0;
    if (document->at >= document->size ||
        document->bytes[document->at] != (level->is_object ? '}' : ']'))
        return false;
    document->at++;
    return true;
}

ow_status owi_document_next_ubjson(owi_document *document, owi_token *token)
{
    unsigned char type = 0;
    if (document->depth == 0) {
        if (document->is_done && document->at < document->size)
            return owi_document_fail(document, "bytes follow the outermost object");
        if (document->is_done) return *token = (owi_token){.kind = owi_token_end}, OW_OK;
        OWI_TRY(read_type(document, 0, &type));
        if (type != '{' && type != '[')
            return owi_document_fail(document, "expected an object");
        return read_value(document, type, token);
    }
    owi_document_level *level = &document->levels[document->depth - 1];
    if (!level->wants_value) {
        if (at_end(document, level)) return owi_document_close(document, token);
        if (level->counted) level->n_left--;
        if (level->is_object) {
            *token = (owi_token){.kind = owi_token_key};
            level->wants_value = true;
            return read_text(document, token);
        }
    }
    level->wants_value = false;
    OWI_TRY(read_type(document, level->type, &type));
    return read_value(document, type, token);
}
