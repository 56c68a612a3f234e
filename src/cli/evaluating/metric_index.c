/* SPDX-License-Identifier: MIT */
#include "evaluating/metric_index.h"

#include "otherwise/evaluate.h"

size_t metric_index(const char *name)
{
    size_t index = 0;
    if (ow_metric_find(name, &index) != OW_OK)
        while (ow_metric_get(index) != NULL) index++;
    return index;
}
