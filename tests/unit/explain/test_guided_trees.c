/* SPDX-License-Identifier: MIT */
/* guided where trees decide: its margins of one and two changes are those of the trees, and
 * its answers have the least number of changes. */
#include "support/explain_fixture.h"

#include "explain/core/explainer_private.h"
#include "explain/guided/guided_trees.h"
#include "model/model_private.h"

/* Two trees: income by debt, and school by income. */
static const char trees_text[] =
    "tree\nversion=v4\nnum_class=1\nnum_tree_per_iteration=1\nlabel_index=0\n"
    "max_feature_idx=2\nobjective=binary sigmoid:1\nfeature_names=school income debt\n"
    "feature_infos=0:1:2:3:4 [0:60] [0:60]\ntree_sizes=300 300\n\n"
    "Tree=0\nnum_leaves=4\nnum_cat=0\nsplit_feature=1 2 2\nthreshold=30.125 9.5 21.25\n"
    "decision_type=2 2 2\nleft_child=1 -1 -3\nright_child=2 -2 -4\n"
    "leaf_value=-0.4 -1.2 1.5 -0.3\nis_linear=0\nshrinkage=1\n\n\n"
    "Tree=1\nnum_leaves=3\nnum_cat=1\nsplit_feature=0 1\nthreshold=0 22.5\n"
    "decision_type=1 2\nleft_child=1 -2\nright_child=-1 -3\nleaf_value=-0.9 0.2 1.1\n"
    "cat_boundaries=0 1\ncat_threshold=17\nis_linear=0\nshrinkage=1\n\n\n"
    "end of trees\n\nparameters:\n[categorical_feature: 0]\nend of parameters\n\n"
    "pandas_categorical:[[\"college\", \"none\", \"primary\", \"secondary\", "
    "\"university\"]]\n";

typedef struct {
    ow_test_model m;
    ow_trees *trees;
    ow_classifier *classifier;
    ow_explainer *explainer;
    int32_t yes;
} fixture;

static void begin(fixture *f, ow_context *ctx)
{
    f->m = ow_test_applicants(ctx, OW_LEAVES_AUTO);
    assert_ok(ow_trees_load_memory(ctx, trees_text, sizeof trees_text - 1, "m", &f->trees));
    assert_ok(ow_model_classifier_from_trees(f->m.model, f->trees, NULL, &f->classifier));
    assert_ok(ow_schema_find_class(ow_model_schema(f->m.model), "yes", &f->yes));
    const ow_explain_model parts = {.size = sizeof parts,
                                    .model = f->m.model,
                                    .classifier = f->classifier};
    assert_ok(ow_explainer_new(&parts, "guided", &f->explainer));
}

static void end(fixture *f)
{
    ow_explainer_free(f->explainer);
    ow_classifier_free(f->classifier);
    ow_trees_free(f->trees);
    ow_test_model_free(&f->m);
}

/* log P(yes) - log P(no) by the classifier itself. */
static double odds_of(const fixture *f, const double *values)
{
    double log_proba[2];
    owi_call call;
    assert_ok(owi_call_begin(&call, ow_model_context(f->m.model), NULL));
    assert_ok(owi_classify_values(&call, f->classifier, 1, values, log_proba));
    return log_proba[f->yes] - log_proba[1 - f->yes];
}

/* Whether some change of one column makes it yes: all levels, all values of the rows. */
static bool one_is_enough(const fixture *f, const double *query)
{
    const ow_schema *schema = ow_model_schema(f->m.model);
    double row[16];
    assert_true(f->m.n_columns <= 16);
    for (size_t j = 0; j < f->m.n_columns; j++) {
        const size_t n_levels = ow_schema_column(schema, j)->n_levels;
        const size_t n = n_levels > 0 ? n_levels : f->m.n_rows;
        for (size_t k = 0; k < n; k++) {
            memcpy(row, query, f->m.n_columns * sizeof *row);
            row[j] = n_levels > 0 ? (double)k : f->m.values[k * f->m.n_columns + j];
            if (!isnan(row[j]) && odds_of(f, row) > 0.0) return true;
        }
    }
    return false;
}

static void answers_have_the_least_number_of_changes(void **state)
{
    fixture f;
    ow_explanation *explanation = NULL;
    ow_explain_options options = ow_test_explain_defaults();
    begin(&f, ow_test_context(state));
    options.target = f.yes;
    options.density_quantile = 0.0;
    const size_t n = f.m.n_rows < 120 ? f.m.n_rows : 120;
    assert_ok(ow_explainer_explain(f.explainer, NULL, &options, n, f.m.values, NULL,
                                   &explanation));
    size_t n_of[4] = {0};
    for (size_t i = 0; i < n; i++) {
        const ow_outcome *outcome = ow_explanation_outcome(explanation, i);
        if (outcome->kind == OW_OUTCOME_ALREADY_TARGET) continue;
        assert_int_equal(outcome->kind, OW_OUTCOME_FOUND);
        const ow_counterfactual *answer = outcome->answers[0];
        assert_true(odds_of(&f, answer->values) > 0.0);
        assert_true(answer->distance.l0 >= 1 && answer->distance.l0 <= 3);
        n_of[answer->distance.l0]++;
        if (answer->distance.l0 > 1)
            assert_false(one_is_enough(&f, f.m.values + i * f.m.n_columns));
    }
    assert_true(n_of[1] > 0 && n_of[2] > 0);
    ow_explanation_free(explanation);
    end(&f);
}

/* The tables against the classifier, changed row by changed row. */
static void margins_are_those_of_the_trees(void **state)
{
    fixture f;
    ow_explanation *explanation = NULL;
    ow_explain_options options = ow_test_explain_defaults();
    begin(&f, ow_test_context(state));
    options.target = f.yes;
    assert_ok(ow_explainer_explain(f.explainer, NULL, &options, 1, f.m.values, NULL,
                                   &explanation));
    const owi_problem *problem = &f.explainer->session.problem;
    const owi_guided *guided = f.explainer->session.state;
    assert_non_null(guided->trees);
    const owi_moves *moves = &guided->moves;
    double *margin = calloc(moves->n_simple, sizeof *margin);
    double row[16];
    for (size_t i = 0; i < 12; i++) {
        const double *query = f.m.values + i * 7 * f.m.n_columns;
        owi_guided_trees_singles(guided->trees, problem, query, f.yes, margin);
        owi_guided_trees_begin_pairs(guided->trees, query);
        for (size_t m = 0; m < moves->n_simple; m++) {
            const size_t j = guided->units[moves->unit[m]].columns[0];
            memcpy(row, query, f.m.n_columns * sizeof *row);
            row[j] = moves->values[m * guided->widest];
            double want = odds_of(&f, row);
            assert_close(&margin[m], &want, 1, 1e-9);
            const size_t k = (m * 31 + 7 * i) % moves->n_simple;
            if (!moves->in_pairs[m] || !moves->in_pairs[k] ||
                moves->unit[k] == moves->unit[m])
                continue;
            row[guided->units[moves->unit[k]].columns[0]] =
                moves->values[k * guided->widest];
            want = odds_of(&f, row);
            const double got = owi_guided_trees_pair(guided->trees, problem, m, k, f.yes);
            assert_close(&got, &want, 1, 1e-9);
        }
    }
    free(margin);
    ow_explanation_free(explanation);
    end(&f);
}

/* Values on both sides of every threshold are candidates. */
static void numbers_tip_where_the_trees_divide_them(void **state)
{
    fixture f;
    ow_explanation *explanation = NULL;
    ow_explain_options options = ow_test_explain_defaults();
    size_t income, n_below = 0, n_above = 0;
    begin(&f, ow_test_context(state));
    options.target = f.yes;
    assert_ok(ow_schema_find_column(ow_model_schema(f.m.model), "income", &income));
    assert_ok(ow_explainer_explain(f.explainer, NULL, &options, 1, f.m.values, NULL,
                                   &explanation));
    double values[2 * (owi_most_tipping + 1)];
    const size_t n =
        owi_guided_tipping_values(&f.explainer->session.problem, income, values);
    assert_int_equal(n, 4);
    const int decimals = ow_schema_column(ow_model_schema(f.m.model), income)->decimals;
    const double step = decimals >= 0 ? pow(10.0, -decimals) : 1.0;
    for (size_t k = 0; k < n; k++) {
        const double at = k < 2 ? 22.5 : 30.125;
        assert_true(fabs(values[k] - at) <= step * 1.001);
        n_below += values[k] <= at;
        n_above += values[k] > at;
    }
    assert_true(n_below == 2 && n_above == 2);
    ow_explanation_free(explanation);
    end(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        ow_test_on_heap(answers_have_the_least_number_of_changes),
        ow_test_on_heap(margins_are_those_of_the_trees),
        ow_test_on_heap(numbers_tip_where_the_trees_divide_them),
    };
    return cmocka_run_group_tests_name("explain/guided_trees", tests, NULL, NULL);
}
