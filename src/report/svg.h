/* SPDX-License-Identifier: MIT */
/* SVG written piece by piece into a growing text.  All coordinates are whole pixels, so that no locale can spoil them.  The
 * first failure sticks, and owi_svg_end returns it. */
#ifndef OWI_SVG_H
#define OWI_SVG_H

#include <stddef.h>

#include "base/compiler.h"
#include "otherwise/context.h"

typedef struct {
    ow_context *ctx;
    char *text;
    size_t size, capacity;
    ow_status status;
} owi_svg;

/* A picture of this size with a white ground; title is read aloud and shown as a tooltip. */
void owi_svg_begin(owi_svg *svg, ow_context *ctx, long width, long height,
                   const char *title);
/* Hands the NUL-terminated text over (freed with owi_free), or frees it and returns the failure. */
ow_status owi_svg_end(owi_svg *svg, char **text);

/* Elements as they are, formatted as by printf: for what the others do not cover. */
void owi_svg_add(owi_svg *svg, const char *format, ...) OWI_PRINTF(2, 3);
/* Text for an element, of any bytes: cut after so many columns of a line, with "..." behind it. */
void owi_svg_add_text(owi_svg *svg, const char *text, size_t most);

void owi_svg_line(owi_svg *svg, long x1, long y1, long x2, long y2, const char *style);
void owi_svg_circle(owi_svg *svg, long x, long y, long radius, const char *style);
void owi_svg_box(owi_svg *svg, long x, long y, long width, long height, const char *style);
/* One line of text around x, its base line at y. */
void owi_svg_label(owi_svg *svg, long x, long y, const char *style, const char *text,
                   size_t most);

#endif
