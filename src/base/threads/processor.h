/* SPDX-License-Identifier: MIT */
/* What the processor that we run on can do. */
#ifndef OWI_PROCESSOR_H
#define OWI_PROCESSOR_H

#include <stdbool.h>
#include <stddef.h>

bool owi_processor_has_avx2(void);   /* with FMA */
bool owi_processor_has_avx512(void); /* the foundation, and AVX2 */
/* The foundation, and operations on bytes and words (BW, DQ, VL). */
bool owi_processor_has_avx512_bytes(void);

/* How many of them this process may use: at least 1. */
size_t owi_processor_count(void);

#endif
