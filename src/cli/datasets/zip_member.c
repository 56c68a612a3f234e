/* SPDX-License-Identifier: MIT */
/* The layout of a zip archive (PKWARE's APPNOTE.TXT), as far as it matters here.  All
 * numbers are little-endian.
 *
 *     local header + data, for each member
 *     directory: an entry for each member   signature 0x02014b50, 46 bytes + name + extra
 *                                           + comment
 *     end of directory                      signature 0x06054b50, 22 bytes + comment
 *
 * Only the directory is believed; of the local header just its length is used. */
#include "datasets/zip_member.h"

#include <stdbool.h>
#include <string.h>
#include <zlib.h>

#include "terminal/failure.h"

enum {
    local_head = 30,
    entry_head = 46,
    end_head = 22,
    longest_comment = 65535,
    largest_member = 1 << 28, /* the largest data set is a tenth of that */
    stored = 0,
    deflated = 8
};

typedef struct {
    const uint8_t *bytes;
    size_t size;
    const char *name; /* of the archive, for errors */
} archive_bytes;

typedef struct {
    unsigned method, flags;
    uint32_t crc, packed, size, local;
} member_entry;

static uint32_t read_16(const uint8_t *at)
{
    return (uint32_t)at[0] | (uint32_t)at[1] << 8;
}

static uint32_t read_32(const uint8_t *at)
{
    return read_16(at) | read_16(at + 2) << 16;
}

static ow_status damaged(const archive_bytes *archive, const char *what)
{
    return failure(OW_ERR_FORMAT, "%s: %s", archive->name, what);
}

/* The end of the directory stands at the very end, before a comment that is usually
 * empty. */
static const uint8_t *find_end(const archive_bytes *archive)
{
    if (archive->size < end_head) return NULL;
    const size_t farthest = archive->size - end_head;
    for (size_t back = 0; back <= farthest && back <= longest_comment; back++) {
        const uint8_t *at = archive->bytes + (farthest - back);
        if (read_32(at) == 0x06054b50 && read_16(at + 20) == back) return at;
    }
    return NULL;
}

static bool ends_in(const uint8_t *path, size_t length, const char *name)
{
    const size_t wanted = strlen(name);
    if (length < wanted || memcmp(path + length - wanted, name, wanted) != 0) return false;
    return length == wanted || path[length - wanted - 1] == '/';
}

static ow_status find_entry(const archive_bytes *archive, const char *name,
                            member_entry *entry)
{
    const uint8_t *end = find_end(archive);
    if (end == NULL) return damaged(archive, "no zip archive, or one that is cut off");
    const size_t n_entries = read_16(end + 10), end_at = (size_t)(end - archive->bytes);
    size_t at = read_32(end + 16);

    for (size_t i = 0; i < n_entries; i++) {
        if (at > end_at || end_at - at < entry_head)
            return damaged(archive, "the zip archive's directory is cut off");
        const uint8_t *head = archive->bytes + at;
        if (read_32(head) != 0x02014b50)
            return damaged(archive, "the zip archive's directory is damaged");
        const size_t name_length = read_16(head + 28);
        const size_t length =
            entry_head + name_length + read_16(head + 30) + read_16(head + 32);
        if (length > end_at - at)
            return damaged(archive, "the zip archive's directory is cut off");
        if (ends_in(head + entry_head, name_length, name)) {
            *entry = (member_entry){.flags = read_16(head + 8),
                                    .method = read_16(head + 10),
                                    .crc = read_32(head + 16),
                                    .packed = read_32(head + 20),
                                    .size = read_32(head + 24),
                                    .local = read_32(head + 42)};
            return OW_OK;
        }
        at += length;
    }
    return failure(OW_ERR_FORMAT, "%s: the zip archive holds no %s", archive->name, name);
}

/* Where the member's packed bytes are. */
static const uint8_t *find_data(const archive_bytes *archive, const member_entry *entry)
{
    const size_t at = entry->local;
    if (at > archive->size || archive->size - at < local_head) return NULL;
    const uint8_t *head = archive->bytes + at;
    if (read_32(head) != 0x04034b50) return NULL;
    const size_t length = local_head + read_16(head + 26) + read_16(head + 28);
    if (length > archive->size - at || entry->packed > archive->size - at - length)
        return NULL;
    return head + length;
}

/* zlib allocates through malloc: its state is small and lives only here. */
static bool inflate_all(const uint8_t *packed, size_t n_packed, uint8_t *out, size_t size)
{
    z_stream stream = {0};
    if (inflateInit2(&stream, -MAX_WBITS) != Z_OK) return false;
    /* zlib's interface is older than const; it does not write to its input. */
    memcpy(&stream.next_in, &packed, sizeof stream.next_in);
    stream.avail_in = (uInt)n_packed;
    stream.next_out = out;
    stream.avail_out = (uInt)size;
    const int result = inflate(&stream, Z_FINISH);
    const bool whole = result == Z_STREAM_END && stream.avail_out == 0;
    inflateEnd(&stream);
    return whole;
}

ow_status zip_member(ow_context *ctx, const uint8_t *bytes, size_t n_bytes,
                     const char *archive_name, const char *name, uint8_t **out,
                     size_t *size)
{
    const archive_bytes archive = {bytes, n_bytes, archive_name};
    member_entry entry = {0};
    *out = NULL;
    const ow_status status = find_entry(&archive, name, &entry);
    if (status != OW_OK) return status;
    const uint8_t *packed = find_data(&archive, &entry);
    if (packed == NULL) return damaged(&archive, "the zip archive is cut off");
    if ((entry.flags & 1) != 0 || (entry.method != stored && entry.method != deflated))
        return damaged(&archive,
                       "the zip archive is packed in a way that is not known here");
    if (entry.size > largest_member)
        return damaged(&archive, "the zip archive holds a file that is too large");

    uint8_t *unpacked = ow_bytes_new(ctx, (size_t)entry.size + 1);
    if (unpacked == NULL) return OW_ERR_MEMORY;
    bool whole = entry.packed == entry.size;
    if (entry.method == deflated)
        whole = inflate_all(packed, entry.packed, unpacked, entry.size);
    else if (whole)
        memcpy(unpacked, packed, entry.size);
    if (!whole || crc32(crc32(0, NULL, 0), unpacked, (uInt)entry.size) != entry.crc) {
        ow_bytes_free(unpacked);
        return failure(OW_ERR_FORMAT, "%s: %s in the zip archive is damaged", archive_name,
                       name);
    }
    *out = unpacked;
    *size = entry.size;
    return OW_OK;
}
