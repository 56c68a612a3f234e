/* SPDX-License-Identifier: MIT */
/* What the processor that we run on can do. */
#ifndef OWI_PROCESSOR_H
#define OWI_PROCESSOR_H

#include <stdbool.h>

bool owi_processor_has_avx2(void);   /* with FMA */
bool owi_processor_has_avx512(void); /* the foundation, and AVX2 */

#endif
