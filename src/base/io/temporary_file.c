/* SPDX-License-Identifier: MIT */
#include "base/io/temporary_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Not tmpfile(), whose folder cannot be chosen and may be memory itself. */
FILE *owi_temporary_open(const ow_context *ctx)
{
    char path[4096];
    if (snprintf(path, sizeof path, "%s/otherwise-XXXXXX",
                 ow_context_temporary_folder(ctx)) >= (int)sizeof path) {
        errno = ENAMETOOLONG;
        return NULL;
    }
    const int descriptor = mkstemp(path);
    if (descriptor < 0) return NULL;
    (void)unlink(path);
    /* Programs that the caller starts have no business with it. */
    (void)fcntl(descriptor, F_SETFD, FD_CLOEXEC);
    FILE *file = fdopen(descriptor, "w+b");
    if (file == NULL) (void)close(descriptor);
    return file;
}

const char *owi_temporary_reason(FILE *file)
{
    return feof(file) ? "it is shorter than what was written to it" : strerror(errno);
}
