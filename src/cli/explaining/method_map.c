/* SPDX-License-Identifier: MIT */
#include "explaining/method_map.h"

#include <stdlib.h>

#include "terminal/memory.h"
#include "terminal/text_build.h"

/* One method's answer to the one row; the explanation owns what the map's row lends. */
static ow_status explain_row(const method_map_content *what, const char *method,
                             ow_explanation **out)
{
    ow_explainer *explainer = NULL;
    *out = NULL;
    ow_status status =
        ow_explainer_new(&(ow_explain_model){.size = sizeof(ow_explain_model),
                                             .model = what->model},
                         method, &explainer);
    if (status == OW_OK && ow_explainer_method(explainer)->needs_background)
        status = ow_explainer_set_background(explainer, what->n_known, what->known);
    if (status == OW_OK)
        status = ow_explainer_explain(explainer, what->constraints, what->options, 1,
                                      what->query, what->how, out);
    ow_explainer_free(explainer);
    if (status != OW_OK) {
        ow_explanation_free(*out);
        *out = NULL;
    }
    return status;
}

static ow_page_map_row row_of(const method_map_content *what, const char *method,
                              const ow_counterfactual *answer)
{
    return (ow_page_map_row){.query = what->query,
                             .answer = answer->values,
                             .intermediate = answer->intermediate,
                             .path = answer->path,
                             .n_path = answer->n_path,
                             .name = method};
}

ow_status method_map_add(ow_page *page, const method_map_content *what)
{
    ow_explanation **explanations = memory_new(what->n_methods, sizeof *explanations);
    ow_page_map_row *rows = memory_new(what->n_methods, sizeof *rows);
    size_t n_rows = 0, n_made = 0;
    char *silent = NULL;
    ow_status status = OW_OK;
    while (n_made < what->n_methods && status == OW_OK) {
        const char *method = what->methods[n_made];
        status = explain_row(what, method, &explanations[n_made]);
        if (status != OW_OK) break;
        const ow_outcome *outcome = ow_explanation_outcome(explanations[n_made++], 0);
        if (outcome->kind == OW_OUTCOME_FOUND)
            rows[n_rows++] = row_of(what, method, outcome->answers[0]);
        else
            silent = text_add_item(silent,
                                   silent != NULL ? ", " : "Without an answer: ", method);
    }
    if (status == OW_OK && silent != NULL) {
        silent = text_add(silent, ".");
        ow_page_text(page, silent);
    }
    if (status == OW_OK && n_rows > 0)
        ow_page_map(page, &(ow_page_map_content){.size = sizeof(ow_page_map_content),
                                                 .model = what->model,
                                                 .target = what->options->target,
                                                 .given = what->query,
                                                 .rows = rows,
                                                 .n_rows = n_rows});
    for (size_t i = 0; i < n_made; i++) ow_explanation_free(explanations[i]);
    free(silent);
    free(rows);
    free(explanations);
    return status;
}
