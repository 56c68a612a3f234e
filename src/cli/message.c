/* SPDX-License-Identifier: MIT */
#include "message.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "display_text.h"
#include "memory.h"
#include "progress.h"
#include "terminal.h"

static bool only_errors;

void message_set_quiet(bool quiet)
{
    only_errors = quiet;
}

void message_log(void *user, ow_log_level level, const char *text)
{
    (void)user;
    if (only_errors && level < OW_LOG_ERROR) return;
    char *clean = display_clean(text);

    flockfile(stderr);
    progress_clear();
    fputs("otherwise: ", stderr);
    if (level < OW_LOG_ERROR)
        fprintf(stderr, "%s%s%s ",
                terminal_colour(stderr,
                                level == OW_LOG_WARN ? TERMINAL_YELLOW : TERMINAL_CYAN),
                level == OW_LOG_WARN ? "warning:" : "note:",
                terminal_colour(stderr, TERMINAL_PLAIN));
    fprintf(stderr, "%s\n", clean);
    funlockfile(stderr);

    free(clean);
}

void message(ow_log_level level, const char *format, ...)
{
    va_list arguments, again;
    va_start(arguments, format);
    va_copy(again, arguments);
    const int length = vsnprintf(NULL, 0, format, again);
    va_end(again);

    const size_t size = length < 0 ? 1 : (size_t)length + 1;
    char *text = memory_new(size, 1);
    vsnprintf(text, size, format, arguments);
    va_end(arguments);

    message_log(NULL, level, text);
    free(text);
}
