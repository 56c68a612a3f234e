/* SPDX-License-Identifier: MIT */
/* The environment, which only the program reads, never the library. */
#ifndef CLI_ENVIRONMENT_H
#define CLI_ENVIRONMENT_H

/* NULL for a variable that is not set, or set to nothing. */
const char *environment_text(const char *name);

#endif
