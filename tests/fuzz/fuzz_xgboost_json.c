/* SPDX-License-Identifier: MIT */
/* XGBoost models as JSON. */
#include "trees_target.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    return load_trees(data, size);
}
