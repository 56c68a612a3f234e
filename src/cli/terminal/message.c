/* SPDX-License-Identifier: MIT */
#include "terminal/message.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "output/output.h"
#include "terminal/display_text.h"
#include "terminal/progress.h"
#include "terminal/terminal.h"
#include "terminal/text_build.h"

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

    output_flush();
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
    va_list arguments;
    va_start(arguments, format);
    char *text = text_add_arguments(NULL, format, arguments);
    va_end(arguments);
    message_log(NULL, level, text);
    free(text);
}
