/* SPDX-License-Identifier: MIT */
/* JSON and UBJSON as a stream of tokens: model files of 100 MB are read without building a
 * tree of values first.
 *
 *     OWI_TRY(owi_document_next(&document, &token));
 *     if (token.kind == owi_token_object)
 *         for (;;) {
 *             OWI_TRY(owi_document_next(&document, &token));  // a key, or the end
 *             if (token.kind == owi_token_object_end) break;
 *             if (is_mine(&token)) ... else OWI_TRY(owi_document_skip(&document));
 *         }
 *
 * The bytes are checked as far as they are read: a failure is OW_ERR_FORMAT with the file
 * and the place. */
#ifndef OWI_DOCUMENT_H
#define OWI_DOCUMENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/compiler.h"
#include "otherwise/context.h"

/* Objects and arrays inside each other; XGBoost needs 8. */
enum { owi_document_max_depth = 64 };

typedef enum {
    owi_token_end, /* nothing follows the outermost value */
    owi_token_object,
    owi_token_object_end,
    owi_token_array,
    owi_token_array_end,
    owi_token_key,
    owi_token_text,
    owi_token_number,
    owi_token_boolean,
    owi_token_null
} owi_token_kind;

typedef struct {
    owi_token_kind kind;
    const char *text; /* keys and texts: lent until the next token; no NUL behind it */
    size_t length;
    double number;
    bool truth;
} owi_token;

typedef struct {
    bool is_object, has_items, counted, wants_value;
    unsigned char type; /* UBJSON: of all items; 0: each says its own */
    uint64_t n_left;    /* UBJSON: items left, where counted          */
} owi_document_level;

typedef struct {
    ow_context *ctx;
    const char *name; /* for sentences, borrowed */
    const unsigned char *bytes;
    size_t size, at;
    bool is_binary, is_done;
    unsigned depth;
    owi_document_level levels[owi_document_max_depth];
    char *text; /* unescaped texts */
    size_t text_capacity;
} owi_document;

/* Borrows bytes and name.  Clear it in the end, also after failures. */
void owi_document_begin(owi_document *document, ow_context *ctx, const void *bytes,
                        size_t size, bool is_binary, const char *name);
void owi_document_clear(owi_document *document);

ow_status owi_document_next(owi_document *document, owi_token *token);
/* Reads past the value whose key, or whose array's beginning, was the last token. */
ow_status owi_document_skip(owi_document *document);
/* The same where token is the first of the value. */
ow_status owi_document_skip_from(owi_document *document, const owi_token *token);

/* The next value must be an array of numbers, where true and false count as 1 and 0: they
 * go to *numbers, which grows.  what names it in sentences. */
ow_status owi_document_numbers(owi_document *document, const char *what, double **numbers,
                               size_t *n, size_t *capacity);

/* Fails: FILE:LINE: SENTENCE, or FILE, byte N: SENTENCE. */
ow_status owi_document_fail(const owi_document *document, const char *format, ...)
    OWI_PRINTF(2, 3);

bool owi_token_is(const owi_token *token, const char *text);

/* The two syntaxes; for document.c. */
ow_status owi_document_next_json(owi_document *document, owi_token *token);
ow_status owi_document_next_ubjson(owi_document *document, owi_token *token);
ow_status owi_document_open(owi_document *document, bool is_object, owi_token *token);
ow_status owi_document_close(owi_document *document, owi_token *token);

#endif
