/* SPDX-License-Identifier: MIT */
#include "data/infer/infer_links.h"

#include <math.h>

#include "base/error.h"
#include "base/memory/alloc.h"
#include "data/schema/schema_private.h"

/* More combinations than this are not kept: such columns hold amounts, not names of each
 * other. */
enum { max_combinations = 4096 };

ow_status owi_infer_links_begin(owi_infer_links *links, ow_context *ctx, size_t n_columns,
                                const char *const *names)
{
    *links = (owi_infer_links){.ctx = ctx, .n_columns = n_columns};
    links->link = owi_alloc_array(ctx, n_columns, sizeof *links->link);
    links->group = owi_alloc_array(ctx, n_columns, sizeof *links->group);
    if (links->link == NULL || links->group == NULL) return OW_ERR_MEMORY;
    OWI_TRY(owi_links_new(ctx, n_columns, &links->pairs));
    return owi_indicators_new(ctx, n_columns, names, &links->indicators);
}

void owi_infer_links_clear(owi_infer_links *links)
{
    if (links->ctx == NULL) return;
    owi_links_free(links->pairs);
    owi_indicators_free(links->indicators);
    owi_free(links->ctx, links->link);
    owi_free(links->ctx, links->group);
    *links = (owi_infer_links){0};
}

ow_status owi_infer_links_add_row(owi_infer_links *links, const int32_t *ids,
                                  const owi_cell *cells)
{
    owi_indicators_add_row(links->indicators, cells);
    return owi_links_add_row(links->pairs, ids);
}

/* ---- Which columns ---- */

/* A column is part of one link only: a group of which one is already linked is given up. */
static void drop_linked_groups(owi_infer_links *links)
{
    const size_t n = links->n_columns;
    for (size_t j = 0; j < n; j++) {
        if (links->link[j] == 0 || links->group[j] == 0) continue;
        const size_t given_up = links->group[j];
        for (size_t i = 0; i < n; i++)
            if (links->group[i] == given_up) links->group[i] = 0;
    }
}

/* Numbers links and groups anew, by their first columns.  number[]: of each former link,
 * and behind them of each group. */
static void number_links(owi_infer_links *links, size_t n_links, size_t *number)
{
    size_t n_numbered = 0;
    for (size_t j = 0; j < links->n_columns; j++) {
        const size_t former =
            links->group[j] > 0 ? n_links + links->group[j] : links->link[j];
        if (former == 0) continue;
        if (number[former] == 0) number[former] = ++n_numbered;
        links->link[j] = number[former];
    }
}

ow_status owi_infer_links_finish(owi_infer_links *links, const owi_call *call,
                                 const owi_column_stats *stats)
{
    const size_t n = links->n_columns;
    owi_link_evidence *evidence = owi_alloc_array(links->ctx, n, sizeof *evidence);
    size_t *number = owi_alloc_array(links->ctx, 2 * n + 1, sizeof *number);
    ow_status status = evidence != NULL && number != NULL ? OW_OK : OW_ERR_MEMORY;
    for (size_t j = 0; j < n && status == OW_OK; j++) {
        status = owi_call_tick(call);
        if (stats[j].words != NULL) continue; /* some of its values are none */
        evidence[j] = (owi_link_evidence){stats[j].n_present,
                                          owi_column_stats_log_arrangements(&stats[j])};
    }
    if (status != OW_OK) goto done;
    owi_links_finish(links->pairs, evidence, links->link);
    owi_indicators_finish(links->indicators, links->group);
    drop_linked_groups(links);
    number_links(links, n, number);

done:
    owi_free(links->ctx, evidence);
    owi_free(links->ctx, number);
    return status;
}

/* ---- Columns that determine each other ---- */

/* The value with this number in order of appearance, as rows of the schema have it. */
static double value_of(const ow_schema *schema, size_t column,
                       const owi_column_stats *stats, int32_t id)
{
    if (id < 0) return NAN;
    if (schema->columns[column].n_levels == 0) return stats->values[(size_t)id].number;
    const char *text = owi_string_map_text(stats->texts, (size_t)id, NULL);
    const int32_t level = owi_schema_level(schema, column, text);
    return level < 0 ? NAN : (double)level;
}

/* By the values of the link's first column; values is room for one combination. */
static ow_status add_pairs(const owi_infer_links *links, const owi_call *call,
                           ow_schema *schema, size_t link_number,
                           const owi_column_stats *stats, const size_t *file_columns,
                           double *values)
{
    const ow_linked linked = ow_schema_linked(schema, link_number);
    const size_t first = file_columns[linked.columns[0]];
    const size_t n = owi_column_stats_n_different(&stats[first]);
    if (n > max_combinations) return OW_OK;
    for (size_t id = 0; id < n; id++) {
        OWI_TRY(owi_call_tick(call));
        for (size_t k = 0; k < linked.n_columns; k++) {
            const size_t column = linked.columns[k], of_file = file_columns[column];
            const int32_t partner =
                owi_links_partner(links->pairs, first, of_file, (int32_t)id);
            values[k] = value_of(schema, column, &stats[of_file], partner);
        }
        OWI_TRY(owi_schema_add_linked(schema, link_number, values));
    }
    return OW_OK;
}

/* ---- Spread categories ---- */

/* The number of a column's 0 or 1 in order of appearance. */
static int32_t find_indicator(const owi_column_stats *stats, int wanted)
{
    for (size_t id = 0; id < owi_column_stats_n_different(stats); id++) {
        size_t length;
        const char *text = owi_string_map_text(stats->texts, id, &length);
        if (owi_indicator_value(text, length) == wanted) return (int32_t)id;
    }
    return owi_id_missing;
}

/* A 1 in each column by turns, and in none if there are such rows. */
static ow_status add_indicators(ow_schema *schema, size_t link_number,
                                const owi_column_stats *stats, const size_t *file_columns,
                                double *values)
{
    const ow_linked linked = ow_schema_linked(schema, link_number);
    size_t n_ones = 0;
    for (size_t one = 0; one <= linked.n_columns; one++) {
        for (size_t k = 0; k < linked.n_columns; k++) {
            const owi_column_stats *of_column = &stats[file_columns[linked.columns[k]]];
            const int32_t id = find_indicator(of_column, k == one);
            values[k] = value_of(schema, linked.columns[k], of_column, id);
            if (k == one && id >= 0) n_ones += of_column->values[id].count;
        }
        const bool occurs = one < linked.n_columns ||
                            n_ones < stats[file_columns[linked.columns[0]]].n_present;
        if (occurs) OWI_TRY(owi_schema_add_linked(schema, link_number, values));
    }
    return OW_OK;
}

ow_status owi_infer_links_add_values(const owi_infer_links *links, const owi_call *call,
                                     ow_schema *schema, const owi_column_stats *stats,
                                     const size_t *file_columns)
{
    double *values = owi_alloc_array(schema->ctx, schema->n_columns, sizeof *values);
    ow_status status = values != NULL ? OW_OK : OW_ERR_MEMORY;
    for (size_t i = 1; status == OW_OK && i <= ow_schema_n_links(schema); i++) {
        const size_t first = ow_schema_linked(schema, i).columns[0];
        status = links->group[file_columns[first]] > 0
                     ? add_indicators(schema, i, stats, file_columns, values)
                     : add_pairs(links, call, schema, i, stats, file_columns, values);
    }
    owi_free(schema->ctx, values);
    return status;
}
