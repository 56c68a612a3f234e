/* SPDX-License-Identifier: MIT */
/* Rows of a reader through an explainer: read in blocks, explained in runs of rows that
 * follow each other, given one by one. */
#include <math.h>
#include <string.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/memory/alloc.h"
#include "base/options.h"
#include "explain/answers/explain_summary.h"
#include "explain/core/explainer_private.h"

/* Blocks grow, so that the first answers come soon and large blocks are fast; those of
 * methods that take long do not, so that little is in work when somebody looks.  The engine
 * takes 64 rows at a time and would need as long for fewer.  Nothing here looks at the
 * clock: sums over blocks of another size may differ in their last digit, and the same call
 * is to give the same. */
enum { first_block = 64, usual_block = 1024, device_block = 1 << 14 };

struct ow_explain_stream {
    ow_context *ctx;
    ow_explain_source source;
    ow_explain_options options;
    ow_call asked; /* as the caller gave it                                        */
    ow_call call;  /* the same for the calls inside, with a listener of our own    */
    double start;
    size_t n_columns;

    size_t block, most_block; /* rows to read next, and at most                    */
    size_t n_read, n_taken;   /* rows read; of the wanted ones, those passed         */
    bool at_end;
    double share, block_share; /* of the work: done, and done with this block      */

    /* The wanted rows of the block: those before `begun` are in or behind the explanation.
     * */
    size_t n, begun;
    size_t *number; /* from 1                                                      */
    size_t *place;  /* in the block, for ow_reader_id                              */
    double *values; /* n x columns                                                 */

    ow_explanation *explanation; /* of the last run; NULL: none                    */
    size_t first, n_done, given; /* its first row in the block; its rows; those given */
    ow_status stopped;           /* what comes after its rows                      */

    size_t
        *carried_at; /* of each carried column: its place in the reader; SIZE_MAX: none */
    const char **carried; /* its text in the row                                   */

    ow_explained_row row;
    ow_explain_summary summary;
};

/* ---- Progress ---- */

/* An ow_progress_fn.  The calls inside tell how far a block has come; the listener wants to
 * know how far the rows have. */
static bool report(void *user, const ow_progress *progress)
{
    const ow_explain_stream *s = user;
    enum { units = 1000000 };
    ow_progress whole = {.stage = "explaining rows",
                         .seconds = owi_clock_seconds() - s->start};
    const bool explaining = strcmp(progress->stage, whole.stage) == 0;
    const bool reading = strncmp(progress->stage, "reading ", 8) == 0;
    const bool again = strcmp(progress->stage, "looking for surer answers") == 0;
    if (!explaining && !reading && !again)
        return s->asked.progress(s->asked.progress_user, progress);
    double share = again ? s->block_share : s->share;
    if (explaining && progress->total > 0)
        share +=
            (s->block_share - s->share) * (double)progress->done / (double)progress->total;
    if (!isnan(share)) {
        whole.done = (uint64_t)(units * share);
        whole.total = units;
    }
    return s->asked.progress(s->asked.progress_user, &whole);
}

/* ---- Reading ---- */

/* Moves the wanted rows of a block of n to the front. */
static void select_rows(ow_explain_stream *s, size_t n)
{
    const ow_explain_source *source = &s->source;
    s->n = s->begun = 0;
    for (size_t i = 0; i < n; i++) {
        const size_t number = s->n_read + i + 1;
        if (source->wanted != NULL &&
            (s->n_taken == source->n_wanted || source->wanted[s->n_taken] != number))
            continue;
        s->n_taken++;
        s->number[s->n] = number;
        s->place[s->n] = i;
        memmove(s->values + s->n * s->n_columns, s->values + i * s->n_columns,
                s->n_columns * sizeof *s->values);
        s->n++;
    }
    s->n_read += n;
    s->block_share = source->wanted == NULL ? ow_reader_share(source->reader)
                                            : (double)s->n_taken / (double)source->n_wanted;
}

static ow_status read_block(ow_explain_stream *s)
{
    size_t n;
    s->share = s->block_share;
    if (s->source.wanted != NULL && s->n_taken == s->source.n_wanted) {
        s->at_end = true;
        return OW_OK;
    }
    OWI_TRY(ow_reader_next(s->source.reader, s->block, &s->call, s->values, NULL, &n));
    s->at_end = n == 0;
    select_rows(s, n);
    if (!ow_explainer_method(s->source.explainer)->takes_long && s->block < s->most_block)
        s->block *= 2;
    return OW_OK;
}

/* ---- Explaining ---- */

/* The next rows of the block that follow each other.  A call that is stopped has perhaps
 * finished some of them. */
static ow_status explain_run(ow_explain_stream *s)
{
    ow_explain_options options = s->options;
    ow_call call = s->call;
    size_t end = s->begun + 1;
    while (end < s->n && s->number[end] == s->number[end - 1] + 1) end++;
    options.first_row = s->number[s->begun] - 1;
    if (s->asked.time_limit > 0.0) {
        const double spent = owi_clock_seconds() - s->start;
        call.time_limit = fmax(1e-9, s->asked.time_limit - spent);
    }
    ow_explanation_free(s->explanation);
    s->explanation = NULL;
    s->first = s->begun;
    s->given = s->n_done = 0;
    const ow_status status =
        ow_explainer_explain(s->source.explainer, s->source.constraints, &options,
                             end - s->begun, s->values + s->begun * s->n_columns, &call,
                             &s->explanation);
    s->begun = end;
    if (s->explanation == NULL) return status;
    s->n_done = ow_explanation_n_rows(s->explanation);
    s->stopped = status;
    return OW_OK;
}

static void give(ow_explain_stream *s)
{
    const size_t at = s->first + s->given;
    const ow_schema *schema = ow_model_schema(s->source.explainer->model);
    for (size_t k = 0; s->carried != NULL && k < ow_schema_n_carried(schema); k++)
        s->carried[k] =
            s->carried_at[k] != SIZE_MAX
                ? ow_reader_text(s->source.reader, s->place[at], s->carried_at[k])
                : NULL;
    s->row =
        (ow_explained_row){.number = s->number[at],
                           .id = s->source.id_column != NULL
                                     ? ow_reader_id(s->source.reader, s->place[at])
                                     : NULL,
                           .query = s->values + at * s->n_columns,
                           .outcome = ow_explanation_outcome(s->explanation, s->given++),
                           .carried = s->carried};
    owi_explain_summary_add(&s->summary, s->row.outcome);
}

ow_status ow_explain_stream_next(ow_explain_stream *s, const ow_explained_row **row)
{
    OWI_REQUIRE(s != NULL && row != NULL);
    *row = NULL;
    while (s->given == s->n_done) {
        if (s->stopped != OW_OK)
            return owi_fail(s->stopped, "%s",
                            s->stopped == OW_ERR_CANCELLED
                                ? "stopped while explaining rows"
                                : "the stream has failed before");
        const bool has_rows = s->begun < s->n;
        if (!has_rows && s->at_end) return OW_OK;
        const ow_status status = has_rows ? explain_run(s) : read_block(s);
        if (status == OW_OK) continue;
        s->stopped = status; /* for good: rows may be lost, and those to come misnumbered */
        return status;
    }
    give(s);
    *row = &s->row;
    return OW_OK;
}

/* ---- The stream ---- */

/* Where the carried columns are in the reader. */
static ow_status find_carried(ow_explain_stream *s)
{
    const ow_schema *schema = ow_model_schema(s->source.explainer->model);
    const ow_reader *reader = s->source.reader;
    const size_t n = ow_schema_n_carried(schema);
    s->carried_at = owi_alloc_array(s->ctx, n, sizeof *s->carried_at);
    s->carried = owi_alloc_array(s->ctx, n, sizeof *s->carried);
    if (s->carried_at == NULL || s->carried == NULL) return OW_ERR_MEMORY;
    for (size_t k = 0; k < n; k++) {
        size_t j = 0;
        while (j < ow_reader_n_columns(reader) &&
               strcmp(ow_reader_column_name(reader, j), ow_schema_carried(schema, k)) != 0)
            j++;
        s->carried_at[k] = j < ow_reader_n_columns(reader) ? j : SIZE_MAX;
    }
    ow_reader_keep_texts(s->source.reader);
    return OW_OK;
}

ow_status ow_explain_stream_new(const ow_explain_source *given, const ow_call *call,
                                ow_explain_stream **out)
{
    OWI_REQUIRE(out != NULL);
    *out = NULL;
    OWI_REQUIRE(given != NULL);
    ow_explain_source source = {0};
    ow_explain_options options = owi_explain_defaults();
    OWI_TRY(OWI_OPTIONS_TAKE(ow_explain_source, given, &source));
    OWI_TRY(OWI_OPTIONS_TAKE(ow_explain_options, source.options, &options));
    OWI_REQUIRE(source.explainer != NULL && source.reader != NULL);
    OWI_REQUIRE(options.targets == NULL);
    ow_context *ctx = source.explainer->ctx;
    owi_call checked; /* the calls inside are not given its time limit as it is */
    OWI_TRY(owi_call_begin(&checked, ctx, call));
    ow_call asked = {0};
    OWI_TRY(OWI_OPTIONS_TAKE(ow_call, call, &asked));
    ow_explain_stream *s = owi_alloc_zeroed(ctx, sizeof *s);
    if (s == NULL) return OW_ERR_MEMORY;
    s->asked = asked;
    s->ctx = ctx;
    s->source = source;
    s->options = options;
    s->start = owi_clock_seconds();
    s->block = first_block;
    s->most_block =
        source.explainer->evaluator->device != NULL ? device_block : usual_block;
    s->n_columns = ow_schema_n_columns(ow_model_schema(source.explainer->model));
    s->call = s->asked;
    s->call.time_limit = 0.0; /* reading ends by itself; explaining gets what is left */
    if (s->asked.progress != NULL) {
        s->call.progress = report;
        s->call.progress_user = s;
    }
    s->number = owi_alloc_array(ctx, s->most_block, sizeof *s->number);
    s->place = owi_alloc_array(ctx, s->most_block, sizeof *s->place);
    s->values = owi_alloc_array(ctx, s->most_block * s->n_columns, sizeof *s->values);
    ow_status status =
        s->number == NULL || s->place == NULL || s->values == NULL ? OW_ERR_MEMORY : OW_OK;
    if (status == OW_OK && source.carried) status = find_carried(s);
    if (status != OW_OK) {
        ow_explain_stream_free(s);
        return status;
    }
    *out = s;
    return OW_OK;
}

void ow_explain_stream_free(ow_explain_stream *s)
{
    if (s == NULL) return;
    ow_explanation_free(s->explanation);
    owi_free(s->ctx, s->number);
    owi_free(s->ctx, s->place);
    owi_free(s->ctx, s->values);
    owi_free(s->ctx, s->carried_at);
    owi_free(s->ctx, s->carried);
    owi_free(s->ctx, s);
}

const ow_explain_summary *ow_explain_stream_summary(const ow_explain_stream *stream)
{
    return &stream->summary;
}

size_t ow_explain_stream_n_read(const ow_explain_stream *stream)
{
    return stream->n_read;
}

size_t ow_explain_stream_missing(const ow_explain_stream *stream)
{
    const ow_explain_source *source = &stream->source;
    return source->wanted != NULL && stream->n_taken < source->n_wanted
               ? source->wanted[stream->n_taken]
               : 0;
}

double ow_explain_stream_seconds(const ow_explain_stream *stream)
{
    return owi_clock_seconds() - stream->start;
}
