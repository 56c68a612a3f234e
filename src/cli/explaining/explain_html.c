/* SPDX-License-Identifier: MIT */
/* Explanations as a page: cards, a map, the model's card, and how the answers were looked
 * for. */
#include <stdlib.h>

#include "explaining/answer_page.h"
#include "explaining/explain_format.h"
#include "output/asked.h"
#include "output/page_output.h"
#include "terminal/memory.h"
#include "terminal/text_build.h"

typedef struct {
    ow_page *page;
    answer_page *answers;
    ow_status status;
} html_state;

static void begin(explain_job *job)
{
    html_state *state = memory_new(1, sizeof *state);
    char *title = text_add(NULL, "What would have to be different");
    char *lead =
        text_add(NULL,
                 "For rows that a model has decided on: the smallest changes found that "
                 "make it decide otherwise, and how typical the changed rows would be.");
    state->status = ow_page_new(job->ctx, title, lead, &state->page);
    if (state->status == OW_OK)
        state->answers = answer_page_new(state->page, job->model, NULL);
    if (state->answers != NULL)
        answer_page_set_map(state->answers, job->n_map_columns, job->map_columns);
    free(title);
    free(lead);
    job->state = state;
}

static void add_row(explain_job *job, const ow_explained_row *row)
{
    html_state *state = job->state;
    char *name = NULL;
    if (state->answers == NULL) return;
    if (row->id != NULL && *row->id != '\0')
        name = text_add(NULL, "Row %zu (%s)", row->number, row->id);
    answer_page_add(state->answers, row->number, name, row->query, row->outcome);
    free(name);
}

/* "3 rows: 2 with an answer, 1 without." */
static void add_summary(const explain_job *job, ow_page *page)
{
    const ow_explain_summary *tally = job->tally;
    char *text = text_add_count(NULL, tally->n_rows, "row");
    text = text_add(text,
                    ": %zu with an answer, %zu without, %zu of the target class already.",
                    tally->n_found, tally->n_not_found, tally->n_already);
    if (tally->n_target > 0)
        text = text_add(text, " An answer changes %.1f columns on average.",
                        tally->l0 / (double)tally->n_target);
    if (job->cut_short) text = text_add(text, " The run was cut short: rows are missing.");
    ow_page_add_lead(page, text);
    free(text);
}

static void add_settings(const explain_job *job, ow_page *page)
{
    const ow_method *method = ow_explainer_method(job->source.explainer);
    static const ow_page_column columns[] = {{"parameter", false}, {"value", false}};
    const size_t n = method->n_params;
    const char **cells = memory_new(2 * n + 1, sizeof *cells);
    for (size_t i = 0; i < n; i++) {
        cells[2 * i] = ow_method_param(method, i)->name;
        if (ow_explainer_get(job->source.explainer, cells[2 * i], &cells[2 * i + 1]) !=
            OW_OK)
            cells[2 * i + 1] = "";
    }
    char *text = text_add(NULL, "Method: %s (%s).", method->name, method->summary);
    ow_page_section(page, "How the answers were found");
    ow_page_text(page, text);
    ow_page_table(page, &(ow_page_table_content){.size = sizeof(ow_page_table_content),
                                                 .n_columns = 2,
                                                 .n_rows = n,
                                                 .columns = columns,
                                                 .cells = cells});
    free(text);
    free(cells);
}

static int end(explain_job *job)
{
    html_state *state = job->state;
    if (state->answers != NULL) {
        answer_page_end(state->answers);
        asked_add(state->page, &(asked){.ctx = job->ctx,
                                        .rows = job->rows_path,
                                        .n_rows = job->tally->n_rows,
                                        .model_path = job->model_path,
                                        .model = job->model,
                                        .options = job->source.options,
                                        .constraints = job->source.constraints});
        add_summary(job, state->page);
        add_settings(job, state->page);
        ow_page_section(state->page, "The model");
        ow_page_model(state->page, job->model);
    }
    const int code = page_output(state->status, state->page);
    free(state);
    return code;
}

const explain_format explain_format_html = {
    .name = "html", .shows_surer = true, .begin = begin, .row = add_row, .end = end};
