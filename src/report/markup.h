/* SPDX-License-Identifier: MIT */
/* Markup (SVG, HTML) written piece by piece into a growing text.  Numbers come as whole
 * ones or through owi_markup_number, so that no locale can spoil them.  The first failure
 * sticks, and owi_markup_end returns it. */
#ifndef OWI_MARKUP_H
#define OWI_MARKUP_H

#include <stddef.h>

#include "otherwise/context.h"
#include "report/support.h"

typedef struct {
    ow_context *ctx;
    char *text;
    size_t size, capacity;
    ow_status status;
} owi_markup;

void owi_markup_begin(owi_markup *markup, ow_context *ctx);
/* Hands the NUL-terminated text over (freed with owi_free), or frees it and returns the
 * failure.  size may be NULL. */
ow_status owi_markup_end(owi_markup *markup, char **text, size_t *size);

/* Elements as they are, formatted as by printf, of up to 500 bytes: longer texts go through
 * the others. */
void owi_markup_add(owi_markup *markup, const char *format, ...) OWI_PRINTF(2, 3);
/* Bytes as they are. */
void owi_markup_bytes(owi_markup *markup, const char *bytes, size_t size);
/* Text of any bytes, made harmless for elements and quoted attributes: cut after so many
 * columns of a line (0: whole), with "..." behind it. */
void owi_markup_text(owi_markup *markup, const char *text, size_t most);
/* A number with so many decimals and a point, whatever the locale; "-" if it is none. */
void owi_markup_number(owi_markup *markup, double number, int decimals);
/* Bytes as base64, for data: addresses. */
void owi_markup_base64(owi_markup *markup, const void *bytes, size_t size);

#endif
