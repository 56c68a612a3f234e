/* SPDX-License-Identifier: MIT */
#include "terminal/text_build.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "terminal/memory.h"

char *text_add_arguments(char *text, const char *format, va_list arguments)
{
    va_list again;
    va_copy(again, arguments);
    const int added = vsnprintf(NULL, 0, format, again);
    va_end(again);

    const size_t length = text != NULL ? strlen(text) : 0;
    const size_t size = added < 0 ? 1 : (size_t)added + 1;
    char *longer = memory_new(length + size, 1);
    if (length > 0) memcpy(longer, text, length);
    vsnprintf(longer + length, size, format, arguments);
    free(text);
    return longer;
}

char *text_add(char *text, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    text = text_add_arguments(text, format, arguments);
    va_end(arguments);
    return text;
}

char *text_add_count(char *text, size_t n, const char *noun)
{
    return text_add(text, "%zu %s%s", n, noun, n == 1 ? "" : "s");
}

char *text_add_item(char *text, const char *between, const char *name)
{
    const char *quote = strpbrk(name, ",<") != NULL ? "\"" : "";
    return text_add(text, "%s%s%s%s", between, quote, name, quote);
}
