/* SPDX-License-Identifier: MIT */
/* Some rows of a long source, in memory: what is tried again and again is tried on them. */
#ifndef OWI_ROW_SUBSET_H
#define OWI_ROW_SUBSET_H

#include "circuit/structure/circuit.h"
#include "otherwise/learn.h"

/* A class with fewer rows than this is taken whole, one with more keeps about so many at
 * least. */
enum { owi_least_of_class = 64 };

/* Draws about `wanted` rows of a source that the circuit was started on (whose class_rows
 * tell how many there are); the arrays are the caller's, who frees rows and classes with
 * owi_free. */
ow_status owi_row_subset_read(const owi_call *call, const ow_circuit *circuit,
                              const ow_row_source *source, size_t wanted, uint64_t seed,
                              float **rows, int32_t **classes, size_t *n_rows);

#endif
