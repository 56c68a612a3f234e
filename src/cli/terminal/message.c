/* SPDX-License-Identifier: MIT */
#include "terminal/message.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "output/output.h"
#include "terminal/display_text.h"
#include "terminal/progress.h"
#include "terminal/terminal.h"
#include "terminal/text_build.h"

static bool only_errors, is_muted;
static char last_error[1024];

void message_set_quiet(bool quiet)
{
    only_errors = quiet;
}

void message_set_muted(bool muted)
{
    is_muted = muted;
}

const char *message_last_error(void)
{
    return last_error;
}

void message_log(void *user, ow_log_level level, const char *text)
{
    (void)user;
    if (level == OW_LOG_ERROR) snprintf(last_error, sizeof last_error, "%s", text);
    if (is_muted || (only_errors && level < OW_LOG_ERROR)) return;
    char *clean = display_clean(text);

    output_flush();
    flockfile(stderr);
    progress_clear();
    const char *kind = level == OW_LOG_WARN   ? "warning: "
                       : level < OW_LOG_ERROR ? "note: "
                                              : "";
    const char *begin = terminal_colour(stderr, level == OW_LOG_WARN   ? TERMINAL_YELLOW
                                                : level < OW_LOG_ERROR ? TERMINAL_CYAN
                                                                       : "");
    const char *end = level < OW_LOG_ERROR ? terminal_colour(stderr, TERMINAL_PLAIN) : "";
    /* Lines of a terminal are broken between words.  Elsewhere a message is one line, and
     * written at once: what other processes write does not come in between. */
    if (isatty(fileno(stderr)) == 1) {
        fprintf(stderr, "otherwise: %s%s%s", begin, kind, end);
        display_wrap(stderr, clean, strlen("otherwise: ") + strlen(kind),
                     terminal_width(stderr));
    } else {
        fprintf(stderr, "otherwise: %s%s%s%s\n", begin, kind, end, clean);
    }
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
