/* SPDX-License-Identifier: MIT */
#include "data_folder.h"

#include <stdlib.h>
#include <string.h>

#include "memory.h"

/* A variable that is set to nothing counts as not set. */
static const char *variable(const char *name)
{
    const char *value = getenv(name);
    return value != NULL && *value != '\0' ? value : NULL;
}

static char *below(const char *folder, const char *rest)
{
    const size_t length = strlen(folder), added = strlen(rest);
    char *path = memory_new(length + added + 1, 1);
    memcpy(path, folder, length);
    memcpy(path + length, rest, added);
    return path;
}

char *data_folder(const char *given, const char **found_by)
{
    const char *folder;
    if (given != NULL) return *found_by = "--data", below(given, "");
    if ((folder = variable("OTHERWISE_DATA")) != NULL)
        return *found_by = "$OTHERWISE_DATA", below(folder, "");
    *found_by = "the user's cache folder";
    /* The XDG base directory rules: a relative XDG_CACHE_HOME is to be ignored. */
    if ((folder = variable("XDG_CACHE_HOME")) != NULL && *folder == '/')
        return below(folder, "/otherwise");
    if ((folder = variable("HOME")) != NULL) return below(folder, "/.cache/otherwise");
    return NULL;
}
