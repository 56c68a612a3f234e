/* SPDX-License-Identifier: MIT */
/* Answers written down by hand, over a small table with every kind of column, and a
 * classifier whose decisions can be worked out on paper. */
#ifndef OW_MADE_ANSWERS_H
#define OW_MADE_ANSWERS_H

#include "evaluate/answers.h"
#include "support/trained_model.h"

/* Columns: x and y, whole numbers from 0 to 11 (MAD 3); colour: blue, green, red; school:
 * high, low, and years: 9, 16, which are linked. Classes: no, yes. */
enum { ow_made_columns = 5, ow_made_rows = 4 };
enum { OW_MADE_X, OW_MADE_Y, OW_MADE_COLOUR, OW_MADE_SCHOOL, OW_MADE_YEARS };

typedef struct {
    ow_test_trained trained;
    ow_classifier *classifier; /* yes where x + y >= 10, or school is high           */
    double queries[ow_made_rows][ow_made_columns];
    double values[ow_made_rows][ow_made_columns];
    float encoded[ow_made_rows][16];
    ow_outcome outcomes[ow_made_rows];
    ow_counterfactual answers[ow_made_rows];
    const ow_counterfactual *lists[ow_made_rows]; /* where each of them is            */
    double figures[ow_made_rows * OWI_N_METRICS];
    owi_answers all;
} ow_made_answers;

/* Row 0 has a valid answer, row 1 one that is not valid, row 2 none, and row 3 is of the
 * target class already.  Every query is (1, 2, blue, low, 9), every answer begins as its
 * query; figures are all NaN. */
void ow_made_answers_begin(ow_context *ctx, ow_made_answers *made);
void ow_made_answers_end(ow_made_answers *made);

/* Soft rows of the answers' values, as a method that breaks no category makes them. */
void ow_made_answers_soften(ow_made_answers *made);

static inline double ow_made_figure(const ow_made_answers *made, size_t row,
                                    owi_metric_index metric)
{
    return made->figures[row * OWI_N_METRICS + (size_t)metric];
}

#endif
