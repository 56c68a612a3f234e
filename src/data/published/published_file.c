/* SPDX-License-Identifier: MIT */
/* Files as publishers give them out: their sums, and what their archives hold. */
#include <errno.h>
#include <stdio.h>

#include "base/error.h"
#include "base/io/byte_source.h"
#include "base/io/file_write.h"
#include "base/io/sha256.h"
#include "base/memory/alloc.h"
#include "data/published/zip_member.h"
#include "otherwise/data.h"

_Static_assert((int)OW_SHA256_TEXT == (int)owi_sha256_text_size, "room for the digits");

/* An archive is held in memory. */
enum { largest_archive = 1 << 28 };

ow_status ow_file_sha256(const char *path, char sum[OW_SHA256_TEXT])
{
    OWI_REQUIRE(path != NULL && sum != NULL);
    unsigned char bytes[1 << 14];
    owi_sha256 hash;
    ow_status status = OW_OK;

    FILE *file = fopen(path, "rb");
    if (file == NULL) return owi_fail_errno("open", path, errno);
    owi_sha256_init(&hash);
    for (size_t n = sizeof bytes; n == sizeof bytes;) {
        n = fread(bytes, 1, sizeof bytes, file);
        owi_sha256_add(&hash, bytes, n);
    }
    if (ferror(file) != 0) status = owi_fail_errno("read", path, errno);
    fclose(file);
    owi_sha256_finish(&hash, sum);
    return status;
}

ow_status ow_unzip_file(ow_context *ctx, const char *archive, const char *name,
                        const char *path)
{
    OWI_REQUIRE(ctx != NULL && archive != NULL && name != NULL && path != NULL);
    owi_byte_source *source = NULL;
    char *bytes = NULL;
    uint8_t *member = NULL;
    size_t n_bytes = 0, size = 0;

    ow_status status = owi_byte_source_open(ctx, archive, &source);
    if (status == OW_OK)
        status = owi_byte_source_read_all(source, largest_archive, &bytes, &n_bytes);
    if (status == OW_OK)
        status = owi_zip_member(ctx, (const uint8_t *)bytes, n_bytes, archive, name,
                                &member, &size);
    if (status == OW_OK) status = owi_write_file(ctx, path, member, size);
    owi_free(ctx, member);
    owi_free(ctx, bytes);
    owi_byte_source_free(source);
    return status;
}
