/* SPDX-License-Identifier: MIT */
/* What a program prints for a block of rows: one line of numbers for each. */
#ifndef OWI_COMMAND_ANSWER_H
#define OWI_COMMAND_ANSWER_H

#include <stdbool.h>
#include <stddef.h>

#include "otherwise/status.h"

enum { owi_answer_line = 4096 };

typedef struct {
    size_t n_rows, n_scores;
    bool are_proba; /* of each line they sum to 1; of two the second may stand alone */
    double *scores; /* n_rows x n_scores */
    size_t n_done;
    bool is_wrong; /* with a sentence in `wrong` */
    char wrong[512];
    size_t n_line; /* bytes of the line that has not ended yet */
    char line[owi_answer_line];
} owi_command_answer;

/* An owi_take_fn whose user is an owi_command_answer: true when all rows are answered, or
 * something is wrong. */
bool owi_command_answer_take(void *user, const char *bytes, size_t n);

#endif
