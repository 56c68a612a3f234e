/* SPDX-License-Identifier: MIT */
/* Explanations as one JSON document, which the library writes row by row: in our own form
 * (doc/explanation.schema.json), and in that of the DiCE package. */
#include <stdlib.h>

#include "commands/command.h"
#include "explaining/explain_format.h"
#include "otherwise/json.h"
#include "output/output.h"
#include "terminal/exit_codes.h"
#include "terminal/memory.h"

/* A piece that the writer lends; only memory can be missing for one. */
static void print_piece(ow_status status, const char *text, size_t size)
{
    (void)memory_checked(status == OW_OK ? (void *)(uintptr_t)text : NULL);
    output_write(stdout, text, size);
}

static void begin_form(explain_job *job, ow_explain_form form)
{
    const ow_explain_about about = {.size = sizeof about,
                                    .explainer = job->source.explainer,
                                    .constraints = job->source.constraints,
                                    .options = job->source.options,
                                    .call = &job->how,
                                    .form = form};
    ow_explain_writer *writer;
    const char *text;
    size_t size;
    ow_status status = ow_explain_writer_new(&about, &writer);
    job->state = memory_checked(status == OW_OK ? writer : NULL);
    status = ow_explain_writer_begin(writer, &text, &size);
    print_piece(status, text, size);
}

static void begin(explain_job *job)
{
    begin_form(job, OW_FORM_OTHERWISE);
}

static void begin_dice(explain_job *job)
{
    begin_form(job, OW_FORM_DICE);
}

static void print_row(explain_job *job, const ow_explained_row *row)
{
    const char *text;
    size_t size;
    const ow_status status =
        ow_explain_writer_row(job->state, row->number, row->id, row->carried, row->query,
                              row->outcome, &text, &size);
    print_piece(status, text, size);
}

static int end(explain_job *job)
{
    const char *text;
    size_t size;
    const ow_status status =
        ow_explain_writer_end(job->state, ow_explain_stream_seconds(job->stream),
                              job->cut_short, &text, &size);
    const int code = status == OW_OK ? EXIT_DONE : command_failed(status, false);
    if (status == OW_OK) output_write(stdout, text, size);
    ow_explain_writer_free(job->state);
    return code;
}

const explain_format explain_format_json = {.name = "json",
                                            .shows_surer = true,
                                            .shows_carried = true,
                                            .begin = begin,
                                            .row = print_row,
                                            .end = end};
const explain_format explain_format_dice = {
    .name = "dice", .begin = begin_dice, .row = print_row, .end = end};
