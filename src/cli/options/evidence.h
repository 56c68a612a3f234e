/* SPDX-License-Identifier: MIT */
/* What is known of a row, as people type it: column=value. */
#ifndef CLI_EVIDENCE_H
#define CLI_EVIDENCE_H

#include <stdbool.h>
#include <stdint.h>

#include "options/args.h"
#include "otherwise/explain.h"

/* Reads "column=value" texts: values gets one entry for each column of the schema, NaN
 * where nothing is given; the label may be given like a column and goes to *class_index,
 * which is left alone otherwise.  False after a complaint that names what is wrong and the
 * nearest spelling. */
bool evidence_read(const ow_schema *schema, const text_list *given, double *values,
                   int32_t *class_index);

/* The index of a class.  False after a complaint with the nearest spelling. */
bool evidence_find_class(const ow_schema *schema, const char *option, const char *name,
                         int32_t *class_index);
/* What --target means: a class, or OW_ANY_OTHER_CLASS for NULL and "other", unless a class
 * is called so. */
bool evidence_find_target(const ow_schema *schema, const char *name, int32_t *target);

#endif
