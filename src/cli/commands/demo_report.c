/* SPDX-License-Identifier: MIT */
/* The demo's report: the applicants who are refused, the methods compared, the model. */
#include <stdlib.h>

#include "commands/demo.h"
#include "explaining/answer_page.h"
#include "explaining/method_map.h"
#include "output/asked.h"
#include "terminal/text_build.h"

/* The first row whose answer changes two numbers, so that a map of them has something to
 * show; else the first. */
static size_t find_row_for_map(const demo *d, const ow_explanation *explanation)
{
    for (size_t i = 0; i < d->n_refused; i++) {
        const ow_outcome *outcome = ow_explanation_outcome(explanation, i);
        size_t n_numbers = 0;
        for (size_t j = 0; j < d->n_columns && outcome->kind == OW_OUTCOME_FOUND; j++)
            n_numbers += ow_schema_column(ow_model_schema(d->model), j)->n_levels == 0 &&
                         outcome->answers[0]->values[j] != d->queries[i * d->n_columns + j];
        if (n_numbers >= 2) return i;
    }
    return 0;
}

static ow_status add_answers(demo *d, ow_page *page)
{
    ow_explainer *explainer = NULL;
    ow_explanation *explanation = NULL;
    const ow_explain_options options = demo_options(d);
    ow_status status =
        ow_explainer_new(&(ow_explain_model){.size = sizeof(ow_explain_model),
                                             .model = d->model},
                         "guided", &explainer);
    if (status == OW_OK)
        status = ow_explainer_explain(explainer, d->constraints, &options, d->n_refused,
                                      d->queries, d->how, &explanation);
    if (status == OW_OK) {
        answer_page *answers = answer_page_new(page, d->model, NULL);
        answer_page_skip_map(answers); /* the map of all methods has the same row */
        for (size_t i = 0; i < d->n_refused; i++)
            answer_page_add(answers, d->refused[i], NULL, d->queries + i * d->n_columns,
                            ow_explanation_outcome(explanation, i));
        answer_page_end(answers);
        d->mapped = find_row_for_map(d, explanation);
    }
    ow_explanation_free(explanation);
    ow_explainer_free(explainer);
    return status;
}

/* The first refused applicant, by every method. */
static ow_status add_method_map(const demo *d, ow_page *page)
{
    const ow_explain_options options = demo_options(d);
    if (d->n_refused == 0) return OW_OK;
    char *text =
        text_add(NULL,
                 "Row %zu, and where each method leads. (two-step goes over a point in "
                 "between, which is no row.)",
                 d->refused[d->mapped]);
    ow_page_section(page, "One row, every method");
    ow_page_text(page, text);
    free(text);
    return method_map_add(page, &(method_map_content){.how = d->how,
                                                      .model = d->model,
                                                      .constraints = d->constraints,
                                                      .options = &options,
                                                      .query = d->queries +
                                                               d->mapped * d->n_columns,
                                                      .methods = demo_methods,
                                                      .n_methods = demo_n_methods,
                                                      .n_known = d->n_known,
                                                      .known = d->known});
}

ow_status demo_write_report(demo *d, const char *path)
{
    ow_page *page = NULL;
    ow_status status = ow_page_new(d->ctx, "Refused credit applicants",
                                   "1000 people who asked a German bank for credit "
                                   "(Statlog, Hans Hofmann, 1994). A circuit "
                                   "has learned to tell good risks from bad ones; for "
                                   "those that it refuses, here is what would "
                                   "have to be different.",
                                   &page);
    if (status != OW_OK) return status;
    char *rules = demo_rules();
    char *summary = text_add(
        NULL,
        "The model would refuse %zu of %zu applicants whom it had not learned from. %s",
        d->n_refused, ow_table_n_rows(d->table) - d->n_known, rules);
    free(rules);
    status = add_answers(d, page);
    ow_page_begin_overview(page);
    ow_page_note(page, summary);
    ow_page_end_overview(page);
    free(summary);
    const ow_explain_options options = demo_options(d);
    asked_add(page, &(asked){.ctx = d->ctx,
                             .rows = "credit.csv, part of the program",
                             .n_rows = ow_table_n_rows(d->table),
                             .model = d->model,
                             .options = &options,
                             .constraints = d->constraints});
    ow_page_section(page, "Methods compared");
    ow_page_note(page,
                 "On the same rows. Here every method is given the rows that the model "
                 "has learned from, and an answer has to be as typical as these; "
                 "above it has to be as typical as samples of the model, so that "
                 "guided's answers differ a little.");
    ow_page_evaluation(page, d->evaluation, true);
    if (status == OW_OK) status = add_method_map(d, page);
    ow_page_section(page, "The model");
    ow_page_model(page, d->model);
    if (status == OW_OK) status = ow_page_save(page, path);
    ow_page_free(page);
    return status;
}
