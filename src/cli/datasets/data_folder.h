/* SPDX-License-Identifier: MIT */
/* Where the data sets are: --data DIR, else $OTHERWISE_DATA, else the user's cache
 * folder. */
#ifndef CLI_DATA_FOLDER_H
#define CLI_DATA_FOLDER_H

/* given is the value of --data, NULL without it.  *found_by says where the folder comes
 * from ("--data", "$OTHERWISE_DATA", ...).  The caller frees the result; NULL if the
 * environment names not even a home. */
char *data_folder(const char *given, const char **found_by);

#endif
