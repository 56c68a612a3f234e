/* SPDX-License-Identifier: MIT */
/* A schema from the rows themselves, in one pass.  Tables are looked at column by column
 * (column_stats.h) and across columns (infer_links.h), pictures as a whole (pixel_stats.h);
 * the schema is put together when all rows have been seen. */
#include <math.h>
#include <string.h>

#include "base/context.h"
#include "base/error.h"
#include "base/memory/alloc.h"
#include "base/memory/sizes.h"
#include "base/options.h"
#include "base/text/quote.h"
#include "base/threads/team.h"
#include "data/infer/infer_label.h"
#include "data/infer/infer_levels.h"
#include "data/infer/infer_relations.h"
#include "data/infer/infer_warnings.h"
#include "data/infer/inference.h"
#include "data/roles/carried_columns.h"
#include "data/roles/found_locks.h"
#include "data/schema/schema_private.h"

/* Decimals that somebody may have meant.  More of them are the digits of a quotient, which
 * no other value of the column has to be padded to. */
enum { most_measured = 11 };

static void clear(owi_inference *in)
{
    for (size_t j = 0; j < in->n_columns; j++) {
        if (in->stats != NULL) owi_column_stats_clear(&in->stats[j]);
        if (in->places != NULL) owi_free(in->ctx, in->places[j]);
    }
    owi_pixel_stats_clear(&in->pixels);
    owi_cell_sample_clear(&in->sample);
    owi_infer_links_clear(&in->links);
    owi_free(in->ctx, in->ids);
    owi_free(in->ctx, in->places);
    owi_free(in->ctx, in->stats);
    owi_free(in->ctx, in->plan);
    in->ids = NULL;
    in->places = NULL;
    in->stats = NULL;
    in->plan = NULL;
    in->n_rows = 0;
}

/* ---- Looking at the rows ---- */

/* So many different numbers may be counted in each column that all of them together stay
 * below some hundred megabytes. */
static size_t share_of_numbers(size_t n_columns)
{
    const size_t in_all = (size_t)1 << 22, least = 64;
    return owi_smaller(owi_larger(in_all / owi_larger(n_columns, 1), least),
                       owi_max_counted_numbers);
}

/* Neither the label nor what is dropped is ever linked. */
static ow_status begin_links(owi_inference *in)
{
    const size_t n = in->n_columns;
    const char **names = owi_alloc_array(in->ctx, n, sizeof *names);
    if (names == NULL) return OW_ERR_MEMORY;
    for (size_t j = 0; j < n; j++)
        names[j] = in->plan[j].role == OWI_ROLE_FEATURE ? in->plan[j].name : NULL;
    const ow_status status = owi_infer_links_begin(&in->links, in->ctx, n, names);
    owi_free(in->ctx, names);
    return status;
}

static ow_status begin(owi_inference *in)
{
    const size_t n = in->n_columns, max_numbers = share_of_numbers(n);
    in->plan = owi_alloc_array(in->ctx, n, sizeof *in->plan);
    in->stats = owi_alloc_array(in->ctx, n, sizeof *in->stats);
    in->places = owi_alloc_array(in->ctx, n, sizeof *in->places);
    in->ids = owi_alloc_array(in->ctx, n, sizeof *in->ids);
    if (in->plan == NULL || in->stats == NULL || in->places == NULL || in->ids == NULL)
        return OW_ERR_MEMORY;
    OWI_TRY(owi_infer_plan(in->reader, in->options, in->plan));
    for (size_t j = 0; j < n; j++) {
        const owi_column_plan *plan = &in->plan[j];
        const bool is_category =
            plan->role == OWI_ROLE_LABEL || plan->is_ordinal || plan->is_categorical;
        owi_column_stats_begin(&in->stats[j], in->ctx, plan->name, is_category,
                               max_numbers);
        in->stats[j].decimal_comma = owi_reader_decimal_comma(in->reader);
        in->stats[j].may_be_carried = !plan->is_kept;
    }
    if (!in->is_picture) return begin_links(in);
    const ow_layout layout = ow_reader_layout(in->reader);
    return owi_pixel_stats_begin(&in->pixels, in->ctx,
                                 layout.height * layout.width * layout.channels);
}

static ow_status read_alone(owi_inference *in)
{
    const owi_cell *cells;
    OWI_TRY(ow_reader_rewind(in->reader));
    for (;;) {
        bool at_end;
        OWI_TRY(owi_reader_next_cells(in->reader, &cells, &at_end));
        if (at_end) break;
        OWI_TRY(owi_infer_add_row(in, cells));
    }
    return owi_reader_check_classes(in->reader);
}

/* With the other processes of a team, or alone. */
static ow_status read_rows(owi_inference *in)
{
    bool done;
    OWI_TRY(owi_infer_read_shared(in, &done));
    if (done) return OW_OK;
    if (owi_team_size(in->call) > 1) {
        clear(in);
        OWI_TRY(begin(in));
    }
    return read_alone(in);
}

static ow_status finish_columns(owi_inference *in)
{
    if (in->n_rows == 0) return owi_fail(OW_ERR_FORMAT, "%s: no rows", in->file);
    for (size_t j = 0; j < in->n_columns; j++) {
        if (in->plan[j].role == OWI_ROLE_LABEL)
            OWI_TRY(owi_require_label(&in->stats[j], in->file));
        OWI_TRY(owi_column_stats_finish(&in->stats[j]));
        owi_warn_of_units(&in->stats[j], in->file);
        in->plan[j].has_dates = in->stats[j].is_either_way || in->stats[j].has_mixed_dates;
    }
    return OW_OK;
}

/* ---- Columns of a table ---- */

/* A column without a single value is left out, unless its levels were given. */
static bool is_kept(const owi_inference *in, size_t j)
{
    return in->plan[j].role == OWI_ROLE_FEATURE &&
           (in->is_picture || in->stats[j].n_present > 0 || in->plan[j].levels != NULL);
}

static ow_status find_type(const owi_inference *in, size_t j, ow_column_type *type)
{
    const owi_column_stats *stats = &in->stats[j];
    const owi_column_plan *plan = &in->plan[j];
    *type = OW_TYPE_CATEGORICAL;
    if (plan->is_ordinal) *type = OW_TYPE_ORDINAL;
    if (plan->is_ordinal || plan->is_categorical) return OW_OK;
    if (owi_column_stats_is_number(stats)) {
        *type = stats->all_whole ? OW_TYPE_INTEGER : OW_TYPE_CONTINUOUS;
        return OW_OK;
    }
    if (stats->texts != NULL) return OW_OK;
    char quoted[2][owi_quote_size];
    return owi_fail(OW_ERR_SCHEMA,
                    "%s: column %s has more than %zu different numbers, but also %zu "
                    "texts, the first of "
                    "them %s at %s; leave such cells empty, drop the column, or say that "
                    "it is categorical",
                    in->file, owi_quote_text(plan->name, quoted[0]), stats->max_numbers,
                    stats->n_texts, owi_quote_text(stats->first_text, quoted[1]),
                    in->places[j]);
}

/* Range, mean and deviation. */
static void set_figures(ow_column *column, double low, double high,
                        const owi_moments *moments, const owi_moments *log_moments)
{
    column->low = low + 0.0; /* turns -0 into 0 */
    column->high = high + 0.0;
    owi_column_set_moments(column, low, high, moments, log_moments);
}

/* What was asked for, but for the logarithm of numbers below 0. */
static ow_scaling find_scaling(const owi_inference *in, const ow_column *column)
{
    if (!in->options->scaling_given)
        return in->is_picture ? OW_SCALE_MINMAX : OW_SCALE_STANDARD;
    if (in->options->scaling != OW_SCALE_LOG1P || column->low >= 0.0)
        return in->options->scaling;
    char quoted[owi_quote_size];
    owi_log(in->ctx, OW_LOG_INFO,
            "%s: column %s has numbers below 0 and is scaled standard instead of log1p",
            in->file, owi_quote_text(column->name, quoted));
    return OW_SCALE_STANDARD;
}

static ow_status add_column(const owi_inference *in, ow_schema *schema, size_t index,
                            size_t j)
{
    const owi_column_stats *stats = &in->stats[j];
    ow_column_type type;
    ow_column *column;
    OWI_TRY(find_type(in, j, &type));
    OWI_TRY(owi_schema_add_column(schema, stats->name, strlen(stats->name), &column));
    column->type = type;
    column->n_missing = stats->n_missing;
    column->immutable = in->plan[j].is_immutable;
    column->monotone = in->plan[j].monotone;
    column->link = in->links.link[j];
    OWI_TRY(owi_add_missing_words(schema, index, stats, in->options));
    if (stats->n_present > 0) owi_warn_about_column(stats, in->file, type, in->places[j]);
    if (owi_is_category(type))
        return owi_add_levels(schema, index, stats, in->plan[j].levels, in->options,
                              in->file, column->link > 0 || in->plan[j].is_kept);
    set_figures(column, stats->extremes.low[0].number, stats->extremes.high[0].number,
                &stats->moments, &stats->log_moments);
    column->decimals = type == OW_TYPE_INTEGER           ? 0
                       : stats->decimals > most_measured ? -1
                                                         : stats->decimals;
    column->scaling = find_scaling(in, column);
    column->scaling_fixed = in->options->scaling_given;
    return owi_schema_set_format(schema, index, &stats->format);
}

/* ---- Values of linked columns ---- */

static ow_status add_linked_values(const owi_inference *in, ow_schema *schema)
{
    if (schema->n_links == 0) return OW_OK;
    size_t *file_columns =
        owi_alloc_array(in->ctx, schema->n_columns, sizeof *file_columns);
    size_t n_kept = 0;
    if (file_columns == NULL) return OW_ERR_MEMORY;
    for (size_t j = 0; j < in->n_columns; j++)
        if (is_kept(in, j)) file_columns[n_kept++] = j;
    const ow_status status =
        owi_infer_links_add_values(&in->links, in->call, schema, in->stats, file_columns);
    owi_free(in->ctx, file_columns);
    return status;
}

/* ---- Columns of pictures ---- */

/* Bytes go from 0 to 255 whatever the rows happen to show; otherwise the range begins at 0
 * unless there are numbers below. */
static void set_pixel_figures(const owi_inference *in, ow_column *column)
{
    const owi_pixel_stats *pixels = &in->pixels;
    const bool bytes = owi_reader_has_bytes(in->reader);
    column->type = pixels->all_whole ? OW_TYPE_INTEGER : OW_TYPE_CONTINUOUS;
    column->decimals = pixels->all_whole ? 0 : -1;
    set_figures(column, fmin(0.0, pixels->low), bytes ? 255.0 : fmax(0.0, pixels->high),
                &pixels->moments, &pixels->log_moments);
    column->scaling = find_scaling(in, column);
}

static ow_status add_pixels(const owi_inference *in, ow_schema *schema)
{
    if (in->pixels.low > in->pixels.high)
        return owi_fail(OW_ERR_SCHEMA, "%s: not a single number in %zu rows", in->file,
                        in->n_rows);
    for (size_t j = 0; j < in->pixels.n; j++) {
        const char *name = in->plan[j].name;
        ow_column *column;
        OWI_TRY(owi_schema_add_column(schema, name, strlen(name), &column));
        if (j == 0) set_pixel_figures(in, column);
        if (j > 0) {
            *column = schema->columns[0];
            column->name = owi_string_map_text(schema->names, j, NULL);
        }
        column->n_missing = in->pixels.n_missing[j];
        column->immutable = in->plan[j].is_immutable;
    }
    schema->layout = ow_reader_layout(in->reader);
    return OW_OK;
}

/* ---- The schema ---- */

static void warn_of_empty_columns(const owi_inference *in)
{
    char quoted[owi_quote_size];
    for (size_t j = 0; j < in->n_columns; j++)
        if (in->plan[j].role == OWI_ROLE_FEATURE && !is_kept(in, j))
            owi_log(in->ctx, OW_LOG_WARN,
                    "%s: column %s has no value in any row and is left out", in->file,
                    owi_quote_text(in->plan[j].name, quoted));
}

/* All columns, and the label's classes. */
static ow_status fill(const owi_inference *in, ow_schema *schema, owi_level **classes)
{
    size_t n_added = 0;
    for (size_t j = 0; j < in->n_columns; j++) {
        if (in->plan[j].role == OWI_ROLE_LABEL)
            OWI_TRY(owi_add_label(schema, &in->stats[j], in->file, in->options->level_order,
                                  classes));
        if (in->is_picture || !is_kept(in, j)) continue;
        OWI_TRY(owi_call_tick(in->call));
        OWI_TRY(add_column(in, schema, n_added, j));
        n_added++;
    }
    if (in->is_picture) OWI_TRY(add_pixels(in, schema));
    OWI_TRY(owi_add_carried_columns(schema, in->n_columns, in->plan));
    schema->n_rows = in->n_rows;
    schema->level_order = in->options->level_order;
    OWI_TRY(owi_name_file(owi_schema_finish(schema, ""), in->file));
    for (size_t k = 0; k < ow_schema_n_classes(schema); k++)
        schema->class_counts[k] = (*classes)[k].count;
    OWI_TRY(add_linked_values(in, schema));
    owi_tell_links(schema, in->file);
    if (in->options->lock_found && !in->is_picture)
        owi_lock_found_columns(schema, in->file, in->n_columns, in->plan);
    for (int note = 0; note < OWI_N_NOTES; note++)
        owi_reader_tells_first(in->reader,
                               (owi_note)note); /* columns and label are told of */
    return OW_OK;
}

static ow_status build(const owi_inference *in, ow_schema **out)
{
    ow_schema *schema = NULL;
    owi_level *classes = NULL;
    size_t n_kept = 0;
    for (size_t j = 0; j < in->n_columns; j++) n_kept += is_kept(in, j);
    warn_of_empty_columns(in);
    if (n_kept == 0)
        return owi_fail(OW_ERR_SCHEMA, "%s: no column has a value in any row", in->file);

    ow_status status = owi_name_file(owi_schema_new(in->ctx, n_kept, &schema), in->file);
    if (status != OW_OK) goto done;
    status = fill(in, schema, &classes);
    if (status != OW_OK) goto done;
    *out = schema;
    schema = NULL;

done:
    ow_schema_free(schema);
    owi_free(in->ctx, classes);
    return status;
}

ow_status ow_schema_infer(ow_reader *reader, const ow_infer_options *options,
                          const ow_call *call, ow_schema **out)
{
    ow_infer_options own = {.size = sizeof own};
    OWI_REQUIRE(out != NULL);
    *out = NULL;
    OWI_REQUIRE(reader != NULL);
    owi_call running;
    OWI_TRY(owi_call_begin(&running, owi_reader_context(reader), call));
    OWI_TRY(OWI_OPTIONS_TAKE(ow_infer_options, options, &own));
    OWI_TRY(owi_call_join(&running, own.team));
    owi_inference in = {.ctx = owi_reader_context(reader),
                        .call = &running,
                        .reader = reader,
                        .file = owi_reader_name(reader),
                        .options = &own,
                        .is_picture = ow_reader_layout(reader).kind != OW_LAYOUT_TABLE,
                        .n_columns = ow_reader_n_columns(reader)};
    in.samples =
        !own.no_relations && !in.is_picture && in.n_columns <= owi_most_related_columns;
    in.sample = (owi_cell_sample){.ctx = in.ctx, .n_columns = in.n_columns};
    owi_reader_set_call(reader, &running);
    ow_status status = begin(&in);
    if (status == OW_OK) status = read_rows(&in);
    if (status == OW_OK) status = finish_columns(&in);
    if (status == OW_OK && !in.is_picture)
        owi_set_identifiers_aside(in.ctx, in.file, in.n_columns, in.stats, in.plan);
    if (status == OW_OK && !in.is_picture)
        status = owi_infer_links_finish(&in.links, in.call, in.stats);
    if (status == OW_OK) status = build(&in, out);
    if (status == OW_OK && in.samples)
        status = owi_infer_relations(reader, &running, &in.sample, *out);
    if (status != OW_OK) {
        ow_schema_free(*out);
        *out = NULL;
    }
    owi_reader_set_call(reader, NULL);
    clear(&in);
    return status;
}
