/* SPDX-License-Identifier: MIT */
#include "model/train/rows/training_rows.h"

#include <string.h>

#include "base/context.h"
#include "base/error.h"
#include "base/memory/alloc.h"
#include "base/memory/sizes.h"
#include "base/numeric/rng.h"
#include "data/rows/reader.h"
#include "data/rows/split.h"
#include "model/cutoffs.h"
#include "model/model_private.h"

enum { block_rows = owi_store_block };

/* ---- The store, or the reader where there is none ---- */

static ow_status rewind_rows(owi_training_rows *rows)
{
    return rows->store != NULL ? OW_OK : ow_reader_rewind(rows->reader);
}

/* Further rows of the reader, with the classes that they have or that the labeller
 * decides. */
static ow_status read_block(owi_training_rows *rows, size_t max_rows, size_t *n)
{
    const owi_labeller *labeller = &rows->labeller;
    if (rows->shared != NULL)
        OWI_TRY(
            owi_shared_rows_next(rows->shared, max_rows, rows->values, rows->labels, n));
    else
        OWI_TRY(owi_reader_next(rows->reader, max_rows, rows->values, rows->labels, n));
    if (*n == 0 || labeller->predict == NULL) return OW_OK;
    OWI_TRY(labeller->predict(rows->call, labeller->user, *n, rows->values, rows->proba));
    const size_t C = ow_schema_n_classes(labeller->model->schema);
    for (size_t i = 0; i < *n; i++)
        rows->labels[i] = owi_model_decide_proba(labeller->model, rows->proba + i * C);
    return OW_OK;
}

/* Rows from `at` on, which follow those read last, into rows->values and ->labels. */
static ow_status next_rows(owi_training_rows *rows, size_t at, size_t max_rows, size_t *n)
{
    max_rows = owi_smaller(max_rows, block_rows);
    OWI_TRY(owi_call_tick(rows->call));
    if (rows->store != NULL)
        return owi_value_store_read(rows->store, rows->call, at, max_rows, rows->values,
                                    rows->labels, n);
    return read_block(rows, max_rows, n);
}

/* Adds the rows just read.  Without a temporary file for them the store is given up, with a
 * warning: the rows will be read again. */
static ow_status store_block(owi_training_rows *rows, size_t n)
{
    if (rows->store == NULL) return OW_OK;
    const ow_status status =
        owi_value_store_add(rows->store, rows->call, n, rows->values, rows->labels);
    if (status == OW_OK || !owi_value_store_failed(rows->store)) return status;
    owi_log(rows->ctx, OW_LOG_WARN, "%s; %s is read several times instead",
            ow_error_message(), owi_reader_name(rows->reader));
    owi_value_store_free(rows->store);
    rows->store = NULL;
    return OW_OK;
}

/* ---- Which rows ---- */

static bool is_test_row(const owi_training_rows *rows, size_t row)
{
    owi_rng rng;
    if (rows->division.is_test != NULL) return rows->division.is_test[row];
    owi_rng_init(&rng, rows->seed, owi_rng_stream(OWI_DRAWS_TEST_ROWS, row));
    return owi_rng_uniform(&rng) < rows->division.share;
}

static bool is_wanted(const owi_training_rows *rows, size_t row, int32_t label, bool test)
{
    return label >= 0 && is_test_row(rows, row) == test;
}

static void count_rows(owi_training_rows *rows, size_t first, size_t n,
                       const int32_t *labels)
{
    for (size_t i = 0; i < n; i++) {
        const bool test = labels[i] >= 0 && is_test_row(rows, first + i);
        rows->n_unlabelled += labels[i] < 0;
        rows->n_test += test;
        if (test) rows->class_tests[labels[i]]++;
        if (test || labels[i] < 0) continue;
        rows->n_train++;
        rows->class_rows[labels[i]]++;
    }
}

/* Whether the caller has said of every row, and of no more, whether it is held out: n more
 * rows were read, 0 at the end. */
static ow_status check_division(const owi_training_rows *rows, size_t n)
{
    const owi_division *division = &rows->division;
    if (division->is_test == NULL) return OW_OK;
    if (n > 0 ? rows->n_rows + n <= division->n_is_test
              : rows->n_rows == division->n_is_test)
        return OW_OK;
    return owi_fail(OW_ERR_ARGUMENT,
                    "%s: is_test has %zu entries (n_is_test), but there are %s%zu rows",
                    owi_reader_name(rows->reader), division->n_is_test,
                    n > 0 ? "at least " : "", rows->n_rows + n);
}

/* FNV-1a over the bits of values and classes, eight bytes at a time. */
static void add_to_sum(owi_training_rows *rows, size_t n)
{
    const uint64_t prime = 0x100000001b3;
    uint64_t sum = rows->sum;
    for (size_t i = 0; i < n * rows->n_columns; i++) {
        uint64_t bits;
        memcpy(&bits, &rows->values[i], sizeof bits);
        if (rows->values[i] != rows->values[i]) bits = 1; /* missing, in whatever bits */
        sum = (sum ^ bits) * prime;
    }
    for (size_t i = 0; i < n; i++) sum = (sum ^ (uint64_t)rows->labels[i]) * prime;
    rows->sum = sum;
}

uint64_t owi_training_rows_sum(const owi_training_rows *rows)
{
    return rows->sum;
}

/* The one pass over the reader.  Counts the rows as if each were drawn; keeps the labels
 * (*n_kept of them) as long as there are few enough to divide by class. */
static ow_status read_rows(owi_training_rows *rows, int32_t **kept, size_t *n_kept)
{
    const size_t most = rows->division.is_test != NULL ? 0 : rows->division.most_by_class;
    size_t capacity = 0, n;
    for (*n_kept = 0;; rows->n_rows += n) {
        OWI_TRY(read_block(rows, block_rows, &n));
        OWI_TRY(check_division(rows, n));
        if (n == 0) return OW_OK;
        OWI_TRY(store_block(rows, n));
        if (rows->call->team != NULL) add_to_sum(rows, n);
        count_rows(rows, rows->n_rows, n, rows->labels);
        if (*n_kept < rows->n_rows || *n_kept + n > most) continue;
        OWI_TRY(owi_grow(rows->ctx, kept, &capacity, *n_kept + n, sizeof **kept));
        memcpy(*kept + *n_kept, rows->labels, n * sizeof **kept);
        *n_kept += n;
    }
}

/* The same share of every class. */
static ow_status divide_by_class(owi_training_rows *rows, size_t n_classes,
                                 const int32_t *labels)
{
    rows->is_test = owi_alloc_array(rows->ctx, rows->n_rows, sizeof *rows->is_test);
    if (rows->is_test == NULL) return OW_ERR_MEMORY;
    OWI_TRY(owi_split_by_share(rows->call, rows->n_rows, labels, rows->division.share,
                               rows->seed, rows->is_test));
    rows->division.is_test = rows->is_test;
    rows->n_train = rows->n_test = rows->n_unlabelled = 0;
    memset(rows->class_rows, 0, n_classes * sizeof *rows->class_rows);
    memset(rows->class_tests, 0, n_classes * sizeof *rows->class_tests);
    count_rows(rows, 0, rows->n_rows, labels);
    return OW_OK;
}

/* From the beginning, with nothing counted or stored. */
static ow_status read_all(owi_training_rows *rows, size_t n_classes, int32_t **labels,
                          size_t *n_labels)
{
    owi_free(rows->ctx, *labels);
    *labels = NULL;
    rows->n_rows = rows->n_train = rows->n_test = rows->n_unlabelled = 0;
    rows->sum = 0;
    memset(rows->class_rows, 0, n_classes * sizeof *rows->class_rows);
    memset(rows->class_tests, 0, n_classes * sizeof *rows->class_tests);
    owi_value_store_free(rows->store);
    rows->store = NULL;
    OWI_TRY(owi_value_store_new(rows->ctx, rows->n_columns, rows->division.most_stored,
                                &rows->store));
    return read_rows(rows, labels, n_labels);
}

/* By the processes of a team together, or by this one alone, also where they have given
 * up. */
static ow_status read_shared(owi_training_rows *rows, size_t n_classes, int32_t **labels,
                             size_t *n_labels)
{
    OWI_TRY(owi_shared_rows_new(rows->call, rows->reader, &rows->shared));
    const bool shares = rows->shared != NULL;
    const ow_status status = read_all(rows, n_classes, labels, n_labels);
    const bool gave_up = shares && owi_shared_rows_gave_up(rows->shared);
    owi_shared_rows_free(rows->shared);
    rows->shared = NULL;
    return gave_up ? read_all(rows, n_classes, labels, n_labels) : status;
}

static ow_status divide(owi_training_rows *rows, const ow_schema *schema)
{
    int32_t *labels = NULL;
    size_t n_labels = 0;
    OWI_TRY(ow_reader_rewind(rows->reader));
    OWI_TRY(ow_reader_bind(rows->reader, schema, false));
    ow_status status = read_shared(rows, ow_schema_n_classes(schema), &labels, &n_labels);
    if (status == OW_OK && n_labels == rows->n_rows && n_labels > 0)
        status = divide_by_class(rows, ow_schema_n_classes(schema), labels);
    owi_free(rows->ctx, labels);
    OWI_TRY(status);
    if (rows->n_unlabelled > 0 && owi_reader_tells_first(rows->reader, OWI_NOTE_UNLABELLED))
        owi_log(rows->ctx, OW_LOG_WARN,
                "%s: %zu of %zu rows have no class and are left out",
                owi_reader_name(rows->reader), rows->n_unlabelled, rows->n_rows);
    if (rows->n_train > 0) return OW_OK;
    return owi_fail(OW_ERR_SCHEMA, "%s: of %zu rows none is left for training",
                    owi_reader_name(rows->reader), rows->n_rows);
}

ow_status owi_training_rows_init(owi_training_rows *rows, const owi_call *call,
                                 ow_reader *reader, const ow_schema *schema,
                                 owi_division division, owi_labeller labeller)
{
    const size_t n_columns = ow_schema_n_columns(schema);
    const size_t n_classes = ow_schema_n_classes(schema);
    ow_context *ctx = call->ctx;

    *rows = (owi_training_rows){.ctx = ctx,
                                .reader = reader,
                                .n_columns = n_columns,
                                .division = division,
                                .labeller = labeller,
                                .seed = call->seed};
    owi_training_rows_set_call(rows, call);
    rows->values = owi_alloc_array(ctx, block_rows * n_columns, sizeof *rows->values);
    rows->labels = owi_alloc_array(ctx, block_rows, sizeof *rows->labels);
    rows->class_rows = owi_alloc_array(ctx, n_classes, sizeof *rows->class_rows);
    rows->class_tests = owi_alloc_array(ctx, n_classes, sizeof *rows->class_tests);
    rows->proba = owi_alloc_array(ctx, labeller.model != NULL ? block_rows * n_classes : 0,
                                  sizeof *rows->proba);
    ow_status status = rows->values != NULL && rows->labels != NULL &&
                               rows->class_rows != NULL && rows->class_tests != NULL &&
                               rows->proba != NULL
                           ? divide(rows, schema)
                           : OW_ERR_MEMORY;
    if (status != OW_OK) owi_training_rows_clear(rows);
    return status;
}

void owi_training_rows_set_call(owi_training_rows *rows, const owi_call *call)
{
    rows->call = call;
    owi_reader_set_call(rows->reader, call);
}

void owi_training_rows_clear(owi_training_rows *rows)
{
    owi_free(rows->ctx, rows->class_rows);
    owi_free(rows->ctx, rows->class_tests);
    owi_free(rows->ctx, rows->proba);
    owi_free(rows->ctx, rows->is_test);
    owi_value_store_free(rows->store);
    owi_free(rows->ctx, rows->kept);
    owi_free(rows->ctx, rows->kept_classes);
    owi_row_spool_free(rows->spool);
    owi_free(rows->ctx, rows->values);
    owi_free(rows->ctx, rows->labels);
    *rows = (owi_training_rows){.ctx = rows->ctx};
}

/* ---- Rows as they are ---- */

/* The next rows of one kind, moved to the front of rows->values and ->labels. */
static ow_status next_wanted(owi_training_rows *rows, bool test, size_t *at,
                             size_t max_rows, size_t *n_rows)
{
    const size_t n_columns = rows->n_columns;

    for (*n_rows = 0; *n_rows == 0;) {
        size_t n;
        OWI_TRY(next_rows(rows, *at, max_rows, &n));
        if (n == 0) return OW_OK;
        for (size_t i = 0; i < n && *at < rows->n_rows; i++, ++*at) {
            if (!is_wanted(rows, *at, rows->labels[i], test)) continue;
            memmove(rows->values + *n_rows * n_columns, rows->values + i * n_columns,
                    n_columns * sizeof *rows->values);
            rows->labels[(*n_rows)++] = rows->labels[i];
        }
    }
    return OW_OK;
}

ow_status owi_training_rows_values(owi_training_rows *rows, bool test, size_t *at,
                                   size_t max_rows, double *values, int32_t *classes,
                                   size_t *n_rows)
{
    if (*at == 0) OWI_TRY(rewind_rows(rows));
    OWI_TRY(next_wanted(rows, test, at, max_rows, n_rows));
    memcpy(values, rows->values, *n_rows * rows->n_columns * sizeof *values);
    memcpy(classes, rows->labels, *n_rows * sizeof *classes);
    return OW_OK;
}

/* ---- Encoded rows ---- */

/* Rows of one kind, encoded; rows->values holds them on the way. */
static ow_status read_encoded(owi_training_rows *rows, bool test, size_t *at,
                              size_t max_rows, float *out, int32_t *classes, size_t *n_rows)
{
    OWI_TRY(next_wanted(rows, test, at, max_rows, n_rows));
    owi_plan_encode(rows->plan, *n_rows, rows->values, out);
    memcpy(classes, rows->labels, *n_rows * sizeof *classes);
    return OW_OK;
}

static ow_status rewind_view(void *user)
{
    owi_rows_view *view = user;
    view->at = 0;
    const bool stored = view->rows->kept != NULL || view->rows->spool != NULL;
    return stored && !view->test ? OW_OK : rewind_rows(view->rows);
}

static ow_status next_of_view(void *user, size_t max_rows, float *out, int32_t *classes,
                              size_t *n_rows)
{
    owi_rows_view *view = user;
    owi_training_rows *rows = view->rows;
    OWI_TRY(owi_call_tick(rows->call));
    if (rows->spool != NULL && !view->test) {
        OWI_TRY(owi_row_spool_read(rows->spool, view->at, max_rows, out, classes, n_rows));
        view->at += *n_rows;
        return OW_OK;
    }
    if (rows->kept == NULL || view->test)
        return read_encoded(rows, view->test, &view->at, max_rows, out, classes, n_rows);
    const size_t width = rows->plan->width;
    *n_rows = owi_smaller(max_rows, rows->n_train - view->at);
    memcpy(out, rows->kept + view->at * width, *n_rows * width * sizeof *out);
    memcpy(classes, rows->kept_classes + view->at, *n_rows * sizeof *classes);
    view->at += *n_rows;
    return OW_OK;
}

ow_row_source owi_training_rows_source(owi_rows_view *view)
{
    return (ow_row_source){view, rewind_view, next_of_view};
}

/* Where training rows go, a block after the other. */
typedef ow_status (*store_fn)(owi_training_rows *rows, const size_t *place, size_t first,
                              size_t n, const float *block, const int32_t *classes);

/* Into their shuffled places. */
static ow_status store_kept(owi_training_rows *rows, const size_t *place, size_t first,
                            size_t n, const float *block, const int32_t *classes)
{
    const size_t width = rows->plan->width;
    for (size_t i = 0; i < n; i++) {
        memcpy(rows->kept + place[first + i] * width, block + i * width,
               width * sizeof *block);
        rows->kept_classes[place[first + i]] = classes[i];
    }
    return OW_OK;
}

static ow_status store_spooled(owi_training_rows *rows, const size_t *place, size_t first,
                               size_t n, const float *block, const int32_t *classes)
{
    (void)place;
    (void)first;
    return owi_row_spool_add(rows->spool, n, block, classes);
}

/* All training rows, in the order of the file. */
static ow_status store_rows(owi_training_rows *rows, store_fn store, const size_t *place)
{
    float *block =
        owi_alloc_array(rows->ctx, block_rows * rows->plan->width, sizeof *block);
    int32_t *classes = owi_alloc_array(rows->ctx, block_rows, sizeof *classes);
    size_t at = 0, stored = 0, n = 0;
    ow_status status = block != NULL && classes != NULL ? rewind_rows(rows) : OW_ERR_MEMORY;
    while (status == OW_OK && stored < rows->n_train) {
        status = read_encoded(rows, false, &at, block_rows, block, classes, &n);
        if (status == OW_OK && n == 0)
            status = owi_fail(OW_ERR_FORMAT,
                              "the data changed while it was read: %zu of %zu rows left",
                              stored, rows->n_train);
        if (status == OW_OK) status = store(rows, place, stored, n, block, classes);
        stored += n;
    }
    owi_free(rows->ctx, block);
    owi_free(rows->ctx, classes);
    return status;
}

/* Into a temporary file; without one, a warning. */
static ow_status spool_rows(owi_training_rows *rows)
{
    ow_status status = owi_row_spool_new(rows->ctx, rows->plan->width, &rows->spool);
    bool no_room = status == OW_ERR_IO;
    if (status == OW_OK) {
        status = store_rows(rows, store_spooled, NULL);
        if (status == OW_OK) status = owi_row_spool_finish(rows->spool, rows->seed);
        no_room = owi_row_spool_failed(rows->spool);
    }
    if (status == OW_OK) return OW_OK;
    owi_row_spool_free(rows->spool);
    rows->spool = NULL;
    if (!no_room) return status; /* the reader's, or memory */
    owi_log(rows->ctx, OW_LOG_WARN,
            "%s; they are read in the order of %s, which had better not be sorted",
            ow_error_message(), owi_reader_name(rows->reader));
    return OW_OK;
}

ow_status owi_training_rows_encode(owi_training_rows *rows, const owi_plan *plan,
                                   size_t most_bytes)
{
    size_t n_floats;
    ow_context *ctx = rows->ctx;
    size_t *place = NULL;
    const size_t each = plan->width * sizeof *rows->kept + sizeof *rows->kept_classes +
                        sizeof *place; /* bytes for a row */
    owi_rng rng;

    rows->plan = plan;
    if (rows->n_train > most_bytes / each ||
        !owi_size_multiply(rows->n_train, plan->width, &n_floats))
        return spool_rows(rows);
    rows->kept = owi_alloc_array(ctx, n_floats, sizeof *rows->kept);
    rows->kept_classes = owi_alloc_array(ctx, rows->n_train, sizeof *rows->kept_classes);
    place = owi_alloc_array(ctx, rows->n_train, sizeof *place);
    ow_status status = OW_ERR_MEMORY;
    if (rows->kept != NULL && rows->kept_classes != NULL && place != NULL) {
        for (size_t i = 0; i < rows->n_train; i++) place[i] = i;
        owi_rng_init(&rng, rows->seed, 1);
        owi_rng_shuffle(&rng, rows->n_train, place);
        status = store_rows(rows, store_kept, place);
    }
    owi_free(ctx, place);
    return status;
}

void owi_training_rows_size(const owi_training_rows *rows, size_t *in_memory,
                            size_t *in_files)
{
    *in_memory = *in_files = 0;
    if (rows->store != NULL) owi_value_store_size(rows->store, in_memory, in_files);
    if (rows->spool != NULL) *in_files += owi_row_spool_size(rows->spool);
    if (rows->kept != NULL)
        *in_memory += rows->n_train *
                      (rows->plan->width * sizeof *rows->kept + sizeof *rows->kept_classes);
}
