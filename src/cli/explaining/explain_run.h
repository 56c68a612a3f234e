/* SPDX-License-Identifier: MIT */
/* The stream of rows through an explainer, printed in their order. */
#ifndef CLI_EXPLAIN_RUN_H
#define CLI_EXPLAIN_RUN_H

#include "explaining/doubtful_changes.h"
#include "explaining/explain_format.h"
#include "explaining/image_strips.h"
#include "otherwise/data.h"

/* The rows that are printed; all of them are counted. */
enum { EXPLAIN_ALL, EXPLAIN_FOUND, EXPLAIN_NOT_FOUND };
extern const char *const explain_only_names[]; /* by these numbers; NULL at the end */

typedef struct {
    explain_job job;
    const explain_format *format;
    int only;             /* EXPLAIN_ALL, ... */
    image_strips *strips; /* NULL: no picture was asked for */
    doubtful_changes doubts;
} explain_run;

/* An exit code, after saying what went wrong.  *complete: all that was printed is whole,
 * whether or not the run went on to the end. */
int explain_run_rows(explain_run *run, bool *complete);

#endif
