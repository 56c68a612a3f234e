/* SPDX-License-Identifier: MIT */
/* Failing as the library does, so that its failures and the program's own go the same way:
 * a status, and a sentence that ow_error_message gives. */
#ifndef CLI_FAILURE_H
#define CLI_FAILURE_H

#include "otherwise/status.h"
#include "terminal/format_check.h"

/* Records the sentence and returns the status. */
ow_status failure(ow_status status, const char *format, ...) CLI_PRINTF(2, 3);

/* OW_ERR_IO, "cannot VERB PATH: reason", the reason being errno's. */
ow_status failure_of_file(const char *verb, const char *path);

#endif
