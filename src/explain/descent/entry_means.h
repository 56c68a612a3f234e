/* SPDX-License-Identifier: MIT */
#ifndef OWI_ENTRY_MEANS_H
#define OWI_ENTRY_MEANS_H

#include "base/call.h"

/* The mean of each entry (n_rows x width) over the rows that have it; 0 where none has. */
ow_status owi_entry_means(const owi_call *call, size_t n_rows, size_t width,
                          const float *rows, float *means);

#endif
