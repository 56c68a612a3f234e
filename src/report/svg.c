/* SPDX-License-Identifier: MIT */
#include "report/svg.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/utf8.h"

static void append(owi_svg *svg, const char *bytes, size_t size)
{
    if (svg->status != OW_OK) return;
    svg->status = owi_grow(svg->ctx, &svg->text, &svg->capacity, svg->size + size + 1, 1);
    if (svg->status != OW_OK) return;
    memcpy(svg->text + svg->size, bytes, size);
    svg->size += size;
    svg->text[svg->size] = '\0';
}

void owi_svg_add(owi_svg *svg, const char *format, ...)
{
    char text
        [512]; /* elements are short: names and other long texts go through owi_svg_add_text */
    va_list arguments;
    va_start(arguments, format);
    const int length = vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    append(svg, text, length < 0 ? 0 : strlen(text));
}

/* ---- Text ---- */

/* A character as XML has it: the reserved ones by name, what it does not allow as U+FFFD. */
static void append_character(owi_svg *svg, const char *text, size_t length)
{
    static const char replacement[] = "\xEF\xBF\xBD";
    switch (length == 1 ? text[0] : 'a') {
    case '<':
        append(svg, "&lt;", 4);
        return;
    case '>':
        append(svg, "&gt;", 4);
        return;
    case '&':
        append(svg, "&amp;", 5);
        return;
    default:
        break;
    }
    const bool control = length == 1 && (unsigned char)text[0] < 0x20;
    const bool not_a_character =
        length == 3 && memcmp(text, "\xEF\xBF", 2) == 0 && (unsigned char)text[2] >= 0xBE;
    if (length == 0 || control || not_a_character)
        append(svg, replacement, 3);
    else
        append(svg, text, length);
}

/* East Asian characters, nearly all of those that take three bytes, are twice as wide. */
static size_t columns_of(size_t character_length)
{
    return character_length >= 3 ? 2 : 1;
}

void owi_svg_add_text(owi_svg *svg, const char *text, size_t most)
{
    size_t left = strlen(text), width = 0, length = left;
    for (size_t at = 0; at < length;) {
        const size_t n = owi_utf8_character(text + at, length - at);
        width += columns_of(n);
        at += n > 0 ? n : 1;
    }
    const bool whole = width <= most;
    for (size_t used = 0; left > 0;) {
        const size_t n = owi_utf8_character(text, left);
        used += columns_of(n);
        if (!whole && used + 3 > most) break;
        append_character(svg, text, n);
        text += n > 0 ? n : 1;
        left -= n > 0 ? n : 1;
    }
    if (!whole) append(svg, "...", 3);
}

/* ---- Elements ---- */

void owi_svg_begin(owi_svg *svg, ow_context *ctx, long width, long height,
                   const char *title)
{
    *svg = (owi_svg){.ctx = ctx};
    owi_svg_add(
        svg,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%ld\" height=\"%ld\" "
        "viewBox=\"0 0 %ld %ld\" font-family=\"Helvetica, Arial, sans-serif\">\n<title>",
        width, height, width, height);
    owi_svg_add_text(svg, title, 200);
    owi_svg_add(svg, "</title>\n<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>\n");
}

ow_status owi_svg_end(owi_svg *svg, char **text)
{
    owi_svg_add(svg, "</svg>\n");
    *text = NULL;
    if (svg->status == OW_OK)
        *text = svg->text;
    else
        owi_free(svg->ctx, svg->text);
    return svg->status;
}

void owi_svg_line(owi_svg *svg, long x1, long y1, long x2, long y2, const char *style)
{
    owi_svg_add(svg, "<line x1=\"%ld\" y1=\"%ld\" x2=\"%ld\" y2=\"%ld\" %s/>\n", x1, y1, x2,
                y2, style);
}

void owi_svg_circle(owi_svg *svg, long x, long y, long radius, const char *style)
{
    owi_svg_add(svg, "<circle cx=\"%ld\" cy=\"%ld\" r=\"%ld\" %s/>\n", x, y, radius, style);
}

void owi_svg_box(owi_svg *svg, long x, long y, long width, long height, const char *style)
{
    owi_svg_add(svg,
                "<rect x=\"%ld\" y=\"%ld\" width=\"%ld\" height=\"%ld\" rx=\"6\" %s/>\n", x,
                y, width, height, style);
}

void owi_svg_label(owi_svg *svg, long x, long y, const char *style, const char *text,
                   size_t most)
{
    owi_svg_add(svg, "<text x=\"%ld\" y=\"%ld\" %s>", x, y, style);
    owi_svg_add_text(svg, text, most);
    owi_svg_add(svg, "</text>\n");
}
