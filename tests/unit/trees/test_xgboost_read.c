/* SPDX-License-Identifier: MIT */
/* XGBoost files that are not as they should be. */
#include "base/io/byte_source.h"
#include "base/memory/alloc.h"
#include "model_text.h"

/* x0 < 2 (missing left) ? -1 : colour in {1, 3} goes right ? 0.5 : -0.5 */
static const char model[] =
    "{\"learner\": {\"attributes\": {}, \"feature_names\": [\"x\", \"colour\"],"
    " \"feature_types\": [\"float\", \"c\"],"
    " \"gradient_booster\": {\"model\": {\"gbtree_model_param\": {\"num_trees\": \"1\"},"
    " \"iteration_indptr\": [0, 1], \"tree_info\": [0], \"trees\": [{"
    "\"categories\": [1, 3], \"categories_nodes\": [2], \"categories_segments\": [0],"
    " \"categories_sizes\": [2], \"default_left\": [1, 0, 0, 0, 0],"
    " \"left_children\": [1, -1, 3, -1, -1], \"parents\": [2147483647, 0, 0, 2, 2],"
    " \"right_children\": [2, -1, 4, -1, -1],"
    " \"split_conditions\": [2.0, -1.0, NaN, -0.5, 5E-1],"
    " \"split_indices\": [0, 0, 1, 0, 0], \"split_type\": [0, 0, 1, 0, 0],"
    " \"tree_param\": {\"num_nodes\": \"5\", \"size_leaf_vector\": \"1\"}}]},"
    " \"name\": \"gbtree\"}, \"learner_model_param\": {\"base_score\": \"5E-1\","
    " \"num_class\": \"0\", \"num_feature\": \"2\", \"num_target\": \"1\"},"
    " \"objective\": {\"name\": \"binary:logistic\"}}, \"version\": [2, 1, 4]}";

static void check_scores(const ow_trees *trees)
{
    static const double rows[] = {1.0, 1.0, NAN, 0.0, 2.0, 1.0,  3.0, 0.0,
                                  3.0, NAN, 3.0, 3.0, 3.0, 99.0, 3.0, -1.0};
    static const double want[] = {-1.0, -1.0, 0.5, -0.5, 0.5, 0.5, -0.5, -0.5};
    double scores[8];
    assert_ok(ow_trees_score(trees, 8, rows, NULL, scores));
    assert_close(scores, want, 8, 0.0);
}

static void a_model_written_by_hand_is_read(void **state)
{
    ow_trees *trees = NULL;
    size_t n;
    assert_ok(
        ow_trees_load_memory(ow_test_context(state), model, strlen(model), "m", &trees));
    check_scores(trees);
    assert_string_equal(ow_trees_package(trees), "XGBoost 2.1.4");
    const double *codes = ow_trees_thresholds(trees, 1, &n);
    assert_int_equal(n, 2);
    assert_close(codes, ((double[]){1.0, 3.0}), 2, 0.0);
    assert_null(ow_trees_thresholds(trees, 2, &n));
    ow_trees_free(trees);
}

static void a_model_cut_off_anywhere_is_refused(void **state)
{
    expect_failure_when_cut(ow_test_context(state), model, strlen(model));
}

static void what_trees_may_not_be(void **state)
{
    ow_context *ctx = ow_test_context(state);
    static const struct {
        const char *from, *to, *sentence;
    } cases[] = {
        {"\"left_children\": [1, -1, 3", "\"left_children\": [1, -1, 0", "reached twice"},
        {"\"left_children\": [1, -1, 3", "\"left_children\": [1, -1, 1", "reached twice"},
        {"\"left_children\": [1, -1, 3", "\"left_children\": [1, -1, 5", "a child 5"},
        {"\"left_children\": [1, -1, 3", "\"left_children\": [1, -1, -7", "a child -7"},
        {"\"left_children\": [1, -1, 3", "\"left_children\": [1, -1, 1e99",
         "a child 1e+99"},
        {"\"right_children\": [2, -1, 4", "\"right_children\": [2, -1, 2.5", "2.5"},
        {"\"right_children\": [2, -1", "\"right_children\": [2", "4 in \"right_children\""},
        {"\"split_indices\": [0, 0, 1", "\"split_indices\": [0, 0, 2", "feature 2"},
        {"\"split_indices\": [0, 0, 1", "\"split_indices\": [0, 0, -1", "feature -1"},
        {"\"split_indices\": [0, 0, 1", "\"split_indices\": [0, 0, 1e12", "feature 1e+12"},
        {"\"split_indices\": [0, 0, 1", "\"split_indices\": [0, 0, 0", "a category in"},
        {"\"split_conditions\": [2.0", "\"split_conditions\": [NaN", "NaN"},
        {"-0.5, 5E-1]", "-0.5, Infinity]", "not finite"},
        {"-0.5, 5E-1]", "-0.5, 1e39]", "not finite"},
        {"\"categories\": [1, 3]", "\"categories\": [1, -3]", "the category -3"},
        {"\"categories\": [1, 3]", "\"categories\": [1, 99999999]", "the category 1e+08"},
        {"\"categories_nodes\": [2]", "\"categories_nodes\": [5]", "out of range"},
        {"\"categories_segments\": [0]", "\"categories_segments\": [1]", "out of range"},
        {"\"categories_sizes\": [2]", "\"categories_sizes\": [-1]", "out of range"},
        {"\"categories_sizes\": [2]", "\"categories_sizes\": []", "disagree"},
        {"\"categories_nodes\": [2], \"categories_segments\": [0], \"categories_sizes\": "
         "[2]",
         "\"categories_nodes\": [2, 2], \"categories_segments\": [0, 0], "
         "\"categories_sizes\": [2, 2]",
         "out of range"}, /* segments overlap */
        {"\"tree_info\": [0]", "\"tree_info\": [1]", "class 1"},
        {"\"tree_info\": [0]", "\"tree_info\": []", "say otherwise"},
        {"\"num_trees\": \"1\"", "\"num_trees\": \"2\"", "say otherwise"},
        {"\"num_feature\": \"2\"", "\"num_feature\": \"1\"", "features"},
        {"\"num_feature\": \"2\"", "\"num_feature\": \"1e18\"", "num_feature is 1e+18"},
        {"\"num_feature\": \"2\"", "\"num_feature\": \"many\"", "should be a number"},
        {"\"base_score\": \"5E-1\"", "\"base_score\": \"1\"", "base_score"},
        {"\"base_score\": \"5E-1\"", "\"base_score\": \"[1E-1,2E-1]\"", "base_score"},
        {"\"base_score\": \"5E-1\"", "\"base_score\": \"\"", "base_score"},
        {"\"num_class\": \"0\"", "\"num_class\": \"3\"", "3 classes"},
        {"\"split_type\":", "\"tree_param\": {}, \"split_type\":", "twice"},
        {"\"split_type\":", "\"split_indices\": [], \"split_type\":", "twice"},
        {"\"objective\": {", "\"objective\": {\"name\": \"a\", ", "twice"},
        {"\"trees\": [{", "\"trees\": [[{", "hold objects only"},
        {"\"trees\": [{", "\"trees\": 3, \"x\": [{", "should be a list"},
        {"\"learner\": {", "\"lerner\": {", "no \"learner\""},
        {"[2, 1, 4]}", "[2, 1, 4]}}", "nothing behind"},
        {"[2, 1, 4]}", "[2, 1, 4]", "the file ends"},
        {"\"x\", \"colour\"", "\"x\"", "1 feature names"},
        {"\"x\", \"colour\"", "\"x\", 7", "texts only"},
        {"\"x\", \"colour\"", "\"x\", \"col\\qour\"", "escape"},
        {"\"x\", \"colour\"", "\"x\", \"col\xffour\"", "UTF-8"},
        {"\"parents\": [",
         "\"parents\": [[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[["
         "[[[[[[[[[[[[[[[[[[[[[[[[[[[[[",
         "64 deep"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        expect_failure(ctx, model, cases[i].from, cases[i].to, OW_ERR_FORMAT,
                       cases[i].sentence);
}

static void what_is_not_supported_is_said(void **state)
{
    ow_context *ctx = ow_test_context(state);
    expect_failure(ctx, model, "\"name\": \"gbtree\"", "\"name\": \"gblinear\"",
                   OW_ERR_UNSUPPORTED, "gblinear");
    expect_failure(ctx, model, "\"size_leaf_vector\": \"1\"", "\"size_leaf_vector\": \"3\"",
                   OW_ERR_UNSUPPORTED, "multi_output_tree");
    expect_failure(ctx, model, "binary:logistic", "survival:aft", OW_ERR_UNSUPPORTED,
                   "survival:aft");
    assert_fails(load_text(ctx, "hello", 5), OW_ERR_FORMAT, "no tree model");
    assert_fails(load_text(ctx, "", 0), OW_ERR_FORMAT, "no tree model");
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

/* ---- A file of the package itself ---- */

typedef struct {
    char *bytes;
    size_t size;
} blob;

static ow_status load_blob(ow_context *ctx, void *user)
{
    const blob *b = user;
    return load_text(ctx, b->bytes, b->size);
}

/* UBJSON: cut off, with single bytes changed, and without memory. */
static void damaged_ubjson_never_crashes(void **state)
{
    ow_context *ctx = ow_test_context(state);
    owi_byte_source *source = NULL;
    blob b;
    assert_ok(owi_byte_source_open(ctx, "tests/golden/trees/xgboost_2_1_4_squared.ubj.gz",
                                   NULL, &source));
    assert_ok(owi_byte_source_read_all(source, 1 << 20, &b.bytes, &b.size));
    owi_byte_source_free(source);
    for (size_t n = 0; n < b.size; n += n < 600 ? 1 : 37)
        assert_status(load_text(ctx, b.bytes, n), OW_ERR_FORMAT);
    for (size_t i = 0; i < b.size; i += i < 600 ? 1 : 41) {
        const char kept = b.bytes[i];
        b.bytes[i] = (char)(kept ^ (1 << i % 8));
        const ow_status status = load_text(ctx, b.bytes, b.size);
        assert_true(status == OW_OK || status == OW_ERR_FORMAT ||
                    status == OW_ERR_UNSUPPORTED);
        b.bytes[i] = kept;
    }
    ow_test_sweep(load_blob, &b);
    owi_free(ctx, b.bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        ow_test_on_heap(a_model_written_by_hand_is_read),
        ow_test_on_heap(a_model_cut_off_anywhere_is_refused),
        ow_test_on_heap(what_trees_may_not_be),
        ow_test_on_heap(what_is_not_supported_is_said),
        cmocka_unit_test(memory_may_end_at_any_time),
        ow_test_on_heap(damaged_ubjson_never_crashes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
