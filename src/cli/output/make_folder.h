/* SPDX-License-Identifier: MIT */
/* Folders for what the program writes. */
#ifndef CLI_MAKE_FOLDER_H
#define CLI_MAKE_FOLDER_H

#include <stdbool.h>

/* The folder with all that lead to it; one that is there is fine.  False after a
 * complaint. */
bool make_folder(const char *path);

#endif
