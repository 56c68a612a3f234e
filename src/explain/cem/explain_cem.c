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

static const char *const modes[] = {"negative", "positive", NULL};
static const char *const optimisers[] = {"fista", "adam", NULL};
static const char *const aims[] = {"target", "any", NULL};

static const owi_param params[] = {
    {{.name = "mode",
      .summary = "what must be added to change the class, or be there to keep it",
      .kind = OW_PARAM_CHOICE,
      .choices = modes,
      .initial = "negative"},
     offsetof(settings, mode)},
    {{.name = "aim",
      .summary = "negatives: the target class, or any other than the predicted one",
      .kind = OW_PARAM_CHOICE,
      .choices = aims,
      .initial = "target",
      .paper = "any",
      .reference = "any"},
     offsetof(settings, aim)},
    {{.name = "optimiser",
      .summary = "how the objective is brought down",
      .kind = OW_PARAM_CHOICE,
      .choices = optimisers,
      .initial = "fista",
      .paper = "adam"},
     offsetof(settings, optimiser)},
    {{.name = "c",
      .summary = "weight of the class; the first one of a search",
      .kind = OW_PARAM_NUMBER,
      .low = 0,
      .high = 1e9,
      .initial = "10",
      .paper = "100"},
     offsetof(settings, c)},
    {{.name = "rounds",
      .summary = "of looking for the smallest c that does; 1: c as it is",
      .kind = OW_PARAM_INTEGER,
      .low = 1,
      .high = 100,
      .initial = "5",
      .paper = "1",
      .reference = "9"},
     offsetof(settings, rounds)},
    {{.name = "beta",
      .summary = "weight of the sum of absolute changes",
      .kind = OW_PARAM_NUMBER,
      .low = 0,
      .high = 1e6,
      .initial = "0.1",
      .paper = "1"},
     offsetof(settings, beta)},
    {{.name = "gamma",
      .summary = "weight of the autoencoder's error; 0: no autoencoder",
      .kind = OW_PARAM_NUMBER,
      .low = 0,
      .high = 1e6,
      .initial = "0.1"},
     offsetof(settings, gamma)},
    {{.name = "kappa",
      .summary = "margin by which the class must be reached, in nats",
      .kind = OW_PARAM_NUMBER,
      .low = 0,
      .high = 1e6,
      .initial = "0"},
     offsetof(settings, kappa)},
    {{.name = "steps",
      .summary = "of a round; auto: 5000 for images, 7000 for maps, else 1000",
      .kind = OW_PARAM_INTEGER,
      .low = 1,
      .high = 1e6,
      .has_auto = true,
      .initial = "200",
      .paper = "auto",
      .reference = "1000"},
     offsetof(settings, steps)},
    {{.name = "patience",
      .summary = "steps that a row goes on for after its last nearer answer; 0: all; auto: "
                 "a tenth of them for images and maps, all for tables",
      .kind = OW_PARAM_INTEGER,
      .low = 0,
      .high = 1e6,
      .has_auto = true,
      .initial = "0",
      .paper = "auto"},
     offsetof(settings, patience)},
    {{.name = "rate",
      .summary = "length of the first step",
      .kind = OW_PARAM_NUMBER,
      .low = 1e-9,
      .high = 1e3,
      .initial = "0.05",
      .paper = "0.5",
      .reference = "0.01"},
     offsetof(settings, rate)},
    {{.name = "one-sided",
      .summary = "negatives only add to numbers, positives only remove",
      .kind = OW_PARAM_FLAG,
      .initial = "yes",
      .paper = "no"},
     offsetof(settings, one_sided)},
    {{.name = "whole-groups",
      .summary = "categories stay in their simplex, and rows count as repaired",
      .kind = OW_PARAM_FLAG,
      .initial = "yes",
      .paper = "no"},
     offsetof(settings, whole_groups)},
    {{.name = "autoencoder-units",
      .summary = "of its hidden layer; auto: an eighth of the entries, 4 to 128",
      .kind = OW_PARAM_INTEGER,
      .low = 1,
      .high = 100000,
      .has_auto = true,
      .initial = "auto"},
     offsetof(settings, units)},
    {{.name = "autoencoder-passes",
      .summary = "over the rows that it learns from; auto: 20 to 500, fewer for many",
      .kind = OW_PARAM_INTEGER,
      .low = 1,
      .high = 100000,
      .has_auto = true,
      .initial = "auto"},
     offsetof(settings, passes)},
    {{.name = "autoencoder-rate",
      .summary = "its learning rate",
      .kind = OW_PARAM_NUMBER,
      .low = 1e-9,
      .high = 1e9,
      .initial = "0.003"},
     offsetof(settings, autoencoder_rate)},
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
    .explain_block = explain_block,
};
