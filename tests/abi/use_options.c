/* SPDX-License-Identifier: MIT */
/* A program that uses every kind of options struct and prints what comes of it.  Each
 * struct ends where a page ends that has nothing behind it: a library that reads or writes
 * more of a struct than the program's version has is stopped by the machine. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <otherwise/otherwise.h>

enum { n_rows = 60 };
static double income[n_rows];
static const char *answer[n_rows];

static void check(ow_status status)
{
    if (status == OW_OK) return;
    printf("%s\n", ow_error_message());
    exit(1);
}

/* size bytes, all 0xAA, at the end of a page that one follows which cannot be used. */
static void *at_the_edge(size_t size)
{
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    char *pages =
        mmap(NULL, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (pages == MAP_FAILED || size > page || mprotect(pages + page, page, PROT_NONE) != 0)
        exit(2);
    memset(pages + page - size, 0xAA, size);
    return pages + page - size;
}

static void make_rows(void)
{
    for (int i = 0; i < n_rows; i++) {
        income[i] = 10 + i * 37 % 61;
        answer[i] = income[i] + i % 5 > 40 ? "yes" : "no";
    }
}

static ow_model *train(ow_context *ctx)
{
    ow_reader *reader = NULL;
    ow_schema *schema = NULL;
    ow_model *model = NULL;
    ow_infer_options *infer = at_the_edge(sizeof *infer);
    ow_train_options *options = at_the_edge(sizeof *options);
    ow_call *call = at_the_edge(sizeof *call);
    *infer = (ow_infer_options){.size = sizeof *infer, .label = "answer"};
    *call = (ow_call){.size = sizeof *call, .seed = 7, .threads = 1};
    ow_train_options_init(options, sizeof *options);
    options->backend = "ref";
    check(ow_train_options_set(options, "epochs", "5"));
    check(ow_reader_open_columns(ctx, n_rows, "rows", &reader));
    check(ow_reader_add_numbers(reader, "income", OW_ELEMENT_FLOAT64, n_rows, income, 0));
    check(ow_reader_add_texts(reader, "answer", n_rows, answer));
    check(ow_schema_infer(reader, infer, call, &schema));
    check(ow_model_train(reader, schema, options, call, &model));
    ow_schema_free(schema);
    ow_reader_free(reader);
    return model;
}

static void read_text(ow_context *ctx)
{
    static const char text[] = "a;b\n1;2\n";
    ow_read_options *options = at_the_edge(sizeof *options);
    ow_reader *reader = NULL;
    *options = (ow_read_options){.size = sizeof *options, .delimiter = ';'};
    check(ow_reader_open_memory(ctx, text, strlen(text), "text", options, &reader));
    printf("%zu columns\n", ow_reader_n_columns(reader));
    ow_reader_free(reader);
}

static void predict(const ow_model *model)
{
    ow_predictor *predictor = NULL;
    int32_t classes[n_rows];
    double percentile[n_rows];
    ow_predictions *wanted = at_the_edge(sizeof *wanted);
    *wanted = (ow_predictions){.size = sizeof *wanted,
                               .classes = classes,
                               .percentile = percentile};
    check(ow_predictor_new(model, "ref", &predictor));
    check(ow_predictor_predict(predictor, n_rows, income, NULL, wanted));
    printf("class %d, percentile %.17g\n", classes[7], percentile[7]);
    ow_predictor_free(predictor);
}

static void explain(const ow_model *model)
{
    const double query[1] = {20};
    ow_explainer *explainer = NULL;
    ow_explanation *explanation = NULL;
    ow_explain_model *parts = at_the_edge(sizeof *parts);
    ow_explain_options *options = at_the_edge(sizeof *options);
    *parts = (ow_explain_model){.size = sizeof *parts, .model = model, .backend = "ref"};
    ow_explain_options_init(options, sizeof *options);
    check(ow_schema_find_class(ow_model_schema(model), "yes", &options->target));
    check(ow_explainer_new(parts, "guided", &explainer));
    check(ow_explainer_explain(explainer, NULL, options, 1, query, NULL, &explanation));
    const ow_outcome *outcome = ow_explanation_outcome(explanation, 0);
    printf("%s from %.17g to %.17g\n", ow_outcome_kind_name(outcome->kind), query[0],
           outcome->n_answers > 0 ? outcome->answers[0]->values[0] : -1.0);
    /* DiCE's form has no times in it. */
    ow_explain_about *about = at_the_edge(sizeof *about);
    char *text = NULL;
    size_t size;
    *about = (ow_explain_about){.size = sizeof *about,
                                .explainer = explainer,
                                .form = OW_FORM_DICE};
    check(ow_explanation_json(about, explanation, query, &text, &size));
    printf("%s\n", text);
    ow_bytes_free(text);
    ow_explanation_free(explanation);
    ow_explainer_free(explainer);
}

/* Its text has the seconds that training took, and so is not printed. */
static void describe(const ow_model *model)
{
    ow_training_about *about = at_the_edge(sizeof *about);
    char *text = NULL;
    size_t size;
    *about = (ow_training_about){.size = sizeof *about, .model = model, .name = "a model"};
    check(ow_training_json(about, &text, &size));
    printf("%s\n", strstr(text, "a model") != NULL ? "described" : "without its name");
    ow_bytes_free(text);
}

/* Pooled learning of incomes, with classes in turn. */
static void learn(ow_context *ctx)
{
    static const ow_leaf leaf = {.kind = OW_LEAF_GAUSSIAN};
    ow_circuit_spec *spec = at_the_edge(sizeof *spec);
    ow_learn_options *options = at_the_edge(sizeof *options);
    ow_pooling *pooling = at_the_edge(sizeof *pooling);
    ow_circuit *circuit = NULL;
    float rows[n_rows];
    int32_t classes[n_rows];
    for (int i = 0; i < n_rows; i++) {
        rows[i] = (float)(income[i] / 30 - 1);
        classes[i] = i % 2;
    }
    ow_row_array array = {n_rows, 1, rows, classes, 0};
    const ow_row_source source = ow_row_source_of_array(&array);
    *spec = (ow_circuit_spec){.size = sizeof *spec,
                              .structure = OW_STRUCTURE_PER_CLASS,
                              .depth = 1,
                              .repetitions = 2,
                              .sums = 2,
                              .inputs = 2,
                              .n_classes = 2,
                              .n_columns = 1,
                              .leaves = &leaf,
                              .same_regions = true};
    ow_learn_options_init(options, sizeof *options);
    options->backend = "ref";
    *pooling = (ow_pooling){.size = sizeof *pooling, .towards_rows = 5, .ridge = 1};
    check(ow_circuit_new(ctx, spec, &circuit));
    check(ow_circuit_learn_pooled(circuit, options, &source, NULL, pooling));
    printf("pooled with %.17g rows\n", pooling->prior_rows);
    ow_circuit_free(circuit);
}

static void compare(const ow_model *model)
{
    static const ow_contestant methods[1] = {{.method = "two-step"}};
    ow_evaluation *evaluation = NULL;
    ow_experiment *experiment = at_the_edge(sizeof *experiment);
    size_t metric;
    ow_experiment_init(experiment, sizeof *experiment);
    experiment->model = model;
    experiment->methods = methods;
    experiment->n_methods = 1;
    experiment->queries = income;
    experiment->n_queries = 5;
    check(ow_experiment_run(experiment, NULL, &evaluation));
    check(ow_metric_find("l1", &metric));
    printf("l1 %.17g\n", ow_evaluation_figure(evaluation, 0, metric).mean);
    ow_evaluation_free(evaluation);
}

int main(void)
{
    ow_context *ctx = NULL;
    make_rows();
    check(ow_context_new(NULL, &ctx));
    read_text(ctx);
    ow_model *model = train(ctx);
    predict(model);
    explain(model);
    describe(model);
    compare(model);
    learn(ctx);
    ow_model_free(model);
    ow_context_free(ctx);
    return 0;
}
