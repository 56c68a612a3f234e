/* SPDX-License-Identifier: MIT */
#include "model/file/training_text.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/text/json_read.h"
#include "base/text/json_write.h"
#include "model/train/train_options.h"

/* ---- Writing ---- */

static void write_score(owi_json *json, const char *key, const ow_score *score)
{
    owi_json_key(json, key);
    if (score->n_rows == 0) {
        owi_json_null(json);
        return;
    }
    owi_json_open_object(json, true);
    owi_json_key(json, "rows");
    owi_json_integer(json, (int64_t)score->n_rows);
    owi_json_key(json, "accuracy");
    owi_json_number(json, score->accuracy);
    owi_json_key(json, "log_loss");
    owi_json_number(json, score->log_loss);
    owi_json_key(json, "log_density");
    owi_json_number(json, score->log_density);
    owi_json_key(json, "log_density_class");
    owi_json_number(json, score->log_density_class);
    owi_json_close_object(json);
}

static void write_quality(owi_json *json, const ow_quality *quality)
{
    owi_json_key(json, "unseen");
    if (quality->n_rows == 0) {
        owi_json_null(json);
        return;
    }
    owi_json_open_object(json, true);
    owi_json_key(json, "rows");
    owi_json_integer(json, (int64_t)quality->n_rows);
    owi_json_key(json, "folds");
    owi_json_integer(json, (int64_t)quality->n_folds);
    owi_json_key(json, "log_loss");
    owi_json_number(json, quality->log_loss);
    owi_json_key(json, "auc");
    owi_json_number(json, quality->auc);
    owi_json_close_object(json);
}

/* A bin is [rows, rows that are called right, mean probability of the class called]. */
static void write_calibration(owi_json *json, const ow_train_report *report)
{
    owi_json_key(json, "calibration");
    if (report->unseen->n_rows == 0) {
        owi_json_null(json);
        return;
    }
    owi_json_open_array(json, true);
    for (size_t b = 0; b < OW_CALIBRATION_BINS; b++) {
        owi_json_open_array(json, true);
        owi_json_integer(json, (int64_t)report->calibration[b].n_rows);
        owi_json_integer(json, (int64_t)report->calibration[b].n_right);
        owi_json_number(json, report->calibration[b].probability);
        owi_json_close_array(json);
    }
    owi_json_close_array(json);
}

static void write_settings(owi_json *json, const owi_train_rules *rules,
                           double towards_rows)
{
    const ow_learn_options *learn = &rules->learn;
    const struct {
        const char *key;
        double value; /* NaN: null */
    } settings[] = {
        {"passes", (double)learn->passes},
        {"batch", (double)learn->batch},
        {"prior_rows", learn->prior_rows},
        {"pseudo_count", learn->pseudo_count},
        {"least_variance", learn->least_variance},
        {"towards_rows", rules->pooled ? towards_rows : NAN},
        {"tilt_ridge", rules->ridge > 0.0 ? rules->ridge : NAN},
        {"discriminative",
         rules->tune.passes > 0 ? rules->tune.discriminative : learn->discriminative},
    };
    owi_json_key(json, "learner");
    owi_json_text(json, owi_learner_name(learn->learner));
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++) {
        owi_json_key(json, settings[i].key);
        owi_json_number(json, settings[i].value);
    }
    owi_json_key(json, "class_prior");
    owi_json_text(json, owi_prior_name(rules->empirical_prior));
}

ow_status owi_training_text_write(ow_model *model, const owi_train_rules *rules,
                                  uint64_t seed, bool interrupted)
{
    char seed_text[24]; /* text, because readers of JSON round large numbers */
    owi_json json;

    snprintf(seed_text, sizeof seed_text, "%" PRIu64, seed);
    owi_json_begin(&json, model->ctx);
    owi_json_open_object(&json, false);
    write_settings(&json, rules, model->report.towards_rows);
    owi_json_key(&json, "seed");
    owi_json_text(&json, seed_text);
    owi_json_key(&json, "interrupted");
    owi_json_bool(&json, interrupted);
    write_score(&json, "train", &model->report.train);
    write_score(&json, "test", &model->report.test);
    if (model->network != NULL || model->foreign != NULL)
        write_score(&json, "circuit_test", &model->report.circuit_test);
    write_quality(&json, &model->quality);
    if (model->report.agreement >= 0.0) {
        owi_json_key(&json, "agreement");
        owi_json_number(&json, model->report.agreement);
    }
    write_calibration(&json, &model->report);
    owi_json_close_object(&json);
    return owi_json_end(&json, &model->training, NULL);
}

/* ---- Reading ---- */

/* JSON has no infinity: null stands for it and leaves *number as it was. */
static ow_status read_figure(const owi_json_fields *fields, const char *name,
                             double *number)
{
    if (json_is_null(json_object_get(fields->object, name))) return OW_OK;
    return owi_json_read_number(fields, name, number);
}

static ow_status read_score(const owi_json_fields *text, const char *key, ow_score *score)
{
    owi_json_fields fields = {.file = text->file,
                              .object = json_object_get(text->object, key)};
    snprintf(fields.where, sizeof fields.where, "%s, ", key);
    if (fields.object == NULL || json_is_null(fields.object)) return OW_OK;
    if (!json_is_object(fields.object))
        return owi_json_unexpected(text, key, "an object", fields.object);
    *score = (ow_score){.log_density = -INFINITY,
                        .log_density_class = -INFINITY,
                        .log_loss = INFINITY};
    OWI_TRY(owi_json_read_count(&fields, "rows", SIZE_MAX, &score->n_rows));
    OWI_TRY(read_figure(&fields, "accuracy", &score->accuracy));
    OWI_TRY(read_figure(&fields, "log_loss", &score->log_loss));
    OWI_TRY(read_figure(&fields, "log_density", &score->log_density));
    return read_figure(&fields, "log_density_class", &score->log_density_class);
}

/* Rows, accuracy and majority follow from the confusion table, which was read before.
 * Files before 0.3 have the rows held out only, and no AUC. */
static ow_status read_quality(const owi_json_fields *text, const ow_score *test,
                              ow_quality *quality)
{
    owi_json_fields fields = {.file = text->file,
                              .where = "unseen, ",
                              .object = json_object_get(text->object, "unseen")};
    *quality = (ow_quality){.majority_class = OW_NO_CLASS, .auc = NAN};
    if (fields.object == NULL) quality->log_loss = test->log_loss;
    if (fields.object == NULL || json_is_null(fields.object)) return OW_OK;
    if (!json_is_object(fields.object))
        return owi_json_unexpected(text, "unseen", "an object", fields.object);
    quality->log_loss = INFINITY;
    OWI_TRY(owi_json_read_count(&fields, "folds", 1000, &quality->n_folds));
    OWI_TRY(read_figure(&fields, "log_loss", &quality->log_loss));
    OWI_TRY(read_figure(&fields, "auc", &quality->auc));
    if (quality->auc < 0.0 || quality->auc > 1.0)
        return owi_json_unexpected(&fields, "auc", "a number between 0 and 1",
                                   json_object_get(fields.object, "auc"));
    return OW_OK;
}

/* Files before 0.2 have none. */
static ow_status read_calibration(const owi_json_fields *fields, ow_calibration_bin *bins)
{
    static const char what[] =
        "10 bins [rows, rows called right, probability between 0 and 1]";
    const json_t *list = json_object_get(fields->object, "calibration");
    if (list == NULL || json_is_null(list)) return OW_OK;
    if (json_array_size(list) != OW_CALIBRATION_BINS)
        return owi_json_unexpected(fields, "calibration", what, list);
    for (size_t b = 0; b < OW_CALIBRATION_BINS; b++) {
        const json_t *bin = json_array_get(list, b);
        size_t n, right;
        if (json_array_size(bin) != 3)
            return owi_json_unexpected(fields, "calibration", what, bin);
        OWI_TRY(owi_json_item_count(fields, "calibration", SIZE_MAX, json_array_get(bin, 0),
                                    &n));
        OWI_TRY(
            owi_json_item_count(fields, "calibration", n, json_array_get(bin, 1), &right));
        const double probability = json_number_value(json_array_get(bin, 2));
        if (!(probability >= 0.0 && probability <= 1.0 + 1e-9))
            return owi_json_unexpected(fields, "calibration", what, bin);
        bins[b] = (ow_calibration_bin){n, right, probability};
    }
    return OW_OK;
}

ow_status owi_training_text_read(ow_model *model, const char *where)
{
    json_t *object = NULL;
    OWI_TRY(owi_json_parse(model->training, strlen(model->training), where, &object));
    const owi_json_fields fields = {.file = where, .object = object};
    ow_train_report *report = &model->report;
    ow_status status = OW_OK;
    if (!json_is_object(object))
        status = owi_fail(OW_ERR_FORMAT, "%s: expected an object", where);
    if (status == OW_OK)
        status = read_figure(&fields, "towards_rows", &report->towards_rows);
    if (status == OW_OK) status = read_score(&fields, "train", &report->train);
    if (status == OW_OK) status = read_score(&fields, "test", &report->test);
    report->circuit_test = report->test;
    if (status == OW_OK && (model->network != NULL || model->foreign != NULL))
        status = read_score(&fields, "circuit_test", &report->circuit_test);
    if (status == OW_OK) status = read_quality(&fields, &report->test, &model->quality);
    if (status == OW_OK) status = read_figure(&fields, "agreement", &report->agreement);
    if (status == OW_OK) status = read_calibration(&fields, report->calibration);
    if (status == OW_OK)
        owi_quality_from_confusion(&model->quality, ow_schema_n_classes(model->schema),
                                   model->confusion);
    json_decref(object);
    return status;
}
