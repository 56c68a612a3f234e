/* SPDX-License-Identifier: MIT */
/* For any processor; also chooses among them. */
#include "base/threads/processor.h"
#include "trees/mask_narrow.h"

/* Eight bytes, each 0 or 1, as the bits of one. */
static uint64_t pack_bytes(const uint8_t *bytes)
{
    uint64_t eight = 0;
    for (unsigned i = 0; i < 8; i++) eight |= (uint64_t)bytes[i] << 8 * i;
    return eight * UINT64_C(0x0102040810204080) >> 56;
}

static void pack_mask(size_t n_words, const uint8_t *truths, owi_mask *mask)
{
    for (size_t w = 0; w < n_words; w++) {
        uint64_t word = 0;
        for (unsigned q = 0; q < 8; q++)
            word |= pack_bytes(truths + 64 * w + 8 * q) << 8 * q;
        (*mask)[w] = word;
    }
}

static void compare_bytes(size_t n_words, const uint8_t *ranks, uint8_t rank,
                          owi_mask *mask)
{
    uint8_t truths[owi_block_rows];
    for (size_t i = 0; i < 64 * n_words; i++) truths[i] = ranks[i] <= rank;
    pack_mask(n_words, truths, mask);
}

static void compare_ranks(size_t n_words, const uint32_t *ranks, uint32_t rank,
                          owi_mask *mask)
{
    uint8_t truths[owi_block_rows];
    for (size_t i = 0; i < 64 * n_words; i++) truths[i] = ranks[i] <= rank;
    pack_mask(n_words, truths, mask);
}

const owi_mask_kernel owi_mask_kernel_plain = {"plain", compare_bytes, compare_ranks,
                                               find_bytes, add_tree};

const owi_mask_kernel *owi_mask_kernel_get(size_t index)
{
    const owi_mask_kernel *kernels[3];
    size_t n = 0;
#if defined(__x86_64__)
    if (owi_processor_has_avx512_bytes()) kernels[n++] = &owi_mask_kernel_avx512;
    if (owi_processor_has_avx2()) kernels[n++] = &owi_mask_kernel_avx2;
#endif
    kernels[n++] = &owi_mask_kernel_plain;
    return index < n ? kernels[index] : NULL;
}
