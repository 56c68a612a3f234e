/* SPDX-License-Identifier: MIT */
/* Counter-based random numbers: Philox 4x32-10 (Salmon, Moraes, Dror, Shaw: "Parallel
 * random numbers: as easy as 1, 2, 3", SC 2011).  A stream is named by a seed and a number;
 * its n-th block is a function of seed, stream and n alone.  So row i may own stream i, and
 * what it draws does not depend on which thread draws it, or when. */
#ifndef OWI_RNG_H
#define OWI_RNG_H

#include <stddef.h>
#include <stdint.h>

typedef struct {
    uint64_t seed, stream;
    uint64_t block;    /* the next block's number                            */
    uint32_t words[4]; /* of the current block                               */
    unsigned n_left;   /* words not handed out yet                           */
} owi_rng;

/* The generator itself: ten rounds over a 128-bit counter under a 64-bit key. */
void owi_philox(const uint32_t counter[4], const uint32_t key[2], uint32_t out[4]);

/* Streams are told apart by what they are for, so that two who are given the same seed (the
 * points of a synthetic set and their split, say) never draw the same numbers. */
typedef enum {
    OWI_DRAWS_SPLIT = 1,
    OWI_DRAWS_SYNTHETIC = 2,
    OWI_DRAWS_TEST_ROWS = 32, /* of tables too long to be divided by class */
    OWI_DRAWS_SUBSET = 33,    /* rows of long tables to try choices on     */
    OWI_DRAWS_REGIONS = 3,    /* a circuit's halvings                      */
    OWI_DRAWS_RESERVOIR = 4,  /* rows that its components may start from   */
    OWI_DRAWS_COMPONENTS = 5, /* which component starts from which         */
    OWI_DRAWS_WEIGHTS = 6,
    OWI_DRAWS_FOLDS = 7,
    OWI_DRAWS_SAMPLES = 8,  /* from a circuit                           */
    OWI_DRAWS_NETWORK = 9,  /* first weights of a neural network        */
    OWI_DRAWS_BATCHES = 10, /* the order in which it sees rows          */
    OWI_DRAWS_NOISE = 11,   /* added to queries                         */
    OWI_DRAWS_TREES = 34    /* bootstrap samples and roots of trees     */
} owi_rng_purpose;

/* The stream of one purpose with this number, which is below 2^56. */
static inline uint64_t owi_rng_stream(owi_rng_purpose purpose, uint64_t number)
{
    return (uint64_t)purpose << 56 | number;
}

void owi_rng_init(owi_rng *rng, uint64_t seed, uint64_t stream);
uint32_t owi_rng_u32(owi_rng *rng);
uint64_t owi_rng_u64(owi_rng *rng);

/* Uniform in [0, 1), 53 bits. */
double owi_rng_uniform(owi_rng *rng);
/* Uniform among 0 ... n-1, without bias; n > 0. */
size_t owi_rng_below(owi_rng *rng, size_t n);
/* Normal with mean 0 and variance 1. */
double owi_rng_normal(owi_rng *rng);
/* Gamma with this shape > 0 and scale 1; shapes below 0.01 underflow to 0 now and then. */
double owi_rng_gamma(owi_rng *rng, double shape);
/* Symmetric Dirichlet: n weights that sum to 1, none below the least normal double,
 * whatever the concentration > 0. */
void owi_rng_dirichlet(owi_rng *rng, double concentration, size_t n, double *weights);
/* An index with probability proportional to its weight >= 0 (at least one > 0). */
size_t owi_rng_categorical(owi_rng *rng, size_t n, const double *weights);
/* A random order of n indices, in place. */
void owi_rng_shuffle(owi_rng *rng, size_t n, size_t *items);

#endif
