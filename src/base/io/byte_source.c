/* SPDX-License-Identifier: MIT */
/* Two layers: raw bytes, and unpacked ones if the raw bytes begin like gzip.
 *
 *     file, memory -> window of raw bytes -> (inflate) -> ahead (peeked) -> the caller
 *
 * The window is a block of its own for files, and the caller's memory itself for memory.
 * Large reads of a plain file bypass it. */
#include "base/io/byte_source.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "base/error.h"
#include "base/memory/alloc.h"
#include "base/memory/sizes.h"

enum {
    block_size = 256 * 1024, /* large enough that the cost of a call does not show */
    peek_size = 16,
    gzip_window_bits = 15 + 16, /* zlib: the largest window, in a gzip wrapper     */
    most_bytes_a_call =
        1 << 24 /* fits the types of read(2) and zlib; not long to wait for */
};

struct owi_byte_source {
    ow_context *ctx;
    char *stage;      /* "reading NAME", for progress          */
    const char *name; /* the end of it                         */

    int file; /* -1: memory                            */
    bool owns_file;
    off_t first; /* where the file stood when it was opened; -1: it has no place */
    uint64_t n_done, n_total;   /* bytes of the file, for progress; 0: not known */
    uint64_t n_before;          /* bytes of earlier passes over it */
    const owi_call *call;       /* NULL: nobody hears */
    const unsigned char *bytes; /* memory                                */
    size_t size;

    unsigned char *block;                   /* files: what the window lies in        */
    const unsigned char *next, *window_end; /* raw bytes not used yet            */
    bool at_end;                            /* nothing comes after the window        */

    bool plain; /* never unpacked */
    bool gzipped, inflate_ready, in_member;
    z_stream inflate;

    unsigned char ahead[peek_size];
    size_t ahead_used, ahead_size;
};

/* ---- Raw bytes ---- */

/* Every byte from a file comes past here, so this is where people hear how far it is read,
 * and where they can stop it. */
static ow_status report(const owi_byte_source *source)
{
    if (source->call == NULL) return OW_OK;
    return owi_call_progress(source->call, source->stage, source->n_done, source->n_total);
}

/* read(2) until the buffer is full or the file has ended.  A signal that wakes it up may be
 * the wish to stop. */
static ow_status read_file(owi_byte_source *source, unsigned char *buffer, size_t size,
                           size_t *n_read)
{
    *n_read = 0;
    while (*n_read < size) {
        const size_t wanted = owi_smaller(size - *n_read, most_bytes_a_call);
        const ssize_t n = read(source->file, buffer + *n_read, wanted);
        if (n < 0 && errno != EINTR) return owi_fail_errno("read", source->name, errno);
        if (n > 0) *n_read += (size_t)n;
        if (n > 0) source->n_done += (uint64_t)n;
        OWI_TRY(report(source));
        if (n == 0) break;
    }
    return OW_OK;
}

/* The next block, once the window is used up.  Memory is one window from the start. */
static ow_status refill(owi_byte_source *source)
{
    if (source->at_end || source->next < source->window_end) return OW_OK;
    size_t n;
    OWI_TRY(read_file(source, source->block, block_size, &n));
    source->next = source->block;
    source->window_end = source->block + n;
    source->at_end = n < block_size;
    return OW_OK;
}

static size_t take_from_window(owi_byte_source *source, unsigned char *buffer, size_t size)
{
    const size_t n = owi_smaller(size, (size_t)(source->window_end - source->next));
    if (n > 0) memcpy(buffer, source->next, n);
    source->next += n;
    return n;
}

static ow_status read_raw(owi_byte_source *source, unsigned char *buffer, size_t size,
                          size_t *n_read)
{
    *n_read = take_from_window(source, buffer, size);
    if (size - *n_read >= block_size && !source->at_end) {
        size_t n;
        OWI_TRY(read_file(source, buffer + *n_read, size - *n_read, &n));
        *n_read += n;
        source->at_end = *n_read < size;
    }
    while (*n_read < size) {
        OWI_TRY(refill(source));
        const size_t n = take_from_window(source, buffer + *n_read, size - *n_read);
        if (n == 0) break;
        *n_read += n;
    }
    return OW_OK;
}

/* ---- Unpacking ---- */

static void *allocate_for_zlib(void *ctx, unsigned count, unsigned size)
{
    return owi_alloc_array(ctx, count, size);
}

static void release_for_zlib(void *ctx, void *block)
{
    owi_free(ctx, block);
}

static ow_status fail_inflating(const owi_byte_source *source, int code)
{
    if (code == Z_MEM_ERROR) return OW_ERR_MEMORY; /* said by the allocation */
    const char *reason = source->inflate.msg;
    return owi_fail(OW_ERR_FORMAT, "%s: damaged gzip data (%s)", source->name,
                    reason != NULL ? reason : zError(code));
}

static ow_status start_inflating(owi_byte_source *source)
{
    int code;
    if (source->inflate_ready) {
        code = inflateReset(&source->inflate);
    } else {
        source->inflate = (z_stream){.zalloc = allocate_for_zlib,
                                     .zfree = release_for_zlib,
                                     .opaque = source->ctx};
        code = inflateInit2(&source->inflate, gzip_window_bits);
        source->inflate_ready = code == Z_OK;
    }
    return code == Z_OK ? OW_OK : fail_inflating(source, code);
}

/* Unpacks into the buffer until it is full or the last member has ended.  Between members
 * (in_member false) the end of the bytes is the end; inside one it is a cut. */
static ow_status read_gzip(owi_byte_source *source, unsigned char *buffer, size_t size,
                           size_t *n_read)
{
    z_stream *z = &source->inflate;
    *n_read = 0;
    while (*n_read < size) {
        OWI_TRY(refill(source));
        const size_t n_raw = (size_t)(source->window_end - source->next);
        if (n_raw == 0 && !source->in_member) break;
        if (n_raw == 0)
            return owi_fail(OW_ERR_FORMAT, "%s: the gzip data are cut off", source->name);
        if (!source->in_member) OWI_TRY(start_inflating(source));
        source->in_member = true;

        const size_t wanted = owi_smaller(size - *n_read, most_bytes_a_call);
        z->next_in = (z_const Bytef *)source->next;
        z->avail_in = (uInt)owi_smaller(n_raw, most_bytes_a_call);
        z->next_out = buffer + *n_read;
        z->avail_out = (uInt)wanted;
        const int code = inflate(z, Z_NO_FLUSH);
        source->next = z->next_in;
        *n_read += wanted - z->avail_out;
        if (code == Z_STREAM_END)
            source->in_member = false;
        else if (code != Z_OK)
            return fail_inflating(source, code);
    }
    return OW_OK;
}

/* ---- Opening and closing ---- */

/* From the first byte: what is it? */
static ow_status start(owi_byte_source *source)
{
    static const unsigned char magic[] = {0x1f,
                                          0x8b}; /* begins no text and none of our files */
    const bool in_memory = source->file < 0;
    source->next = in_memory ? source->bytes : source->block;
    source->window_end = in_memory ? source->bytes + source->size : source->block;
    source->at_end = in_memory;
    source->in_member = false;
    source->ahead_used = source->ahead_size = 0;
    source->n_before += source->n_done;
    source->n_done = 0;
    OWI_TRY(refill(source));
    source->gzipped = !source->plain &&
                      source->window_end - source->next >= (ptrdiff_t)sizeof magic &&
                      memcmp(source->next, magic, sizeof magic) == 0;
    return OW_OK;
}

static ow_status new_source(ow_context *ctx, const char *name, owi_byte_source **out)
{
    owi_byte_source *source = owi_alloc_zeroed(ctx, sizeof *source);
    if (source == NULL) return OW_ERR_MEMORY;
    source->ctx = ctx;
    source->file = -1;
    source->stage = owi_format_text(ctx, "reading %s", name);
    if (source->stage == NULL) {
        owi_free(ctx, source);
        return OW_ERR_MEMORY;
    }
    source->name = source->stage + strlen("reading ");
    *out = source;
    return OW_OK;
}

static ow_status open_file(owi_byte_source *source, const char *path)
{
    const bool standard_input = strcmp(path, "-") == 0;
    if (standard_input) source->file = STDIN_FILENO;
    /* A named pipe may have to wait for its writer. */
    while (source->file < 0) {
        source->file = open(path, O_RDONLY | O_CLOEXEC);
        if (source->file < 0 && errno != EINTR) return owi_fail_errno("open", path, errno);
        if (source->file < 0) OWI_TRY(report(source));
    }
    source->owns_file = !standard_input;

    struct stat state;
    if (fstat(source->file, &state) != 0)
        return owi_fail_errno("read", source->name, errno);
    if (S_ISDIR(state.st_mode)) return owi_fail_errno("read", source->name, EISDIR);
    source->first = lseek(source->file, 0, SEEK_CUR);
    if (S_ISREG(state.st_mode) && state.st_size > source->first)
        source->n_total = (uint64_t)(state.st_size - source->first);

    source->block = owi_alloc(source->ctx, block_size);
    return source->block != NULL ? OW_OK : OW_ERR_MEMORY;
}

/* The end of both ways to open: hands the source over, or frees it if one step failed. */
static ow_status begin(owi_byte_source *source, ow_status status, owi_byte_source **out)
{
    if (status == OW_OK) status = start(source);
    if (status == OW_OK)
        *out = source;
    else
        owi_byte_source_free(source);
    return status;
}

ow_status owi_byte_source_open(ow_context *ctx, const char *path, const owi_call *call,
                               owi_byte_source **out)
{
    *out = NULL;
    owi_byte_source *source;
    OWI_TRY(new_source(ctx, strcmp(path, "-") == 0 ? "standard input" : path, &source));
    source->call = call;
    return begin(source, open_file(source, path), out);
}

static ow_status open_memory(ow_context *ctx, const void *bytes, size_t size,
                             const char *name, bool plain, owi_byte_source **out)
{
    *out = NULL;
    owi_byte_source *source;
    OWI_TRY(new_source(ctx, name, &source));
    source->plain = plain;
    source->bytes = size > 0 ? bytes : (const unsigned char *)"";
    source->size = size;
    return begin(source, OW_OK, out);
}

ow_status owi_byte_source_open_memory(ow_context *ctx, const void *bytes, size_t size,
                                      const char *name, owi_byte_source **out)
{
    return open_memory(ctx, bytes, size, name, false, out);
}

ow_status owi_byte_source_open_plain(ow_context *ctx, const void *bytes, size_t size,
                                     const char *name, owi_byte_source **out)
{
    return open_memory(ctx, bytes, size, name, true, out);
}

void owi_byte_source_free(owi_byte_source *source)
{
    if (source == NULL) return;
    ow_context *ctx = source->ctx;
    if (source->owns_file) close(source->file);
    if (source->inflate_ready) inflateEnd(&source->inflate);
    owi_free(ctx, source->block);
    owi_free(ctx, source->stage);
    owi_free(ctx, source);
}

/* ---- Reading ---- */

static ow_status read_unpacked(owi_byte_source *source, unsigned char *buffer, size_t size,
                               size_t *n_read)
{
    return source->gzipped ? read_gzip(source, buffer, size, n_read)
                           : read_raw(source, buffer, size, n_read);
}

ow_status owi_byte_source_read(owi_byte_source *source, void *buffer, size_t size,
                               size_t *n_read)
{
    const size_t n_ahead = owi_smaller(size, source->ahead_size - source->ahead_used);
    if (n_ahead > 0) memcpy(buffer, source->ahead + source->ahead_used, n_ahead);
    source->ahead_used += n_ahead;
    *n_read = n_ahead;

    size_t n;
    OWI_TRY(read_unpacked(source, (unsigned char *)buffer + n_ahead, size - n_ahead, &n));
    *n_read += n;
    return OW_OK;
}

ow_status owi_byte_source_peek(owi_byte_source *source, void *buffer, size_t size,
                               size_t *n_read)
{
    *n_read = 0;
    OWI_REQUIRE(size <= peek_size);
    source->ahead_size -= source->ahead_used;
    memmove(source->ahead, source->ahead + source->ahead_used, source->ahead_size);
    source->ahead_used = 0;
    if (source->ahead_size < size) {
        size_t n;
        OWI_TRY(read_unpacked(source, source->ahead + source->ahead_size,
                              size - source->ahead_size, &n));
        source->ahead_size += n;
    }
    *n_read = owi_smaller(size, source->ahead_size);
    if (*n_read > 0) memcpy(buffer, source->ahead, *n_read);
    return OW_OK;
}

ow_status owi_byte_source_rewind(owi_byte_source *source)
{
    if (source->file >= 0) {
        if (source->first < 0)
            return owi_fail(OW_ERR_IO, "%s can be read only once: it is a pipe, not a file",
                            source->name);
        if (lseek(source->file, source->first, SEEK_SET) < 0)
            return owi_fail_errno("rewind", source->name, errno);
    }
    return start(source);
}

uint64_t owi_byte_source_size(const owi_byte_source *source)
{
    return source->first == 0 && !source->gzipped ? source->n_total : 0;
}

ow_status owi_byte_source_seek(owi_byte_source *source, uint64_t at)
{
    if (at > owi_byte_source_size(source))
        return owi_fail(OW_ERR_IO, "%s cannot be read from byte %llu on", source->name,
                        (unsigned long long)at);
    if (lseek(source->file, (off_t)at, SEEK_SET) < 0)
        return owi_fail_errno("read", source->name, errno);
    source->next = source->window_end = source->block;
    source->at_end = false;
    source->ahead_used = source->ahead_size = 0;
    source->n_before += source->n_done - at; /* so that their sum stays, modulo 2^64 */
    source->n_done = at;
    return OW_OK;
}

double owi_byte_source_share(const owi_byte_source *source, size_t n_unused)
{
    const bool in_memory = source->file < 0;
    const double total = in_memory ? (double)source->size : (double)source->n_total;
    const double raw = in_memory ? total : (double)source->n_done;
    if (!(total > 0.0)) return NAN;
    double unused = (double)(source->window_end - source->next);
    if (!source->gzipped)
        unused += (double)n_unused + (double)(source->ahead_size - source->ahead_used);
    return fmin(1.0, fmax(0.0, (raw - unused) / total));
}

uint64_t owi_byte_source_bytes_read(const owi_byte_source *source)
{
    return source->n_before + source->n_done;
}

void owi_byte_source_set_call(owi_byte_source *source, const owi_call *call)
{
    source->call = call;
}

const char *owi_byte_source_name(const owi_byte_source *source)
{
    return source->name;
}

ow_status owi_byte_source_read_all(owi_byte_source *source, size_t limit, char **bytes,
                                   size_t *size)
{
    ow_context *ctx = source->ctx;
    char *text = NULL;
    size_t capacity = 0, used = 0, wanted = 64 * 1024;
    ow_status status;
    *bytes = NULL;
    *size = 0;
    for (;;) {
        /* One byte beyond the limit is asked for, to see that there is none. */
        size_t n;
        status = owi_grow(ctx, &text, &capacity, wanted, 1);
        if (status != OW_OK) break;
        const size_t room =
            owi_smaller(capacity - 1, limit < SIZE_MAX ? limit + 1 : limit) - used;
        status = owi_byte_source_read(source, text + used, room, &n);
        if (status != OW_OK) break;
        used += n;
        if (used > limit)
            status = owi_fail(OW_ERR_FORMAT, "%s: more than the %zu bytes that it may have",
                              source->name, limit);
        if (n < room || status != OW_OK) break;
        wanted = capacity + 1;
    }
    if (status == OW_OK) {
        text[used] = '\0';
        *bytes = text;
        *size = used;
    } else {
        owi_free(ctx, text);
    }
    return status;
}
