/* SPDX-License-Identifier: MIT */
/* wcwidth() belongs to the X/Open part of POSIX. */
#define _XOPEN_SOURCE 700
#include "terminal/display_text.h"

#include <locale.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#include "output/output.h"
#include "terminal/memory.h"
#include "terminal/terminal.h"
#include "terminal/text_build.h"

enum { replacement = 0xFFFD };

void display_start(void)
{
    /* Where there is no such locale, every character counts as one column. */
    (void)setlocale(LC_CTYPE, "C.UTF-8");
}

/* Decodes the character at text and returns its bytes; what is not UTF-8 (stray, overlong,
 * cut off, surrogate) is one replacement character a byte. */
static size_t decode(const char *text, uint32_t *code)
{
    static const uint32_t smallest[] = {0, 0, 0x80, 0x800, 0x10000};
    const unsigned char *bytes = (const unsigned char *)text;
    size_t length = 1;
    uint32_t value = bytes[0];

    *code = replacement;
    if (value < 0x80) {
        *code = value;
        return 1;
    }
    if (value >= 0xC2 && value < 0xE0)
        length = 2, value &= 0x1F;
    else if (value >= 0xE0 && value < 0xF0)
        length = 3, value &= 0x0F;
    else if (value >= 0xF0 && value < 0xF5)
        length = 4, value &= 0x07;
    else
        return 1;

    for (size_t i = 1; i < length; i++) {
        if ((bytes[i] & 0xC0) != 0x80) return 1;
        value = value << 6 | (bytes[i] & 0x3F);
    }
    if (value < smallest[length] || value > 0x10FFFF || (value >= 0xD800 && value < 0xE000))
        return 1;
    *code = value;
    return length;
}

/* Moves the cursor or turns the writing direction, so that a line would not stay a line. */
static bool is_control(uint32_t code)
{
    return code < 0x20 || (code >= 0x7F && code < 0xA0) ||
           (code >= 0x2028 && code <= 0x202E) || (code >= 0x2066 && code <= 0x2069);
}

static size_t columns_of(uint32_t code)
{
    if (code < 0x80) return 1;
    const int width = wcwidth((wchar_t)code);
    return width < 0 ? 1 : (size_t)width;
}

/* Writes one character, made harmless, and returns the bytes written: at most 8. */
static size_t clean_one(const char *text, size_t length, uint32_t code, char *out)
{
    if (code == replacement) return (size_t)sprintf(out, "\xEF\xBF\xBD");
    if (code == '\n') return (size_t)sprintf(out, "\\n");
    if (code == '\r') return (size_t)sprintf(out, "\\r");
    if (code == '\t') return (size_t)sprintf(out, "\\t");
    if (is_control(code))
        return (size_t)sprintf(out, code < 0x100 ? "\\x%02x" : "\\u%04x", (unsigned)code);
    memcpy(out, text, length);
    return length;
}

char *display_clean(const char *text)
{
    const size_t size = strlen(text);
    char *clean = memory_new(size + 1, 8), *end = clean;
    uint32_t code;
    for (size_t at = 0, length; at < size; at += length) {
        length = decode(text + at, &code);
        end += clean_one(text + at, length, code, end);
    }
    *end = '\0';
    return clean;
}

size_t display_width(const char *text)
{
    size_t width = 0;
    uint32_t code;
    for (; *text != '\0'; text += decode(text, &code), width += columns_of(code)) {
    }
    return width;
}

/* Bytes of the longest beginning of the text that fits into so many columns. */
static size_t fitting(const char *text, size_t width)
{
    size_t at = 0, used = 0;
    uint32_t code;
    while (text[at] != '\0') {
        const size_t length = decode(text + at, &code);
        if (used + columns_of(code) > width) break;
        used += columns_of(code);
        at += length;
    }
    return at;
}

/* Where a list may be cut: behind the comma or the < after an item. */
static bool ends_item(const char *text, size_t length)
{
    return length > 2 && text[length - 1] == ' ' &&
           (text[length - 2] == ',' || text[length - 2] == '<');
}

char *display_shorten(const char *text, size_t width, const char *ending)
{
    if (display_width(text) <= width) return memory_copy(text, strlen(text));
    if (display_width(ending) > width) return memory_copy(ending, fitting(ending, width));

    const size_t most = fitting(text, width - display_width(ending));
    size_t kept = most;
    while (kept > most / 2 && !ends_item(text, kept)) kept--;
    if (kept <= most / 2)
        for (kept = most; kept > 0 && strchr(" ,", text[kept - 1]) != NULL;) kept--;
    return text_add(NULL, "%.*s%s", (int)kept, text, ending);
}

void display_pad(FILE *file, size_t n)
{
    output_print(file, "%*s", (int)n, "");
}

/* Turns no-break spaces into spaces. */
static void loosen(char *text)
{
    for (char *at; (at = strstr(text, DISPLAY_NO_BREAK)) != NULL; text = at + 1) {
        *at = ' ';
        memmove(at + 1, at + 2, strlen(at + 2) + 1);
    }
}

/* The words of one line of the text, from text to end. */
static void wrap_line(FILE *file, const char *text, const char *end, size_t indent,
                      size_t width)
{
    size_t used = indent;
    for (bool first = true; text < end; first = false) {
        const char *space = memchr(text, ' ', (size_t)(end - text));
        const char *stop = space != NULL ? space : end;
        char *word = memory_copy(text, (size_t)(stop - text));
        loosen(word);
        const size_t columns = display_width(word);
        if (!first && used + 1 + columns > width) {
            output_print(file, "\n%*s", (int)indent, "");
            used = indent;
        } else if (!first) {
            output_print(file, " ");
            used++;
        }
        output_print(file, "%s", word);
        used += columns;
        free(word);
        text = stop + 1;
    }
}

void display_wrap(FILE *file, const char *text, size_t indent, size_t width)
{
    for (;;) {
        const char *end = strchr(text, '\n');
        if (end == NULL) end = text + strlen(text);
        if (*text == ' ')
            output_print(file, "%.*s", (int)(end - text), text);
        else
            wrap_line(file, text, end, indent, width);
        output_print(file, "\n");
        if (*end == '\0') break;
        text = end + 1;
        if (*text != '\n' && *text != '\0') display_pad(file, indent);
    }
}

void display_paragraph(FILE *file, char *text)
{
    char *clean = display_clean(text);
    display_wrap(file, clean, 0, terminal_width(file));
    free(clean);
    free(text);
}
