/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <stdio.h>

#include "base/error.h"
#include "base/io/sha256.h"
#include "otherwise/file.h"

_Static_assert((int)OW_SHA256_SIZE == (int)owi_sha256_text_size, "room for the digits");

ow_status ow_file_sha256(const char *path, char sum[OW_SHA256_SIZE])
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
