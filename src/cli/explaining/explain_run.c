/* SPDX-License-Identifier: MIT */
#include "explaining/explain_run.h"

#include <stdlib.h>

#include "commands/command.h"
#include "output/output.h"
#include "terminal/exit_codes.h"
#include "terminal/interrupt.h"
#include "terminal/message.h"
#include "terminal/text_build.h"

const char *const explain_only_names[] = {[EXPLAIN_ALL] = "all",
                                          [EXPLAIN_FOUND] = "found",
                                          [EXPLAIN_NOT_FOUND] = "not-found",
                                          NULL};

static bool is_wanted(const explain_run *run, const ow_outcome *outcome)
{
    return run->only == EXPLAIN_ALL ||
           (run->only == EXPLAIN_FOUND && outcome->kind == OW_OUTCOME_FOUND) ||
           (run->only == EXPLAIN_NOT_FOUND && outcome->kind == OW_OUTCOME_NOT_FOUND);
}

/* Every row that is wanted to the form that prints it, and to the picture if one was asked
 * for. */
static ow_status print_rows(explain_run *run)
{
    const ow_explained_row *row = NULL;
    ow_status status = OW_OK;
    while (!output_failed() && status == OW_OK) {
        status = ow_explain_stream_next(run->job.stream, &row);
        if (status != OW_OK || row == NULL) break;
        if (!is_wanted(run, row->outcome)) continue;
        run->format->row(&run->job, row);
        doubtful_changes_note(&run->doubts, row);
        if (run->strips != NULL) image_strips_add(run->strips, row->query, row->outcome);
    }
    return status;
}

static int complain_no_row(const ow_explain_stream *stream)
{
    const size_t n = ow_explain_stream_n_read(stream);
    message(OW_LOG_ERROR, "--row %zu: there %s only %zu row%s",
            ow_explain_stream_missing(stream), n == 1 ? "is" : "are", n, n == 1 ? "" : "s");
    return EXIT_USAGE;
}

/* How it ends, after what was begun has been closed; reason: why it stopped, if it did. */
static int conclude(const explain_run *run, ow_status status, const char *reason, int code)
{
    const explain_job *job = &run->job;
    if (interrupt_signal() != 0) return interrupt_end_after(job->tally->n_rows);
    if (status != OW_OK) {
        message(OW_LOG_ERROR, "%s", reason);
        return exit_code_for(status, false);
    }
    if (code != EXIT_DONE) return code;
    if (ow_explain_stream_missing(job->stream) > 0 && !output_failed())
        return complain_no_row(job->stream);
    return job->tally->n_not_found > 0 ? EXIT_SOME_ROWS : EXIT_DONE;
}

int explain_run_rows(explain_run *run, bool *complete)
{
    explain_job *job = &run->job;
    ow_status status = ow_explain_stream_new(&job->source, &job->how, &job->stream);
    *complete = false;
    if (status != OW_OK) return command_failed(status, false);
    job->tally = ow_explain_stream_summary(job->stream);
    run->format->begin(job);
    status = print_rows(run);
    job->cut_short = status != OW_OK;
    char *reason = status != OW_OK ? text_add(NULL, "%s", ow_error_message()) : NULL;
    int code = run->format->end(job);
    *complete = code == EXIT_DONE && (status == OW_OK || interrupt_signal() != 0);
    output_flush();
    doubtful_changes_warn(&run->doubts);
    code = conclude(run, status, reason, code);
    free(reason);
    ow_explain_stream_free(job->stream);
    return code;
}
