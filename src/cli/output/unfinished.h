/* SPDX-License-Identifier: MIT */
/* The temporary file that is being written, to be removed when the program ends from one
 * moment to the next: by a second Ctrl-C, or by a mistake of its own. */
#ifndef CLI_UNFINISHED_H
#define CLI_UNFINISHED_H

/* path is copied; NULL: there is none any more. */
void unfinished_set(const char *path);

/* May be called by a signal handler. */
void unfinished_remove(void);

#endif
