/* SPDX-License-Identifier: MIT */
/* The rows that --row asks for. */
#ifndef CLI_ROW_NUMBERS_H
#define CLI_ROW_NUMBERS_H

#include "options/args.h"

/* The numbers, ascending, each once; NULL for none, which stands for all.  Freed with
 * free().  False after a complaint. */
bool row_numbers_read(const text_list *texts, size_t **numbers, size_t *n);

#endif
