/* SPDX-License-Identifier: MIT */
/* guided: counterfactuals that are of the class, near the query, as dense as real rows and
 * of few changes, without tuning.
 *
 * Tables.  A circuit is linear in the leaves of a column, so that one pass up and down
 * gives the exact class densities of all single changes of a row (ow_changes_singles), and
 * two matrix products those of all pairs (ow_changes_pairs).  The least answer of one or
 * two changes is found exactly so; where it takes more, a small search (guided_search.h)
 * goes on from the best pairs, and rows of the target class are brought back towards the
 * query.  At the end everything is taken back that is not needed.
 *
 * Images and maps.  The two-step method's gradients in short repeated steps
 * (guided_image.c). */
#include <stddef.h>

#include "base/memory/alloc.h"
#include "explain/guided/guided_search.h"

static void release(ow_context *ctx, void *state)
{
    owi_guided *guided = state;
    owi_guided_moves_clear(guided);
    owi_guided_starts_clear(guided);
    owi_free(ctx, guided);
}

static ow_status prepare(const owi_problem *problem, const void *settings, void **state)
{
    const bool is_table = ow_schema_layout(problem->schema).kind == OW_LAYOUT_TABLE;
    owi_guided *guided = owi_alloc_zeroed(problem->ctx, sizeof *guided);
    *state = NULL;
    if (guided == NULL) return OW_ERR_MEMORY;
    guided->ctx = problem->ctx;
    guided->settings = *(const owi_guided_settings *)settings;
    guided->n_columns = problem->n_columns;
    guided->n_classes = problem->n_classes;
    const ow_status status = is_table ? owi_guided_moves_init(guided, problem) : OW_OK;
    if (status == OW_OK)
        *state = guided;
    else
        release(problem->ctx, guided);
    return status;
}

static ow_status explain_block(const owi_problem *problem, const void *settings,
                               void *state, const owi_queries *queries, owi_answer *answers)
{
    if (ow_schema_layout(problem->schema).kind != OW_LAYOUT_TABLE)
        return owi_guided_explain_image(settings, problem, queries, answers);
    return owi_guided_explain_table(state, problem, queries, answers);
}

typedef owi_guided_settings settings;

static const owi_param params[] = {
    OWI_INTEGER(settings, beam_width, "beam-width", 1, owi_most_beam, "5",
                .summary = "tables: states that the search keeps at each depth"),
    OWI_INTEGER(settings, beam_changes, "beam-changes", 1, 16, "4",
                .summary =
                    "tables: changes up to which the search goes from the query outwards"),
    OWI_INTEGER(settings, seeds, "seeds", 0, owi_most_beam, "4",
                .summary =
                    "tables: rows of the target class that the search comes back from"),
    OWI_NUMBER(settings, nearness, "nearness", 0, 1e6, "2",
               .summary =
                   "tables: nats that a way over a column's whole range is worth, for "
                   "states that the search keeps"),
    OWI_NUMBER(settings, change_price, "change-price", 0, 1e6, "1",
               .summary =
                   "tables, typical answers: nats that a further change must be worth"),
    OWI_NUMBER(settings, reserve, "reserve", 0, 1e6, "1",
               .summary = "tables, typical answers: worth of each nat towards a typical "
                          "density and a sure class"),
    OWI_INTEGER(settings, image_steps, "steps", 1, 1000, "20",
                .summary = "images and maps: the most steps"),
    OWI_NUMBER(settings, class_step, "class-step", 0, 1e6, "0.5",
               .summary =
                   "images and maps: length of a step to the class, in leaf variances"),
    OWI_NUMBER(settings, density_step, "density-step", 0, 1e6, "0.5",
               .summary =
                   "images and maps: length of the step to the data, in leaf variances"),
    OWI_NUMBER(settings, image_margin, "margin", 0, 1e6, "2",
               .summary = "images and maps: nats by which the class must win"),
};

const owi_explainer_impl owi_explainer_guided = {
    .shown =
        {
            .name = "guided",
            .summary = "the fewest and smallest changes to a plausible row of the class",
            .n_params = sizeof params / sizeof *params,
        },
    .settings_size = sizeof(owi_guided_settings),
    .params = params,
    .proves = true,
    .prepare = prepare,
    .release = release,
    .gives_enough = true,
    .explain_block = explain_block,
};
