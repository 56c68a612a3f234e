/* SPDX-License-Identifier: MIT */
/* SHA-256 (FIPS 180-4), for checking that a file is the one meant. */
#ifndef OWI_SHA256_H
#define OWI_SHA256_H

#include <stddef.h>
#include <stdint.h>

typedef struct {
    uint32_t state[8];
    uint64_t n_bytes;
    unsigned char block[64];
} owi_sha256;

enum { owi_sha256_text_size = 65 };

void owi_sha256_init(owi_sha256 *hash);
void owi_sha256_add(owi_sha256 *hash, const void *bytes, size_t size);
/* In lower-case hexadecimal, with a NUL. */
void owi_sha256_finish(owi_sha256 *hash, char text[owi_sha256_text_size]);

#endif
