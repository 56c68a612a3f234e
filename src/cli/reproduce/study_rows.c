/* SPDX-License-Identifier: MIT */
/* The rows of a study, and for each seed the split, the model and the queries. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reproduce/study.h"
#include "terminal/memory.h"
#include "terminal/text_build.h"

static const double test_share = 0.3; /* the paper's */
enum { n_folds = 5, quick_passes = 8 };

/* Puts the levels of categories into the order that the source gives. */
static ow_status order_levels(const reproduction *r, const study_source *source,
                              ow_schema **schema)
{
    ow_schema_builder *builder = NULL;
    ow_schema *ordered = NULL;
    ow_status status = ow_schema_builder_new(r->ctx, *schema, &builder);
    for (size_t i = 0; i < source->n_orders && status == OW_OK; i++) {
        const study_order *order = &source->orders[i];
        size_t column;
        status = ow_schema_builder_find(builder, order->column, &column);
        if (status == OW_OK)
            status = ow_schema_builder_set_category(builder, column, OW_TYPE_CATEGORICAL,
                                                    order->n_levels, order->levels);
    }
    if (status == OW_OK) status = ow_schema_builder_build(builder, &ordered);
    ow_schema_builder_free(builder);
    if (status != OW_OK) return status;
    ow_schema_free(*schema);
    *schema = ordered;
    return OW_OK;
}

ow_status study_rows_read(const reproduction *r, const study_source *source,
                          study_rows *rows)
{
    *rows = (study_rows){0};
    ow_read_options read = source->read;
    ow_infer_options infer = source->infer;
    read.size = sizeof read;
    infer.size = sizeof infer;
    infer.no_relations = true; /* the paper knows none */
    ow_status status =
        source->bytes != NULL
            ? ow_reader_open_memory(r->ctx, source->bytes, source->size, source->path,
                                    &read, &rows->reader)
            : ow_reader_open(r->ctx, source->path, &read, &r->how, &rows->reader);
    if (status == OW_OK && source->classes != NULL)
        status = ow_reader_keep_classes(rows->reader, source->infer.label, source->classes,
                                        source->n_classes);
    if (status == OW_OK)
        status = ow_schema_infer(rows->reader, &infer, &r->how, &rows->schema);
    if (status == OW_OK && source->n_orders > 0)
        status = order_levels(r, source, &rows->schema);
    if (status == OW_OK) status = ow_reader_bind(rows->reader, rows->schema, false);
    if (status == OW_OK) status = ow_table_read(rows->reader, &r->how, &rows->table);
    if (status != OW_OK) study_rows_clear(rows);
    return status;
}

void study_rows_clear(study_rows *rows)
{
    ow_table_free(rows->table);
    ow_reader_free(rows->reader);
    ow_schema_free(rows->schema);
    *rows = (study_rows){0};
}

/* ---- One seed ---- */

char *study_work_name(const reproduction *r, const study_plan *plan, const char *what,
                      size_t seed, const char *ending)
{
    return text_add(NULL, "work/%s%s%s%s-%" PRIu64 ".%s", r->quick ? "quick-" : "", what,
                    plan->variant != NULL ? "-" : "",
                    plan->variant != NULL ? plan->variant : "", r->how.seed + seed, ending);
}

/* A model that was saved by an earlier run; NULL if there is none that can be used. */
static ow_model *load_model(reproduction *r, const char *path, const study_rows *rows)
{
    ow_model *model = NULL;
    FILE *file = fopen(path, "rb");
    if (file == NULL) return NULL;
    fclose(file);
    if (ow_model_load(r->ctx, path, &r->how, &model) != OW_OK) return NULL;
    if (ow_schema_n_columns(ow_model_schema(model)) == ow_schema_n_columns(rows->schema))
        return model;
    ow_model_free(model);
    return NULL;
}

ow_status study_seed_need_model(reproduction *r, const study_plan *plan, study_seed *s)
{
    if (s->model != NULL) return OW_OK;
    char *name = study_work_name(r, plan, "model", s->seed, "ow");
    char *path = reproduce_path(r, "%s", name);
    ow_train_options options = plan->training;
    ow_status status = OW_OK;
    s->model = load_model(r, path, s->rows);
    if (s->model == NULL) {
        options.is_test = s->held_out;
        options.n_is_test = ow_table_n_rows(s->rows->table);
        options.backend = r->backend;
        if (r->quick) options.passes = quick_passes;
        ow_call how = r->how;
        how.seed += s->seed;
        status =
            ow_model_train(s->rows->reader, s->rows->schema, &options, &how, &s->model);
        if (status == OW_OK) status = ow_model_save(s->model, path);
    }
    free(path);
    free(name);
    return status;
}

void study_seed_drop_model(const reproduction *r, const study_plan *plan,
                           const study_seed *s)
{
    char *name = study_work_name(r, plan, "model", s->seed, "ow");
    char *path = reproduce_path(r, "%s", name);
    remove(path); /* which may not be there */
    free(path);
    free(name);
}

/* ---- The split and the queries ---- */

/* Marks the rows that are not learned from, and those of them that are asked about. */
static ow_status split(reproduction *r, const study_plan *plan, study_seed *s, bool *asked)
{
    const ow_table *table = s->rows->table;
    const size_t n = ow_table_n_rows(table);
    ow_call how = r->how;
    how.seed += s->seed;
    int32_t *fold = memory_new(n, sizeof *fold);
    ow_status status = ow_split_by_share(r->ctx, n, ow_table_classes(table), test_share,
                                         &how, s->held_out);
    if (status == OW_OK)
        status = ow_split_folds(r->ctx, n, ow_table_classes(table), n_folds, &how, fold);
    for (size_t i = 0; i < n; i++) {
        asked[i] = plan->tuning ? !s->held_out[i] && fold[i] == 0 : s->held_out[i];
        s->held_out[i] = s->held_out[i] || asked[i];
    }
    free(fold);
    return status;
}

/* The rows of each pair's first class among those asked, with its second one as target. */
static void collect_queries(const study_plan *plan, const bool *asked, study_seed *s)
{
    const ow_table *table = s->rows->table;
    const size_t n = ow_table_n_rows(table), d = ow_table_n_columns(table);
    const int32_t *classes = ow_table_classes(table);
    s->number = memory_new(n * plan->n_pairs, sizeof *s->number);
    s->targets = memory_new(n * plan->n_pairs, sizeof *s->targets);
    for (size_t p = 0; p < plan->n_pairs; p++) {
        int32_t from, to;
        if (ow_schema_find_class(s->rows->schema, plan->pairs[p].from, &from) != OW_OK ||
            ow_schema_find_class(s->rows->schema, plan->pairs[p].to, &to) != OW_OK)
            continue;
        for (size_t i = 0; i < n; i++) {
            if (!asked[i] || classes[i] != from) continue;
            s->number[s->n_queries] = i;
            s->targets[s->n_queries++] = to;
        }
    }
    s->queries = memory_new(s->n_queries * d + 1, sizeof *s->queries);
    for (size_t i = 0; i < s->n_queries; i++)
        memcpy(s->queries + i * d, ow_table_row(table, s->number[i]),
               d * sizeof *s->queries);
}

static void collect_known(const study_plan *plan, study_seed *s)
{
    const ow_table *table = s->rows->table;
    const size_t n = ow_table_n_rows(table), d = ow_table_n_columns(table);
    const size_t most = plan->most_known > 0 ? plan->most_known : n;
    s->known = memory_new((most < n ? most : n) * d + 1, sizeof *s->known);
    s->known_classes = memory_new(n, sizeof *s->known_classes);
    for (size_t i = 0; i < n && s->n_known < most; i++) {
        if (s->held_out[i] || ow_table_classes(table)[i] < 0) continue;
        memcpy(s->known + s->n_known * d, ow_table_row(table, i), d * sizeof *s->known);
        s->known_classes[s->n_known++] = ow_table_classes(table)[i];
    }
}

ow_status study_seed_open(reproduction *r, const study_plan *plan, const study_rows *rows,
                          size_t seed, study_seed *s)
{
    *s = (study_seed){.rows = rows, .seed = seed};
    const size_t n = ow_table_n_rows(rows->table);
    bool *asked = memory_new(n, sizeof *asked);
    s->held_out = memory_new(n, sizeof *s->held_out);
    ow_status status = reproduce_work_folder(r);
    if (status == OW_OK) status = split(r, plan, s, asked);
    if (status == OW_OK) {
        collect_queries(plan, asked, s);
        collect_known(plan, s);
    }
    free(asked);
    return status;
}

void study_seed_close(study_seed *s)
{
    ow_model_free(s->model);
    free(s->held_out);
    free(s->number);
    free(s->queries);
    free(s->targets);
    free(s->known);
    free(s->known_classes);
    *s = (study_seed){0};
}
