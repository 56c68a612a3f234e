/* SPDX-License-Identifier: MIT */
#include "output/output.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "otherwise/file.h"
#include "output/unfinished.h"
#include "terminal/exit_codes.h"
#include "terminal/interrupt.h"
#include "terminal/message.h"
#include "terminal/progress.h"
#include "terminal/text_build.h"

static int first_error; /* errno of standard output's first failure; 0: none */
static bool closed;
static ow_file_writer *file_writer; /* where results go instead; NULL: standard output */

void output_start(void)
{
    /* Opened the wrong way round: reading from 0 and writing to 1 and 2 then fail, as they
     * would have.  open() takes the lowest free number, hence the order. */
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
        if (fcntl(fd, F_GETFD) == -1 && errno == EBADF)
            (void)open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY);
}

static void note(FILE *file, bool failed)
{
    if (failed && file == stdout && first_error == 0)
        first_error = errno != 0 ? errno : EIO;
}

/* Past standard output, to the file; its first failure is said at once. */
static void write_to_file(const void *bytes, size_t size)
{
    if (first_error != 0 || ow_file_writer_write(file_writer, bytes, size) == OW_OK) return;
    first_error = EIO;
    message(OW_LOG_ERROR, "%s", ow_error_message());
}

void output_print(FILE *file, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    progress_clear();
    errno = 0;
    if (file == stdout && file_writer != NULL) {
        char *text = text_add_arguments(NULL, format, arguments);
        write_to_file(text, strlen(text));
        free(text);
    } else {
        note(file, vfprintf(file, format, arguments) < 0);
    }
    va_end(arguments);
}

void output_write(FILE *file, const void *bytes, size_t size)
{
    progress_clear();
    errno = 0;
    if (file == stdout && file_writer != NULL)
        write_to_file(bytes, size);
    else
        note(file, fwrite(bytes, 1, size, file) < size);
}

int output_begin_file(ow_context *ctx, const char *path)
{
    if (path == NULL || output_is_dash(path)) return EXIT_DONE;
    const ow_status status = ow_file_writer_open(ctx, path, &file_writer);
    if (status == OW_OK) {
        unfinished_set(ow_file_writer_temporary(file_writer));
        return EXIT_DONE;
    }
    message(OW_LOG_ERROR, "%s", ow_error_message());
    return exit_code_for(status, true);
}

bool output_is_file(void)
{
    return file_writer != NULL;
}

int output_end_file(int code, bool keep)
{
    ow_file_writer *writer = file_writer;
    const bool failed = first_error != 0;
    if (writer == NULL) return code;
    file_writer = NULL;
    unfinished_set(NULL);
    first_error = 0; /* standard output itself is as good as it was */
    if (!keep || failed) {
        ow_file_writer_abort(writer);
        return failed ? EXIT_RESOURCES : code;
    }
    if (ow_file_writer_commit(writer) == OW_OK) return code;
    message(OW_LOG_ERROR, "%s", ow_error_message());
    return EXIT_RESOURCES;
}

void output_flush(void)
{
    if (closed) return;
    errno = 0;
    note(stdout, fflush(stdout) != 0);
}

bool output_failed(void)
{
    return first_error != 0;
}

bool output_is_dash(const char *path)
{
    return strcmp(path, "-") == 0;
}

bool output_spares(const char *output, const char *input)
{
    struct stat one, other;
    if (output == NULL || input == NULL || output_is_dash(output) || output_is_dash(input))
        return true;
    if (stat(output, &one) != 0 || stat(input, &other) != 0) return true;
    if (one.st_dev != other.st_dev || one.st_ino != other.st_ino) return true;
    message(OW_LOG_ERROR, "%s is read, so that it cannot be the output, too", output);
    return false;
}

bool output_files_differ(const char *const *read, size_t n_read, const char *const *written,
                         size_t n_written)
{
    size_t n_dashes = 0;
    for (size_t i = 0; i < n_read; i++) {
        n_dashes += read[i] != NULL && output_is_dash(read[i]);
        for (size_t k = 0; k < n_written; k++)
            if (!output_spares(written[k], read[i])) return false;
    }
    if (n_dashes > 1) message(OW_LOG_ERROR, "only one file can be standard input");
    return n_dashes <= 1;
}

int output_finish(int code)
{
    output_flush();
    closed = true;
    /* Some file systems (quotas, network) tell only now. */
    errno = 0;
    note(stdout, fclose(stdout) != 0);
    if (first_error == 0 || first_error == EPIPE) return code;
    if (first_error == EINTR && interrupt_signal() != 0) return interrupt_end();
    message(OW_LOG_ERROR, "cannot write standard output: %s", strerror(first_error));
    return EXIT_RESOURCES;
}
