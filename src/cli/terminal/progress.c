/* SPDX-License-Identifier: MIT */
#include "terminal/progress.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "terminal/display_text.h"
#include "terminal/interrupt.h"
#include "terminal/terminal.h"

static const double first_seconds = 1.0; /* nothing is shown before   */
static const double every_seconds = 0.1; /* and not more often        */

static bool shown;
static double last_seconds; /* when the line was drawn, on the call's own clock */

/* "40 s", "3 min 20 s", "2 h 5 min" */
static void print_time(double seconds, char *text, size_t size)
{
    /* Rounded up, but for rounding errors: there is some left until there is none. */
    const uint64_t whole = (uint64_t)ceil(fmax(0.0, fmin(seconds, 1e9) - 1e-6));
    if (whole < 60)
        snprintf(text, size, "%" PRIu64 " s", whole);
    else if (whole < 3600)
        snprintf(text, size, "%" PRIu64 " min %" PRIu64 " s", whole / 60, whole % 60);
    else
        snprintf(text, size, "%" PRIu64 " h %" PRIu64 " min", whole / 3600,
                 whole % 3600 / 60);
}

void progress_text(const ow_progress *progress, char *text, size_t size)
{
    char time[64];
    /* What stands in brackets is for those who know circuits. */
    const int stage = (int)strcspn(progress->stage, "(");
    const int length = stage > 0 && progress->stage[stage] == '(' ? stage - 1 : stage;
    if (progress->total == 0 || progress->done == 0) {
        print_time(progress->seconds, time, sizeof time);
        snprintf(text, size, "%.*s: %s so far", length, progress->stage, time);
        return;
    }
    /* What is left takes as long per unit as what is done. */
    const double share = fmin(1.0, (double)progress->done / (double)progress->total);
    print_time(progress->seconds * (1.0 - share) / share, time, sizeof time);
    snprintf(text, size, "%.*s: %d %%, %s left", length, progress->stage,
             (int)(100.0 * share), time);
}

static void draw(const ow_progress *progress)
{
    char text[256];
    progress_text(progress, text, sizeof text);
    char *line = display_shorten(text, terminal_width(stderr) - 1, "...");
    fprintf(stderr, "\r%s\033[K", line);
    fflush(stderr);
    free(line);
    shown = true;
    last_seconds = progress->seconds;
}

bool progress_report(void *user, const ow_progress *progress)
{
    const bool *allowed = user;
    if (interrupt_signal() != 0) return false;
    if (!*allowed || progress->seconds < first_seconds) return true;

    flockfile(stderr);
    /* Time going backwards means that another call has begun. */
    const double since = progress->seconds - last_seconds;
    if (!shown || since >= every_seconds || since < 0.0) draw(progress);
    funlockfile(stderr);
    return true;
}

void progress_clear(void)
{
    flockfile(stderr);
    if (shown) fputs("\r\033[K", stderr);
    shown = false;
    funlockfile(stderr);
}
