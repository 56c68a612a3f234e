/* SPDX-License-Identifier: MIT */
#include "report/svg.h"

void owi_svg_begin(owi_svg *svg, ow_context *ctx, long width, long height,
                   const char *title)
{
    owi_markup_begin(svg, ctx);
    owi_markup_add(
        svg,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%ld\" height=\"%ld\" "
        "viewBox=\"0 0 %ld %ld\" font-family=\"Helvetica, Arial, sans-serif\">\n<title>",
        width, height, width, height);
    owi_markup_text(svg, title, 200);
    owi_markup_add(svg,
                   "</title>\n<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>\n");
}

ow_status owi_svg_end(owi_svg *svg, char **text)
{
    owi_markup_add(svg, "</svg>\n");
    return owi_markup_end(svg, text, NULL);
}

void owi_svg_line(owi_svg *svg, long x1, long y1, long x2, long y2, const char *style)
{
    owi_markup_add(svg, "<line x1=\"%ld\" y1=\"%ld\" x2=\"%ld\" y2=\"%ld\" %s/>\n", x1, y1,
                   x2, y2, style);
}

void owi_svg_circle(owi_svg *svg, long x, long y, long radius, const char *style)
{
    owi_markup_add(svg, "<circle cx=\"%ld\" cy=\"%ld\" r=\"%ld\" %s/>\n", x, y, radius,
                   style);
}

void owi_svg_box(owi_svg *svg, long x, long y, long width, long height, const char *style)
{
    owi_markup_add(svg,
                   "<rect x=\"%ld\" y=\"%ld\" width=\"%ld\" height=\"%ld\" rx=\"6\" %s/>\n",
                   x, y, width, height, style);
}

void owi_svg_label(owi_svg *svg, long x, long y, const char *style, const char *text,
                   size_t most)
{
    owi_markup_add(svg, "<text x=\"%ld\" y=\"%ld\" %s>", x, y, style);
    owi_markup_text(svg, text, most);
    owi_markup_add(svg, "</text>\n");
}
