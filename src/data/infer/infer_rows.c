/* SPDX-License-Identifier: MIT */
/* A row at a time: what inference learns from it. */
#include <string.h>

#include "base/error.h"
#include "base/memory/alloc.h"
#include "data/infer/infer_levels.h"
#include "data/infer/inference.h"
#include "data/schema/schema_private.h"

const owi_cell *owi_infer_seen_cell(const owi_inference *in, const owi_cell *cell)
{
    static const owi_cell nothing = {.text = "", .length = 0};
    const bool is_said =
        in->options->n_missing > 0 && owi_is_said_missing(in->options, cell);
    return is_said ? &nothing : cell;
}

bool owi_infer_looks_at(const owi_inference *in, size_t column)
{
    const owi_role role = in->plan[column].role;
    return role != OWI_ROLE_DROPPED && !(in->is_picture && role == OWI_ROLE_FEATURE);
}

/* A row without a class is not learned from, so that it tells nothing about columns: it may
 * be the sums at the end of a table. */
bool owi_infer_uses_row(const owi_inference *in, const owi_cell *cells)
{
    for (size_t j = 0; j < in->n_columns && !in->is_picture; j++)
        if (in->plan[j].role == OWI_ROLE_LABEL)
            return !owi_cell_is_missing(&cells[j]) &&
                   !owi_is_said_missing(in->options, &cells[j]);
    return true;
}

static ow_status note_place(owi_inference *in, size_t column)
{
    char place[owi_place_size];
    const ow_reader *reader = in->reader;
    if (in->ranges != NULL) {
        OWI_TRY(owi_file_ranges_number_lines(in->ranges));
        reader = in->ranges->file;
    }
    owi_reader_place(reader, place, sizeof place);
    in->places[column] = owi_copy_text(in->ctx, place, strlen(place));
    return in->places[column] != NULL ? OW_OK : OW_ERR_MEMORY;
}

/* One cell of a column that is looked at on its own. */
static ow_status add_cell(owi_inference *in, size_t j, const owi_cell *cell, int32_t *id)
{
    owi_column_stats *stats = &in->stats[j];
    OWI_TRY(owi_name_file(owi_column_stats_add(stats, owi_infer_seen_cell(in, cell), id),
                          in->file));
    if (stats->n_texts + stats->n_stray != 1 || in->places[j] != NULL) return OW_OK;
    return note_place(in, j);
}

ow_status owi_infer_add_row(owi_inference *in, const owi_cell *cells)
{
    const bool is_used = owi_infer_uses_row(in, cells);
    for (size_t j = 0; j < in->n_columns; j++) {
        const bool is_feature = in->plan[j].role == OWI_ROLE_FEATURE;
        in->ids[j] = owi_id_lost;
        if (!owi_infer_looks_at(in, j)) continue;
        if (is_feature && !is_used) {
            OWI_TRY(owi_column_stats_add_outside(&in->stats[j], &cells[j]));
            continue;
        }
        int32_t id;
        OWI_TRY(add_cell(in, j, &cells[j], &id));
        if (is_feature) in->ids[j] = id;
    }
    in->n_rows++;
    if (!is_used) return OW_OK;
    if (in->samples) OWI_TRY(owi_cell_sample_add(&in->sample, cells));
    if (in->is_picture)
        owi_pixel_stats_add(&in->pixels, cells);
    else
        OWI_TRY(owi_infer_links_add_row(&in->links, in->ids, cells));
    return OW_OK;
}
