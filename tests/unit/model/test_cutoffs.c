/* SPDX-License-Identifier: MIT */
/* Cut-offs: where classes are decided, in predictions, answers and files. */
#include "support/ow_test.h"

#include "model/cutoffs.h"
#include "model/model_private.h"
#include "otherwise/explain.h"

static ow_call how = {.size = sizeof how};

enum { n_rows = 240, n_columns = 2, C = 2 };

typedef struct {
    ow_reader *reader;
    ow_schema *schema;
    ow_table *table;
} data_set;

static void open_rows(data_set *d, ow_context *ctx, int n_classes)
{
    static const char *const names[] = {"bad", "good", "best"};
    static char text[12000];
    size_t used = (size_t)sprintf(text, "a,b,y\n");
    for (int i = 0; i < n_rows; i++) {
        const int a = i * 37 % 101, b = i * 53 % 103;
        const int y = (a + b / 4 + i % 17) * n_classes / 143;
        used += (size_t)sprintf(text + used, "%d,%d,%s\n", a, b, names[y]);
    }
    assert_ok(ow_reader_open_memory(ctx, text, used, "rows.csv", NULL, &d->reader));
    const ow_infer_options options = {.size = sizeof options, .label = "y"};
    assert_ok(ow_schema_infer(d->reader, &options, &how, &d->schema));
    assert_ok(ow_reader_bind(d->reader, d->schema, true));
    assert_ok(ow_table_read(d->reader, &how, &d->table));
}

static void close_rows(data_set *d)
{
    ow_table_free(d->table);
    ow_schema_free(d->schema);
    ow_reader_free(d->reader);
}

static ow_status train_with(data_set *d, size_t n, const ow_cutoff *cutoffs,
                            ow_model **model)
{
    ow_train_options options = ow_test_train_defaults();
    options.passes = 2;
    options.inputs = options.repetitions = 2;
    options.towards_rows = 10;
    options.cutoffs = cutoffs;
    options.n_cutoffs = n;
    return ow_model_train(d->reader, d->schema, &options, &how, model);
}

static void predict(const ow_model *model, const data_set *d, int32_t *classes,
                    double *proba)
{
    const ow_predictions wanted = {.size = sizeof wanted,
                                   .classes = classes,
                                   .proba = proba};
    ow_predictor *predictor = NULL;
    assert_ok(ow_predictor_new(model, NULL, &predictor));
    assert_ok(
        ow_predictor_predict(predictor, n_rows, ow_table_row(d->table, 0), &how, &wanted));
    ow_predictor_free(predictor);
}

static void a_class_is_decided_from_its_cutoff_on(void **state)
{
    static int32_t plain[n_rows], cut[n_rows], again[n_rows];
    static double proba[n_rows * C], same[n_rows * C];
    ow_context *ctx = ow_test_context(state);
    const ow_cutoff good = {"good", 0.8};
    data_set d;
    ow_model *model = NULL, *cut_model = NULL, *loaded = NULL;
    int32_t g;
    open_rows(&d, ctx, 2);
    assert_ok(train_with(&d, 0, NULL, &model));
    assert_ok(train_with(&d, 1, &good, &cut_model));
    assert_ok(ow_schema_find_class(ow_model_schema(model), "good", &g));
    predict(model, &d, plain, proba);
    predict(cut_model, &d, cut, same);
    assert_memory_equal(proba, same, sizeof proba); /* probabilities stay what they are */
    size_t n_changed = 0;
    for (size_t i = 0; i < n_rows; i++) {
        assert_int_equal(cut[i] == g, proba[i * C + (size_t)g] >= 0.8);
        n_changed += cut[i] != plain[i];
    }
    assert_true(n_changed > 5);
    assert_true(isnan(ow_model_cutoff(model, 0)));
    assert_true(ow_model_cutoff(cut_model, (size_t)g) == 0.8);

    char *bytes = NULL, *written = NULL;
    size_t size, written_size;
    assert_ok(ow_model_format(cut_model, &bytes, &size));
    assert_ok(ow_model_parse(ctx, bytes, size, "cut.ow", &loaded));
    predict(loaded, &d, again, NULL);
    assert_memory_equal(cut, again, sizeof cut);
    assert_ok(ow_model_format(loaded, &written, &written_size));
    assert_int_equal(size, written_size);
    assert_memory_equal(bytes, written, size);
    ow_bytes_free(bytes);
    ow_bytes_free(written);
    ow_model_free(loaded);
    ow_model_free(cut_model);
    ow_model_free(model);
    close_rows(&d);
}

/* Every method's answers are judged by the cut-off, and guided's keep it. */
static void answers_reach_the_cutoff(void **state)
{
    static const char *const methods[] = {"guided", "nearest", "two-step"};
    const ow_cutoff good = {"good", 0.8};
    data_set d;
    ow_model *model = NULL;
    int32_t g;
    open_rows(&d, ow_test_context(state), 2);
    assert_ok(train_with(&d, 1, &good, &model));
    assert_ok(ow_schema_find_class(ow_model_schema(model), "good", &g));
    for (size_t m = 0; m < sizeof methods / sizeof *methods; m++) {
        const ow_explain_model parts = {.size = sizeof parts, .model = model};
        ow_explain_options options = ow_test_explain_defaults();
        ow_explainer *explainer = NULL;
        ow_explanation *explanation = NULL;
        size_t n_found = 0;
        options.target = g;
        assert_ok(ow_explainer_new(&parts, methods[m], &explainer));
        assert_ok(ow_explainer_set_background(explainer, n_rows, ow_table_row(d.table, 0)));
        assert_ok(ow_explainer_explain(explainer, NULL, &options, n_rows,
                                       ow_table_row(d.table, 0), &how, &explanation));
        for (size_t i = 0; i < n_rows; i++) {
            const ow_outcome *outcome = ow_explanation_outcome(explanation, i);
            const bool is_good = outcome->proba[g] >= 0.8;
            assert_int_equal(outcome->kind == OW_OUTCOME_ALREADY_TARGET, is_good);
            if (outcome->kind != OW_OUTCOME_FOUND) continue;
            assert_true(outcome->answers[0]->proba[g] >= 0.8);
            n_found++;
        }
        assert_true(n_found > 10);
        ow_explanation_free(explanation);
        ow_explainer_free(explainer);
    }
    ow_model_free(model);
    close_rows(&d);
}

static void of_several_classes_each_needs_one(void **state)
{
    static const ow_cutoff all[] = {{"good", 0.2}, {"bad", 0.5}, {"best", 0.7}};
    static const ow_cutoff twice[] = {{"good", 0.2}, {"good", 0.5}};
    static int32_t classes[n_rows];
    static double proba[n_rows * 3];
    data_set d;
    ow_model *model = NULL;
    open_rows(&d, ow_test_context(state), 3);
    assert_fails(train_with(&d, 1, all, &model), OW_ERR_ARGUMENT,
                 "with 3 classes each needs a cut-off, and \"bad\" has none");
    assert_fails(train_with(&d, 2, twice, &model), OW_ERR_ARGUMENT,
                 "\"good\" has two cut-offs");
    assert_fails(train_with(&d, 1, &(ow_cutoff){"good", 1.0}, &model), OW_ERR_ARGUMENT,
                 "the cut-off of \"good\" is 1, expected between 0 and 1");
    assert_fails(train_with(&d, 1, &(ow_cutoff){"goof", 0.5}, &model), OW_ERR_ARGUMENT,
                 "goof");
    assert_ok(train_with(&d, 3, all, &model));
    predict(model, &d, classes, proba);
    for (size_t i = 0; i < n_rows; i++)
        for (size_t c = 0; c < 3; c++)
            assert_true(proba[i * 3 + (size_t)classes[i]] /
                            ow_model_cutoff(model, (size_t)classes[i]) >=
                        proba[i * 3 + c] / ow_model_cutoff(model, c) * (1.0 - 1e-9));
    ow_model_free(model);
    close_rows(&d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        ow_test_on_heap(a_class_is_decided_from_its_cutoff_on),
        ow_test_on_heap(answers_reach_the_cutoff),
        ow_test_on_heap(of_several_classes_each_needs_one),
    };
    return cmocka_run_group_tests_name("model/cutoffs", tests, NULL, NULL);
}
