/* SPDX-License-Identifier: MIT */
#include "models/corrections.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "commands/command.h"
#include "serve/json_values.h"
#include "terminal/exit_codes.h"
#include "terminal/interrupt.h"
#include "terminal/memory.h"
#include "terminal/message.h"
#include "terminal/text_build.h"

typedef struct {
    double *from, *to; /* n_columns each: the row, and the row with its changes */
    bool *changed;     /* n_columns */
    int32_t class_index;
} correction;

typedef struct {
    const ow_schema *schema;
    size_t n_columns, n;
    correction *items;
} correction_list;

static void list_clear(correction_list *list)
{
    for (size_t i = 0; i < list->n; i++) {
        free(list->items[i].from);
        free(list->items[i].to);
        free(list->items[i].changed);
    }
    free(list->items);
}

/* ---- Reading ---- */

/* One entry; false with a sentence. */
static bool read_correction(const correction_list *list, const json_t *entry, correction *c,
                            char **error)
{
    const char *name = json_string_value(json_object_get(entry, "class"));
    const json_t *changes = json_object_get(entry, "changes");
    if (name == NULL || !json_is_object(changes) || json_object_size(changes) == 0) {
        *error = text_add(NULL, "expected an object with values, changes and class");
        return false;
    }
    if (ow_schema_find_class(list->schema, name, &c->class_index) != OW_OK) {
        *error = text_add(NULL, "%s", ow_error_message());
        return false;
    }
    if (!json_values_read(list->schema, json_object_get(entry, "values"), c->from, error))
        return false;
    memcpy(c->to, c->from, list->n_columns * sizeof *c->to);
    if (!json_values_read(list->schema, changes, c->to, error)) return false;
    for (size_t j = 0; j < list->n_columns; j++)
        c->changed[j] =
            json_object_get(changes, ow_schema_column(list->schema, j)->name) != NULL;
    return true;
}

static bool read_list(const json_t *document, correction_list *list, char **error)
{
    const json_t *entries = json_object_get(document, "corrections"), *entry;
    size_t i;
    if (!json_is_array(entries)) {
        *error = text_add(NULL, "expected an object with the key \"corrections\", a list");
        return false;
    }
    list->items = memory_new(json_array_size(entries) + 1, sizeof *list->items);
    json_array_foreach(entries, i, entry)
    {
        correction *c = &list->items[list->n++];
        *c = (correction){memory_new(list->n_columns + 1, sizeof(double)),
                          memory_new(list->n_columns + 1, sizeof(double)),
                          memory_new(list->n_columns + 1, sizeof(bool)), 0};
        for (size_t j = 0; j < list->n_columns; j++) c->from[j] = NAN;
        char *why = NULL;
        if (read_correction(list, entry, c, &why)) continue;
        *error = text_add(NULL, "correction %zu: %s", i + 1, why);
        free(why);
        return false;
    }
    return true;
}

static int load_list(const char *path, correction_list *list)
{
    json_error_t problem;
    char *error = NULL;
    json_t *document = json_load_file(path, JSON_REJECT_DUPLICATES, &problem);
    if (document == NULL) {
        message(OW_LOG_ERROR, "--corrections: %s: %s", path, problem.text);
        return EXIT_USAGE;
    }
    const bool well = read_list(document, list, &error);
    if (!well) message(OW_LOG_ERROR, "--corrections: %s: %s", path, error);
    free(error);
    json_decref(document);
    return well ? EXIT_DONE : EXIT_USAGE;
}

/* ---- The nearest rows ---- */

typedef struct {
    double distance;
    size_t row;
} neighbour;

static int compare_neighbours(const void *a, const void *b)
{
    const neighbour *x = a, *y = b;
    if (x->distance != y->distance) return x->distance < y->distance ? -1 : 1;
    return (x->row > y->row) - (x->row < y->row);
}

/* The range of each number column in the table; 0 for others. */
static double *find_ranges(const ow_table *table, const ow_schema *schema)
{
    const size_t C = ow_table_n_columns(table);
    double *ranges = memory_new(C + 1, sizeof *ranges);
    for (size_t j = 0; j < C; j++) {
        double low = INFINITY, high = -INFINITY;
        if (ow_schema_column(schema, j)->n_levels > 0) continue;
        for (size_t i = 0; i < ow_table_n_rows(table); i++) {
            const double value = ow_table_row(table, i)[j];
            if (isnan(value)) continue;
            low = fmin(low, value), high = fmax(high, value);
        }
        if (high > low) ranges[j] = high - low;
    }
    return ranges;
}

/* Gower's distance over the columns that the correction does not change. */
static double distance(const correction *c, const double *row, const double *ranges,
                       size_t n_columns)
{
    double sum = 0.0;
    for (size_t j = 0; j < n_columns; j++) {
        if (c->changed[j] || (isnan(c->from[j]) && isnan(row[j]))) continue;
        const double difference = fabs(c->from[j] - row[j]);
        if (isnan(difference))
            sum += 1.0;
        else
            sum += ranges[j] > 0.0 ? fmin(1.0, difference / ranges[j]) : difference > 0.0;
    }
    return sum;
}

/* ---- The rows ---- */

/* Rows on their way to a table. */
typedef struct {
    size_t n_columns, n;
    double *values;
    int32_t *classes;
} row_heap;

static void add_row(row_heap *heap, const double *row, int32_t class_index)
{
    memcpy(heap->values + heap->n * heap->n_columns, row, heap->n_columns * sizeof *row);
    heap->classes[heap->n++] = class_index;
}

/* The row with the values that the correction has for the changed columns. */
static void add_copy(row_heap *heap, const correction *c, const double *changed,
                     const double *row, int32_t class_index)
{
    add_row(heap, row, class_index);
    double *copy = heap->values + (heap->n - 1) * heap->n_columns;
    for (size_t j = 0; j < heap->n_columns; j++)
        if (c->changed[j]) copy[j] = changed[j];
}

static void add_correction(row_heap *heap, const correction *c, const ow_table *table,
                           const bool *is_test, const double *ranges, neighbour *near,
                           size_t weight)
{
    const int32_t *classes = ow_table_classes(table);
    size_t n = 0;
    for (size_t i = 0; i < ow_table_n_rows(table); i++)
        if (!is_test[i] && classes[i] >= 0)
            near[n++] =
                (neighbour){distance(c, ow_table_row(table, i), ranges, heap->n_columns),
                            i};
    qsort(near, n, sizeof *near, compare_neighbours);
    add_row(heap, c->from, c->class_index);
    add_row(heap, c->to, c->class_index);
    for (size_t i = 0; i < n && i < weight; i++) {
        const double *row = ow_table_row(table, near[i].row);
        add_copy(heap, c, c->from, row, classes[near[i].row]);
        add_copy(heap, c, c->to, row, classes[near[i].row]);
    }
}

/* All rows of the table, and those of the corrections behind them. */
static void fill(const correction_list *list, const ow_table *table, const bool *is_test,
                 size_t weight, row_heap *heap)
{
    const size_t N = ow_table_n_rows(table),
                 most = N + list->n * (2 + 2 * (weight < N ? weight : N));
    double *ranges = find_ranges(table, list->schema);
    neighbour *near = memory_new(N + 1, sizeof *near);
    heap->n_columns = list->n_columns;
    heap->values = memory_new(most * list->n_columns + 1, sizeof *heap->values);
    heap->classes = memory_new(most + 1, sizeof *heap->classes);
    for (size_t i = 0; i < N; i++)
        add_row(heap, ow_table_row(table, i), ow_table_classes(table)[i]);
    for (size_t k = 0; k < list->n && interrupt_signal() == 0; k++)
        add_correction(heap, &list->items[k], table, is_test, ranges, near, weight);
    free(near);
    free(ranges);
}

static ow_status make_table(const correction_list *list, const corrections_settings *set,
                            ow_context *ctx, const ow_call *call, const ow_table *table,
                            double share, corrected_rows *out)
{
    const size_t N = ow_table_n_rows(table);
    row_heap heap = {0};
    bool *is_test = memory_new(N + 1, sizeof *is_test);
    ow_status status =
        ow_split_by_share(ctx, N, ow_table_classes(table), share, call, is_test);
    if (status == OW_OK) {
        fill(list, table, is_test, (size_t)set->weight, &heap);
        out->is_test = memory_new(heap.n + 1, sizeof *out->is_test);
        memcpy(out->is_test, is_test, N * sizeof *is_test);
        out->n_rows = heap.n;
        out->n_added = heap.n - N;
        out->n_corrections = list->n;
        status =
            ow_table_new(ctx, list->schema, heap.n, heap.values, heap.classes, &out->table);
    }
    if (status == OW_OK)
        status = ow_reader_open_table(ctx, out->table, list->schema, "the corrected rows",
                                      &out->reader);
    free(is_test);
    free(heap.values);
    free(heap.classes);
    return status;
}

int corrected_rows_make(const corrections_settings *set, ow_context *ctx,
                        const ow_call *call, ow_reader *reader, const ow_schema *schema,
                        double share, corrected_rows *out)
{
    correction_list list = {.schema = schema, .n_columns = ow_schema_n_columns(schema)};
    ow_table *table = NULL;
    *out = (corrected_rows){0};
    int code = load_list(set->path, &list);
    if (code == EXIT_DONE) {
        ow_status status = ow_reader_bind(reader, schema, false);
        if (status == OW_OK) status = ow_table_read(reader, call, &table);
        if (status == OW_OK) status = make_table(&list, set, ctx, call, table, share, out);
        if (status != OW_OK) code = command_failed(status, false);
    }
    ow_table_free(table);
    list_clear(&list);
    return code;
}

void corrected_rows_clear(corrected_rows *rows)
{
    ow_reader_free(rows->reader);
    ow_table_free(rows->table);
    free(rows->is_test);
}
