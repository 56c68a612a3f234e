/* SPDX-License-Identifier: MIT */
/* open        .otherwise-PID-TIME.tmp is created next to the target, never over a file
 * write       through a buffer; the first failure is remembered commit      flush, fsync,
 * close, rename over the target, fsync the folder abort       close, unlink
 *
 * Until the renaming, which is one step for everybody who looks, the target is as it
 * was. */
#include "otherwise/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/memory/alloc.h"

enum {
    buffer_size = 1 << 16,
    most_links = 40,     /* as many as Linux itself follows                  */
    most_attempts = 100, /* at a temporary name that nobody has              */
    temporary_name_size = 64,
    longest_link = 4096
};

struct ow_file_writer {
    ow_context *ctx;
    char *path;      /* as given, for messages                               */
    char *target;    /* what the temporary file becomes: path without links  */
    char *temporary; /* NULL: the target is written directly                 */
    int descriptor;  /* -1: closed                                           */
    int error;       /* the errno of the first failure sticks; 0: none       */
    size_t n_buffered;
    unsigned char buffer[buffer_size];
};

/* The part of a path up to and with its last slash. */
static size_t folder_length(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash == NULL ? 0 : (size_t)(slash - path) + 1;
}

/* The first folder_size bytes of folder, then name.  NULL when out of memory. */
static char *join(ow_context *ctx, const char *folder, size_t folder_size, const char *name)
{
    const size_t name_size = strlen(name) + 1;
    char *path = owi_alloc(ctx, folder_size + name_size);
    if (path == NULL) return NULL;
    memcpy(path, folder, folder_size);
    memcpy(path + folder_size, name, name_size);
    return path;
}

/* Follows symbolic links as far as they go, also to a file that does not exist yet. */
static ow_status follow_links(ow_file_writer *writer)
{
    for (int n_links = 0; n_links <= most_links; n_links++) {
        char link[longest_link];
        const ssize_t length = readlink(writer->target, link, sizeof link);
        if (length < 0 && (errno == EINVAL || errno == ENOENT)) return OW_OK; /* no link */
        if (length < 0) return owi_fail_errno("write", writer->path, errno);
        if (length == sizeof link)
            return owi_fail_errno("write", writer->path, ENAMETOOLONG);
        link[length] = '\0';
        /* A link that does not begin at the root begins at its own folder. */
        const size_t folder_size = link[0] == '/' ? 0 : folder_length(writer->target);
        char *next = join(writer->ctx, writer->target, folder_size, link);
        if (next == NULL) return OW_ERR_MEMORY;
        owi_free(writer->ctx, writer->target);
        writer->target = next;
    }
    return owi_fail_errno("write", writer->path, ELOOP);
}

/* Creates the temporary file in the target's folder, where renaming is one step.  Its name
 * does not contain the target's, which may be as long as the system allows. */
static ow_status open_temporary(ow_file_writer *writer, mode_t mode)
{
    for (int attempt = 0; attempt < most_attempts; attempt++) {
        char name[temporary_name_size];
        const double now = owi_clock_seconds();
        snprintf(name, sizeof name, ".otherwise-%ld-%.0f-%d.tmp", (long)getpid(), 1e9 * now,
                 attempt);
        char *path = join(writer->ctx, writer->target, folder_length(writer->target), name);
        if (path == NULL) return OW_ERR_MEMORY;
        writer->descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
        if (writer->descriptor >= 0) {
            writer->temporary = path;
            return OW_OK;
        }
        const int error = errno;
        owi_free(writer->ctx, path);
        if (error != EEXIST && error != EINTR)
            return owi_fail_errno("write", writer->path, error);
    }
    return owi_fail_errno("write", writer->path, EEXIST);
}

static ow_status open_directly(ow_file_writer *writer)
{
    do {
        writer->descriptor = open(writer->path, O_WRONLY | O_CLOEXEC);
    } while (writer->descriptor < 0 && errno == EINTR);
    if (writer->descriptor < 0) return owi_fail_errno("write", writer->path, errno);
    return OW_OK;
}

static ow_status open_target(ow_file_writer *writer)
{
    struct stat old;
    const bool exists = stat(writer->path, &old) == 0;
    if (!exists && (errno != ENOENT || writer->path[0] == '\0'))
        return owi_fail_errno("write", writer->path, errno);
    if (exists && S_ISDIR(old.st_mode))
        return owi_fail_errno("write", writer->path, EISDIR);
    if (exists && !S_ISREG(old.st_mode)) return open_directly(writer);

    OWI_TRY(follow_links(writer));
    if (!exists) return open_temporary(writer, 0666);

    /* Renaming would replace a write-protected file too; that is not what its owner
     * meant.  The new file is as open to others as the old one, never more. */
    if (access(writer->target, W_OK) != 0)
        return owi_fail_errno("write", writer->path, errno);
    const mode_t mode = old.st_mode & 0777;
    OWI_TRY(open_temporary(writer, mode));
    (void)fchmod(writer->descriptor, mode); /* some file systems have no modes */
    return OW_OK;
}

ow_status ow_file_writer_open(ow_context *ctx, const char *path, ow_file_writer **out)
{
    OWI_REQUIRE(ctx != NULL && path != NULL && out != NULL);
    *out = NULL;
    ow_file_writer *writer = owi_alloc(ctx, sizeof *writer);
    if (writer == NULL) return OW_ERR_MEMORY;
    writer->ctx = ctx;
    writer->temporary = NULL;
    writer->descriptor = -1;
    writer->error = 0;
    writer->n_buffered = 0;
    writer->path = owi_copy_text(ctx, path, strlen(path));
    writer->target = owi_copy_text(ctx, path, strlen(path));

    ow_status status = OW_ERR_MEMORY;
    if (writer->path != NULL && writer->target != NULL) status = open_target(writer);
    if (status == OW_OK)
        *out = writer;
    else
        ow_file_writer_abort(writer);
    return status;
}

const char *ow_file_writer_temporary(const ow_file_writer *writer)
{
    return writer->temporary;
}

/* Past the buffer, straight to the file. */
static ow_status write_through(ow_file_writer *writer, const unsigned char *bytes,
                               size_t size)
{
    while (writer->error == 0 && size > 0) {
        const ssize_t n = write(writer->descriptor, bytes, size);
        if (n >= 0) {
            bytes += n;
            size -= (size_t)n;
        } else if (errno != EINTR) {
            writer->error = errno;
        }
    }
    if (writer->error != 0) return owi_fail_errno("write", writer->path, writer->error);
    return OW_OK;
}

static ow_status flush(ow_file_writer *writer)
{
    const size_t n = writer->n_buffered;
    writer->n_buffered = 0;
    return write_through(writer, writer->buffer, n);
}

ow_status ow_file_writer_write(ow_file_writer *writer, const void *bytes, size_t size)
{
    if (size > buffer_size - writer->n_buffered) OWI_TRY(flush(writer));
    if (size >= buffer_size) return write_through(writer, bytes, size);
    if (size > 0) memcpy(writer->buffer + writer->n_buffered, bytes, size);
    writer->n_buffered += size;
    return OW_OK;
}

/* Makes the renaming itself survive a crash.  The file is in place by now and there is
 * nothing to undo, so a folder that cannot be synced is left at that. */
static void sync_folder(ow_file_writer *writer)
{
    const size_t length = folder_length(writer->target);
    writer->target[length] = '\0'; /* its last use */
    const char *folder = length == 0 ? "." : writer->target;
    const int descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (descriptor < 0) return;
    (void)fsync(descriptor);
    (void)close(descriptor);
}

ow_status ow_file_writer_commit(ow_file_writer *writer)
{
    ow_status status = flush(writer);
    if (status == OW_OK && writer->temporary != NULL && fsync(writer->descriptor) != 0)
        status = owi_fail_errno("write", writer->path, errno);

    /* Network file systems may report a failed write only now. */
    const int descriptor = writer->descriptor;
    writer->descriptor = -1;
    if (close(descriptor) != 0 && status == OW_OK && errno != EINTR)
        status = owi_fail_errno("write", writer->path, errno);

    if (status == OW_OK && writer->temporary != NULL) {
        if (rename(writer->temporary, writer->target) != 0) {
            status = owi_fail_errno("write", writer->path, errno);
        } else {
            owi_free(writer->ctx, writer->temporary);
            writer->temporary = NULL;
            sync_folder(writer);
        }
    }
    ow_file_writer_abort(writer); /* removes the temporary file, if it is still there */
    return status;
}

void ow_file_writer_abort(ow_file_writer *writer)
{
    if (writer == NULL) return;
    if (writer->descriptor >= 0) (void)close(writer->descriptor);
    if (writer->temporary != NULL) (void)unlink(writer->temporary);
    owi_free(writer->ctx, writer->temporary);
    owi_free(writer->ctx, writer->target);
    owi_free(writer->ctx, writer->path);
    owi_free(writer->ctx, writer);
}

ow_status ow_file_write(ow_context *ctx, const char *path, const void *bytes, size_t size)
{
    ow_file_writer *writer;
    OWI_TRY(ow_file_writer_open(ctx, path, &writer));
    ow_status status = ow_file_writer_write(writer, bytes, size);
    if (status == OW_OK) return ow_file_writer_commit(writer);
    ow_file_writer_abort(writer);
    return status;
}
