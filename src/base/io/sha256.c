/* SPDX-License-Identifier: MIT */
/* FIPS 180-4, "Secure Hash Standard" (2015), sections 4.1.2, 4.2.2, 5.1.1, 5.3.3 and 6.2.
 * Names are the standard's, spelled out. */
#include "base/io/sha256.h"

#include <string.h>

enum { block_size = 64, length_size = 8 };

/* The first 32 bits of the fractional parts of the cube roots of the first 64 primes. */
static const uint32_t round_constants[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4,
    0xab1c5ed5, 0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe,
    0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f,
    0x4a7484aa, 0x5cb0a9dc, 0x76f988da, 0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7,
    0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967, 0x27b70a85, 0x2e1b2138, 0x4d2c6dfc,
    0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85, 0xa2bfe8a1, 0xa81a664b,
    0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070, 0x19a4c116,
    0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7,
    0xc67178f2,
};

static uint32_t rotate_right(uint32_t word, unsigned n)
{
    return word >> n | word << (32 - n);
}

static uint32_t read_big_endian(const unsigned char *bytes)
{
    return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 |
           bytes[3];
}

/* The message schedule: the block's 16 words, and 48 more made from them. */
static void make_schedule(const unsigned char *block, uint32_t w[64])
{
    for (int t = 0; t < 16; t++) w[t] = read_big_endian(block + 4 * t);
    for (int t = 16; t < 64; t++) {
        const uint32_t early = w[t - 15], late = w[t - 2];
        const uint32_t sigma_0 =
            rotate_right(early, 7) ^ rotate_right(early, 18) ^ early >> 3;
        const uint32_t sigma_1 =
            rotate_right(late, 17) ^ rotate_right(late, 19) ^ late >> 10;
        w[t] = sigma_1 + w[t - 7] + sigma_0 + w[t - 16];
    }
}

static void add_block(uint32_t state[8], const unsigned char *block)
{
    uint32_t w[64];
    make_schedule(block, w);
    uint32_t a = state[0], b = state[1], c = state[2], d = state[3];
    uint32_t e = state[4], f = state[5], g = state[6], h = state[7];

    for (int t = 0; t < 64; t++) {
        const uint32_t sum_1 =
            rotate_right(e, 6) ^ rotate_right(e, 11) ^ rotate_right(e, 25);
        const uint32_t sum_0 =
            rotate_right(a, 2) ^ rotate_right(a, 13) ^ rotate_right(a, 22);
        const uint32_t choice = (e & f) ^ (~e & g);
        const uint32_t majority = (a & b) ^ (a & c) ^ (b & c);
        const uint32_t first = h + sum_1 + choice + round_constants[t] + w[t];
        h = g;
        g = f;
        f = e;
        e = d + first;
        d = c;
        c = b;
        b = a;
        a = first + sum_0 + majority;
    }
    state[0] += a;
    state[1] += b;
    state[2] += c;
    state[3] += d;
    state[4] += e;
    state[5] += f;
    state[6] += g;
    state[7] += h;
}

void owi_sha256_init(owi_sha256 *hash)
{
    /* The first 32 bits of the fractional parts of the square roots of the first 8
     * primes. */
    *hash = (owi_sha256){.state = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                   0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19}};
}

void owi_sha256_add(owi_sha256 *hash, const void *bytes, size_t size)
{
    const unsigned char *next = bytes;
    while (size > 0) {
        const size_t used = hash->n_bytes % block_size;
        const size_t room = block_size - used, n = size < room ? size : room;
        if (n == block_size) {
            add_block(hash->state, next); /* a whole block need not be copied */
        } else {
            memcpy(hash->block + used, next, n);
            if (n == room) add_block(hash->state, hash->block);
        }
        hash->n_bytes += n;
        next += n;
        size -= n;
    }
}

void owi_sha256_finish(owi_sha256 *hash, char text[owi_sha256_text_size])
{
    /* A one bit, zeros up to 8 bytes before the end of a block, the length in bits. */
    static const unsigned char padding[block_size] = {0x80};
    const uint64_t n_bits = hash->n_bytes * 8;
    const size_t used = hash->n_bytes % block_size;
    const size_t end = used < block_size - length_size ? block_size : 2 * block_size;
    unsigned char length[length_size];
    for (int i = 0; i < length_size; i++)
        length[i] = (unsigned char)(n_bits >> 8 * (length_size - 1 - i));
    owi_sha256_add(hash, padding, end - length_size - used);
    owi_sha256_add(hash, length, sizeof length);

    static const char digits[] = "0123456789abcdef";
    for (size_t i = 0; i < owi_sha256_text_size - 1; i++)
        text[i] = digits[hash->state[i / 8] >> (28 - 4 * (i % 8)) & 15];
    text[owi_sha256_text_size - 1] = '\0';
}
