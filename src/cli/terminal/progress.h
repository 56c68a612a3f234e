/* SPDX-License-Identifier: MIT */
/* A line on the terminal that tells how far a long call has come, and the way to stop
 * it. */
#ifndef CLI_PROGRESS_H
#define CLI_PROGRESS_H

#include <stdbool.h>
#include <stddef.h>

#include "otherwise/call.h"

/* An ow_progress_fn: shows the line if the call has lasted for a second, and *user, a
 * bool, allows it; false as soon as a signal has asked to stop.  May be
 * called from several threads. */
bool progress_report(void *user, const ow_progress *progress);

/* Takes the line away, if one is shown. */
void progress_clear(void);

/* The line itself: "reading rows: 45 %, 12 s left". */
void progress_text(const ow_progress *progress, char *text, size_t size);

#endif
