/* SPDX-License-Identifier: MIT */
/* From the rows of a reader to a model. */
#include <math.h>
#include <string.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/memory/alloc.h"
#include "base/options.h"
#include "base/text/quote.h"
#include "base/threads/team.h"
#include "circuit/learn/learn.h"
#include "circuit/rows/fold_source.h"
#include "data/rows/reader.h"
#include "data/schema/schema_copy.h"
#include "data/schema/schema_private.h"
#include "model/cutoffs.h"
#include "model/file/training_text.h"
#include "model/foreign/foreign_scores.h"
#include "model/sheets/find_sheets.h"
#include "model/train/choose_structure.h"
#include "model/train/replicas.h"
#include "model/train/soft_source.h"
#include "model/train/train_circuit.h"
#include "model/train/train_options.h"
#include "model/train/training.h"
#include "model/train/unseen_densities.h"
#include "network/mlp_train.h"

/* Training rows up to this size stay in memory, encoded: tables with a million rows, images
 * by the ten thousand. */
static const size_t most_kept_bytes = (size_t)128 << 20;
/* And so many bytes before they are encoded, packed (value_store.h). */
static const size_t most_stored_bytes = (size_t)32 << 20;
/* Longer files are divided row by row (training_rows.h). */
enum { most_rows_by_class = 1 << 20 };

/* ---- Rows ---- */

/* Every class has training rows; notes which have few. */
static ow_status count_classes(owi_training *t)
{
    const ow_schema *schema = t->model->schema;
    const size_t C = ow_schema_n_classes(schema);
    if (C < 2)
        return owi_fail(OW_ERR_SCHEMA,
                        "training needs at least two classes, the schema has %zu", C);
    char quoted[owi_quote_size];
    t->rare = owi_alloc_array(t->ctx, C, sizeof *t->rare);
    if (t->rare == NULL) return OW_ERR_MEMORY;
    if (C > owi_rare_rows && 2 * C > t->rows.n_train + t->rows.n_test)
        return owi_fail(
            OW_ERR_SCHEMA,
            "%s: the label %s has %zu values in %zu rows; a label names a few "
            "classes: make some of it, such as above and below a limit, or take "
            "another column",
            owi_reader_name(t->reader),
            owi_quote_text(ow_schema_label(schema) != NULL ? ow_schema_label(schema)
                                                           : "given",
                           quoted),
            C, t->rows.n_train + t->rows.n_test);
    for (size_t c = 0; c < C; c++) {
        t->rare[c] = t->rows.class_rows[c] < owi_rare_rows;
        if (t->rows.class_rows[c] == 0)
            return owi_fail(OW_ERR_SCHEMA, "%s: class %s has no training rows",
                            owi_reader_name(t->reader),
                            owi_quote_text(ow_schema_class_name(schema, c), quoted));
    }
    return OW_OK;
}

/* A table with leaves as people's tables want them: see owi_train_rules_for. */
static bool is_peoples_table(const owi_training *t)
{
    return t->options->leaves == OW_LEAVES_AUTO &&
           ow_schema_layout(t->model->schema).kind == OW_LAYOUT_TABLE;
}

/* Divides the rows, looks at the training ones and chooses leaves. */
static ow_status prepare_rows(owi_training *t, ow_reader *reader)
{
    const ow_train_options *options = t->options;
    ow_model *model = t->model;
    owi_row_sample sample;

    const owi_division division = {.is_test = options->is_test,
                                   .n_is_test = options->n_is_test,
                                   .share = options->test_share,
                                   .most_by_class = most_rows_by_class,
                                   .most_stored = most_stored_bytes};
    owi_labeller labeller = {0};
    if (t->labels.user != NULL)
        labeller = (owi_labeller){t->labels.predict, t->labels.user, model};
    OWI_TRY(owi_training_rows_init(&t->rows, t->call, reader, model->schema, division,
                                   labeller));
    OWI_TRY(owi_team_compare(t->call, "other rows", owi_training_rows_sum(&t->rows)));
    OWI_TRY(count_classes(t));
    /* Classes that the model decided have not been counted before. */
    for (size_t c = 0; t->labels.user != NULL && c < ow_schema_n_classes(model->schema);
         c++)
        model->schema->class_counts[c] = t->rows.class_rows[c] + t->rows.class_tests[c];
    OWI_TRY(owi_training_rows_sample(&t->rows, &sample));
    ow_status status = owi_plan_choose(&model->plan, t->call, model->schema,
                                       options->leaves, options->variance <= 0.0, &sample);
    if (status == OW_OK)
        status = owi_model_set_columns(model, t->call, is_peoples_table(t), &sample);
    if (status == OW_OK && model->foreign != NULL)
        status = owi_foreign_see_rows(t->call, model->foreign, model->schema, sample.n_rows,
                                      sample.values);
    if (status == OW_OK && is_peoples_table(t))
        status = owi_find_sheets(t->call, &model->plan, &sample, &t->sheets);
    owi_free(t->ctx, sample.values);
    if (status == OW_OK)
        status = owi_training_rows_encode(&t->rows, &model->plan, most_kept_bytes);
    t->train_view = (owi_rows_view){.rows = &t->rows};
    t->test_view = (owi_rows_view){.rows = &t->rows, .test = true};
    t->train = owi_training_rows_source(&t->train_view);
    t->test = owi_training_rows_source(&t->test_view);
    return status;
}

/* The model of another package that decides; where the schema has no label, it decides the
 * classes of the rows, too. */
static ow_status begin_model(owi_training *t, const ow_schema *schema)
{
    const ow_foreign *given = t->options->foreign;
    ow_schema *copy = NULL;
    owi_foreign *foreign = NULL;
    ow_foreign taken = {.size = sizeof(ow_foreign)};
    if (given != NULL) OWI_TRY(OWI_OPTIONS_TAKE(ow_foreign, given, &taken));
    OWI_TRY(owi_schema_copy(t->ctx, schema, &copy));
    ow_status status = OW_OK;
    if (given != NULL) status = owi_foreign_load(t->call, &taken, &foreign);
    const bool unlabelled = ow_schema_label(copy) == NULL;
    if (status == OW_OK && foreign != NULL && foreign->limit.is_used && !unlabelled)
        status = owi_fail(OW_ERR_ARGUMENT,
                          "with a limit (--target) the classes are the model's decisions: "
                          "leave out the label \"%s\" (--drop instead of --label)",
                          ow_schema_label(copy));
    if (status == OW_OK && foreign != NULL && unlabelled)
        status = owi_foreign_set_label(foreign, &copy);
    if (status == OW_OK)
        status = owi_model_new(copy, t->ctx, &t->model);
    else
        ow_schema_free(copy);
    if (status != OW_OK) {
        owi_foreign_free(foreign);
        return status;
    }
    t->model->foreign = foreign;
    OWI_TRY(owi_model_set_cutoffs(t->model, t->options->n_cutoffs, t->options->cutoffs));
    if (foreign == NULL) return OW_OK;
    /* What does not match is told before anything is read. */
    OWI_TRY(owi_foreign_match(foreign, t->model->schema, &t->labels));
    if (unlabelled) return OW_OK;
    owi_matched_clear(&t->labels);
    return OW_OK;
}

ow_status owi_training_begin(owi_training *t, const owi_call *call, ow_reader *reader,
                             const ow_schema *schema, const ow_train_options *options)
{
    *t = (owi_training){
        .call = call, .ctx = call->ctx, .reader = reader, .options = options};
    owi_reader_set_call(reader, call);
    OWI_TRY(begin_model(t, schema));
    return prepare_rows(t, reader);
}

static ow_status end(owi_training *t, const ow_schema *schema)
{
    owi_reader_set_call(t->reader, NULL);
    if (t->rows.ctx != NULL) owi_training_rows_clear(&t->rows);
    owi_free(t->ctx, t->rare);
    owi_sheet_list_clear(&t->sheets);
    owi_tally_clear(&t->tally);
    owi_matched_clear(&t->labels);
    /* The reader was bound to the model's schema; it must not outlive the model that
     * way. */
    const ow_status status = ow_reader_bind(t->reader, schema, false);
    ow_model_free(t->model);
    return status;
}

/* ---- Learning ---- */

ow_status owi_training_set_prior(const owi_training *t, ow_circuit *circuit)
{
    const size_t C = ow_schema_n_classes(t->model->schema);
    double *prior = owi_alloc_array(t->ctx, C, sizeof *prior);
    if (prior == NULL) return OW_ERR_MEMORY;
    for (size_t c = 0; c < C; c++)
        prior[c] = (double)t->rows.class_rows[c] / (double)t->rows.n_train;
    const ow_status status = ow_circuit_set_prior(circuit, prior);
    owi_free(t->ctx, prior);
    return status;
}

owi_fold owi_training_held_out(const owi_training *t, const owi_call *call,
                               const owi_train_rules *rules, const ow_row_source *source)
{
    return (owi_fold){.from = source,
                      .n_columns = t->model->plan.width,
                      .seed = call->seed ^ 0x7e57,
                      .rare = t->rare,
                      .high = rules->held_out};
}

ow_status owi_training_learn(owi_training *t, const owi_call *call,
                             const owi_train_rules *rules, const ow_row_source *source,
                             ow_circuit *circuit, ow_pooling *pooling)
{
    enum { em_share = 4, tune_share = 1 }; /* of the time, roughly */
    owi_fold held_out = owi_training_held_out(t, call, rules, source);
    owi_fold learned = held_out;
    learned.others = true;
    const ow_row_source rows = owi_fold_source(&learned);
    const ow_row_source validation = owi_fold_source(&held_out);
    const bool validated = rules->held_out > 0.0, tuned = rules->tune.passes > 0;
    const uint64_t total = tuned ? em_share + tune_share : em_share;
    const owi_call first = owi_call_part(call, 0, em_share, total);
    const owi_call second = owi_call_part(call, em_share, tune_share, total);

    if (rules->empirical_prior) OWI_TRY(owi_training_set_prior(t, circuit));
    if (rules->pooled) {
        OWI_TRY(owi_circuit_learn_pooled(&first, circuit, &rules->learn, &rows, pooling));
    } else {
        OWI_TRY(owi_circuit_start(&first, circuit, &rows));
        OWI_TRY(owi_circuit_learn(&first, circuit, &rules->learn, &rows,
                                  validated ? &validation : NULL, NULL));
    }
    if (!tuned) return OW_OK;
    return owi_circuit_learn(&second, circuit, &rules->tune, &rows, &validation, NULL);
}

/* Where learning is cancelled before this, the model has no network, and its circuit
 * decides. */
static ow_status learn_network(owi_training *t)
{
    static const ow_sizes usual = {2, {64, 64}};
    const ow_train_options *options = t->options;
    const ow_sizes *hidden = options->hidden.n > 0 ? &options->hidden : &usual;
    ow_model *model = t->model;
    owi_mlp_options how = owi_mlp_defaults();
    owi_mlp_spec spec;
    owi_soft_source soft;

    OWI_REQUIRE(owi_mlp_spec_fill(&spec, OWI_MLP_CLASSES, ow_model_soft_width(model),
                                  hidden->n, hidden->size,
                                  ow_schema_n_classes(model->schema)));
    how.backend = options->backend;
    how.seed = t->call->seed;
    how.rare = t->rare;
    how.one_kind = ow_schema_layout(model->schema).kind != OW_LAYOUT_TABLE;
    how.decay = 1.0; /* less learns tables by heart (bench/README.md) */
    OWI_TRY(owi_soft_source_init(&soft, t->call, &t->train, model->circuit));
    const ow_row_source source = owi_soft_source_of(&soft);
    const ow_status status =
        owi_mlp_train(t->call, &spec, &how, &source, &model->network, NULL);
    owi_soft_source_clear(&soft);
    return status;
}

/* ---- What came of it ---- */

/* Densities are the circuit's; decisions those of the deciding classifier, a foreign
 * model's on at most `most` rows of each kind. */
static ow_status measure(owi_training *t, const owi_call *call, const ow_row_source *train,
                         const ow_row_source *test, size_t most)
{
    ow_evaluator *evaluator = NULL;
    ow_model *model = t->model;
    const size_t C = ow_schema_n_classes(model->schema);
    ow_train_report *report = &model->report;
    const char *backend = t->options->backend;
    owi_tally_clear(&t->tally);
    owi_tally_begin(&t->tally, t->ctx, C, call->seed, model->confusion,
                    report->calibration);
    t->tally.model = model;
    OWI_TRY(ow_evaluator_new(model->circuit, backend, &evaluator));
    ow_status status = owi_circuit_score(call, evaluator, train, &report->train);
    if (status == OW_OK && (model->network != NULL || model->cutoffs != NULL))
        status =
            owi_model_score_decisions(call, model, train, backend, &report->train, NULL);
    if (status == OW_OK && t->rows.n_test > 0) {
        status = owi_circuit_score(call, evaluator, test, &report->circuit_test);
        report->test = report->circuit_test;
        if (status == OW_OK && model->foreign == NULL)
            status = owi_model_score_decisions(call, model, test, backend, &report->test,
                                               &t->tally);
    }
    if (status == OW_OK && model->foreign != NULL)
        status = owi_foreign_measure(t, call, most);
    ow_evaluator_free(evaluator);
    return status;
}

/* Measures what was learned and notes what explaining needs to know of the rows. */
static ow_status describe(owi_training *t, const owi_call *call,
                          const owi_train_rules *rules, const ow_pooling *pooling)
{
    size_t n_folds = 0;
    OWI_TRY(measure(t, call, &t->train, &t->test, SIZE_MAX));
    enum { crossing_share = 1, replicas_share = 1 }; /* of the time, roughly */
    const uint64_t total = crossing_share + replicas_share;
    const owi_call first = owi_call_part(call, 0, crossing_share, total);
    const owi_call second = owi_call_part(call, crossing_share, replicas_share, total);
    if (rules->pooled) {
        OWI_TRY(owi_model_set_unseen(t, &first, rules, pooling, &n_folds));
        OWI_TRY(owi_model_set_replicas(t, &second, rules, pooling));
    } else {
        OWI_TRY(owi_model_set_classes(call, t->model, &t->train, SIZE_MAX,
                                      t->options->backend));
    }
    OWI_TRY(owi_tally_finish(&t->tally, call, &t->model->quality));
    t->model->quality.n_folds = n_folds;
    return OW_OK;
}

/* Stopped: a model is whole all the same.  That takes a few milliseconds, in which it is
 * measured on some of the rows, and cannot be stopped again. */
static ow_status describe_stopped(owi_training *t)
{
    enum { some_rows = 512, some_samples = 125 };
    owi_call unheard;
    owi_head train = {.from = &t->train, .most = some_rows};
    owi_head test = {.from = &t->test, .most = some_rows};
    const ow_row_source train_rows = owi_head_source(&train);
    const ow_row_source test_rows = owi_head_source(&test);
    owi_call_begin_unheard(&unheard, t->call);
    owi_training_rows_set_call(&t->rows, &unheard);
    ow_status status = measure(t, &unheard, &train_rows, &test_rows, some_rows);
    if (status == OW_OK)
        status = owi_model_set_classes(&unheard, t->model, &train_rows, some_samples,
                                       t->options->backend);
    if (status == OW_OK) status = owi_tally_finish(&t->tally, &unheard, &t->model->quality);
    owi_training_rows_set_call(&t->rows, t->call);
    return status;
}

/* The circuit that the rules make, learned. */
static ow_status learn_by(owi_training *t, const owi_call *call,
                          const owi_train_rules *rules, ow_pooling *pooling)
{
    OWI_TRY(owi_training_circuit_new(t, t->call, rules, &t->train, &t->model->circuit));
    OWI_TRY(owi_training_learn(t, call, rules, &t->train, t->model->circuit, pooling));
    return t->options->decider == OW_DECIDES_MLP ? learn_network(t) : OW_OK;
}

/* Learns, measures and describes.  Cancelled: the model is whole all the same. */
static ow_status run(owi_training *t)
{
    enum { choosing_share = 3, learning_share = 8, describing_share = 2 }; /* of the time */
    ow_train_options options = *t->options;
    const uint64_t before = options.regions == OW_REGIONS_AUTO ? choosing_share : 0;
    const uint64_t total = before + learning_share + describing_share;
    const owi_call choosing = owi_call_part(t->call, 0, before, total);
    ow_pooling pooling = {.towards_rows = options.towards_rows,
                          .untilted = options.discriminative == 0.0};
    ow_status learned = owi_training_choose_structure(t, &choosing, &options, &pooling);
    owi_train_rules rules =
        owi_train_rules_for(&options, t->model->schema, t->rows.n_train, t->call->seed);
    pooling.prior_rows = rules.learn.prior_rows;
    pooling.pooled_passes = rules.pooled_passes;
    const owi_call first =
        owi_call_part(t->call, before, rules.pooled ? learning_share : total - before,
                      total);
    const owi_call second =
        owi_call_part(t->call, before + learning_share, describing_share, total);
    if (learned == OW_OK) learned = learn_by(t, &first, &rules, &pooling);
    if (learned != OW_OK && learned != OW_ERR_CANCELLED) return learned;
    if (t->model->circuit == NULL || !t->model->circuit->is_started)
        return learned; /* nothing is learned yet */
    /* The others of a team do not know that this one was stopped. */
    if (t->call->team != NULL) OWI_TRY(learned);
    if (t->options->decider == OW_DECIDES_MLP && t->model->network == NULL)
        owi_log(t->ctx, OW_LOG_WARN,
                "stopped before the network was learned: the circuit decides");
    if (rules.pooled) t->model->report.towards_rows = pooling.towards_rows;
    rules.learn.prior_rows = pooling.prior_rows;
    rules.ridge = pooling.ridge;

    ow_status status = OW_OK;
    if (learned == OW_OK) learned = describe(t, &second, &rules, &pooling);
    if (t->call->team != NULL) OWI_TRY(learned);
    if (learned == OW_ERR_CANCELLED)
        status = describe_stopped(t);
    else
        status = learned;
    if (status == OW_OK)
        status = owi_training_text_write(t->model, &rules, t->call->seed, learned != OW_OK);
    return status == OW_OK ? learned : status;
}

ow_status owi_training_run(owi_training *t, ow_model **out)
{
    const double began = owi_clock_seconds();
    const ow_status status = run(t);
    const bool whole =
        status == OW_OK || (status == OW_ERR_CANCELLED && t->model->training != NULL);
    if (!whole) return status;
    *out = t->model;
    t->model = NULL;
    (*out)->report.seconds = owi_clock_seconds() - began;
    owi_training_rows_size(&t->rows, &(*out)->report.stored_in_memory,
                           &(*out)->report.stored_in_files);
    return status;
}

ow_status owi_training_conclude(owi_training *t, const ow_schema *schema, ow_status status,
                                ow_model **out)
{
    const ow_status ended = end(t, schema);
    if (status == OW_OK) status = ended;
    if (status == OW_OK || status == OW_ERR_CANCELLED || out == NULL) return status;
    ow_model_free(*out);
    *out = NULL;
    return status;
}

ow_status ow_model_train(ow_reader *reader, const ow_schema *schema,
                         const ow_train_options *options, const ow_call *call,
                         ow_model **out)
{
    ow_train_options own;
    OWI_REQUIRE(reader != NULL && schema != NULL && out != NULL);
    *out = NULL;
    OWI_TRY(owi_train_take(options, &own));
    owi_call running;
    owi_training t;
    OWI_TRY(owi_call_begin(&running, owi_reader_context(reader), call));
    OWI_TRY(owi_call_join(&running, own.team));
    ow_status status = owi_training_begin(&t, &running, reader, schema, &own);
    if (status == OW_OK) status = owi_training_run(&t, out);
    return owi_training_conclude(&t, schema, status, out);
}
