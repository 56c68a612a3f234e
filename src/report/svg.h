/* SPDX-License-Identifier: MIT */
/* SVG pictures, written piece by piece.  All coordinates are whole pixels. */
#ifndef OWI_SVG_H
#define OWI_SVG_H

#include "report/markup.h"

typedef owi_markup owi_svg;

/* A picture of this size with a white ground; title is read aloud and shown as a
 * tooltip. */
void owi_svg_begin(owi_svg *svg, ow_context *ctx, long width, long height,
                   const char *title);
/* Hands the NUL-terminated text over (freed with owi_free), or frees it and returns the
 * failure. */
ow_status owi_svg_end(owi_svg *svg, char **text);

void owi_svg_line(owi_svg *svg, long x1, long y1, long x2, long y2, const char *style);
void owi_svg_circle(owi_svg *svg, long x, long y, long radius, const char *style);
void owi_svg_box(owi_svg *svg, long x, long y, long width, long height, const char *style);
/* One line of text around x, its base line at y. */
void owi_svg_label(owi_svg *svg, long x, long y, const char *style, const char *text,
                   size_t most);

#endif
