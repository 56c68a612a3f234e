/* SPDX-License-Identifier: MIT */
/* Who decides for a model, and how well. */
#include "base/error.h"
#include "base/memory/alloc.h"
#include "base/options.h"
#include "classifier/classifier_mlp.h"
#include "model/cutoffs.h"
#include "model/model_private.h"
#include "model/train/soft_source.h"

/* ---- Who reads values ---- */

static void harden(const void *of, size_t n_rows, const float *soft, double *values)
{
    ow_model_harden(of, n_rows, soft, values);
}

ow_status owi_model_classifier_of(const ow_model *model, const owi_value_form *form,
                                  void *user, bool is_proba, ow_classifier **out)
{
    const ow_callbacks shape = {.size = sizeof(ow_callbacks),
                                .user = user,
                                .n_classes = ow_schema_n_classes(model->schema),
                                .width = ow_model_soft_width(model),
                                .is_proba = is_proba};
    owi_value_form own = *form;
    own.n_columns = model->plan.n_columns;
    own.harden = harden;
    own.of = model;
    return owi_classifier_from_values(model->ctx, &shape, &own, out);
}

static void release_trees(void *user)
{
    owi_matched_trees_free(user);
}

/* Takes matched over, also when it fails. */
static ow_status from_matched(const ow_model *model, owi_matched matched,
                              ow_classifier **out)
{
    const owi_value_form form = {.predict = matched.predict, .release = matched.release};
    return owi_model_classifier_of(model, &form, matched.user, true, out);
}

ow_status ow_model_classifier_from_trees(const ow_model *model, const ow_trees *trees,
                                         const ow_trees_match *match, ow_classifier **out)
{
    OWI_REQUIRE(model != NULL && trees != NULL && out != NULL);
    *out = NULL;
    ow_trees_match taken = {.size = sizeof(ow_trees_match)};
    if (match != NULL) OWI_TRY(OWI_OPTIONS_TAKE(ow_trees_match, match, &taken));
    owi_matched_trees *matched = NULL;
    OWI_TRY(
        owi_matched_trees_new(model->ctx, model->schema, trees, &taken, NULL, &matched));
    return from_matched(model,
                        (owi_matched){owi_matched_trees_predict, release_trees, matched},
                        out);
}

ow_status ow_model_classifier_new(const ow_model *model, const char *backend,
                                  ow_classifier **out)
{
    OWI_REQUIRE(model != NULL && out != NULL);
    *out = NULL;
    if (model->foreign != NULL) {
        owi_matched matched;
        OWI_TRY(owi_foreign_match(model->foreign, model->schema, &matched));
        return from_matched(model, matched, out);
    }
    return model->network != NULL
               ? owi_classifier_from_mlp(model->network, backend, out)
               : ow_classifier_from_circuit(model->circuit, backend, out);
}

ow_status ow_model_run_foreign(ow_model *model, const ow_foreign_run *run)
{
    OWI_REQUIRE(model != NULL && run != NULL);
    ow_foreign_run taken = {.size = sizeof(ow_foreign_run)};
    OWI_TRY(OWI_OPTIONS_TAKE(ow_foreign_run, run, &taken));
    return model->foreign != NULL ? owi_foreign_run(model->foreign, &taken) : OW_OK;
}

ow_status ow_model_classifier_from_values(const ow_model *model,
                                          const ow_value_callbacks *callbacks,
                                          ow_classifier **out)
{
    OWI_REQUIRE(model != NULL && callbacks != NULL && out != NULL);
    *out = NULL;
    ow_value_callbacks taken = {.size = sizeof(ow_value_callbacks)};
    OWI_TRY(OWI_OPTIONS_TAKE(ow_value_callbacks, callbacks, &taken));
    OWI_REQUIRE(taken.log_proba != NULL);
    const owi_value_form form = {.log_proba = taken.log_proba};
    return owi_model_classifier_of(model, &form, taken.user, taken.is_proba, out);
}

ow_status owi_model_classify(const owi_call *call, const ow_model *model,
                             ow_classifier *classifier, size_t n, const double *values,
                             float *soft, double *log_proba)
{
    if (owi_classifier_reads_values(classifier))
        return owi_classify_values(call, classifier, n, values, log_proba);
    ow_model_soften(model, n, values, soft);
    return owi_classify(call, classifier, n, soft, log_proba);
}

/* ---- How well ---- */

enum { block_rows = 512 };

typedef struct {
    const owi_call *call;
    const ow_model *model;
    ow_classifier *classifier;
    size_t n_rows, n_right;
    double loss;
    owi_tally *tally; /* may be NULL */
} counting;

static ow_status count_row(counting *counts, const double *log_proba, size_t y)
{
    counts->n_rows++;
    counts->n_right += (size_t)owi_model_decide(counts->model, log_proba, -1) == y;
    counts->loss -= log_proba[y];
    return counts->tally != NULL ? owi_tally_add(counts->tally, log_proba, y) : OW_OK;
}

static ow_status count_rows(counting *counts, const ow_row_source *source, float *rows,
                            double *log_proba, size_t C)
{
    int32_t classes[block_rows];
    OWI_TRY(source->rewind(source->user));
    for (;;) {
        size_t n;
        OWI_TRY(source->next(source->user, block_rows, rows, classes, &n));
        if (n == 0) return OW_OK;
        OWI_TRY(owi_classify(counts->call, counts->classifier, n, rows, log_proba));
        for (size_t i = 0; i < n; i++)
            OWI_TRY(count_row(counts, log_proba + i * C, (size_t)classes[i]));
    }
}

ow_status owi_model_score_decisions(const owi_call *call, const ow_model *model,
                                    const ow_row_source *source, const char *backend,
                                    ow_score *score, owi_tally *tally)
{
    ow_context *ctx = model->ctx;
    const size_t C = ow_schema_n_classes(model->schema);
    owi_soft_source soft;
    counting counts = {.call = call, .model = model, .tally = tally};
    float *rows =
        owi_alloc_array(ctx, block_rows * ow_model_soft_width(model), sizeof *rows);
    double *log_proba = owi_alloc_array(ctx, block_rows * C, sizeof *log_proba);
    ow_status status = owi_soft_source_init(&soft, call, source, model->circuit);
    if (rows == NULL || log_proba == NULL) status = OW_ERR_MEMORY;
    if (status == OW_OK)
        status = ow_model_classifier_new(model, backend, &counts.classifier);
    if (status == OW_OK) {
        const ow_row_source from = owi_soft_source_of(&soft);
        status = count_rows(&counts, &from, rows, log_proba, C);
    }
    if (status == OW_OK && counts.n_rows > 0) {
        score->log_loss = counts.loss / (double)counts.n_rows;
        score->accuracy = (double)counts.n_right / (double)counts.n_rows;
    }
    ow_classifier_free(counts.classifier);
    owi_soft_source_clear(&soft);
    owi_free(ctx, log_proba);
    owi_free(ctx, rows);
    return status;
}
