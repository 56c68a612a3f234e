/* SPDX-License-Identifier: MIT */
#include "explaining/answer_page.h"

#include <stdlib.h>
#include <string.h>

#include "explaining/answer_overview.h"
#include "terminal/memory.h"
#include "terminal/text_build.h"

enum { most_cards = 500, most_points = 12 };

struct answer_page {
    ow_page *page;
    const ow_model *model;
    const char *backend;
    size_t n_columns, soft_width, n_rows;
    size_t n_points;
    ow_page_map_row points[most_points]; /* copies, freed at the end */
    int32_t target;                      /* of the first of them     */
    const char *map_columns[2];
    bool map_columns_given, map_principal;
    answer_overview overview;
};

answer_page *answer_page_new(ow_page *page, const ow_model *model, const char *backend)
{
    answer_page *answers = memory_new(1, sizeof *answers);
    *answers = (answer_page){.page = page,
                             .model = model,
                             .backend = backend,
                             .n_columns = ow_schema_n_columns(ow_model_schema(model)),
                             .soft_width = ow_model_soft_width(model)};
    answer_overview_begin(&answers->overview, ow_model_schema(model));
    ow_page_section(page, "Row by row");
    ow_page_begin_answers(page);
    return answers;
}

void answer_page_set_map(answer_page *answers, size_t n_columns, char *const *columns)
{
    answers->map_principal = n_columns == 1;
    answers->map_columns_given = n_columns == 2;
    for (size_t k = 0; n_columns == 2 && k < 2; k++) answers->map_columns[k] = columns[k];
}

static void *copy(const void *block, size_t count, size_t size)
{
    if (block == NULL || count == 0) return NULL;
    void *bytes = memory_new(count, size);
    return memcpy(bytes, block, count * size);
}

/* Rows with an answer are worth a place on the map. */
static void add_point(answer_page *answers, const double *query, const ow_outcome *outcome)
{
    if (answers->n_points == most_points || outcome->kind != OW_OUTCOME_FOUND) return;
    const ow_counterfactual *answer = outcome->answers[0];
    if (answers->n_points == 0) answers->target = outcome->target;
    answers->points[answers->n_points++] = (ow_page_map_row){
        .query = copy(query, answers->n_columns, sizeof *query),
        .answer = copy(answer->values, answers->n_columns, sizeof *answer->values),
        .intermediate =
            copy(answer->intermediate, answers->soft_width, sizeof *answer->intermediate),
        .path =
            copy(answer->path, answer->n_path * answers->n_columns, sizeof *answer->path),
        .n_path = answer->n_path};
}

void answer_page_add(answer_page *answers, uint64_t number, const char *name,
                     const double *query, const ow_outcome *outcome)
{
    add_point(answers, query, outcome);
    answer_overview_add(&answers->overview, query, outcome);
    /* Rows that need no answer are counted. */
    if (outcome->kind == OW_OUTCOME_ALREADY_TARGET) return;
    if (answers->n_rows++ >= most_cards) return;
    ow_page_answer(answers->page,
                   &(ow_page_answer_content){.size = sizeof(ow_page_answer_content),
                                             .model = answers->model,
                                             .outcome = outcome,
                                             .query = query,
                                             .name = name,
                                             .number = number});
}

/* By columns, and folded away below, by principal axes; one of them where that is asked
 * for. */
static void add_maps(const answer_page *answers)
{
    ow_page *page = answers->page;
    ow_page_map_content map = {.size = sizeof(ow_page_map_content),
                               .model = answers->model,
                               .target = answers->target,
                               .rows = answers->points,
                               .n_rows = answers->n_points,
                               .columns =
                                   answers->map_columns_given ? answers->map_columns : NULL,
                               .principal = answers->map_principal,
                               .backend = answers->backend};
    const bool is_table =
        ow_schema_layout(ow_model_schema(answers->model)).kind == OW_LAYOUT_TABLE;
    ow_page_section(page, "Map");
    ow_page_map(page, &map);
    if (answers->map_columns_given || answers->map_principal || !is_table) return;
    map.principal = true;
    ow_page_begin_details(page, "The same along the two principal axes");
    ow_page_map(page, &map);
    ow_page_end_details(page);
}

void answer_page_end(answer_page *answers)
{
    ow_page_end_answers(answers->page);
    if (answers->n_rows > most_cards) {
        char *text =
            text_add(NULL, "These are the first %d of %zu rows that need an answer.",
                     most_cards, answers->n_rows);
        ow_page_note(answers->page, text);
        free(text);
    }
    if (answers->n_points > 0) add_maps(answers);
    answer_overview_end(&answers->overview, answers->page);
    for (size_t i = 0; i < answers->n_points; i++) {
        const ow_page_map_row *point = &answers->points[i];
        free((void *)(uintptr_t)point->query);
        free((void *)(uintptr_t)point->answer);
        free((void *)(uintptr_t)point->intermediate);
        free((void *)(uintptr_t)point->path);
    }
    free(answers);
}
