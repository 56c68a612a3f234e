/* SPDX-License-Identifier: MIT */
/* LightGBM files that are not as they should be, and rules that few models use. */
#include "model_text.h"

/* x <= 2, then zeros as missing, then colour in {0, 2}. */
static const char model[] = "tree\n"
                            "version=v4\n"
                            "num_class=1\n"
                            "num_tree_per_iteration=1\n"
                            "label_index=0\n"
                            "max_feature_idx=1\n"
                            "objective=binary sigmoid:2\n"
                            "feature_names=x colour\n"
                            "feature_infos=[-3:9] 0:1:2\n"
                            "tree_sizes=300\n"
                            "\n"
                            "Tree=0\n"
                            "num_leaves=4\n"
                            "num_cat=1\n"
                            "split_feature=0 0 1\n"
                            "threshold=2 -1 0\n"
                            "decision_type=0 6 1\n"
                            "left_child=1 -1 -3\n"
                            "right_child=2 -2 -4\n"
                            "leaf_value=1 2 4 8\n"
                            "cat_boundaries=0 1\n"
                            "cat_threshold=5\n"
                            "is_linear=0\n"
                            "shrinkage=1\n"
                            "\n"
                            "\n"
                            "end of trees\n"
                            "\n"
                            "parameters:\n"
                            "[categorical_feature: 1]\n"
                            "end of parameters\n"
                            "\n"
                            "pandas_categorical:[[\"red\", \"gr\\u00fcn\", true]]\n";

/* Missing values of a split without missing values are 0, which is <= 2; in the next one
 * zeros and missing values go left although -1 < 0. */
static void a_model_written_by_hand_is_read(void **state)
{
    static const double rows[] = {-1.0, 0.0,   1.0,  0.0, 0.0,  0.0, NAN,
                                  0.0,  1e-36, 0.0,  2.0, 0.0,  3.0, 0.0,
                                  3.0,  1.0,   3.0,  2.9, 3.0,  NAN, 3.0,
                                  -0.5, 3.0,   -1.0, 3.0, 1e99, 3.0, INFINITY};
    static const double want[] = {1, 2, 1, 1, 1, 2, 4, 8, 4, 8, 4, 8, 8, 8};
    enum { n = sizeof want / sizeof *want };
    double scores[n], proba[2 * n];
    ow_trees *trees = NULL;
    size_t n_thresholds;
    assert_ok(
        ow_trees_load_memory(ow_test_context(state), model, strlen(model), "m", &trees));
    assert_ok(ow_trees_score(trees, n, rows, NULL, scores));
    assert_close(scores, want, n, 0.0);
    assert_ok(ow_trees_predict(trees, n, rows, NULL, proba));
    assert_close(&proba[1], (double[]){1.0 / (1.0 + exp(-2.0))}, 1, 1e-15);
    assert_true(ow_trees_feature_is_category(trees, 1));
    assert_string_equal(ow_trees_level(trees, 1, 1), "gr\xc3\xbcn");
    assert_string_equal(ow_trees_level(trees, 1, 2), "True");
    ow_trees_thresholds(trees, 0, &n_thresholds);
    assert_int_equal(n_thresholds, 4); /* both, and the interval of zeros */
    ow_trees_free(trees);
}

/* A split that only missing values pass. */
static void everything_is_up_to_infinity(void **state)
{
    static const double rows[] = {INFINITY, 0.0, -1e300, 0.0, NAN, 0.0, 0.0, 0.0};
    static const double want[] = {2, 1, 4, 1};
    double scores[4];
    ow_trees *trees = NULL;
    char *infinite = replace(model, "threshold=2 -1 0", "threshold=inf -1 0");
    char *changed = replace(infinite, "decision_type=0 6 1", "decision_type=8 6 1");
    assert_ok(ow_trees_load_memory(ow_test_context(state), changed, strlen(changed), "m",
                                   &trees));
    assert_ok(ow_trees_score(trees, 4, rows, NULL, scores));
    assert_close(scores, want, 4, 0.0);
    ow_trees_free(trees);
    free(changed);
    free(infinite);
}

/* What stands behind the trees may be missing. */
static void a_model_cut_off_in_its_trees_is_refused(void **state)
{
    const size_t end = (size_t)(strstr(model, "end of trees") - model);
    expect_failure_when_cut(ow_test_context(state), model, end + strlen("end of tree"));
}

static void what_trees_may_not_be(void **state)
{
    ow_context *ctx = ow_test_context(state);
    static const struct {
        const char *from, *to, *sentence;
    } cases[] = {
        {"left_child=1 ", "left_child=0 ", "reached twice"},
        {"left_child=1 ", "left_child=2 ", "reached twice"},
        {"left_child=1 ", "left_child=3 ", "a child 3"},
        {"left_child=1 ", "left_child=99 ", "a child 99"},
        {"left_child=1 -1", "left_child=1 -9", "a child 11"},
        {"left_child=1 ", "left_child=", "2 entries in left_child"},
        {"leaf_value=1 2 4 8", "leaf_value=1 2 4", "3 entries in leaf_value"},
        {"leaf_value=1 2 4 8", "leaf_value=1 2 4 nan", "expected a number, got \"nan\""},
        {"leaf_value=1 2 4 8", "leaf_value=1 2 4 inf", "got \"inf\""},
        {"leaf_value=1 2 4 8", "leaf_value=1 2 4 1e999", "expected a number"},
        {"num_leaves=4", "num_leaves=0", "0 leaves"},
        {"num_leaves=4", "num_leaves=1e300", "1e+300 leaves"},
        {"num_leaves=4", "num_leaves=1000000000", "expected 999999999"},
        {"split_feature=0 0 1", "split_feature=0 0 2", "the feature 2"},
        {"split_feature=0 0 1", "split_feature=1 0 1", "a category in"},
        {"decision_type=0 6 1", "decision_type=0 6 13", "decision type 13"},
        {"threshold=2 -1 0", "threshold=2 -1 1", "category set 1"},
        {"threshold=2 -1 0", "threshold=2 -1 -1", "category set -1"},
        {"cat_boundaries=0 1", "cat_boundaries=0 2", "category set 0"},
        {"cat_boundaries=0 1", "cat_boundaries=1 0", "category set 0"},
        {"cat_boundaries=0 1", "cat_boundaries=0", "category set 0"},
        {"cat_threshold=5", "cat_threshold=5.5", "cat_threshold holds 5.5"},
        {"cat_threshold=5", "cat_threshold=-5", "cat_threshold holds -5"},
        {"is_linear=0", "is_linear=0\nnum_cat=1", "twice"},
        {"max_feature_idx=1", "max_feature_idx=99999999", "max_feature_idx"},
        {"max_feature_idx=1", "max_feature_idx=2", "feature_names"},
        {"num_tree_per_iteration=1", "num_tree_per_iteration=0", "before the trees"},
        {"num_tree_per_iteration=1", "num_tree_per_iteration=2", "2 trees an iteration"},
        {"sigmoid:2", "sigmoid:-1", "sigmoid"},
        {"objective=binary", "objective=binary\nobjective=binary", "twice"},
        {"feature_names=x colour", "feature_names=x \xff", "UTF-8"},
        {"\n\nend of trees", "\nhello\nend of trees", "expected a tree"},
        {"[[\"red\"", "[[[\"red\"", "pandas_categorical"},
        {"true]]", "true]", "the file ends"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        expect_failure(ctx, model, cases[i].from, cases[i].to, OW_ERR_FORMAT,
                       cases[i].sentence);
}

static void what_is_not_supported_is_said(void **state)
{
    ow_context *ctx = ow_test_context(state);
    expect_failure(ctx, model, "is_linear=0", "is_linear=1", OW_ERR_UNSUPPORTED,
                   "linear_tree");
    expect_failure(ctx, model, "version=v4", "version=v9", OW_ERR_UNSUPPORTED, "v9");
}

static void lines_may_end_as_on_windows(void **state)
{
    char *text = malloc(2 * sizeof model), *to = text;
    assert_non_null(text);
    for (const char *p = model; *p != '\0'; p++) {
        if (*p == '\n') *to++ = '\r';
        *to++ = *p;
    }
    assert_ok(load_text(ow_test_context(state), text, (size_t)(to - text)));
    free(text);
}

static ow_status load_model(ow_context *ctx, void *user)
{
    return load_text(ctx, user, strlen(user));
}

static void memory_may_end_at_any_time(void **state)
{
    (void)state;
    ow_test_sweep(load_model, (char *)(uintptr_t)model);
}

static size_t put(char *text, size_t at, const char *head, const char *word, size_t n)
{
    at += (size_t)sprintf(text + at, "%s", head);
    for (size_t i = 0; i < n; i++) at += (size_t)sprintf(text + at, " %s", word);
    return at;
}

/* Splits that all name the same large set: a few kilobytes that would ask for gigabytes. */
static void sets_are_no_larger_than_the_file_can_mean(void **state)
{
    enum { n_splits = 5000, n_words = 20000 };
    char *text = calloc(1, 1 << 20);
    ow_trees *trees;
    size_t at = 0;
    at = put(text, at,
             "tree\nversion=v4\nnum_class=1\nnum_tree_per_iteration=1\nlabel_index=0\n"
             "max_feature_idx=0\nobjective=binary sigmoid:1\nfeature_names=x\n"
             "feature_infos=0:1\n\nTree=0\nnum_leaves=5001\nnum_cat=1\nsplit_feature=",
             "0", n_splits);
    at = put(text, at, "\nthreshold=", "0", n_splits);
    at = put(text, at, "\ndecision_type=", "1", n_splits);
    at = put(text, at, "\nleft_child=", "-1", n_splits);
    at = put(text, at, "\nright_child=", "-2", n_splits);
    at = put(text, at, "\nleaf_value=", "1", n_splits + 1);
    at += (size_t)sprintf(text + at, "\ncat_boundaries=0 %d", n_words);
    at = put(text, at, "\ncat_threshold=", "1", n_words);
    at += (size_t)sprintf(text + at, "\nis_linear=0\n\n\nend of trees\n");
    assert_fails(ow_trees_load_memory(ow_test_context(state), text, at, "m", &trees),
                 OW_ERR_FORMAT, "m: tree 0: the category sets are larger than a file of");
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        ow_test_on_heap(sets_are_no_larger_than_the_file_can_mean),
        ow_test_on_heap(a_model_written_by_hand_is_read),
        ow_test_on_heap(everything_is_up_to_infinity),
        ow_test_on_heap(a_model_cut_off_in_its_trees_is_refused),
        ow_test_on_heap(what_trees_may_not_be),
        ow_test_on_heap(what_is_not_supported_is_said),
        ow_test_on_heap(lines_may_end_as_on_windows),
        cmocka_unit_test(memory_may_end_at_any_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
