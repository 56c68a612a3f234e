/* SPDX-License-Identifier: MIT */
/* Names that a word of the command line may be completed to: one on each line. */
#ifndef CLI_KNOWN_NAMES_H
#define CLI_KNOWN_NAMES_H

#include "commands/command.h"

enum { NAMES_OF_METHODS, NAMES_OF_COLUMNS, NAMES_OF_CLASSES };
extern const char *const known_names_kinds[]; /* "methods", ...; NULL at the end */

/* Methods, or columns or classes of a file: a model, or for columns also a table.  Nothing
 * of a file that is neither; path may be NULL.  An exit code. */
int known_names_print(const invocation *call, int kind, const char *path);

#endif
