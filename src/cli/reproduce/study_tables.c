/* SPDX-License-Identifier: MIT */
/* The paper's three tables with ours beside them, and what the paper does not measure. */
#include <math.h>
#include <string.h>

#include "reproduce/sheet.h"
#include "reproduce/study_board.h"
#include "terminal/text_build.h"

/* The place of a method among the paper's; -1: not one of them. */
static int place_in_paper(const study_plan *plan, const char *name)
{
    static const char *const names[study_n_paper] = {"wachter:paper", "cem:paper",
                                                     "face:paper", "two-step"};
    for (int i = 0; plan->paper != NULL && i < study_n_paper; i++)
        if (strcmp(names[i], name) == 0) return i;
    return -1;
}

/* Ours, theirs, and ours less theirs. */
static void add_compared(sheet *s, const study_line *line, const char *metric,
                         const double *theirs, int place)
{
    const double mean = study_line_mean(line, metric, NULL);
    sheet_add(s, study_line_text(line, metric));
    sheet_add(s, place < 0 ? NULL : text_add(NULL, "%.2f", theirs[place]));
    sheet_add(s, place < 0 || isnan(mean) ? NULL
                                          : text_add(NULL, "%+.2f", mean - theirs[place]));
}

/* CEM is content with any other class, and the paper counts it so. */
static const char *success_metric(const char *name)
{
    return strncmp(name, "cem:", 4) == 0 ? "validity_any_raw" : "validity_target_raw";
}

static void show_density_and_success(const study_board *board, const study_plan *plan,
                                     ow_page *page)
{
    static const ow_page_column columns[] = {
        {"method", false},         {"queries", true}, {"seeds", true},
        {"log S(x')", true},       {"paper", true},   {"ours less theirs", true},
        {"success", true},         {"paper", true},   {"ours less theirs", true},
        {"of it the target", true}};
    static const study_paper nothing;
    const study_paper *paper = plan->paper != NULL ? plan->paper : &nothing;
    sheet s = {.n_columns = sizeof columns / sizeof *columns};
    for (size_t i = 0; i < board->n; i++) {
        const study_line *line = &board->lines[i];
        const int place = place_in_paper(plan, line->name);
        sheet_add(&s, text_add(NULL, "%s", line->name));
        sheet_add(&s, study_line_queries(line));
        sheet_add(&s, text_add(NULL, "%zu", line->n_seeds));
        add_compared(&s, line, "log_density_raw", paper->log_density, place);
        add_compared(&s, line, success_metric(line->name), paper->success, place);
        sheet_add(&s, study_line_text(line, "validity_target_raw"));
    }
    sheet_show(
        &s, page, columns,
        "Density and success, as the methods made their answers, which is what the "
        "paper printed; CEM succeeds with any other class, as in the paper. Mean and "
        "standard deviation over the seeds");
}

/* The paper's times are of its whole test set on another machine; they are not set against
 * times of other queries on this one. */
static void show_time(const study_board *board, ow_page *page)
{
    static const ow_page_column columns[] = {
        {"method", false},    {"queries", true},         {"seconds", true},
        {"ms per row", true}, {"log S, repaired", true}, {"success, repaired", true}};
    sheet s = {.n_columns = sizeof columns / sizeof *columns};
    for (size_t i = 0; i < board->n; i++) {
        const study_line *line = &board->lines[i];
        sheet_add(&s, text_add(NULL, "%s", line->name));
        sheet_add(&s, study_line_queries(line));
        sheet_add(&s, study_line_text(line, "batch_seconds"));
        sheet_add(&s, study_line_text(line, "time_mean"));
        sheet_add(&s, study_line_text(line, "log_density"));
        sheet_add(&s, study_line_text(line, "validity_target"));
    }
    sheet_show(&s, page, columns,
               "Time for all queries of a line and for one of them, on this machine, and "
               "what is left after repair to whole categories and grids");
}

static void show_beyond(const study_board *board, ow_page *page)
{
    static const ow_page_column columns[] = {
        {"method", false}, {"queries", true},    {"columns changed", true}, {"L2", true},
        {"Gower", true},   {"percentile", true}, {"judge above q25", true}, {"ynn", true},
        {"LOF", true},     {"collapse", true},   {"one-hot balance", true}};
    static const char *const metrics[] = {
        "l0",  "l2",  "gower",    "density_percentile", "judge_plausible@25",
        "ynn", "lof", "collapse", "onehot_balance"};
    sheet s = {.n_columns = sizeof columns / sizeof *columns};
    for (size_t i = 0; i < board->n; i++) {
        sheet_add(&s, text_add(NULL, "%s", board->lines[i].name));
        sheet_add(&s, study_line_queries(&board->lines[i]));
        for (size_t m = 0; m < sizeof metrics / sizeof *metrics; m++)
            sheet_add(&s, study_line_text(&board->lines[i], metrics[m]));
    }
    sheet_show(
        &s, page, columns,
        "Beyond the paper: distance, a second circuit's opinion, neighbours, and whether "
        "all answers are one and the same (collapse 0)");
}

void study_board_show(const study_board *board, const study_plan *plan, ow_page *page)
{
    show_density_and_success(board, plan, page);
    if (plan->note != NULL) ow_page_note(page, plan->note);
    show_time(board, page);
    if (plan->note != NULL) ow_page_note(page, plan->note);
    show_beyond(board, page);
    if (plan->note != NULL) ow_page_note(page, plan->note);
}
