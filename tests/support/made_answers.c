/* SPDX-License-Identifier: MIT */
#include "support/made_answers.h"
#include "support/test_call.h"

static char *make_csv(void)
{
    static char text[2048];
    static const char *const colours[] = {"blue", "green", "red"};
    size_t length = (size_t)snprintf(text, sizeof text, "x,y,colour,school,years,answer\n");
    for (int row = 0; row < 48; row++) { /* enough for a link to be no chance */
        const int i = row % 24;
        const bool high = i % 4 == 1;
        length +=
            (size_t)snprintf(text + length, sizeof text - length, "%d,%d,%s,%s,%d,%s\n",
                             i % 12, i / 2, colours[i % 3], high ? "high" : "low",
                             high ? 16 : 9, i < 12 ? "no" : "yes");
    }
    return text;
}

/* The rule, on soft rows: numbers come back by way of the model. */
static bool decide(void *user, size_t n_rows, const float *rows, double *proba)
{
    const ow_model *model = user;
    const size_t width = ow_model_soft_width(model);
    for (size_t i = 0; i < n_rows; i++) {
        double values[ow_made_columns];
        ow_model_harden(model, 1, rows + i * width, values);
        const bool yes =
            values[OW_MADE_X] + values[OW_MADE_Y] >= 10.0 || values[OW_MADE_SCHOOL] == 0.0;
        proba[2 * i] = yes ? 0.2 : 0.8;
        proba[2 * i + 1] = yes ? 0.8 : 0.2;
    }
    return true;
}

void ow_made_answers_begin(ow_context *ctx, ow_made_answers *made)
{
    const ow_train_options options = ow_test_quick_training();
    const double query[ow_made_columns] = {1.0, 2.0, 0.0, 1.0, 9.0};
    memset(made, 0, sizeof *made);
    ow_test_train(ctx, make_csv(), "made.csv", "answer", &options, &made->trained);
    const ow_model *model = made->trained.model;
    assert_true(ow_model_soft_width(model) <= 16);
    assert_int_equal(ow_schema_column(ow_model_schema(model), OW_MADE_SCHOOL)->link, 1);
    assert_ok(
        ow_classifier_from_callbacks(ctx,
                                     &(ow_callbacks){.size = sizeof(ow_callbacks),
                                                     .user = (void *)model,
                                                     .n_classes = 2,
                                                     .width = ow_model_soft_width(model),
                                                     .log_proba = decide,
                                                     .is_proba = true},
                                     &made->classifier));
    for (size_t i = 0; i < ow_made_rows; i++) {
        memcpy(made->queries[i], query, sizeof query);
        memcpy(made->values[i], query, sizeof query);
        made->answers[i] = (ow_counterfactual){.values = made->values[i],
                                               .soft = made->encoded[i],
                                               .predicted = i == 0,
                                               .valid = i == 0};
        made->lists[i] = &made->answers[i];
        made->outcomes[i] = (ow_outcome){.kind = i == 0   ? OW_OUTCOME_FOUND
                                                 : i == 3 ? OW_OUTCOME_ALREADY_TARGET
                                                          : OW_OUTCOME_NOT_FOUND,
                                         .predicted = i == 3,
                                         .target = 1,
                                         .n_answers = i < 2,
                                         .answers = i < 2 ? &made->lists[i] : NULL};
    }
    for (size_t i = 0; i < ow_made_rows * OWI_N_METRICS; i++) made->figures[i] = NAN;
    made->all = (owi_answers){.call = ow_test_call(ctx, NULL),
                              .ctx = ctx,
                              .model = model,
                              .classifier = made->classifier,
                              .n_rows = ow_made_rows,
                              .n_columns = ow_made_columns,
                              .queries = made->queries[0],
                              .outcomes = made->outcomes};
    ow_made_answers_soften(made);
}

void ow_made_answers_soften(ow_made_answers *made)
{
    for (size_t i = 0; i < ow_made_rows; i++)
        ow_model_soften(made->trained.model, 1, made->values[i], made->encoded[i]);
}

void ow_made_answers_end(ow_made_answers *made)
{
    ow_classifier_free(made->classifier);
    ow_test_trained_clear(&made->trained);
}
