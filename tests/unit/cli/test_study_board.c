/* SPDX-License-Identifier: MIT */
/* Results of several seeds: means, deviations, and what is written of them. */
#include "support/ow_test.h"

#include <math.h>

#include "evaluating/metric_index.h"
#include "reproduce/study_board.h"

enum { most_metrics = 64 };

/* One method's result, with log S as given and no other figure. */
static void add(study_board *board, const char *name, double n_queries, double log_density)
{
    double figures[most_metrics];
    char own_name[16];
    study_result result = {.name = own_name, .n_queries = n_queries, .figures = figures};
    snprintf(own_name, sizeof own_name, "%s", name);
    assert_true(study_n_metrics() <= most_metrics);
    for (size_t m = 0; m < study_n_metrics(); m++) figures[m] = NAN;
    figures[metric_index("log_density_raw")] = log_density;
    study_board_add(board, &(study_results){.n = 1, .results = &result});
}

static void assert_text(char *text, const char *expected)
{
    assert_string_equal(text, expected);
    free(text);
}

static void a_method_has_one_line_with_the_mean_and_the_deviation_of_its_seeds(void **state)
{
    (void)state;
    study_board board = {0};
    double deviation;
    add(&board, "two-step", 200.0, -46.0);
    add(&board, "face:paper", 200.0, -49.0);
    add(&board, "two-step", 204.0, -48.0);
    assert_int_equal(board.n, 2);
    const study_line *line = &board.lines[0];
    double mean = study_line_mean(line, "log_density_raw", &deviation);
    assert_close(&mean, &(double){-47.0}, 1, 1e-12);
    assert_close(&deviation, &(double){sqrt(2.0)}, 1, 1e-12); /* over n - 1 */
    assert_text(study_line_queries(line), "200 to 204");
    assert_text(study_line_queries(&board.lines[1]), "200");
    /* A single seed has no deviation; what was not measured is nothing. */
    mean = study_line_mean(&board.lines[1], "log_density_raw", &deviation);
    assert_true(mean == -49.0 && isnan(deviation));
    char *text = study_line_text(&board.lines[1], "log_density_raw");
    assert_null(strstr(text, "\xC2\xB1"));
    free(text);
    assert_null(study_line_text(line, "lof"));
    assert_true(isnan(study_line_mean(line, "no such metric", NULL)));
    study_board_clear(&board);
}

static void lines_of_another_board_go_below_and_leave_it_empty(void **state)
{
    (void)state;
    char name[8];
    study_board board = {0}, other = {0};
    add(&board, "two-step", 1.0, 0.0);
    for (size_t i = 0; i < study_most_lines; i++) {
        snprintf(name, sizeof name, "m%zu", i % 100);
        add(&other, name, 1.0, (double)i);
    }
    study_board_join(&board, &other);
    assert_int_equal(board.n, study_most_lines); /* the last one has no room */
    assert_int_equal(other.n, 0);
    assert_string_equal(board.lines[1].name, "m0");
    study_board_clear(&board);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(
            a_method_has_one_line_with_the_mean_and_the_deviation_of_its_seeds),
        cmocka_unit_test(lines_of_another_board_go_below_and_leave_it_empty),
    };
    return cmocka_run_group_tests_name("cli/study_board", tests, NULL, NULL);
}
