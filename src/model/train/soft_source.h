/* SPDX-License-Identifier: MIT */
/* The rows of a source as soft rows (circuit.h). */
#ifndef OWI_SOFT_SOURCE_H
#define OWI_SOFT_SOURCE_H

#include "base/call.h"
#include "circuit/structure/circuit.h"
#include "otherwise/learn.h"

typedef struct {
    const owi_call *call;
    const ow_row_source *from;
    const ow_circuit *circuit;
    float *rows; /* a few of them as they are */
} owi_soft_source;

/* All three are borrowed. */
ow_status owi_soft_source_init(owi_soft_source *soft, const owi_call *call,
                               const ow_row_source *from, const ow_circuit *circuit);
void owi_soft_source_clear(owi_soft_source *soft);
ow_row_source owi_soft_source_of(owi_soft_source *soft);

#endif
