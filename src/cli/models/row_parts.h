/* SPDX-License-Identifier: MIT */
/* Rows of one file, or of the files that a pattern such as "part-*.csv" names. */
#ifndef CLI_ROW_PARTS_H
#define CLI_ROW_PARTS_H

#include "otherwise/data.h"

/* As ow_reader_open.  A path with * ? or [ in it that is no file stands for all files that
 * it fits, in the order of their names, as one table. */
ow_status row_parts_open(ow_context *ctx, const char *path, const ow_read_options *options,
                         const ow_call *how, ow_reader **out);

#endif
