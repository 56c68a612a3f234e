/* SPDX-License-Identifier: MIT */
/* A study as a whole: seeds, groups of methods, and the tables. */
#include "reproduce/study.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "memory.h"
#include "message.h"
#include "reproduce/sheet.h"
#include "text_build.h"

enum { most_seeds = 5, most_lines = 16, n_columns_shown = 14 };

/* ---- Which methods on what ---- */

static const ow_setting literal_steps[] = {{"class-step", "10"}, {"density-step", "1"}};
static const ow_contestant on_all[] = {
    {.method = "two-step", .settings = literal_steps, .n_settings = 2},
    {.method = "guided"},
    {.method = "face", .preset = "paper"},
    {.method = "nearest"}};
static const ow_contestant slow_paper[] = {{.method = "wachter", .preset = "paper"},
                                           {.method = "cem", .preset = "paper"}};
static const ow_contestant slow_reference[] = {{.method = "wachter", .preset = "reference"},
                                               {.method = "cem", .preset = "reference"}};

/* The place of a method among the paper's; -1: not one of them. */
static int place_in_paper(const char *name)
{
    static const char *const names[study_n_paper] = {"wachter:paper", "cem:paper",
                                                     "face:paper", "two-step"};
    for (int i = 0; i < study_n_paper; i++)
        if (strcmp(names[i], name) == 0) return i;
    return -1;
}

/* ---- Means over seeds ---- */

typedef struct {
    char *name;
    size_t n_seeds;
    double n_queries; /* of the last seed */
    double *figures[most_seeds];
} line;

typedef struct {
    size_t n;
    line lines[most_lines];
} board;

static void board_add(board *b, const study_results *results)
{
    size_t n_metrics = 0;
    while (ow_metric_get(n_metrics) != NULL) n_metrics++;
    for (size_t i = 0; i < results->n; i++) {
        const study_result *result = &results->results[i];
        size_t at = 0;
        while (at < b->n && strcmp(b->lines[at].name, result->name) != 0) at++;
        if (at == most_lines) continue;
        line *l = &b->lines[at];
        if (at == b->n) {
            b->n++;
            *l = (line){.name = text_add(NULL, "%s", result->name)};
        }
        if (l->n_seeds == most_seeds) continue;
        l->n_queries = result->n_queries;
        l->figures[l->n_seeds] = memory_new(n_metrics, sizeof(double));
        memcpy(l->figures[l->n_seeds++], result->figures, n_metrics * sizeof(double));
    }
}

static void board_clear(board *b)
{
    for (size_t i = 0; i < b->n; i++) {
        free(b->lines[i].name);
        for (size_t k = 0; k < b->lines[i].n_seeds; k++) free(b->lines[i].figures[k]);
    }
}

static double mean_of(const line *l, size_t metric, double *deviation)
{
    double sum = 0.0, squares = 0.0;
    for (size_t k = 0; k < l->n_seeds; k++) sum += l->figures[k][metric];
    const double mean = sum / (double)l->n_seeds;
    for (size_t k = 0; k < l->n_seeds; k++)
        squares += (l->figures[k][metric] - mean) * (l->figures[k][metric] - mean);
    *deviation = l->n_seeds > 1 ? sqrt(squares / (double)(l->n_seeds - 1)) : NAN;
    return mean;
}

/* "0.891 +- 0.004"; NULL where there is nothing. */
static char *figure_text(const line *l, const char *metric_name)
{
    const size_t metric = ow_metric_find(metric_name);
    double deviation;
    if (ow_metric_get(metric) == NULL) return NULL;
    const int decimals = ow_metric_get(metric)->decimals;
    const double mean = mean_of(l, metric, &deviation);
    if (isnan(mean)) return NULL;
    char *text = text_add(NULL, "%.*f", decimals, mean);
    return isnan(deviation) ? text : text_add(text, " \xC2\xB1 %.*f", decimals, deviation);
}

/* ---- Tables ---- */

static char *paper_text(const double *figures, int place, int decimals)
{
    return place < 0 ? NULL : text_add(NULL, "%.*f", decimals, figures[place]);
}

/* The paper's three tables: density, success, time; ours and theirs in turn. */
static void show_paper_tables(const board *b, const study_plan *plan, ow_page *page)
{
    static const ow_page_column columns[] = {
        {"method", false},         {"queries", true},          {"log S(x')", true},
        {"paper", true},           {"success", true},          {"any class", true},
        {"paper", true},           {"seconds", true},          {"paper", true},
        {"log S, repaired", true}, {"success, repaired", true}};
    static const study_paper nothing;
    const study_paper *paper = plan->paper != NULL ? plan->paper : &nothing;
    sheet s = {.n_columns = sizeof columns / sizeof *columns};
    for (size_t i = 0; i < b->n; i++) {
        const line *l = &b->lines[i];
        const int place = plan->paper != NULL ? place_in_paper(l->name) : -1;
        sheet_add(&s, text_add(NULL, "%s", l->name));
        sheet_add(&s, text_add(NULL, "%.0f", l->n_queries));
        sheet_add(&s, figure_text(l, "log_density_raw"));
        sheet_add(&s, paper_text(paper->log_density, place, 2));
        sheet_add(&s, figure_text(l, "validity_target_raw"));
        sheet_add(&s, figure_text(l, "validity_any_raw"));
        sheet_add(&s, paper_text(paper->success, place, 2));
        sheet_add(&s, figure_text(l, "batch_seconds"));
        sheet_add(&s, paper_text(paper->seconds, place, 0));
        sheet_add(&s, figure_text(l, "log_density"));
        sheet_add(&s, figure_text(l, "validity_target"));
    }
    sheet_show(
        &s, page, columns,
        "Density, success and time for all queries of a line, as the methods made their "
        "answers, which is what the paper printed (on its own machine); and after repair "
        "to whole categories and grids");
}

static void show_beyond(const board *b, ow_page *page)
{
    static const ow_page_column columns[] = {
        {"method", false},    {"columns changed", true},
        {"L2", true},         {"Gower", true},
        {"percentile", true}, {"judge above q25", true},
        {"ynn", true},        {"LOF", true},
        {"collapse", true},   {"one-hot balance", true},
        {"ms per row", true}};
    static const char *const metrics[] = {
        "l0",  "l2",  "gower",    "density_percentile", "judge_plausible@25",
        "ynn", "lof", "collapse", "onehot_balance",     "time_mean"};
    sheet s = {.n_columns = sizeof columns / sizeof *columns};
    for (size_t i = 0; i < b->n; i++) {
        sheet_add(&s, text_add(NULL, "%s", b->lines[i].name));
        for (size_t m = 0; m < sizeof metrics / sizeof *metrics; m++)
            sheet_add(&s, figure_text(&b->lines[i], metrics[m]));
    }
    sheet_show(
        &s, page, columns,
        "Beyond the paper: distance, a second circuit's opinion, neighbours, and whether "
        "all answers are one and the same (collapse 0)");
}

/* All figures as a file: a line for each method and seed. */
static ow_status save_csv(reproduction *r, const board *b)
{
    char *csv = text_add(NULL, "method,seed,queries");
    for (size_t m = 0; ow_metric_get(m) != NULL; m++)
        csv = text_add(csv, ",%s", ow_metric_get(m)->name);
    csv = text_add(csv, "\n");
    for (size_t i = 0; i < b->n; i++)
        for (size_t k = 0; k < b->lines[i].n_seeds; k++) {
            csv = text_add(csv, "%s,%zu,%.0f", b->lines[i].name, k, b->lines[i].n_queries);
            for (size_t m = 0; ow_metric_get(m) != NULL; m++) {
                const double figure = b->lines[i].figures[k][m];
                csv = isnan(figure) ? text_add(csv, ",") : text_add(csv, ",%.9g", figure);
            }
            csv = text_add(csv, "\n");
        }
    const ow_status status = reproduce_save(r, "results.csv", csv, strlen(csv));
    free(csv);
    return status;
}

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

static void note_quick(const study_plan *plan, ow_page *page)
{
    const bool has_slow = plan->most_queries == NULL || plan->most_queries[4] > 0;
    ow_page_note(
        page,
        has_slow ? "A quick run: Wachter and CEM answer a few queries only, which gives an "
                   "impression and no more, and are left out in the settings of their "
                   "reference implementations; the run without --quick has them."
                 : "A quick run: few queries, and Wachter and CEM are left out; the run "
                   "without --quick has them in the paper's settings.");
}

/* ---- The whole ---- */

static ow_status run_groups(reproduction *r, const study_plan *plan, const study_seed *s,
                            size_t seed, board *b)
{
    const size_t n_quick = plan->quick_slow > 0 ? plan->quick_slow : 4;
    const size_t usual[] = {SIZE_MAX, 500, 100, 200, n_quick, 0};
    const size_t *most = plan->most_queries != NULL ? plan->most_queries : usual;
    if (r->quick) most += 3;
    const study_group groups[] = {
        {.name = "all",
         .methods = on_all,
         .n_methods = sizeof on_all / sizeof *on_all,
         .most_queries = most[0]},
        {.name = "paper", .methods = slow_paper, .n_methods = 2, .most_queries = most[1]},
        {.name = "reference",
         .methods = slow_reference,
         .n_methods = 2,
         .most_queries = most[2]}};
    /* The slow ones run with the first seed only. */
    const size_t n_groups = seed > 0 ? 1 : 3;
    ow_status status = OW_OK;
    for (size_t g = 0; g < n_groups && status == OW_OK; g++) {
        study_results results;
        if (groups[g].most_queries == 0) continue;
        status = study_group_run(r, plan, s, seed, &groups[g], &results);
        board_add(b, &results);
        study_results_clear(&results);
    }
    if (status == OW_OK && plan->network) {
        /* Two-step and guided, the first two, where a network decides. */
        study_group two = groups[0];
        study_results results;
        two.n_methods = 2;
        status = study_network_run(r, plan, s->rows, seed, &two, &results);
        board_add(b, &results);
        study_results_clear(&results);
    }
    return status;
}

ow_status study_run(reproduction *r, const study_plan *plan, const study_rows *rows,
                    study_seed *first)
{
    const size_t whole = plan->n_seeds > 0 ? plan->n_seeds : most_seeds;
    const size_t n_seeds = r->quick ? 1 : whole;
    board b = {0};
    ow_score scores[most_seeds];
    ow_status status = OW_OK;
    *first = (study_seed){0};
    for (size_t k = 0; k < n_seeds && status == OW_OK; k++) {
        study_seed later, *s = k == 0 ? first : &later;
        message(OW_LOG_INFO, "seed %zu of %zu", k + 1, n_seeds);
        status = study_seed_open(r, plan, rows, k, s);
        if (status == OW_OK) {
            scores[k] = ow_model_report(s->model).test;
            status = run_groups(r, plan, s, k, &b);
        }
        if (k > 0) study_seed_close(s);
    }
    if (status == OW_OK) {
        ow_page_section(r->page, "Tables");
        show_models(plan, r->page, n_seeds, scores);
        show_paper_tables(&b, plan, r->page);
        if (plan->note != NULL) ow_page_note(r->page, plan->note);
        show_beyond(&b, r->page);
        if (plan->note != NULL) ow_page_note(r->page, plan->note);
        if (r->quick) note_quick(plan, r->page);
        status = save_csv(r, &b);
    }
    if (status == OW_OK && plan->ablate) status = study_ablation_show(r, plan, rows);
    board_clear(&b);
    return status;
}
