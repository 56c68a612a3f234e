/* SPDX-License-Identifier: MIT */
#ifndef OWI_SPLIT_H
#define OWI_SPLIT_H

#include "base/call.h"
#include "otherwise/data.h"

/* ow_split_by_share inside a call, with a seed that need not be the call's. */
ow_status owi_split_by_share(const owi_call *call, size_t n_rows, const int32_t *classes,
                             double share, uint64_t seed, bool *is_test);

#endif
