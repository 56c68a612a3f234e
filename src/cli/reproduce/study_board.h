/* SPDX-License-Identifier: MIT */
/* Results of several seeds side by side: a line for each method, means and deviations. */
#ifndef CLI_STUDY_BOARD_H
#define CLI_STUDY_BOARD_H

#include "reproduce/study.h"

enum { study_most_seeds = 5, study_most_lines = 16 };

typedef struct {
    char *name;
    size_t n_seeds;
    double n_queries[study_most_seeds];
    double *figures[study_most_seeds];
} study_line;

typedef struct {
    size_t n;
    study_line lines[study_most_lines];
} study_board;

void study_board_add(study_board *board, const study_results *results);
/* The lines of the other one, which is empty then, below those of the first. */
void study_board_join(study_board *board, study_board *other);
void study_board_clear(study_board *board);

/* The mean of a metric over the seeds; *deviation may be NULL and is NaN for a single
 * seed. */
double study_line_mean(const study_line *line, const char *metric, double *deviation);
/* "0.891 +- 0.004"; NULL where there is nothing. */
char *study_line_text(const study_line *line, const char *metric);
/* "201", or "197 to 209" where the seeds differ. */
char *study_line_queries(const study_line *line);

/* The tables of the page, and all figures as results.csv: a line for each method and
 * seed. */
void study_board_show(const study_board *board, const study_plan *plan, ow_page *page);
ow_status study_board_save(reproduction *r, const study_board *board);

#endif
