/* SPDX-License-Identifier: MIT */
/* Models of other packages that decide: trained beside, remembered, kept, refused. */
#include "support/ow_test.h"

#include "data/schema/schema_copy.h"
#include "model/model_private.h"

static ow_call how = {.size = sizeof how};

enum { n_rows = 200, n_columns = 3, C = 2 };

/* a <= 0.5 and kind = u: -2, else 1. */
static const char trees_text[] =
    "tree\nversion=v4\nnum_class=1\nnum_tree_per_iteration=1\nlabel_index=0\n"
    "max_feature_idx=1\nobjective=binary sigmoid:1\nfeature_names=kind_u a\n"
    "feature_infos=[0:1] [-50:50]\ntree_sizes=300\n\n"
    "Tree=0\nnum_leaves=3\nnum_cat=0\nsplit_feature=1 0\nthreshold=0.5 0.5\n"
    "decision_type=2 2\nleft_child=1 -2\nright_child=-1 -3\nleaf_value=1 1 -2\n"
    "is_linear=0\nshrinkage=1\n\n\n"
    "end of trees\n\nparameters:\nend of parameters\n\npandas_categorical:null\n";

typedef struct {
    ow_context *ctx;
    ow_reader *reader;
    ow_schema *schema;
    const char *path;
} data_set;

static double score_of(double a, bool is_u)
{
    return a <= 0.5 && is_u ? -2.0 : 1.0;
}

static void write_model(const data_set *d, const char *from, const char *to)
{
    char text[sizeof trees_text + 40];
    const char *at = strstr(trees_text, from);
    assert_non_null(at);
    const int n = snprintf(text, sizeof text, "%.*s%s%s", (int)(at - trees_text),
                           trees_text, to, at + strlen(from));
    assert_ok(ow_file_write(d->ctx, d->path, text, (size_t)n));
}

static void open_rows(data_set *d, ow_context *ctx, const char *label)
{
    static char text[16000];
    size_t used = (size_t)sprintf(text, "a,b,kind,y\n");
    for (int i = 0; i < n_rows; i++) {
        const int a = i * 37 % 101 - 50, b = i * 53 % 103 - 51;
        used += (size_t)sprintf(text + used, "%d,%d,%s,%s\n", a, b, i % 3 == 0 ? "u" : "v",
                                b > 0 ? "yes" : "no");
    }
    static const char *const drop[] = {"y"};
    *d = (data_set){.ctx = ctx, .path = ow_test_path("foreign.txt", 0)};
    assert_ok(ow_reader_open_memory(ctx, text, used, "rows.csv", NULL, &d->reader));
    const ow_infer_options options = {
        .size = sizeof options, .label = label, .drop = drop, .n_drop = label == NULL};
    assert_ok(ow_schema_infer(d->reader, &options, &how, &d->schema));
    write_model(d, "tree\n", "tree\n");
}

static void close_rows(data_set *d)
{
    ow_schema_free(d->schema);
    ow_reader_free(d->reader);
}

static ow_status train_with(const data_set *d, ow_foreign foreign, ow_model **model)
{
    ow_train_options options = ow_test_train_defaults();
    options.passes = 2;
    options.inputs = options.repetitions = 2;
    options.towards_rows = 10;
    foreign.size = sizeof foreign;
    if (foreign.path == NULL && foreign.command == NULL) foreign.path = d->path;
    options.foreign = &foreign;
    return ow_model_train(d->reader, d->schema, &options, &how, model);
}

static void predict(const ow_model *model, data_set *d, int32_t *classes, double *proba)
{
    const ow_predictions wanted = {.size = sizeof wanted,
                                   .classes = classes,
                                   .proba = proba};
    ow_predictor *predictor = NULL;
    ow_table *table = NULL;
    assert_ok(ow_reader_rewind(d->reader));
    assert_ok(ow_reader_bind(d->reader, ow_model_schema(model), false));
    assert_ok(ow_table_read(d->reader, &how, &table));
    assert_ok(ow_predictor_new(model, NULL, &predictor));
    assert_ok(
        ow_predictor_predict(predictor, n_rows, ow_table_row(table, 0), &how, &wanted));
    ow_predictor_free(predictor);
    ow_table_free(table);
}

static void check_decisions(const ow_model *model, data_set *d)
{
    static int32_t classes[n_rows];
    static double proba[n_rows * C];
    predict(model, d, classes, proba);
    for (int i = 0; i < n_rows; i++) {
        const double p = 1.0 / (1.0 + exp(-score_of(i * 37 % 101 - 50, i % 3 == 0)));
        assert_int_equal(classes[i], p > 0.5);
        assert_close(&proba[2 * i + 1], &p, 1, 1e-12);
    }
}

/* By the label's classes in sorted order: no, yes. */
static void trees_decide_and_the_circuit_is_the_density(void **state)
{
    data_set d;
    ow_model *model = NULL;
    ow_foreign_info info;
    open_rows(&d, ow_test_context(state), "y");
    assert_ok(train_with(&d, (ow_foreign){0}, &model));
    check_decisions(model, &d);
    assert_true(ow_model_foreign(model, &info));
    assert_string_equal(info.package, "LightGBM v4");
    assert_int_equal(info.n_trees, 1);
    assert_false(info.embedded);
    const ow_train_report *report = ow_model_report(model);
    assert_true(report->agreement > 0.2 && report->agreement < 0.9);
    assert_true(report->circuit_test.accuracy > report->test.accuracy + 0.1);
    assert_int_equal(report->confusion[0] + report->confusion[1] + report->confusion[2] +
                         report->confusion[3],
                     report->test.n_rows);
    ow_model_free(model);

    static const char *const turned[] = {"yes", "no"};
    static int32_t classes[n_rows];
    assert_ok(train_with(&d, (ow_foreign){.classes = turned, .n_classes = 2}, &model));
    predict(model, &d, classes, NULL);
    assert_int_equal(classes[0], 1);
    ow_model_free(model);
    close_rows(&d);
}

static void without_label_its_decisions_are_the_classes(void **state)
{
    data_set d;
    ow_model *model = NULL;
    open_rows(&d, ow_test_context(state), NULL);
    assert_ok(train_with(&d, (ow_foreign){0}, &model));
    check_decisions(model, &d);
    const ow_schema *schema = ow_model_schema(model);
    assert_string_equal(ow_schema_label(schema), "decision");
    assert_string_equal(ow_schema_class_name(schema, 1), "1");
    size_t n_low = 0;
    for (int i = 0; i < n_rows; i++) n_low += score_of(i * 37 % 101 - 50, i % 3 == 0) < 0.0;
    assert_int_equal(ow_schema_class_count(schema, 0), n_low);
    assert_true(ow_model_report(model)->test.accuracy == 1.0);
    ow_model_free(model);
    close_rows(&d);
}

static void a_regressor_is_parted_at_its_limit(void **state)
{
    data_set d;
    ow_model *model = NULL;
    static int32_t classes[n_rows];
    open_rows(&d, ow_test_context(state), NULL);
    write_model(&d, "binary sigmoid:1", "regression");
    assert_fails(train_with(&d, (ow_foreign){0}, &model), OW_ERR_ARGUMENT,
                 "the LightGBM v4 model predicts a number (regression); say where its "
                 "classes part (--target), as in score>=620");
    assert_fails(train_with(&d, (ow_foreign){.limit = "score"}, &model), OW_ERR_ARGUMENT,
                 "a limit is written NAME>=NUMBER, as in score>=620; got \"score\"");
    /* At the limit itself: 1 >= 1, and not 1 > 1. */
    assert_ok(train_with(&d, (ow_foreign){.limit = "score>=1"}, &model));
    predict(model, &d, classes, NULL);
    for (int i = 0; i < n_rows; i++)
        assert_int_equal(classes[i], score_of(i * 37 % 101 - 50, i % 3 == 0) > 0.0);
    assert_string_equal(ow_schema_class_name(ow_model_schema(model), 1), "score>=1");
    char *bytes = NULL;
    size_t size;
    ow_model *loaded = NULL;
    assert_ok(ow_model_format(model, &bytes, &size));
    assert_ok(ow_model_parse(d.ctx, bytes, size, "limit.ow", &loaded));
    predict(loaded, &d, classes, NULL);
    assert_int_equal(classes[0], 0);
    ow_bytes_free(bytes);
    ow_model_free(loaded);
    ow_model_free(model);
    model = NULL;
    assert_fails(train_with(&d, (ow_foreign){.limit = "score>1"}, &model), OW_ERR_SCHEMA,
                 "class \"score>1\" has no training rows");
    close_rows(&d);
}

static void it_is_remembered_by_path_and_sum_or_kept(void **state)
{
    ow_context *ctx = ow_test_context(state);
    data_set d;
    open_rows(&d, ctx, "y");
    for (int embed = 0; embed <= 1; embed++) {
        ow_model *model = NULL, *loaded = NULL;
        char *bytes = NULL, *same = NULL;
        size_t size, same_size;
        write_model(&d, "tree\n", "tree\n");
        assert_ok(train_with(&d, (ow_foreign){.embed = embed}, &model));
        assert_ok(ow_model_format(model, &bytes, &size));
        assert_ok(ow_model_parse(ctx, bytes, size, "own.ow", &loaded));
        check_decisions(loaded, &d);
        assert_true(ow_model_report(loaded)->agreement ==
                    ow_model_report(model)->agreement);
        assert_ok(ow_model_format(loaded, &same, &same_size));
        assert_int_equal(size, same_size);
        assert_memory_equal(bytes, same, size);
        ow_bytes_free(same);
        ow_model_free(loaded);

        write_model(&d, "leaf_value=1 1 -2", "leaf_value=1 1 -3");
        if (embed == 1) {
            assert_ok(ow_model_parse(ctx, bytes, size, "own.ow", &loaded));
            check_decisions(loaded, &d);
            ow_model_free(loaded);
        } else {
            assert_fails(ow_model_parse(ctx, bytes, size, "own.ow", &loaded), OW_ERR_FORMAT,
                         "is not the LightGBM v4 model that it was trained with");
            assert_int_equal(remove(d.path), 0);
            assert_fails(ow_model_parse(ctx, bytes, size, "own.ow", &loaded), OW_ERR_IO,
                         "own.ow: its decisions are those of the LightGBM v4 model");
        }
        /* Cut off anywhere, the file is refused. */
        for (size_t cut = size - 400; cut < size; cut += 37)
            assert_int_not_equal(ow_model_parse(ctx, bytes, cut, "own.ow", &loaded), OW_OK);
        ow_bytes_free(bytes);
        ow_model_free(model);
    }
    close_rows(&d);
}

static void what_cannot_be_used_is_named(void **state)
{
    data_set d;
    ow_model *model = NULL;
    static const char *const three[] = {"a", "b", "c"};
    open_rows(&d, ow_test_context(state), "y");
    assert_fails(train_with(&d, (ow_foreign){.path = "no such file"}, &model), OW_ERR_IO,
                 "no such file");
    assert_fails(train_with(&d, (ow_foreign){.limit = "y>=1"}, &model), OW_ERR_ARGUMENT,
                 "leave out the label \"y\" (--drop instead of --label)");
    assert_fails(train_with(&d, (ow_foreign){.classes = three, .n_classes = 3}, &model),
                 OW_ERR_ARGUMENT, "3 names for the classes of the LightGBM v4 model");
    write_model(&d, "kind_u", "kind_w");
    assert_fails(train_with(&d, (ow_foreign){0}, &model), OW_ERR_ARGUMENT,
                 "the LightGBM v4 model has a feature \"kind_w\", the table has no such "
                 "column");
    ow_train_options options = ow_test_train_defaults();
    options.foreign = &(ow_foreign){.size = sizeof(ow_foreign), .path = d.path};
    options.decider = OW_DECIDES_MLP;
    assert_fails(ow_train_options_check(&options), OW_ERR_ARGUMENT,
                 "classifier mlp has no place beside a model that decides");
    close_rows(&d);
}

/* A file read, matched with columns without label, and the model that kept one. */
typedef struct {
    data_set d;
    char *bytes;
    size_t size;
} kept;

static ow_status read_both(ow_context *ctx, void *user)
{
    const kept *k = user;
    const ow_foreign options = {.size = sizeof options, .path = k->d.path, .embed = true};
    owi_foreign *foreign = NULL;
    owi_matched matched = {0};
    ow_schema *schema = NULL;
    ow_model *model = NULL;
    owi_call call;
    ow_status status = owi_call_begin(&call, ctx, &how);
    if (status == OW_OK) status = owi_foreign_load(&call, &options, &foreign);
    if (status == OW_OK) status = owi_schema_copy(ctx, k->d.schema, &schema);
    if (status == OW_OK) status = owi_foreign_set_label(foreign, &schema);
    if (status == OW_OK) status = owi_foreign_match(foreign, schema, &matched);
    if (status == OW_OK) status = ow_model_parse(ctx, k->bytes, k->size, "m", &model);
    owi_matched_clear(&matched);
    owi_foreign_free(foreign);
    ow_schema_free(schema);
    ow_model_free(model);
    return status;
}

static void any_failing_allocation_is_survived(void **state)
{
    kept k = {0};
    ow_model *model = NULL;
    open_rows(&k.d, ow_test_context(state), NULL);
    assert_ok(train_with(&k.d, (ow_foreign){.embed = true}, &model));
    assert_ok(ow_model_format(model, &k.bytes, &k.size));
    ow_test_sweep(read_both, &k);
    ow_bytes_free(k.bytes);
    ow_model_free(model);
    close_rows(&k.d);
}

/* a <= 0.5 and kind = u, as the trees above have it: 1 / (1 + e^2), else 1 / (1 + 1/e). */
#define PROGRAM                                                                            \
    "while IFS=, read -r a b kind; do case $a in a|'') ;; -*|0) test $kind = u && echo "   \
    "0.11920292202211755 || echo 0.7310585786300049;; *) echo 0.7310585786300049;; esac; " \
    "done"

static void a_program_decides_and_has_to_be_named_again(void **state)
{
    data_set d;
    ow_model *model = NULL;
    ow_foreign_info info;
    char *bytes = NULL;
    size_t size = 0;
    open_rows(&d, ow_test_context(state), "y");
    assert_ok(train_with(&d, (ow_foreign){.command = PROGRAM}, &model));
    check_decisions(model, &d);
    assert_true(ow_model_foreign(model, &info));
    assert_string_equal(info.package, "program");
    assert_string_equal(info.path, PROGRAM);
    assert_string_equal(info.sha256, "");
    assert_ok(ow_model_format(model, &bytes, &size));
    ow_model_free(model);

    assert_ok(ow_model_parse(ow_test_context(state), bytes, size, "m.ow", &model));
    ow_foreign_run run = {.size = sizeof run};
    assert_fails(ow_model_run_foreign(model, &run), OW_ERR_ARGUMENT,
                 "a model file alone does not start programs");
    run.command = PROGRAM;
    assert_ok(ow_model_run_foreign(model, &run));
    check_decisions(model, &d);
    ow_bytes_free(bytes);
    ow_model_free(model);

    assert_fails(train_with(&d, (ow_foreign){.command = PROGRAM, .embed = true}, &model),
                 OW_ERR_ARGUMENT, "a program cannot be embedded");
    assert_fails(train_with(&d, (ow_foreign){.command = PROGRAM, .path = "m.json"}, &model),
                 OW_ERR_ARGUMENT, "exactly one of path and command");
    close_rows(&d);

    open_rows(&d, ow_test_context(state), NULL);
    assert_fails(train_with(&d, (ow_foreign){.command = PROGRAM}, &model), OW_ERR_ARGUMENT,
                 "name them in its order (--model-classes A,B)");
    assert_ok(train_with(&d, (ow_foreign){.command = PROGRAM, .limit = "p>=0.5"}, &model));
    assert_string_equal(ow_schema_class_name(ow_model_schema(model), 1), "p>=0.5");
    ow_model_free(model);
    close_rows(&d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        ow_test_on_heap(trees_decide_and_the_circuit_is_the_density),
        ow_test_on_heap(without_label_its_decisions_are_the_classes),
        ow_test_on_heap(a_regressor_is_parted_at_its_limit),
        ow_test_on_heap(it_is_remembered_by_path_and_sum_or_kept),
        ow_test_on_heap(what_cannot_be_used_is_named),
        ow_test_on_heap(a_program_decides_and_has_to_be_named_again),
        ow_test_on_heap(any_failing_allocation_is_survived),
    };
    return cmocka_run_group_tests_name("model/foreign", tests, NULL, NULL);
}
