/* SPDX-License-Identifier: MIT */
/* A comparison of methods for people: metrics as lines, methods as columns. */
#ifndef CLI_EVALUATION_TABLE_H
#define CLI_EVALUATION_TABLE_H

#include <stdio.h>

#include "otherwise/evaluate.h"

/* target is the class's name, or NULL: any other. */
void evaluation_table_print(FILE *file, const ow_evaluation *evaluation,
                            const char *target);

#endif
