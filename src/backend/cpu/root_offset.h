/* SPDX-License-Identifier: MIT */
/* The common offset of a class's partitions:  M = max_p (top_left + top_right), so that every partition
 * can be added up in linear space as exp(top_left + top_right - M) times its pairs. */
#ifndef OWI_ROOT_OFFSET_H
#define OWI_ROOT_OFFSET_H

#include "backend/backend.h"

/* The number of the first child region of partition p of class c in tile t, tiles counted in. */
size_t owi_root_child(const owi_root_shape *shape, size_t t, size_t c, size_t p);

/* offset[lane] = M; -infinity where all is impossible. */
void owi_root_offset(const owi_root_shape *shape, size_t lanes, const owi_layer_values *in,
                     size_t t, size_t c, float *offset);

/* exponent[lane] = top_left + top_right - offset[lane]; NaN where all is impossible. */
void owi_root_exponent(const owi_root_shape *shape, size_t lanes,
                       const owi_layer_values *in, size_t t, size_t c, size_t p,
                       const float *offset, float *exponent);

#endif
