/* SPDX-License-Identifier: MIT */
#include "datasets/data_folder.h"

#include "terminal/environment.h"
#include "terminal/text_build.h"

char *data_folder(const char *given, const char **found_by)
{
    const char *folder;
    if (given != NULL) return *found_by = "--data", text_add(NULL, "%s", given);
    if ((folder = environment_text("OTHERWISE_DATA")) != NULL)
        return *found_by = "$OTHERWISE_DATA", text_add(NULL, "%s", folder);
    *found_by = "the user's cache folder";
    /* The XDG base directory rules: a relative XDG_CACHE_HOME is to be ignored. */
    if ((folder = environment_text("XDG_CACHE_HOME")) != NULL && *folder == '/')
        return text_add(NULL, "%s/otherwise", folder);
    if ((folder = environment_text("HOME")) != NULL)
        return text_add(NULL, "%s/.cache/otherwise", folder);
    return NULL;
}
