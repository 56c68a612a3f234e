/* SPDX-License-Identifier: MIT */
/* The most probable completion of rows: by trying all of them where they can be counted,
 * else by search. */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/memory/alloc.h"
#include "base/memory/sizes.h"
#include "circuit/query/mpe_search.h"
#include "circuit/structure/sheets.h"

enum { most_completions = 4096, rows_at_a_time = 256 };

typedef struct {
    const owi_call *call;
    ow_evaluator *evaluator;
    size_t n_rows;
    float *rows;
    int32_t *classes;
    bool *exact;
    owi_mpe_search search;
    bool has_search;

    float *completions; /* (rows_at_a_time, columns) */
    double *log_class;  /* (rows_at_a_time, C)       */
} job;

/* In how many ways a row can be completed; SIZE_MAX: too many to try. */
static size_t count_completions(const ow_circuit *circuit, const float *row)
{
    size_t n = 1;
    for (size_t j = 0; j < circuit->spec.n_columns; j++) {
        if (!isnan(row[j])) continue;
        const size_t n_levels = circuit->leaves[j].n_levels;
        if (n_levels == 0 || n > most_completions / n_levels) return SIZE_MAX;
        n *= n_levels;
    }
    return n;
}

static int32_t class_of(const job *work, size_t row)
{
    return work->classes != NULL ? work->classes[row] : -1;
}

/* The best of a list so far: a row, its class, and log P(c) S(x given c). */
typedef struct {
    double value;
    size_t index, c;
} best_one;

static void consider(best_one *best, const ow_circuit *circuit, int32_t wanted, size_t c,
                     double log_class, size_t index)
{
    if (wanted >= 0 && c != (size_t)wanted) return;
    const double value = log_class + (wanted < 0 ? circuit->log_prior[c] : 0.0);
    if (value > best->value) *best = (best_one){value, index, c};
}

static ow_status take(const job *work, size_t row, const best_one *best, float *values,
                      bool exact)
{
    const ow_circuit *circuit = work->evaluator->circuit;
    const size_t d = circuit->spec.n_columns;
    if (best->value == -INFINITY)
        return owi_fail(OW_ERR_NUMERIC, "row %zu: what is given is impossible", row + 1);
    for (size_t j = 0; j < d; j++) {
        const bool follows = circuit->leaves[j].kind == OW_LEAF_FOLLOWS;
        if (follows && isnan(values[j])) values[j] = 0.0f; /* moved onto its sheet */
    }
    owi_sheets_complete(circuit, work->rows + row * d, NULL, values);
    memcpy(work->rows + row * d, values, d * sizeof *values);
    if (work->classes != NULL) work->classes[row] = (int32_t)best->c;
    if (work->exact != NULL) work->exact[row] = exact;
    return OW_OK;
}

/* Completion number `number` of a row: its levels are the digits. */
static void complete(const ow_circuit *circuit, const float *row, size_t number,
                     float *values)
{
    for (size_t j = 0; j < circuit->spec.n_columns; j++) {
        values[j] = row[j];
        if (!isnan(row[j])) continue;
        values[j] = (float)(number % circuit->leaves[j].n_levels);
        number /= circuit->leaves[j].n_levels;
    }
}

static ow_status try_all(const job *work, size_t row, size_t n)
{
    const ow_circuit *circuit = work->evaluator->circuit;
    const size_t d = circuit->spec.n_columns, C = circuit->spec.n_classes;
    const float *given = work->rows + row * d;
    best_one best = {.value = -INFINITY};

    for (size_t first = 0; first < n; first += rows_at_a_time) {
        const size_t now = owi_smaller(rows_at_a_time, n - first);
        for (size_t i = 0; i < now; i++)
            complete(circuit, given, first + i, work->completions + i * d);
        OWI_TRY(owi_evaluate(work->call, work->evaluator, now, work->completions,
                             work->log_class));
        for (size_t i = 0; i < now * C; i++)
            consider(&best, circuit, class_of(work, row), i % C, work->log_class[i],
                     first + i / C);
    }
    complete(circuit, given, best.index, work->completions);
    return take(work, row, &best, work->completions, true);
}

/* Runs the attempts and takes the best one of every row. */
static ow_status finish_attempts(job *work)
{
    owi_mpe_search *search = &work->search;
    const ow_circuit *circuit = work->evaluator->circuit;

    OWI_TRY(owi_mpe_search_run(search));
    for (size_t i = 0; i < search->n;) {
        const size_t row = search->row[i];
        best_one best = {.value = -INFINITY};
        for (; i < search->n && search->row[i] == row; i++)
            consider(&best, circuit, class_of(work, row), search->class_of[i],
                     search->value[i], i);
        OWI_TRY(take(work, row, &best, search->rows + best.index * circuit->spec.n_columns,
                     !search->climbs));
    }
    search->n = 0;
    return OW_OK;
}

static ow_status add_attempts(job *work, size_t row)
{
    owi_mpe_search *search = &work->search;
    const ow_circuit *circuit = work->evaluator->circuit;
    const size_t C = circuit->spec.n_classes, before = search->n;
    const int32_t wanted = class_of(work, row);

    for (size_t c = 0; c < C; c++)
        if (wanted < 0 ? circuit->log_prior[c] > -INFINITY : c == (size_t)wanted)
            OWI_TRY(owi_mpe_search_add(search, row,
                                       work->rows + row * circuit->spec.n_columns, c));
    if (search->n == before)
        return owi_fail(OW_ERR_NUMERIC, "row %zu: what is given is impossible", row + 1);
    return search->n + C * search->n_starts > search->most ? finish_attempts(work) : OW_OK;
}

/* The search is only made if some row needs it. */
static ow_status prepare_search(job *work)
{
    const ow_circuit *circuit = work->evaluator->circuit;
    const size_t d = circuit->spec.n_columns;
    bool *wanted = owi_alloc_array(circuit->ctx, d, sizeof *wanted);
    if (wanted == NULL) return OW_ERR_MEMORY;

    for (size_t i = 0; i < work->n_rows; i++) {
        const float *row = work->rows + i * d;
        if (count_completions(circuit, row) != SIZE_MAX) continue;
        work->has_search = true;
        for (size_t j = 0; j < d; j++) wanted[j] |= isnan(row[j]);
    }
    ow_status status = OW_OK;
    if (work->has_search)
        status = owi_mpe_search_init(&work->search, work->call, work->evaluator, wanted);
    owi_free(circuit->ctx, wanted);
    return status;
}

static ow_status complete_rows(job *work)
{
    const ow_circuit *circuit = work->evaluator->circuit;
    for (size_t row = 0; row < work->n_rows; row++) {
        const size_t n =
            count_completions(circuit, work->rows + row * circuit->spec.n_columns);
        if (n == SIZE_MAX)
            OWI_TRY(add_attempts(work, row));
        else
            OWI_TRY(try_all(work, row, n));
    }
    return work->has_search ? finish_attempts(work) : OW_OK;
}

ow_status ow_evaluator_complete(ow_evaluator *evaluator, size_t n_rows, const ow_call *call,
                                float *rows, int32_t *classes, bool *exact)
{
    OWI_REQUIRE(evaluator != NULL);
    OWI_REQUIRE(n_rows == 0 || rows != NULL);
    const ow_circuit *circuit = evaluator->circuit;
    ow_context *ctx = circuit->ctx;
    owi_call own;
    OWI_TRY(owi_call_begin(&own, ctx, call));
    job work = {.call = &own,
                .evaluator = evaluator,
                .n_rows = n_rows,
                .rows = rows,
                .classes = classes,
                .exact = exact};

    OWI_TRY(owi_evaluator_check_classes(evaluator, n_rows, classes));
    OWI_TRY(owi_check_rows(circuit, n_rows, rows, 0));
    ow_status status = prepare_search(&work);
    if (status != OW_OK) goto done;
    work.completions = owi_alloc_array(ctx, rows_at_a_time * circuit->spec.n_columns,
                                       sizeof *work.completions);
    work.log_class = owi_alloc_array(ctx, rows_at_a_time * circuit->spec.n_classes,
                                     sizeof *work.log_class);
    status = work.completions != NULL && work.log_class != NULL ? complete_rows(&work)
                                                                : OW_ERR_MEMORY;

done:
    owi_free(ctx, work.completions);
    owi_free(ctx, work.log_class);
    owi_mpe_search_clear(&work.search);
    return status;
}
