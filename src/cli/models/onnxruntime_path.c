/* SPDX-License-Identifier: MIT */
#include "models/onnxruntime_path.h"

#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "terminal/memory.h"

/* The package's library below a folder; NULL: there is none. */
static char *find_below(const char *folder, const char *more)
{
    char pattern[1024];
    char *path = NULL;
    glob_t found;
    if (folder == NULL || folder[0] == '\0') return NULL;
    const int length =
        snprintf(pattern, sizeof pattern,
                 "%s%s/lib*/python3*/*-packages/onnxruntime/capi/libonnxruntime.so*",
                 folder, more);
    if (length < 0 || (size_t)length >= sizeof pattern) return NULL;
    if (glob(pattern, 0, NULL, &found) != 0) return NULL;
    path = memory_copy(found.gl_pathv[0], strlen(found.gl_pathv[0]));
    globfree(&found);
    return path;
}

char *onnxruntime_path(const char *given)
{
    if (given != NULL) return memory_copy(given, strlen(given));
    char *path = find_below(getenv("VIRTUAL_ENV"), "");
    if (path == NULL) path = find_below(getenv("CONDA_PREFIX"), "");
    return path != NULL ? path : find_below(getenv("HOME"), "/.local");
}
