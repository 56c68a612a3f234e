/* SPDX-License-Identifier: MIT */
#include "datasets/unzip_file.h"

#include "datasets/whole_file.h"
#include "datasets/zip_member.h"
#include "otherwise/file.h"

/* An archive is held in memory. */
enum { largest_archive = 1 << 28 };

ow_status unzip_file(ow_context *ctx, const char *archive, const char *name,
                     const char *path)
{
    char *bytes = NULL;
    uint8_t *member = NULL;
    size_t n_bytes = 0, size = 0;
    ow_status status = whole_file_read(ctx, archive, largest_archive, &bytes, &n_bytes);
    if (status == OW_OK)
        status =
            zip_member(ctx, (const uint8_t *)bytes, n_bytes, archive, name, &member, &size);
    if (status == OW_OK) status = ow_file_write(ctx, path, member, size);
    ow_bytes_free(member);
    ow_bytes_free(bytes);
    return status;
}
