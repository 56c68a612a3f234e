/* SPDX-License-Identifier: MIT */
/* What the program says to the shell when it ends.  The numbers are part of its
 * interface. */
#ifndef CLI_EXIT_CODES_H
#define CLI_EXIT_CODES_H

#include <stdbool.h>
#include <stddef.h>

#include "otherwise/status.h"

enum {
    EXIT_DONE = 0,
    EXIT_SOME_ROWS = 1,
    EXIT_USAGE = 2,
    EXIT_DATA = 3,
    EXIT_RESOURCES = 4,
    EXIT_OUR_BUG = 70,
    EXIT_INTERRUPTED = 130
};

/* The code for a call that ended with this status; writing: the call was making an output,
 * so that a file system that says no is a lack of resources and not a bad input. */
int exit_code_for(ow_status status, bool writing);

/* Each code with its meaning in words, for help and manual; NULL past the last one. */
const char *exit_code_meaning(size_t index, int *code);

#endif
