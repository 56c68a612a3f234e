/* SPDX-License-Identifier: MIT */
#include "model/foreign/foreign_scores.h"

#include <math.h>

#include "base/error.h"
#include "base/memory/sizes.h"
#include "base/memory/workspace.h"
#include "model/cutoffs.h"

enum { block_rows = 1024 };
/* One row that a model calls impossible is not all. */
static const double least_log = -700.0;

typedef struct {
    owi_training *t;
    const owi_call *call;
    ow_classifier *classifier;
    ow_evaluator *evaluator;
    owi_workspace *workspace;
    double *values;                            /* (block, columns)         */
    float *rows;                               /* (block, circuit columns) */
    double *log_proba, *log_class, *posterior; /* (block, classes)                    */
    int32_t *classes;
} measuring;

static ow_status begin(measuring *m)
{
    const ow_model *model = m->t->model;
    const size_t n = block_rows, C = ow_schema_n_classes(model->schema);
    const owi_piece pieces[] = {
        OWI_PIECE(m->values, n * model->plan.n_columns),
        OWI_PIECE(m->rows, n * model->plan.width),
        OWI_PIECE(m->log_proba, n * C),
        OWI_PIECE(m->log_class, n * C),
        OWI_PIECE(m->posterior, n * C),
        OWI_PIECE(m->classes, n),
    };
    OWI_TRY(owi_pieces_new(model->ctx, OWI_PIECES(pieces), &m->workspace));
    OWI_TRY(ow_evaluator_new(model->circuit, m->t->options->backend, &m->evaluator));
    return ow_model_classifier_new(model, m->t->options->backend, &m->classifier);
}

static void end(measuring *m)
{
    ow_classifier_free(m->classifier);
    ow_evaluator_free(m->evaluator);
    owi_workspace_free(m->workspace);
}

typedef struct {
    size_t n_rows, n_right, n_agreed;
    double loss;
} counts;

/* A row of class y: the model's log-probabilities and the circuit's probabilities. */
static ow_status count_row(measuring *m, bool test, size_t i, counts *n)
{
    const size_t C = ow_schema_n_classes(m->t->model->schema), y = (size_t)m->classes[i];
    const double *log_proba = m->log_proba + i * C;
    const int32_t decided = owi_model_decide(m->t->model, log_proba, -1);
    n->n_rows++;
    n->n_right += (size_t)decided == y;
    n->n_agreed += decided == owi_model_decide_proba(m->t->model, m->posterior + i * C);
    n->loss -= fmax(log_proba[y], least_log);
    return test ? owi_tally_add(&m->t->tally, log_proba, y) : OW_OK;
}

/* Training or test rows. */
static ow_status measure(measuring *m, bool test, size_t most, ow_score *score, counts *of)
{
    const ow_model *model = m->t->model;
    size_t at = 0;
    for (*of = (counts){0}; of->n_rows < most;) {
        size_t n;
        OWI_TRY(owi_training_rows_values(&m->t->rows, test, &at,
                                         owi_smaller(block_rows, most - of->n_rows),
                                         m->values, m->classes, &n));
        if (n == 0) break;
        owi_plan_encode(&model->plan, n, m->values, m->rows);
        OWI_TRY(owi_classify_values(m->call, m->classifier, n, m->values, m->log_proba));
        OWI_TRY(owi_evaluate(m->call, m->evaluator, n, m->rows, m->log_class));
        ow_circuit_posterior(model->circuit, n, m->log_class, NULL, m->posterior);
        for (size_t i = 0; i < n; i++) OWI_TRY(count_row(m, test, i, of));
    }
    if (of->n_rows == 0) return OW_OK;
    score->log_loss = of->loss / (double)of->n_rows;
    score->accuracy = (double)of->n_right / (double)of->n_rows;
    return OW_OK;
}

static ow_status measure_all(measuring *m, size_t most)
{
    ow_train_report *report = &m->t->model->report;
    counts train, test;
    OWI_TRY(measure(m, false, most, &report->train, &train));
    OWI_TRY(measure(m, true, most, &report->test, &test));
    const counts *of = test.n_rows > 0 ? &test : &train;
    if (of->n_rows > 0) report->agreement = (double)of->n_agreed / (double)of->n_rows;
    return OW_OK;
}

ow_status owi_foreign_measure(owi_training *t, const owi_call *call, size_t most)
{
    measuring m = {.t = t, .call = call};
    ow_status status = begin(&m);
    if (status == OW_OK) status = measure_all(&m, most);
    end(&m);
    return status;
}
