/* SPDX-License-Identifier: MIT */
/* What the program says besides results: one sentence a line on standard error, after the
 * program's name, with whatever came out of a file made harmless. */
#ifndef CLI_MESSAGE_H
#define CLI_MESSAGE_H

#include <stdbool.h>

#include "otherwise/context.h"
#include "terminal/format_check.h"

/* Errors only, from here on. */
void message_set_quiet(bool quiet);

/* Nothing at all, from here on, but the last error is remembered; or again everything. */
void message_set_muted(bool muted);
/* The last error; "" if there was none. */
const char *message_last_error(void);

/* "otherwise: warning: ..."; errors go without their name: "otherwise: ...". */
void message(ow_log_level level, const char *format, ...) CLI_PRINTF(2, 3);

/* An ow_log_fn: what the library has to say.  May be called from several threads. */
void message_log(void *user, ow_log_level level, const char *text);

#endif
