/* SPDX-License-Identifier: MIT */
/* Which changes would serve many refused rows at once. */
#include <stdlib.h>
#include <string.h>

#include "auditing/audit_answers.h"
#include "auditing/audit_values.h"
#include "terminal/memory.h"

enum { most_rows = 2000, n_quantiles = 12 };

double *audit_values_of(const ow_model *model, size_t column, size_t *n)
{
    const size_t n_levels = ow_schema_column(ow_model_schema(model), column)->n_levels;
    const ow_column_figures figures = ow_model_figures(model, column);
    double *values = memory_new(n_levels + n_quantiles + 1, sizeof *values);
    *n = 0;
    for (size_t k = 0; k < n_levels; k++) values[(*n)++] = (double)k;
    const size_t Q = figures.n_quantiles;
    for (size_t q = 0; q < n_quantiles && Q > 0; q++) {
        const double value = figures.quantiles[q * (Q - 1) / (n_quantiles - 1)];
        if (*n == 0 || values[*n - 1] != value) values[(*n)++] = value;
    }
    return values;
}

/* The refused rows that are looked at, and which of them an action serves. */
typedef struct {
    const audit_question *question;
    const audit_table *table;
    size_t *rows, n_rows;
    size_t n_actions;
    audit_action *actions; /* all that there are */
    bool *serves;          /* n_actions x n_rows */
} action_board;

static void board_fill(action_board *b, const audit_answers *answers)
{
    const audit_table *t = b->table;
    b->rows = memory_new(most_rows, sizeof *b->rows);
    for (size_t i = 0; i < t->n_rows && b->n_rows < most_rows; i++)
        if (answers->refused[i]) b->rows[b->n_rows++] = i;
    for (size_t j = 0; j < t->n_columns; j++) {
        size_t n;
        double *values = audit_values_of(b->question->model, j, &n);
        for (size_t v = 0; v < n && !ow_schema_column(t->schema, j)->immutable; v++) {
            b->actions = memory_grow(b->actions, b->n_actions, sizeof *b->actions);
            b->actions[b->n_actions++] = (audit_action){.column = j, .value = values[v]};
        }
        free(values);
    }
    b->serves = memory_new(b->n_actions * b->n_rows + 1, sizeof *b->serves);
}

/* An action on all rows. */
static ow_status try_action(const action_board *b, ow_predictor *predictor,
                            const ow_call *call, size_t action, double *changed,
                            int32_t *classes)
{
    const audit_table *t = b->table;
    const audit_action *a = &b->actions[action];
    const ow_predictions wanted = {.size = sizeof wanted, .classes = classes};
    for (size_t i = 0; i < b->n_rows; i++) {
        double *row = changed + i * t->n_columns;
        memcpy(row, t->values + b->rows[i] * t->n_columns, t->n_columns * sizeof *row);
        row[a->column] = a->value;
    }
    const ow_status status =
        ow_predictor_predict(predictor, b->n_rows, changed, call, &wanted);
    for (size_t i = 0; i < b->n_rows && status == OW_OK; i++)
        b->serves[action * b->n_rows + i] =
            classes[i] == b->question->options->target &&
            ow_constraints_violations(b->question->rules,
                                      t->values + b->rows[i] * t->n_columns,
                                      changed + i * t->n_columns) == 0;
    return status;
}

/* Again and again the one that serves most of the rows that are left. */
static size_t choose(const action_board *b, size_t most, audit_action *chosen)
{
    bool *served = memory_new(b->n_rows + 1, sizeof *served);
    size_t n = 0;
    while (n < most) {
        size_t best = 0, best_served = 0;
        for (size_t a = 0; a < b->n_actions; a++) {
            size_t count = 0;
            for (size_t i = 0; i < b->n_rows; i++)
                count += b->serves[a * b->n_rows + i] && !served[i];
            if (count > best_served) {
                best = a;
                best_served = count;
            }
        }
        if (best_served == 0 || 100 * best_served < b->n_rows) break;
        for (size_t i = 0; i < b->n_rows; i++) served[i] |= b->serves[best * b->n_rows + i];
        chosen[n] = b->actions[best];
        chosen[n++].n_served = best_served;
    }
    free(served);
    return n;
}

ow_status audit_actions_find(const audit_question *question, const audit_table *table,
                             const audit_answers *answers, const ow_call *call, size_t most,
                             audit_action *actions, size_t *n, size_t *n_looked)
{
    action_board b = {.question = question, .table = table};
    board_fill(&b, answers);
    double *changed = memory_new(b.n_rows * table->n_columns + 1, sizeof *changed);
    int32_t *classes = memory_new(b.n_rows + 1, sizeof *classes);
    ow_predictor *predictor = NULL;
    ow_status status = ow_predictor_new(question->model, question->backend, &predictor);
    for (size_t a = 0; a < b.n_actions && b.n_rows > 0 && status == OW_OK; a++)
        status = try_action(&b, predictor, call, a, changed, classes);
    *n = status == OW_OK ? choose(&b, most, actions) : 0;
    *n_looked = b.n_rows;
    ow_predictor_free(predictor);
    free(changed);
    free(classes);
    free(b.rows);
    free(b.actions);
    free(b.serves);
    return status;
}
