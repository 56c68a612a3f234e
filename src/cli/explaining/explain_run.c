/* SPDX-License-Identifier: MIT */
#include "explaining/explain_run.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "commands/command.h"
#include "terminal/exit_codes.h"
#include "terminal/interrupt.h"
#include "terminal/memory.h"
#include "terminal/message.h"
#include "terminal/output.h"
#include "terminal/text_build.h"

/* Blocks grow, so that the first answers come soon and large blocks are fast; those of
 * methods that take long do not, so that Ctrl-C loses little.  The engine takes 64 rows at
 * a time and would need as long for fewer.  Nothing here looks at the clock: sums over
 * blocks of another size may differ in their last digit, and the same command is to print
 * the same. */
enum { first_block = 64, most_block = 1024 };

/* Rows of a block that are to be explained, in their order. */
typedef struct {
    size_t n;
    size_t *number; /* from 1                          */
    size_t *place;  /* in the block, for ow_reader_id  */
    double *values; /* n x columns                     */
} selection;

typedef struct {
    explain_run *run;
    size_t n_columns, n_read, n_taken; /* rows read; of the wanted ones, those passed */
    selection rows;
    double share, block_share; /* of the work: done, and done with this block */
    ow_call how; /* the run's, with a listener of its own                     */
} stream;

/* ---- Progress ---- */

/* An ow_progress_fn.  The library tells how far a call has come; people want to know how
 * far the file has. */
static bool report(void *user, const ow_progress *progress)
{
    const stream *s = user;
    enum { units = 1000000 };
    ow_progress whole = {.stage = "explaining rows",
                         .seconds = explain_seconds() - s->run->job.start_seconds};
    const ow_call *how = &s->run->how;
    const bool explaining = strcmp(progress->stage, whole.stage) == 0;
    const bool reading = strncmp(progress->stage, "reading ", 8) == 0;
    const bool again = strcmp(progress->stage, "looking for surer answers") == 0;
    if (!explaining && !reading && !again)
        return how->progress(how->progress_user, progress);
    double share = again ? s->block_share : s->share;
    if (explaining && progress->total > 0)
        share +=
            (s->block_share - s->share) * (double)progress->done / (double)progress->total;
    if (!isnan(share)) {
        whole.done = (uint64_t)(units * share);
        whole.total = units;
    }
    return how->progress(how->progress_user, &whole);
}

/* ---- Reading ---- */

/* Moves the wanted rows of a block of n to the front. */
static void select_rows(stream *s, size_t n)
{
    selection *rows = &s->rows;
    const explain_run *run = s->run;
    rows->n = 0;
    for (size_t i = 0; i < n; i++) {
        const size_t number = s->n_read + i + 1;
        if (run->wanted != NULL &&
            (s->n_taken == run->n_wanted || run->wanted[s->n_taken] != number))
            continue;
        s->n_taken++;
        rows->number[rows->n] = number;
        rows->place[rows->n] = i;
        memmove(rows->values + rows->n * s->n_columns, rows->values + i * s->n_columns,
                s->n_columns * sizeof *rows->values);
        rows->n++;
    }
    s->n_read += n;
    s->block_share = run->wanted == NULL ? ow_reader_share(run->reader)
                                         : (double)s->n_taken / (double)run->n_wanted;
}

/* ---- Explaining ---- */

static ow_status explain(stream *s, size_t first, size_t n, ow_explanation **out)
{
    ow_explain_options options = s->run->options;
    options.first_row = s->rows.number[first] - 1;
    if (s->run->how.time_limit > 0.0) {
        const double spent = explain_seconds() - s->run->job.start_seconds;
        s->how.time_limit = fmax(1e-9, s->run->how.time_limit - spent);
    }
    return ow_explain(s->run->explainer, s->run->constraints, &options, n,
                      s->rows.values + first * s->n_columns, &s->how, out);
}

static void print_rows(stream *s, const ow_explanation *explanation, size_t first, size_t n)
{
    explain_run *run = s->run;
    for (size_t i = 0; i < n && !output_failed(); i++) {
        const size_t at = first + i;
        const explained_row row = {.number = s->rows.number[at],
                                   .id = run->job.id_column != NULL
                                             ? ow_reader_id(run->reader, s->rows.place[at])
                                             : NULL,
                                   .query = s->rows.values + at * s->n_columns,
                                   .outcome = ow_explanation_outcome(explanation, i)};
        explain_tally_add(&run->job.tally, row.outcome);
        run->format->row(&run->job, &row);
        if (run->strips != NULL) image_strips_add(run->strips, row.query, row.outcome);
    }
}

/* Rows that follow each other in the file. */
static ow_status explain_run_of(stream *s, size_t first, size_t n)
{
    ow_explanation *explanation = NULL;
    const ow_status status = explain(s, first, n, &explanation);
    if (status == OW_OK) print_rows(s, explanation, first, n);
    ow_explanation_free(explanation);
    return status;
}

static ow_status explain_selection(stream *s)
{
    const selection *rows = &s->rows;
    for (size_t i = 0, end; i < rows->n; i = end) {
        end = i + 1;
        while (end < rows->n && rows->number[end] == rows->number[end - 1] + 1) end++;
        const ow_status status = explain_run_of(s, i, end - i);
        if (status != OW_OK) return status;
    }
    return OW_OK;
}

/* ---- The whole ---- */

static ow_status run_blocks(stream *s)
{
    explain_run *run = s->run;
    const bool grows = !ow_explainer_method(run->job.explainer)->takes_long;
    for (size_t block = first_block; !output_failed();) {
        size_t n;
        if (run->wanted != NULL && s->n_taken == run->n_wanted) break;
        ow_status status =
            ow_reader_next(run->reader, block, &s->how, s->rows.values, NULL, &n);
        if (status != OW_OK) return status;
        if (n == 0) break;
        select_rows(s, n);
        status = explain_selection(s);
        if (status != OW_OK) return status;
        if (interrupt_signal() != 0) return OW_ERR_CANCELLED;
        s->share = s->block_share;
        if (grows && block < most_block) block *= 2;
    }
    return OW_OK;
}

static void stream_init(stream *s, explain_run *run)
{
    const size_t d = ow_schema_n_columns(run->job.schema);
    *s = (stream){.run = run, .n_columns = d, .how = run->how};
    s->how.progress = report;
    s->how.progress_user = s;
    s->how.time_limit = 0.0; /* reading is not counted before the first row */
    s->rows.number = memory_new(most_block, sizeof *s->rows.number);
    s->rows.place = memory_new(most_block, sizeof *s->rows.place);
    s->rows.values = memory_new(most_block * d, sizeof *s->rows.values);
}

static void stream_clear(stream *s)
{
    free(s->rows.number);
    free(s->rows.place);
    free(s->rows.values);
}

static int complain_no_row(const stream *s)
{
    message(OW_LOG_ERROR, "--row %zu: there %s only %zu row%s", s->run->wanted[s->n_taken],
            s->n_read == 1 ? "is" : "are", s->n_read, s->n_read == 1 ? "" : "s");
    return EXIT_USAGE;
}

int explain_run_rows(explain_run *run, bool *complete)
{
    stream s;
    stream_init(&s, run);
    run->format->begin(&run->job);
    const ow_status status = run_blocks(&s);
    const bool interrupted = interrupt_signal() != 0;
    const bool short_of_rows = status == OW_OK && run->wanted != NULL &&
                               s.n_taken < run->n_wanted && !output_failed();
    run->job.cut_short = status != OW_OK;
    char *reason = status != OW_OK ? text_add(NULL, "%s", ow_error_message()) : NULL;
    int code = run->format->end(&run->job);
    *complete = code == EXIT_DONE && (status == OW_OK || interrupted);
    output_flush();
    if (interrupted)
        code = interrupt_end_after(run->job.tally.n_rows);
    else if (status != OW_OK) {
        message(OW_LOG_ERROR, "%s", reason);
        code = exit_code_for(status, false);
    } else if (code == EXIT_DONE && short_of_rows)
        code = complain_no_row(&s);
    else if (code == EXIT_DONE && run->job.tally.n_not_found > 0)
        code = EXIT_SOME_ROWS;
    free(reason);
    stream_clear(&s);
    return code;
}
