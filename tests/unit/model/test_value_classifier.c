/* SPDX-License-Identifier: MIT */
/* Classifiers that read rows in original units: callers' own, and trees. */
#include "support/explain_fixture.h"

/* income <= 30.125, then school in {college, university} (codes 0 and 4 of theirs). */
static const char trees_text[] =
    "tree\nversion=v4\nnum_class=1\nnum_tree_per_iteration=1\nlabel_index=0\n"
    "max_feature_idx=1\nobjective=binary sigmoid:1\nfeature_names=school income\n"
    "feature_infos=0:1:2:3:4 [0:60]\ntree_sizes=300\n\n"
    "Tree=0\nnum_leaves=3\nnum_cat=1\nsplit_feature=1 0\nthreshold=30.125 0\n"
    "decision_type=0 1\nleft_child=1 -2\nright_child=-1 -3\nleaf_value=2 1 -3\n"
    "cat_boundaries=0 1\ncat_threshold=17\nis_linear=0\nshrinkage=1\n\n\n"
    "end of trees\n\nparameters:\n[categorical_feature: 0]\nend of parameters\n\n"
    "pandas_categorical:[[\"college\", \"none\", \"primary\", \"secondary\", "
    "\"university\"]]\n";

static size_t column_named(const ow_test_model *m, const char *name)
{
    size_t column;
    assert_ok(ow_schema_find_column(ow_model_schema(m->model), name, &column));
    return column;
}

/* The score of a row of the table, by hand. */
static double score_of(const ow_test_model *m, const double *values)
{
    const ow_column *school =
        ow_schema_column(ow_model_schema(m->model), column_named(m, "school"));
    const char *level = school->levels[(size_t)values[column_named(m, "school")]];
    if (values[column_named(m, "income")] > 30.125) return 2.0;
    return strcmp(level, "college") == 0 || strcmp(level, "university") == 0 ? 1.0 : -3.0;
}

static ow_trees *trees_of(ow_context *ctx, const char *text)
{
    ow_trees *trees = NULL;
    assert_ok(ow_trees_load_memory(ctx, text, strlen(text), "m", &trees));
    return trees;
}

/* Features in another order than the columns, levels with other codes. */
static void trees_find_columns_levels_and_classes_by_name(void **state)
{
    ow_test_model m = ow_test_applicants(ow_test_context(state), OW_LEAVES_AUTO);
    ow_trees *trees = trees_of(ow_test_context(state), trees_text);
    ow_classifier *classifier = NULL;
    const size_t width = ow_model_soft_width(m.model), n = 200;
    float *soft = calloc(n * width, sizeof *soft);
    double *log_proba = calloc(2 * n, sizeof *log_proba);
    int32_t yes;
    assert_ok(ow_schema_find_class(ow_model_schema(m.model), "yes", &yes));
    assert_ok(ow_model_classifier_from_trees(m.model, trees, NULL, &classifier));
    ow_model_soften(m.model, n, m.values, soft);
    assert_ok(ow_classifier_classify(classifier, n, soft, NULL, log_proba));
    for (size_t i = 0; i < n; i++) {
        const double score = score_of(&m, m.values + i * m.n_columns);
        const double want = -log1p(exp(-score));
        assert_close(&log_proba[2 * i + (size_t)yes], &want, 1, 1e-12);
    }
    ow_classifier_free(classifier);

    /* The other way round, by name. */
    static const char *const turned[] = {"yes", "no"};
    const ow_trees_match match = {.size = sizeof match, .classes = turned, .n_classes = 2};
    assert_ok(ow_model_classifier_from_trees(m.model, trees, &match, &classifier));
    assert_ok(ow_classifier_classify(classifier, 1, soft, NULL, log_proba));
    const double want = -log1p(exp(score_of(&m, m.values)));
    assert_close(&log_proba[yes], &want, 1, 1e-12);
    ow_classifier_free(classifier);
    free(soft);
    free(log_proba);
    ow_trees_free(trees);
    ow_test_model_free(&m);
}

static char *replaced(const char *from, const char *to)
{
    const char *at = strstr(trees_text, from);
    const size_t size = sizeof trees_text + strlen(to);
    char *text = malloc(size);
    assert_non_null(at);
    assert_non_null(text);
    snprintf(text, size, "%.*s%s%s", (int)(at - trees_text), trees_text, to,
             at + strlen(from));
    return text;
}

static void expect_mismatch(const ow_test_model *m, const char *from, const char *to,
                            const ow_trees_match *match, const char *sentence)
{
    char *text = replaced(from, to);
    ow_trees *trees = trees_of(ow_model_context(m->model), text);
    ow_classifier *classifier = NULL;
    assert_fails(ow_model_classifier_from_trees(m->model, trees, match, &classifier),
                 OW_ERR_ARGUMENT, sentence);
    assert_null(classifier);
    ow_trees_free(trees);
    free(text);
}

static void what_does_not_match_is_named_on_both_sides(void **state)
{
    static const char *const same[] = {"yes", "yes"};
    static const char *const none[] = {"yes", "never"};
    static const char *const one[] = {"income"};
    ow_test_model m = ow_test_applicants(ow_test_context(state), OW_LEAVES_AUTO);
    expect_mismatch(&m, "school income", "school wealth", NULL,
                    "the LightGBM v4 model has a feature \"wealth\", the table has no such "
                    "column");
    expect_mismatch(&m, "\"primary\"", "\"first\"", NULL,
                    "column \"school\" has the level \"primary\", which the LightGBM v4 "
                    "model does not know");
    expect_mismatch(&m, "school income", "debt income", NULL,
                    "column \"debt\" is a number in the table and a category in the "
                    "LightGBM v4 model");
    expect_mismatch(
        &m, "tree\n", "tree\n",
        &(ow_trees_match){.size = sizeof(ow_trees_match), .classes = same, .n_classes = 2},
        "two classes of the LightGBM v4 model have the same name");
    expect_mismatch(
        &m, "tree\n", "tree\n",
        &(ow_trees_match){.size = sizeof(ow_trees_match), .classes = none, .n_classes = 2},
        "never");
    expect_mismatch(
        &m, "tree\n", "tree\n",
        &(ow_trees_match){.size = sizeof(ow_trees_match), .columns = one, .n_columns = 1},
        "1 columns were named for the 2 features of the LightGBM v4 model");
    ow_test_model_free(&m);
}

/* ---- Doubles, not floats ---- */

/* Decides by a threshold between two doubles that are the same float. */
typedef struct {
    size_t column, n_columns, n_calls;
} sharp;

static const double edge = 30.0 + 1e-9;

static bool decide(void *user, size_t n_rows, const double *values, double *proba)
{
    sharp *s = user;
    s->n_calls++;
    for (size_t i = 0; i < n_rows; i++) {
        const bool above = values[i * s->n_columns + s->column] >= edge;
        proba[2 * i] = above ? 0.1 : 0.9;
        proba[2 * i + 1] = above ? 0.9 : 0.1;
    }
    return true;
}

static void answers_are_valid_for_the_doubles_that_are_given(void **state)
{
    static const char *const methods[] = {"nearest", "guided", "face"};
    ow_test_model m = ow_test_applicants(ow_test_context(state), OW_LEAVES_AUTO);
    sharp s = {.column = column_named(&m, "income"), .n_columns = m.n_columns};
    const ow_value_callbacks callbacks = {
        .size = sizeof callbacks, .user = &s, .log_proba = decide, .is_proba = true};
    ow_classifier *classifier = NULL;
    assert_ok(ow_model_classifier_from_values(m.model, &callbacks, &classifier));
    for (size_t k = 0; k < sizeof methods / sizeof *methods; k++) {
        const ow_explain_model parts = {.size = sizeof parts,
                                        .model = m.model,
                                        .classifier = classifier};
        const ow_explain_options options = ow_test_explain_defaults();
        ow_explainer *explainer = NULL;
        ow_explanation *explanation = NULL;
        size_t n_found = 0;
        assert_ok(ow_explainer_new(&parts, methods[k], &explainer));
        ow_test_make_quick(explainer);
        assert_ok(ow_explainer_set_background(explainer, m.n_rows, m.values));
        assert_ok(ow_explainer_explain(explainer, NULL, &options, 40, m.values, NULL,
                                       &explanation));
        for (size_t i = 0; i < 40; i++) {
            const ow_outcome *outcome = ow_explanation_outcome(explanation, i);
            const bool was = m.values[i * m.n_columns + s.column] >= edge;
            if (outcome->kind != OW_OUTCOME_FOUND) continue;
            const bool is = outcome->answers[0]->values[s.column] >= edge;
            assert_true(is != was);
            n_found++;
        }
        assert_true(n_found > 30);
        ow_explanation_free(explanation);
        ow_explainer_free(explainer);
    }
    assert_true(s.n_calls > 0);
    ow_classifier_free(classifier);
    ow_test_model_free(&m);
}

/* ---- Memory ---- */

typedef struct {
    char *bytes;
    size_t size;
} saved;

static ow_status make_one(ow_context *ctx, void *user)
{
    const saved *file = user;
    ow_model *model = NULL;
    ow_trees *trees = NULL;
    ow_classifier *classifier = NULL;
    ow_status status = ow_model_parse(ctx, file->bytes, file->size, "m.ow", &model);
    if (status == OW_OK)
        status = ow_trees_load_memory(ctx, trees_text, strlen(trees_text), "m", &trees);
    if (status == OW_OK)
        status = ow_model_classifier_from_trees(model, trees, NULL, &classifier);
    assert_true((status == OW_OK) == (classifier != NULL));
    ow_classifier_free(classifier);
    ow_trees_free(trees);
    ow_model_free(model);
    return status;
}

static void any_failing_allocation_is_survived(void **state)
{
    ow_test_model m = ow_test_applicants(ow_test_context(state), OW_LEAVES_AUTO);
    saved file = {0};
    assert_ok(ow_model_format(m.model, &file.bytes, &file.size));
    ow_test_sweep(make_one, &file);
    ow_bytes_free(file.bytes);
    ow_test_model_free(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        ow_test_on_heap(trees_find_columns_levels_and_classes_by_name),
        ow_test_on_heap(what_does_not_match_is_named_on_both_sides),
        ow_test_on_heap(answers_are_valid_for_the_doubles_that_are_given),
        ow_test_on_heap(any_failing_allocation_is_survived),
    };
    return cmocka_run_group_tests_name("model/value_classifier", tests, NULL, NULL);
}
