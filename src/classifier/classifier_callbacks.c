/* SPDX-License-Identifier: MIT */
/* Somebody else's classifier.  What it gives is looked at before anybody believes it. */
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "base/error.h"
#include "base/memory/alloc.h"
#include "base/memory/sizes.h"
#include "base/options.h"
#include "classifier/classifier.h"

/* How far the probabilities of a row may sum to from 1. */
static const double most_excess = 1e-3;
/* Steps of differences, relative to max(1, |x|): what floats lose to rounding and what
 * curves lose to straightness are about the same there. */
static const float step = 1e-3f;
/* Smaller probabilities are as this one in differences, which would otherwise be those of
 * infinities. */
static const double least_log = -700.0;

typedef struct {
    ow_callbacks callbacks;
    owi_value_form form; /* n_columns is 0 where it reads soft rows */
    double *values;      /* room for rows of soft rows, grown       */
    size_t n_values;
    float *moved; /* (2 width, width): a row with each entry once lower, once higher */
    /* (2 width, classes) */
    double *moved_proba;
} callback_classifier;

/* ---- Probabilities ---- */

static ow_status check_row(const double *log_proba, size_t n_classes, size_t row)
{
    double sum = 0.0;
    for (size_t c = 0; c < n_classes; c++) {
        if (isnan(log_proba[c]))
            return owi_fail(OW_ERR_NUMERIC,
                            "the classifier gave NaN for the probability of class %zu in "
                            "row %zu",
                            c, row + 1);
        sum += exp(log_proba[c]);
    }
    if (fabs(sum - 1.0) <= most_excess) return OW_OK;
    return owi_fail(OW_ERR_NUMERIC,
                    "the classifier's probabilities of row %zu sum to %.6g, expected 1",
                    row + 1, sum);
}

/* What was answered becomes logarithms and is checked.  Sentences call row i by the number
 * of the caller's row that it was made from, first + i / each. */
static ow_status take_answer(const ow_classifier *classifier, size_t n_rows, size_t first,
                             size_t each, double *log_proba)
{
    const ow_callbacks *callbacks = &((callback_classifier *)classifier->self)->callbacks;
    const size_t C = classifier->n_classes;
    for (size_t i = 0; i < n_rows * C && callbacks->is_proba; i++) {
        const double p = log_proba[i];
        if (p < -most_excess)
            return owi_fail(OW_ERR_NUMERIC,
                            "the classifier gave %g for the probability of class %zu in "
                            "row %zu, expected 0 to 1",
                            p, i % C, first + i / C / each + 1);
        log_proba[i] = p <= 0.0 ? -INFINITY : log(p);
    }
    for (size_t i = 0; i < n_rows; i++)
        OWI_TRY(check_row(log_proba + i * C, C, first + i / each));
    return OW_OK;
}

static ow_status failed_on(size_t n_rows)
{
    return owi_fail(OW_ERR_NUMERIC, "the classifier failed on %zu rows", n_rows);
}

static ow_status ask_form(const owi_call *call, const callback_classifier *self, size_t n,
                          const double *values, double *log_proba)
{
    const owi_value_form *form = &self->form;
    void *user = self->callbacks.user;
    if (form->predict != NULL) return form->predict(call, user, n, values, log_proba);
    return form->log_proba(user, n, values, log_proba) ? OW_OK : failed_on(n);
}

static ow_status ask(const owi_call *call, ow_classifier *classifier, size_t n_rows,
                     const float *rows, size_t first, size_t each, double *log_proba)
{
    callback_classifier *self = classifier->self;
    const ow_callbacks *callbacks = &self->callbacks;
    const owi_value_form *form = &self->form;
    OWI_TRY(owi_call_tick(call));
    if (form->n_columns == 0) {
        if (!callbacks->log_proba(callbacks->user, n_rows, rows, log_proba))
            return failed_on(n_rows);
        return take_answer(classifier, n_rows, first, each, log_proba);
    }
    OWI_TRY(owi_grow(classifier->ctx, &self->values, &self->n_values,
                     n_rows * form->n_columns, sizeof *self->values));
    form->harden(form->of, n_rows, rows, self->values);
    OWI_TRY(ask_form(call, self, n_rows, self->values, log_proba));
    return take_answer(classifier, n_rows, first, each, log_proba);
}

static ow_status classify_values(const owi_call *call, ow_classifier *classifier, size_t n,
                                 const double *values, double *log_proba)
{
    const callback_classifier *self = classifier->self;
    OWI_TRY(owi_call_tick(call));
    OWI_TRY(ask_form(call, self, n, values, log_proba));
    return take_answer(classifier, n, 0, 1, log_proba);
}

static ow_status classify(const owi_call *call, ow_classifier *classifier,
                          owi_row_request asked, double *log_proba)
{
    return ask(call, classifier, asked.n_rows, asked.rows, 0, 1, log_proba);
}

/* ---- Gradients ---- */

static ow_status make_room(ow_classifier *classifier)
{
    callback_classifier *self = classifier->self;
    const size_t width = classifier->width;
    size_t n_floats;
    if (self->moved != NULL) return OW_OK;
    if (!owi_size_multiply(2 * width, width, &n_floats)) n_floats = SIZE_MAX;
    self->moved_proba =
        owi_alloc_array(classifier->ctx, 2 * width * classifier->n_classes, sizeof(double));
    if (self->moved_proba == NULL) return OW_ERR_MEMORY;
    self->moved = owi_alloc_array(classifier->ctx, n_floats, sizeof(float));
    if (self->moved != NULL) return OW_OK;
    owi_free(classifier->ctx, self->moved_proba);
    self->moved_proba = NULL;
    return OW_ERR_MEMORY;
}

/* sum_c factor[c] log P(c), where it counts. */
static double weigh(size_t C, const double *factor, const double *log_proba)
{
    double sum = 0.0;
    for (size_t c = 0; c < C; c++)
        if (factor[c] != 0.0) sum += factor[c] * fmax(log_proba[c], least_log);
    return sum;
}

/* Central differences of one row, from one call. */
static ow_status difference_row(const owi_call *call, ow_classifier *classifier,
                                const float *row, size_t number, const double *factor,
                                float *gradient)
{
    callback_classifier *self = classifier->self;
    const size_t width = classifier->width, C = classifier->n_classes;

    for (size_t k = 0; k < 2 * width; k++) {
        float *moved = self->moved + k * width;
        const float x = row[k / 2], by = step * fmaxf(1.0f, fabsf(x));
        memcpy(moved, row, width * sizeof *moved);
        moved[k / 2] = k % 2 == 0 ? x - by : x + by;
    }
    OWI_TRY(ask(call, classifier, 2 * width, self->moved, number, 2 * width,
                self->moved_proba));
    for (size_t j = 0; j < width; j++) {
        const float *low = self->moved + 2 * j * width, *high = low + width;
        const double *at_low = self->moved_proba + 2 * j * C;
        const double by = (double)high[j] - (double)low[j];
        gradient[j] =
            (float)((weigh(C, factor, at_low + C) - weigh(C, factor, at_low)) / by);
    }
    return OW_OK;
}

static ow_status difference(const owi_call *call, ow_classifier *classifier, size_t n_rows,
                            const float *rows, const double *factor, float *gradient)
{
    const size_t width = classifier->width, C = classifier->n_classes;
    OWI_TRY(make_room(classifier));
    for (size_t i = 0; i < n_rows; i++)
        OWI_TRY(difference_row(call, classifier, rows + i * width, i, factor + i * C,
                               gradient + i * width));
    return OW_OK;
}

static ow_status differentiate(const owi_call *call, ow_classifier *classifier,
                               owi_row_request asked, const double *factor,
                               double *log_proba, float *gradient)
{
    const ow_callbacks *callbacks = &((callback_classifier *)classifier->self)->callbacks;
    const size_t width = classifier->width, n_rows = asked.n_rows;
    const float *rows = asked.rows;

    if (log_proba != NULL) OWI_TRY(classify(call, classifier, asked, log_proba));
    if (callbacks->gradient == NULL)
        OWI_TRY(difference(call, classifier, n_rows, rows, factor, gradient));
    else if (!callbacks->gradient(callbacks->user, n_rows, rows, factor, gradient))
        return owi_fail(OW_ERR_NUMERIC, "the classifier's gradient failed on %zu rows",
                        n_rows);
    for (size_t i = 0; i < n_rows * width; i++) {
        if (isnan(rows[i]))
            gradient[i] = 0.0f;
        else if (!isfinite(gradient[i]))
            return owi_fail(OW_ERR_NUMERIC,
                            "the classifier's gradient in row %zu, entry %zu is %g",
                            i / width + 1, i % width, (double)gradient[i]);
    }
    return OW_OK;
}

/* ---- Making one ---- */

static void release(ow_classifier *classifier)
{
    callback_classifier *self = classifier->self;
    if (self->form.release != NULL) self->form.release(self->callbacks.user);
    owi_free(classifier->ctx, self->moved);
    owi_free(classifier->ctx, self->moved_proba);
    owi_free(classifier->ctx, self->values);
    owi_free(classifier->ctx, self);
}

static const owi_classifier_kind of_soft = {.classify = classify,
                                            .differentiate = differentiate,
                                            .release = release};
static const owi_classifier_kind of_values = {.classify = classify,
                                              .differentiate = differentiate,
                                              .release = release,
                                              .classify_values = classify_values};

/* form NULL: it reads soft rows. */
static ow_status make(ow_context *ctx, const ow_callbacks *callbacks,
                      const owi_value_form *form, ow_classifier **out)
{
    ow_classifier own = {.kind = form != NULL ? &of_values : &of_soft,
                         .ctx = ctx,
                         .n_classes = callbacks->n_classes,
                         .width = callbacks->width};
    callback_classifier *self = own.self = owi_alloc_zeroed(ctx, sizeof *self);
    if (self == NULL) {
        if (form != NULL && form->release != NULL) form->release(callbacks->user);
        return OW_ERR_MEMORY;
    }
    self->callbacks = *callbacks;
    if (form != NULL) self->form = *form;
    return owi_classifier_new(&own, out);
}

ow_status owi_classifier_from_values(ow_context *ctx, const ow_callbacks *callbacks,
                                     const owi_value_form *form, ow_classifier **out)
{
    return make(ctx, callbacks, form, out);
}

ow_status ow_classifier_from_callbacks(ow_context *ctx, const ow_callbacks *callbacks,
                                       ow_classifier **out)
{
    OWI_REQUIRE(ctx != NULL && callbacks != NULL && out != NULL);
    *out = NULL;
    ow_callbacks taken = {.size = sizeof(ow_callbacks)};
    OWI_TRY(OWI_OPTIONS_TAKE(ow_callbacks, callbacks, &taken));
    OWI_REQUIRE(taken.log_proba != NULL);
    OWI_REQUIRE(taken.n_classes > 0 && taken.width > 0);
    return make(ctx, &taken, NULL, out);
}

void *owi_classifier_user_of(const ow_classifier *classifier, owi_values_fn predict)
{
    const callback_classifier *self = classifier->self;
    if (classifier->kind != &of_values || self->form.predict != predict) return NULL;
    return self->callbacks.user;
}
