/* SPDX-License-Identifier: MIT */
#include "auditing/audit_answers.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "auditing/audit_values.h"
#include "commands/command.h"
#include "terminal/exit_codes.h"
#include "terminal/interrupt.h"
#include "terminal/memory.h"

enum { block_rows = 512 };

static void answers_new(const audit_table *t, audit_answers *a)
{
    const size_t n = t->n_rows > 0 ? t->n_rows : 1;
    *a = (audit_answers){.n_rows = t->n_rows,
                         .refused = memory_new(n, sizeof *a->refused),
                         .has_way = memory_new(n, sizeof *a->has_way),
                         .n_changes = memory_new(n, sizeof *a->n_changes),
                         .effort = memory_new(n, sizeof *a->effort),
                         .locked_in_way = memory_new(n, sizeof *a->locked_in_way),
                         .only_locked = memory_new(n, sizeof *a->only_locked),
                         .n_changed = memory_new(t->n_columns, sizeof *a->n_changed),
                         .n_locked = memory_new(t->n_columns, sizeof *a->n_locked)};
}

void audit_answers_clear(audit_answers *a)
{
    free(a->refused);
    free(a->has_way);
    free(a->n_changes);
    free(a->effort);
    free(a->locked_in_way);
    free(a->only_locked);
    free(a->n_changed);
    free(a->n_locked);
}

/* ---- Ways ---- */

/* Two missing values are the same. */
static bool differs(double a, double b)
{
    return isnan(a) || isnan(b) ? isnan(a) != isnan(b) : a != b;
}

static void keep_outcome(const audit_table *t, size_t row, const ow_outcome *outcome,
                         audit_answers *a)
{
    static const char locked[] = "immutable ";
    const double *query = t->values + row * t->n_columns;
    if (outcome->kind == OW_OUTCOME_ALREADY_TARGET) return;
    a->refused[row] = true;
    a->n_refused++;
    if (outcome->kind != OW_OUTCOME_FOUND) {
        a->locked_in_way[row] = outcome->blocking != NULL &&
                                strncmp(outcome->blocking, locked, sizeof locked - 1) == 0;
        return;
    }
    const ow_counterfactual *answer = outcome->answers[0];
    a->has_way[row] = true;
    a->n_changes[row] = answer->distance.l0;
    a->effort[row] = answer->distance.l1;
    for (size_t j = 0; j < t->n_columns; j++)
        a->n_changed[j] += differs(query[j], answer->values[j]);
}

static ow_status find_ways(const audit_question *q, const audit_table *t,
                           const ow_call *call, audit_answers *a)
{
    ow_explain_options options = *q->options;
    for (size_t from = 0; from < t->n_rows; from += block_rows) {
        const size_t n = t->n_rows - from < block_rows ? t->n_rows - from : block_rows;
        ow_explanation *explanation = NULL;
        options.first_row = from;
        const ow_status status =
            ow_explainer_explain(q->explainer, q->rules, &options, n,
                                 t->values + from * t->n_columns, call, &explanation);
        for (size_t i = 0; i < n && status == OW_OK; i++)
            keep_outcome(t, from + i, ow_explanation_outcome(explanation, i), a);
        ow_explanation_free(explanation);
        if (status != OW_OK) return status;
    }
    return OW_OK;
}

/* ---- Refused only because of a locked column ---- */

static ow_status try_locked(const audit_question *q, const audit_table *t,
                            ow_predictor *predictor, const ow_call *call, size_t column,
                            audit_answers *a)
{
    size_t n_values;
    double *values = audit_values_of(q->model, column, &n_values);
    double *rows = memory_new(n_values * t->n_columns + 1, sizeof *rows);
    int32_t *classes = memory_new(n_values + 1, sizeof *classes);
    const ow_predictions wanted = {.size = sizeof wanted, .classes = classes};
    ow_status status = OW_OK;
    for (size_t i = 0; i < t->n_rows && status == OW_OK; i++) {
        if (!a->refused[i]) continue;
        for (size_t v = 0; v < n_values; v++) {
            memcpy(rows + v * t->n_columns, t->values + i * t->n_columns,
                   t->n_columns * sizeof *rows);
            rows[v * t->n_columns + column] = values[v];
        }
        status = ow_predictor_predict(predictor, n_values, rows, call, &wanted);
        bool enough = false;
        for (size_t v = 0; v < n_values && status == OW_OK; v++)
            enough |= classes[v] == q->options->target;
        a->only_locked[i] |= enough;
        a->n_locked[column] += enough;
    }
    free(values);
    free(rows);
    free(classes);
    return status;
}

int audit_answers_find(const audit_question *q, const audit_table *t, const ow_call *call,
                       audit_answers *a)
{
    ow_predictor *predictor = NULL;
    answers_new(t, a);
    ow_status status = find_ways(q, t, call, a);
    if (status == OW_OK) status = ow_predictor_new(q->model, q->backend, &predictor);
    for (size_t j = 0; j < t->n_columns && status == OW_OK; j++)
        if (ow_schema_column(t->schema, j)->immutable)
            status = try_locked(q, t, predictor, call, j, a);
    ow_predictor_free(predictor);
    if (interrupt_signal() != 0) return interrupt_end();
    return status == OW_OK ? EXIT_DONE : command_failed(status, false);
}
