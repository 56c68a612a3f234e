/* SPDX-License-Identifier: MIT */
/* cem: A. Dhurandhar, P.-Y. Chen, R. Luss, C.-C. Tu, P. Ting, K. Shanmugam, P. Das,
 * "Explanations based on the missing: towards contrastive explanations with pertinent
 * negatives", NeurIPS 2018.  With s_c = log P(c given x') and delta = x' - x,
 *
 *     min  c max(0, s_y - max_{k != y} s_k + kappa)
 *          + beta |delta|_1 + |delta|_2^2 + gamma |x' - AE(x')|_2^2
 *
 * for a pertinent negative: what must be added for the class to change.  A pertinent
 * positive is what must at least be there for the class to stay: x' = b + delta, b the
 * value that says nothing (the median), with the hinge the other way round.
 *
 * Preset reference is the authors' FISTA with steps 0.01 sqrt(1 - k/K), and a bisection on
 * c; preset paper is Adam with one c, as its comparison was made, which stopped early, too:
 * as soon as all its queries were of another class.  Here an image stops long after its
 * last nearer answer.
 *
 * Departures: the threshold of the shrinking is the step times beta, where the authors'
 * program takes beta itself, which is worse by their own objective.  A negative may only
 * add relative to b, numbers only: a change of level takes and adds at once.  Unless a
 * preset says otherwise the hinge asks for the target class; the authors' is content with
 * any other than y. */
#include <stddef.h>

#include "explain/cem/cem_descent.h"
#include "explain/core/explainer_list.h"

typedef struct {
    int mode, optimiser, aim;
    double c, beta, gamma, kappa;
    int64_t rounds, steps, patience;
    double rate;
    bool one_sided, whole_groups;
    int64_t units, passes;
    double autoencoder_rate;
} settings;

enum { AIM_TARGET, AIM_ANY };

static const char *const modes[] = {
    [OWI_CEM_NEGATIVE] = "negative", [OWI_CEM_POSITIVE] = "positive", NULL};
static const char *const optimisers[] = {
    [OWI_CEM_FISTA] = "fista", [OWI_CEM_ADAM] = "adam", NULL};
static const char *const aims[] = {[AIM_TARGET] = "target", [AIM_ANY] = "any", NULL};

static const owi_param params[] = {
    OWI_CHOICE(settings, mode, "mode", modes, "negative",
               .summary = "what must be added to change the class, or be there to keep it"),
    OWI_CHOICE(settings, aim, "aim", aims, "target",
               .summary =
                   "negatives: the target class, or any other than the predicted one",
               .paper = "any", .reference = "any"),
    OWI_CHOICE(settings, optimiser, "optimiser", optimisers, "fista",
               .summary = "how the objective is brought down", .paper = "adam"),
    OWI_NUMBER(settings, c, "c", 0, 1e9, "10",
               .summary = "weight of the class; the first one of a search", .paper = "100"),
    OWI_INTEGER(settings, rounds, "rounds", 1, 100, "5",
                .summary = "of looking for the smallest c that does; 1: c as it is",
                .paper = "1", .reference = "9"),
    OWI_NUMBER(settings, beta, "beta", 0, 1e6, "0.1",
               .summary = "weight of the sum of absolute changes", .paper = "1"),
    OWI_NUMBER(settings, gamma, "gamma", 0, 1e6, "0.1",
               .summary = "weight of the autoencoder's error; 0: no autoencoder"),
    OWI_NUMBER(settings, kappa, "kappa", 0, 1e6, "0",
               .summary = "margin by which the class must be reached, in nats"),
    OWI_INTEGER(settings, steps, "steps", 1, 1e6, "200",
                .summary = "of a round; auto: 5000 for images, 7000 for maps, else 1000",
                .has_auto = true, .paper = "auto", .reference = "1000"),
    OWI_INTEGER(
        settings, patience, "patience", 0, 1e6, "0",
        .summary =
            "steps that a row goes on for after its last nearer answer; 0: all; auto: "
            "a tenth of them for images and maps, all for tables",
        .has_auto = true, .paper = "auto"),
    OWI_NUMBER(settings, rate, "rate", 1e-9, 1e3, "0.05",
               .summary = "length of the first step", .paper = "0.5", .reference = "0.01"),
    OWI_FLAG(settings, one_sided, "one-sided", "yes",
             .summary = "negatives only add to numbers, positives only remove",
             .paper = "no"),
    OWI_FLAG(settings, whole_groups, "whole-groups", "yes",
             .summary = "categories stay in their simplex, and rows count as repaired",
             .paper = "no"),
    OWI_INTEGER(settings, units, "autoencoder-units", 1, 100000, "auto",
                .summary = "of its hidden layer; auto: an eighth of the entries, 4 to 128",
                .has_auto = true),
    OWI_INTEGER(settings, passes, "autoencoder-passes", 1, 100000, "auto",
                .summary =
                    "over the rows that it learns from; auto: 20 to 500, fewer for many",
                .has_auto = true),
    OWI_NUMBER(settings, autoencoder_rate, "autoencoder-rate", 1e-9, 1e9, "0.003",
               .summary = "its learning rate"),
};

/* ---- Once for all queries ---- */

static void release(ow_context *ctx, void *state)
{
    owi_cem_basis_free(ctx, state);
}

static ow_status prepare(const owi_problem *problem, const void *chosen, void **out)
{
    const settings *set = chosen;
    const owi_cem_autoencoder wanted = {.n_units = set->units > 0 ? (size_t)set->units : 0,
                                        .passes = set->passes > 0 ? (size_t)set->passes : 0,
                                        .rate = set->autoencoder_rate};
    owi_cem_basis *basis = NULL;
    const ow_status status =
        owi_cem_basis_new(problem, set->gamma > 0.0 ? &wanted : NULL, &basis);
    *out = basis;
    return status;
}

/* ---- A block of queries ---- */

static uint64_t default_steps(const ow_schema *schema)
{
    switch (ow_schema_layout(schema).kind) {
    case OW_LAYOUT_IMAGE:
        return 5000;
    case OW_LAYOUT_MAP:
        return 7000;
    case OW_LAYOUT_TABLE:
        break;
    }
    return 1000;
}

static uint64_t default_patience(const ow_schema *schema, uint64_t steps)
{
    return ow_schema_layout(schema).kind == OW_LAYOUT_TABLE ? 0 : steps / 10;
}

static ow_status explain_block(const owi_problem *problem, const void *chosen, void *state,
                               const owi_queries *queries, owi_answer *answers)
{
    const settings *set = chosen;
    const uint64_t steps =
        set->steps > 0 ? (uint64_t)set->steps : default_steps(problem->schema);
    const owi_cem_options options = {
        .mode = (owi_cem_mode)set->mode,
        .optimiser = (owi_cem_optimiser)set->optimiser,
        .any_class = set->aim == AIM_ANY,
        .c = set->c,
        .beta = set->beta,
        .gamma = set->gamma,
        .kappa = set->kappa,
        .rounds = (size_t)set->rounds,
        .steps = steps,
        .patience = set->patience >= 0 ? (uint64_t)set->patience
                                       : default_patience(problem->schema, steps),
        .rate = set->rate,
        .one_sided = set->one_sided,
        .whole_groups = set->whole_groups,
    };
    return owi_cem_descend(problem, &options, state, queries, answers);
}

const owi_explainer_impl owi_explainer_cem = {
    .shown =
        {
            .name = "cem",
            .summary =
                "the least that must be added to change the class, or be there to keep it",
            .needs_gradient = true,
            .takes_long = true,
            .n_params = sizeof params / sizeof *params,
        },
    .any_constraints = true,
    .settings_size = sizeof(settings),
    .params = params,
    .draws = true,
    .prepare = prepare,
    .release = release,
    .repairs = true,
    .explain_block = explain_block,
};
