/* SPDX-License-Identifier: MIT */
#include "output/make_folder.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "terminal/memory.h"
#include "terminal/message.h"

static bool make_one(const char *path)
{
    struct stat about;
    if (mkdir(path, 0777) == 0) return true;
    if (errno != EEXIST) return false;
    if (stat(path, &about) == 0 && S_ISDIR(about.st_mode)) return true;
    errno = ENOTDIR;
    return false;
}

bool make_folder(const char *path)
{
    char *part = memory_copy(path, strlen(path));
    bool made = true;
    for (char *at = part + (part[0] == '/'); made && *at != '\0'; at++) {
        if (*at != '/' || at == part) continue;
        *at = '\0';
        made = make_one(part);
        *at = '/';
    }
    made = made && make_one(part);
    if (!made) message(OW_LOG_ERROR, "cannot make %s: %s", path, strerror(errno));
    free(part);
    return made;
}
