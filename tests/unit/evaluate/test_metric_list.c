/* SPDX-License-Identifier: MIT */
/* The list of metrics: complete, without twins, and what doc/metrics.md shows. */
#include "support/ow_test.h"

#include "evaluate/metric_list.h"

static void every_metric_has_a_name_of_its_own_words_and_a_direction(void **state)
{
    (void)state;
    for (size_t i = 0; i < OWI_N_METRICS; i++) {
        const ow_metric *metric = ow_metric_get(i);
        assert_non_null(metric);
        assert_non_null(metric->name);
        assert_non_null(metric->summary);
        assert_true(metric->direction == OW_BETTER_MORE ||
                    metric->direction == OW_BETTER_LESS);
        size_t found;
        assert_ok(ow_metric_find(metric->name, &found));
        assert_int_equal(found, i);
        assert_true(metric->summary[strlen(metric->summary) - 1] != '.');
        assert_true(strlen(metric->name) <= 20); /* the table's first column */
    }
    assert_null(ow_metric_get(OWI_N_METRICS));
    size_t found;
    assert_fails(ow_metric_find("valid", &found), OW_ERR_ARGUMENT,
                 "there is no metric \"valid\"; did you mean ");
}

/* The line of the document's table that a metric must have. */
static void make_line(const ow_metric *metric, char *line, size_t size)
{
    static const char *const bases[] = {"queries", "valid answers", "answers", "method"};
    snprintf(line, size, "\n| `%s` | %s | %s | %s |\n", metric->name,
             metric->direction == OW_BETTER_MORE ? "\u2191" : "\u2193", bases[metric->base],
             metric->summary);
}

static void the_documents_table_is_made_of_this_list(void **state)
{
    (void)state;
    size_t size, n_lines = 0;
    char *text = ow_test_read_file("doc/metrics.md", &size);
    const char *at = text;
    for (size_t i = 0; i < OWI_N_METRICS; i++) {
        char line[512];
        make_line(ow_metric_get(i), line, sizeof line);
        const char *found = strstr(at, line);
        if (found == NULL) fail_msg("doc/metrics.md lacks, after its other lines:%s", line);
        at = found; /* the same order */
    }
    for (at = text; (at = strstr(at, "\n| `")) != NULL; at++) n_lines++;
    assert_int_equal(n_lines, OWI_N_METRICS);
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_metric_has_a_name_of_its_own_words_and_a_direction),
        cmocka_unit_test(the_documents_table_is_made_of_this_list),
    };
    return cmocka_run_group_tests_name("evaluate/metric_list", tests, NULL, NULL);
}
