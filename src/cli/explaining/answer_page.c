/* SPDX-License-Identifier: MIT */
#include "explaining/answer_page.h"

#include <stdlib.h>
#include <string.h>

#include "explaining/answer_overview.h"
#include "terminal/memory.h"
#include "terminal/text_build.h"

enum { most_points = 12 };

struct answer_page {
    ow_page *page;
    const ow_model *model;
    const char *backend;
    size_t n_columns, soft_width, n_rows;
    size_t n_points;
    ow_page_map_row points[most_points]; /* copies, freed at the end */
    int32_t target;                      /* of the first of them     */
    size_t n_numbers;                    /* that its answer changes  */
    uint64_t number;                     /* of the first of them     */
    const char *map_columns[2];
    bool map_columns_given, map_principal, map_skipped;
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
    if (ow_schema_layout(ow_model_schema(model)).kind == OW_LAYOUT_TABLE)
        ow_page_note(page,
                     "Least effort first: fewest changes, then the smallest. \"Just "
                     "enough\": a smaller step of this number alone would not do. \"Is "
                     "enough, but less typical\": the decision changes there already, but "
                     "the row is rarer among real ones than asked. Bars: how probable the "
                     "wanted decision would be, with a mark where it is now, and how "
                     "typical the changed row would be among real ones.");
    ow_page_begin_answers(page);
    return answers;
}

void answer_page_set_map(answer_page *answers, size_t n_columns, char *const *columns)
{
    answers->map_principal = n_columns == 1;
    answers->map_columns_given = n_columns == 2;
    for (size_t k = 0; n_columns == 2 && k < 2; k++) answers->map_columns[k] = columns[k];
}

void answer_page_skip_map(answer_page *answers)
{
    answers->map_skipped = true;
}

static void *copy(const void *block, size_t count, size_t size)
{
    if (block == NULL || count == 0) return NULL;
    void *bytes = memory_new(count, size);
    return memcpy(bytes, block, count * size);
}

static void free_point(const ow_page_map_row *point)
{
    free((void *)(uintptr_t)point->query);
    free((void *)(uintptr_t)point->answer);
    free((void *)(uintptr_t)point->intermediate);
    free((void *)(uintptr_t)point->path);
}

static void add_point(answer_page *answers, uint64_t number, const double *query,
                      const ow_outcome *outcome)
{
    const ow_counterfactual *answer = outcome->answers[0];
    if (answers->n_points == 0) {
        answers->target = outcome->target;
        answers->number = number;
    }
    answers->points[answers->n_points++] = (ow_page_map_row){
        .query = copy(query, answers->n_columns, sizeof *query),
        .answer = copy(answer->values, answers->n_columns, sizeof *answer->values),
        .intermediate =
            copy(answer->intermediate, answers->soft_width, sizeof *answer->intermediate),
        .path =
            copy(answer->path, answer->n_path * answers->n_columns, sizeof *answer->path),
        .n_path = answer->n_path};
}

static bool is_of_table(const answer_page *answers)
{
    return ow_schema_layout(ow_model_schema(answers->model)).kind == OW_LAYOUT_TABLE;
}

/* How many numbers the answer changes. */
static size_t count_numbers(const answer_page *answers, const double *query,
                            const double *answer)
{
    size_t n = 0;
    for (size_t j = 0; j < answers->n_columns; j++)
        n += ow_schema_column(ow_model_schema(answers->model), j)->n_levels == 0 &&
             query[j] != answer[j] && !(query[j] != query[j]) && !(answer[j] != answer[j]);
    return n;
}

/* Of a table one row is mapped, the first whose answer changes two numbers, or else one; of
 * images several. */
static void consider_point(answer_page *answers, uint64_t number, const double *query,
                           const ow_outcome *outcome)
{
    if (outcome->kind != OW_OUTCOME_FOUND || answers->map_skipped) return;
    if (!is_of_table(answers) || answers->map_principal) {
        if (answers->n_points < most_points) add_point(answers, number, query, outcome);
        return;
    }
    const size_t n = count_numbers(answers, query, outcome->answers[0]->values);
    if (answers->n_points > 0 && (answers->n_numbers >= 2 || n <= answers->n_numbers))
        return;
    if (n == 0 && !answers->map_columns_given) return;
    if (answers->n_points > 0) free_point(&answers->points[--answers->n_points]);
    answers->n_numbers = n;
    add_point(answers, number, query, outcome);
}

void answer_page_add(answer_page *answers, uint64_t number, const char *name,
                     const double *query, const ow_outcome *outcome)
{
    consider_point(answers, number, query, outcome);
    answer_overview_add(&answers->overview, query, outcome);
    /* Rows that need no answer are counted. */
    if (outcome->kind == OW_OUTCOME_ALREADY_TARGET) return;
    answers->n_rows++;
    ow_page_answer(answers->page,
                   &(ow_page_answer_content){.size = sizeof(ow_page_answer_content),
                                             .model = answers->model,
                                             .outcome = outcome,
                                             .query = query,
                                             .name = name,
                                             .number = number});
}

static void add_map(const answer_page *answers)
{
    const bool is_row = is_of_table(answers) && !answers->map_principal;
    char *title =
        is_row ? text_add(NULL, "Map of row %llu", (unsigned long long)answers->number)
               : text_add(NULL, "Map");
    ow_page_section(answers->page, title);
    free(title);
    ow_page_map(answers->page,
                &(ow_page_map_content){
                    .size = sizeof(ow_page_map_content),
                    .model = answers->model,
                    .target = answers->target,
                    .rows = answers->points,
                    .n_rows = answers->n_points,
                    .columns = answers->map_columns_given ? answers->map_columns : NULL,
                    .principal = answers->map_principal,
                    .given = is_row ? answers->points[0].query : NULL,
                    .backend = answers->backend});
}

void answer_page_end(answer_page *answers)
{
    ow_page_end_answers(answers->page);
    if (answers->n_points > 0) add_map(answers);
    answer_overview_end(&answers->overview, answers->page);
    for (size_t i = 0; i < answers->n_points; i++) free_point(&answers->points[i]);
    free(answers);
}
