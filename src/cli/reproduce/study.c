/* SPDX-License-Identifier: MIT */
/* A study as a whole: seeds, groups of methods, and the tables. */
#include "reproduce/study.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "reproduce/study_board.h"
#include "terminal/message.h"
#include "terminal/text_build.h"

ow_train_options study_paper_training(int64_t repetitions, int64_t inputs, bool many_rows)
{
    ow_train_options options;
    ow_train_options_init(&options, sizeof options);
    options.leaves = OW_LEAVES_GAUSSIAN;
    options.split_groups = true;
    options.regions = OW_REGIONS_RANDOM;
    options.structure = OW_STRUCTURE_PER_CLASS;
    options.prior = OW_PRIOR_UNIFORM;
    options.variance = 1.0;
    options.depth = 1;
    options.repetitions = repetitions;
    options.sums = 10;
    options.inputs = inputs;
    options.learner = OW_LEARN_EM;
    options.passes = many_rows ? 12 : 30;
    options.batch = many_rows ? 2048 : 0;
    options.discriminative = 0.0;
    return options;
}

void study_usual_sizes(study_plan *plan, size_t quick_slow)
{
    const size_t whole[study_n_groups] = {SIZE_MAX, 500, 500, 100, 100, 100};
    const size_t quick[study_n_groups] = {200, quick_slow, quick_slow, 0, 0, 0};
    memcpy(plan->whole, whole, sizeof whole);
    memcpy(plan->quick, quick, sizeof quick);
}

/* ---- Which methods on what ---- */

study_group study_group_get(const study_plan *plan, study_group_name name,
                            ow_contestant methods[4], ow_setting settings[2])
{
    static const ow_setting literal_steps[] = {{"class-step", "10"}, {"density-step", "1"}};
    static const struct {
        const char *name, *method;
    } groups[study_n_groups] = {[STUDY_FAST] = {"all", NULL},
                                [STUDY_WACHTER_PAPER] = {"wachter-paper", "wachter"},
                                [STUDY_CEM_PAPER] = {"cem-paper", "cem"},
                                [STUDY_WACHTER_REFERENCE] = {"wachter-reference",
                                                             "wachter"},
                                [STUDY_CEM_REFERENCE] = {"cem-reference", "cem"},
                                [STUDY_FACE_REFERENCE] = {"face-reference", "face"}};
    const bool reference = name >= STUDY_WACHTER_REFERENCE;
    const bool is_cem = name == STUDY_CEM_PAPER || name == STUDY_CEM_REFERENCE;
    const char *steps = plan->cem_steps[reference];
    if (name == STUDY_FAST) {
        methods[0] = (ow_contestant){.method = "two-step",
                                     .settings = literal_steps,
                                     .n_settings = 2};
        methods[1] = (ow_contestant){.method = "guided"};
        methods[2] = (ow_contestant){.method = "face", .preset = "paper"};
        methods[3] = (ow_contestant){.method = "nearest"};
        return (study_group){.name = groups[name].name, .methods = methods, .n_methods = 4};
    }
    methods[0] = (ow_contestant){.method = groups[name].method,
                                 .preset = reference ? "reference" : "paper"};
    if (is_cem && steps != NULL) {
        settings[0] = (ow_setting){"steps", steps};
        methods[0].settings = settings;
        methods[0].n_settings = 1;
    }
    return (study_group){.name = groups[name].name, .methods = methods, .n_methods = 1};
}

/* A group, into the board; *score is what the model makes of the rows held out. */
static ow_status run_group(reproduction *r, const study_plan *plan, study_seed *s,
                           study_group_name name, study_board *board, ow_score *score)
{
    ow_contestant methods[4];
    ow_setting settings[2];
    study_results results;
    study_group group = study_group_get(plan, name, methods, settings);
    group.most_queries = r->quick ? plan->quick[name] : plan->whole[name];
    if (group.most_queries == 0) return OW_OK;
    const ow_status status = study_group_run(r, plan, s, &group, &results);
    if (score != NULL) *score = results.model;
    study_board_add(board, &results);
    study_results_clear(&results);
    return status;
}

/* Two-step and guided, the first two of the fast ones, where a network decides. */
static ow_status run_network(reproduction *r, const study_plan *plan, const study_seed *s,
                             study_board *board)
{
    ow_contestant methods[4];
    ow_setting settings[2];
    study_results results;
    study_group two = study_group_get(plan, STUDY_FAST, methods, settings);
    if (s->seed >= plan->network_seeds) return OW_OK;
    two.n_methods = 2;
    two.most_queries = r->quick ? plan->quick[STUDY_FAST] : plan->whole[STUDY_FAST];
    const ow_status status = study_network_run(r, plan, s->rows, s->seed, &two, &results);
    study_board_add(board, &results);
    study_results_clear(&results);
    return status;
}

/* The fast methods with every seed, then the slow ones with the first; a run that is
 * interrupted has the more important part.  The lines of networks come last. */
static ow_status run_all(reproduction *r, const study_plan *plan, const study_rows *rows,
                         size_t n_seeds, study_seed *first, study_board *board,
                         ow_score *scores)
{
    study_board networks = {0};
    ow_status status = OW_OK;
    for (size_t k = 0; k < n_seeds && status == OW_OK; k++) {
        study_seed later, *s = k == 0 ? first : &later;
        message(OW_LOG_INFO, "seed %zu of %zu", k + 1, n_seeds);
        status = study_seed_open(r, plan, rows, k, s);
        if (status == OW_OK) status = run_group(r, plan, s, STUDY_FAST, board, &scores[k]);
        if (status == OW_OK && k > 0) study_seed_drop_model(r, plan, s);
        if (status == OW_OK) status = run_network(r, plan, s, &networks);
        if (k > 0) study_seed_close(s);
    }
    for (size_t g = STUDY_FAST + 1; g < study_n_groups && status == OW_OK; g++)
        status = run_group(r, plan, first, (study_group_name)g, board, NULL);
    study_board_join(board, &networks);
    return status;
}

/* ---- The page ---- */

static void show_models(const study_plan *plan, ow_page *page, size_t n_seeds,
                        const ow_score *scores)
{
    double accuracy = 0.0, density = 0.0;
    for (size_t k = 0; k < n_seeds; k++) {
        accuracy += scores[k].accuracy / (double)n_seeds;
        density += scores[k].log_density / (double)n_seeds;
    }
    char *text =
        text_add(NULL,
                 "%s. The circuit calls %.1f %% of the %zu held-out rows by their class",
                 plan->title, 100.0 * accuracy, scores[0].n_rows);
    if (plan->paper != NULL && plan->paper->accuracy >= 0.0)
        text = text_add(text, " (paper: %.0f %%)", 100.0 * plan->paper->accuracy);
    text = text_add(text, ", at a mean log S of %.2f; %zu split%s and model%s.", density,
                    n_seeds, n_seeds == 1 ? "" : "s", n_seeds == 1 ? "" : "s");
    ow_page_text(page, text);
    free(text);
}

/* Which of Wachter and CEM are there, and with what. */
static void note_slow(const reproduction *r, const study_plan *plan, ow_page *page)
{
    const size_t *most = r->quick ? plan->quick : plan->whole;
    if (r->quick)
        ow_page_note(
            page, most[STUDY_WACHTER_PAPER] > 0
                      ? "A quick run: Wachter and CEM answer a few queries only, which "
                        "gives an impression and no more, and are left out in the "
                        "settings of their reference implementations; the run without "
                        "--quick has them."
                      : "A quick run: few queries, and Wachter and CEM are left out; the "
                        "run without --quick has them.");
    for (size_t p = 0; p < 2; p++) {
        static const char *const presets[2] = {"the paper's settings",
                                               "those of the reference implementation"};
        if (plan->cem_steps[p] == NULL) continue;
        if (most[p == 0 ? STUDY_CEM_PAPER : STUDY_CEM_REFERENCE] == 0) continue;
        char *text =
            text_add(NULL, "CEM takes %s steps in a round here, with %s otherwise.",
                     plan->cem_steps[p], presets[p]);
        ow_page_note(page, text);
        free(text);
    }
}

static ow_status show(reproduction *r, const study_plan *plan, const study_board *board,
                      size_t n_seeds, const ow_score *scores)
{
    ow_page_section(r->page, "Tables");
    show_models(plan, r->page, n_seeds, scores);
    study_board_show(board, plan, r->page);
    note_slow(r, plan, r->page);
    return study_board_save(r, board);
}

ow_status study_run(reproduction *r, const study_plan *plan, const study_rows *rows,
                    study_seed *first)
{
    const size_t n_seeds = r->quick ? 1 : study_most_seeds;
    study_board board = {0};
    ow_score scores[study_most_seeds] = {{0}};
    *first = (study_seed){0};
    ow_status status = run_all(r, plan, rows, n_seeds, first, &board, scores);
    if (status == OW_OK) status = show(r, plan, &board, n_seeds, scores);
    if (status == OW_OK && plan->ablate) status = study_ablation_show(r, plan, rows);
    if (status == OW_OK && r->tune) status = study_tuning_show(r, plan, rows);
    if (status == OW_OK) status = study_seed_need_model(r, plan, first);
    study_board_clear(&board);
    return status;
}
