/* SPDX-License-Identifier: MIT */
#ifndef CLI_METRIC_INDEX_H
#define CLI_METRIC_INDEX_H

#include <stddef.h>

/* The number of a metric by its name; the number of metrics if it has none, for which
 * ow_metric_get gives NULL. */
size_t metric_index(const char *name);

#endif
