/* SPDX-License-Identifier: MIT */
#include "data_folder.h"

#include <stdlib.h>

#include "text_build.h"

/* A variable that is set to nothing counts as not set. */
static const char *variable(const char *name)
{
    const char *value = getenv(name);
    return value != NULL && *value != '\0' ? value : NULL;
}

char *data_folder(const char *given, const char **found_by)
{
    const char *folder;
    if (given != NULL) return *found_by = "--data", text_add(NULL, "%s", given);
    if ((folder = variable("OTHERWISE_DATA")) != NULL)
        return *found_by = "$OTHERWISE_DATA", text_add(NULL, "%s", folder);
    *found_by = "the user's cache folder";
    /* The XDG base directory rules: a relative XDG_CACHE_HOME is to be ignored. */
    if ((folder = variable("XDG_CACHE_HOME")) != NULL && *folder == '/')
        return text_add(NULL, "%s/otherwise", folder);
    if ((folder = variable("HOME")) != NULL)
        return text_add(NULL, "%s/.cache/otherwise", folder);
    return NULL;
}
