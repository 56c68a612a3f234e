/* SPDX-License-Identifier: MIT */
#include "models/model_output.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "commands/command.h"
#include "output/output.h"
#include "terminal/exit_codes.h"
#include "terminal/memory.h"
#include "terminal/message.h"

/* The errno for which no file could be made at this path; 0: none is known yet. */
static int writing_error(const char *path)
{
    const char *slash = strrchr(path, '/');
    struct stat there;
    if (stat(path, &there) == 0) {
        if (S_ISDIR(there.st_mode)) return EISDIR;
        /* A device or a pipe is written where it is: nothing is made beside it. */
        if (!S_ISREG(there.st_mode)) return access(path, W_OK) == 0 ? 0 : errno;
    }
    char *folder = slash == NULL   ? memory_copy(".", 1)
                   : slash == path ? memory_copy("/", 1)
                                   : memory_copy(path, (size_t)(slash - path));
    int error = access(folder, W_OK | X_OK) == 0 ? 0 : errno;
    if (stat(folder, &there) == 0 && !S_ISDIR(there.st_mode)) error = ENOTDIR;
    free(folder);
    return error;
}

int model_output_check_path(const char *path)
{
    const int error = writing_error(path);
    if (error == 0) return EXIT_DONE;
    message(OW_LOG_ERROR, "cannot write %s: %s", path, strerror(error));
    return EXIT_RESOURCES;
}

int model_output_check(const char *command, const char *path)
{
    if (path == NULL) {
        message(OW_LOG_ERROR, "%s needs --output MODEL, the model file to write", command);
        return EXIT_USAGE;
    }
    if (output_is_dash(path)) {
        if (isatty(STDOUT_FILENO) == 0) return EXIT_DONE;
        message(OW_LOG_ERROR, "a model is no text for a terminal; give --output a file");
        return EXIT_USAGE;
    }
    return model_output_check_path(path);
}

int model_output_write(const ow_model *model, const char *path)
{
    if (!output_is_dash(path)) {
        const ow_status status = ow_model_save(model, path);
        return status == OW_OK ? EXIT_DONE : command_failed(status, true);
    }
    char *bytes = NULL;
    size_t size = 0;
    const ow_status status = ow_model_format(model, &bytes, &size);
    if (status != OW_OK) return command_failed(status, true);
    output_write(stdout, bytes, size);
    ow_bytes_free(bytes);
    return EXIT_DONE;
}
