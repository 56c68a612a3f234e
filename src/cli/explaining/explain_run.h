/* SPDX-License-Identifier: MIT */
/* The stream of rows through an explainer: read in blocks, explained, printed in their
 * order, in memory that does not depend on their number. */
#ifndef CLI_EXPLAIN_RUN_H
#define CLI_EXPLAIN_RUN_H

#include "explaining/explain_format.h"
#include "explaining/image_strips.h"
#include "otherwise/data.h"

typedef struct {
    explain_job job;
    const explain_format *format;
    ow_explainer *explainer;
    const ow_constraints *constraints;
    ow_explain_options options;
    ow_reader *reader; /* bound                                                */
    size_t *wanted;    /* numbers of the rows to explain, ascending; NULL: all */
    size_t n_wanted;
    ow_call how;          /* its time limit is for all of them                    */
    image_strips *strips; /* NULL: no picture was asked for                       */
} explain_run;

/* An exit code, after saying what went wrong.  *complete: all that was printed is whole,
 * whether or not the run went on to the end. */
int explain_run_rows(explain_run *run, bool *complete);

#endif
