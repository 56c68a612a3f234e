/* SPDX-License-Identifier: MIT */
#include "data/infer_links.h"

#include <math.h>

#include "base/alloc.h"
#include "base/error.h"
#include "data/schema_private.h"

/* More combinations than this are not kept: such columns hold amounts, not names of each other. */
enum { max_combinations = 4096 };

/* The value with this number in order of appearance, as rows of the schema have it. */
static double value_of(const ow_schema *schema, size_t column,
                       const owi_column_stats *stats, int32_t id)
{
    if (id < 0) return NAN;
    if (schema->columns[column].n_levels == 0) return stats->values[(size_t)id].number;
    const char *text = owi_string_map_text(stats->texts, (size_t)id, NULL);
    const int32_t level = ow_schema_find_level(schema, column, text);
    return level < 0 ? NAN : (double)level;
}

/* The combinations of one link, by the values of its first column; values is room for one. */
static ow_status add_combinations(ow_schema *schema, size_t link_number,
                                  const owi_links *links,
                                  const owi_column_stats *const *stats,
                                  const size_t *file_columns, double *values)
{
    const ow_linked linked = ow_schema_linked(schema, link_number);
    const size_t first = linked.columns[0];
    const size_t n = owi_column_stats_n_different(stats[first]);
    if (n > max_combinations) return OW_OK;
    for (size_t id = 0; id < n; id++) {
        for (size_t k = 0; k < linked.n_columns; k++) {
            const size_t column = linked.columns[k];
            const int32_t partner = owi_links_partner(links, file_columns[first],
                                                      file_columns[column], (int32_t)id);
            values[k] = value_of(schema, column, stats[column], partner);
        }
        OWI_TRY(owi_schema_add_linked(schema, link_number, values));
    }
    return OW_OK;
}

ow_status owi_add_linked_values(ow_schema *schema, const owi_links *links,
                                const owi_column_stats *const *stats,
                                const size_t *file_columns)
{
    double *values = owi_alloc_array(schema->ctx, schema->n_columns, sizeof *values);
    ow_status status = values != NULL ? OW_OK : OW_ERR_MEMORY;
    for (size_t i = 1; status == OW_OK && i <= ow_schema_n_links(schema); i++)
        status = add_combinations(schema, i, links, stats, file_columns, values);
    owi_free(schema->ctx, values);
    return status;
}
