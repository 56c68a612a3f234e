/* SPDX-License-Identifier: MIT */
/* Zip archives: a file comes out whole, or there is a sentence. */
#include "datasets/zip_member.h"
#include "fuzz_target.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    ow_context *ctx = NULL;
    uint8_t *member = NULL;
    size_t member_size = 0;
    expect(ow_context_new(NULL, &ctx) == OW_OK);
    const ow_status status =
        zip_member(ctx, bytes, size, "archive", "rows.csv", &member, &member_size);
    expect(status == OW_OK || status == OW_ERR_FORMAT);
    expect((status == OW_OK) == (member != NULL));
    uint8_t sum = 0;
    for (size_t i = 0; status == OW_OK && i < member_size; i++) sum ^= member[i];
    expect(member_size < SIZE_MAX - sum);
    ow_bytes_free(member);
    ow_context_free(ctx);
    return 0;
}
