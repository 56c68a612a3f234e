/* SPDX-License-Identifier: MIT */
/* guided on images: its steps against their formulas, its margin, and several answers. */
#include "support/explain_fixture.h"
#include "support/image_model.h"
#include "support/plane_model.h"

/* How everything here is called. */
static ow_call how = {.size = sizeof how};

enum { n_pixels = ow_test_n_pixels, n_asked = 30 };

static ow_explanation *explain(const ow_test_model *m, const char *parameters, size_t k,
                               const char *rules)
{
    ow_explainer *explainer = ow_test_method(m->model, "guided", NULL, parameters);
    ow_constraints *constraints = ow_test_rules(m, rules);
    ow_explain_options options = ow_test_explain_defaults();
    ow_explanation *explanation = NULL;
    options.n_answers = k;
    assert_ok(ow_explainer_explain(explainer, constraints, &options, n_asked, m->values,
                                   &how, &explanation));
    ow_constraints_free(constraints);
    ow_explainer_free(explainer);
    return explanation;
}

/* ---- One step ---- */

static float clamped(float x, float low, float high)
{
    return x < low ? low : x > high ? high : x;
}

/* With one step x' = clamp(u + e d log S(u)/du), u = clamp(x + h d[log P(t) - log
 * P(y)]/dx), variance 1. */
static void one_step_is_the_formula(void **state)
{
    ow_test_model m = ow_test_images(ow_test_context(state));
    ow_explanation *explanation =
        explain(&m, "steps=1 class-step=0.3 density-step=0.2", 1, "");
    ow_evaluator *evaluator = NULL;
    const double black[n_pixels] = {0};
    double white[n_pixels];
    float ends[2 * n_pixels], x[n_pixels], gradient[n_pixels];
    for (size_t j = 0; j < n_pixels; j++) white[j] = 255.0;
    ow_model_soften(m.model, 1, black, ends);
    ow_model_soften(m.model, 1, white, ends + n_pixels);
    assert_ok(ow_evaluator_new(ow_model_circuit(m.model), NULL, &evaluator));
    for (size_t i = 0; i < n_asked; i++) {
        const ow_outcome *outcome = ow_explanation_outcome(explanation, i);
        double factor[2] = {-1.0, -1.0};
        factor[outcome->target] = 1.0;
        assert_true(outcome->target != outcome->predicted && outcome->n_answers == 1);
        const ow_mix class_mix = {.class_factor = factor},
                     density_mix = {.density_factor = 1.0};
        ow_model_soften(m.model, 1, m.values + i * n_pixels, x);
        assert_ok(ow_evaluator_differentiate_soft(evaluator, 1, x, 1, &class_mix, &how,
                                                  NULL, gradient));
        for (size_t j = 0; j < n_pixels; j++)
            x[j] = clamped(x[j] + 0.3f * gradient[j], ends[j], ends[n_pixels + j]);
        assert_ok(ow_evaluator_differentiate_soft(evaluator, 1, x, 1, &density_mix, &how,
                                                  NULL, gradient));
        for (size_t j = 0; j < n_pixels; j++)
            x[j] = clamped(x[j] + 0.2f * gradient[j], ends[j], ends[n_pixels + j]);
        for (size_t j = 0; j < n_pixels; j++)
            assert_true(fabsf(outcome->answers[0]->soft[j] - x[j]) < 1e-4f);
    }
    ow_evaluator_free(evaluator);
    ow_explanation_free(explanation);
    ow_test_model_free(&m);
}

/* ---- The margin ---- */

/* In nats, a little less after pixels have become whole; and more of it is farther. */
static void the_class_wins_by_the_margin_that_is_asked(void **state)
{
    static const char *const parameters[] = {"margin=0.5 steps=100", "margin=2 steps=100"};
    static const double margins[] = {0.5, 2.0};
    ow_test_model m = ow_test_images(ow_test_context(state));
    double far[2] = {0.0, 0.0};
    for (size_t k = 0; k < 2; k++) {
        ow_explanation *explanation = explain(&m, parameters[k], 1, "");
        for (size_t i = 0; i < n_asked; i++) {
            const ow_outcome *outcome = ow_explanation_outcome(explanation, i);
            const ow_counterfactual *answer = outcome->answers[0];
            const int32_t t = outcome->target;
            assert_int_equal(outcome->kind, OW_OUTCOME_FOUND);
            assert_true(log(answer->proba[t] / answer->proba[1 - t]) > margins[k] - 0.2);
            far[k] += answer->distance.l2;
        }
        ow_explanation_free(explanation);
    }
    assert_true(far[1] > far[0]);
    ow_test_model_free(&m);
}

/* A margin of a million nats cannot be had.  The densest image of the class on the way is
 * then the answer, so at least as dense as the first one, and not the surest. */
static void a_margin_that_cannot_be_had_does_not_cost_the_density(void **state)
{
    ow_test_model m = ow_test_images(ow_test_context(state));
    ow_explanation *first = explain(&m, "margin=0 density-step=0.1 steps=60", 1, ""),
                   *densest = explain(&m, "margin=1e6 density-step=0.1 steps=60", 1, "");
    size_t n_dense = 0;
    for (size_t i = 0; i < n_asked; i++) {
        const ow_counterfactual *least = ow_explanation_outcome(first, i)->answers[0],
                                *answer = ow_explanation_outcome(densest, i)->answers[0];
        assert_true(answer->valid);
        if (!least->dense) continue;
        n_dense++;
        assert_true(answer->dense);
        assert_true(answer->log_density_target >= least->log_density_target - 0.05);
    }
    assert_true(n_dense > 0);
    ow_explanation_free(first);
    ow_explanation_free(densest);
    ow_test_model_free(&m);
}

/* ---- Several answers ---- */

static size_t largest_change(const ow_counterfactual *answer, const double *query)
{
    size_t largest = 0;
    for (size_t j = 1; j < n_pixels; j++)
        if (fabs(answer->values[j] - query[j]) >
            fabs(answer->values[largest] - query[largest]))
            largest = j;
    return largest;
}

/* Of two answers the later one leaves alone what the earlier changes most; each is of the
 * class. */
static void further_answers_change_other_pixels(void **state)
{
    ow_test_model m = ow_test_images(ow_test_context(state));
    ow_explanation *one = explain(&m, "steps=60", 1, ""),
                   *many = explain(&m, "steps=60", 3, "");
    size_t n_several = 0;
    for (size_t i = 0; i < n_asked; i++) {
        const ow_outcome *outcome = ow_explanation_outcome(many, i);
        const ow_outcome *alone = ow_explanation_outcome(one, i);
        const double *query = m.values + i * n_pixels;
        bool has_first = false;
        assert_true(outcome->n_answers >= 1);
        n_several += outcome->n_answers > 1;
        for (size_t a = 0; a < outcome->n_answers; a++) {
            const ow_counterfactual *answer = outcome->answers[a];
            assert_true(answer->valid);
            has_first |= memcmp(answer->soft, alone->answers[0]->soft,
                                n_pixels * sizeof *answer->soft) == 0;
            for (size_t b = 0; b < a; b++) {
                const ow_counterfactual *other = outcome->answers[b];
                const size_t mine = largest_change(answer, query),
                             theirs = largest_change(other, query);
                assert_true(answer->values[theirs] == query[theirs] ||
                            other->values[mine] == query[mine]);
            }
        }
        assert_true(has_first);
    }
    assert_true(n_several > n_asked / 2);
    ow_explanation_free(one);
    ow_explanation_free(many);
    ow_test_model_free(&m);
}

static void answers_are_the_same_on_any_threads_and_in_any_company(void **state)
{
    ow_context *ctx = ow_test_context(state);
    ow_test_model m = ow_test_images(ctx);
    ow_explainer *explainer = ow_test_method(m.model, "guided", NULL, "steps=5");
    ow_test_same_answers(explainer, n_pixels, 40, n_pixels, m.values);
    ow_explainer_free(explainer);
    ow_test_model_free(&m);
}

typedef struct {
    const double *values;
    char *bytes; /* the model's file */
    size_t size;
} job;

static ow_status parse_and_explain(ow_context *ctx, void *user)
{
    const job *j = user;
    ow_model *model = NULL;
    ow_explainer *explainer = NULL;
    ow_explanation *explanation = NULL;
    ow_explain_options options = ow_test_explain_defaults();
    options.n_answers = 2;
    how.threads = 1;
    ow_status status = ow_model_parse(ctx, j->bytes, j->size, "images.ow", &model);
    if (status == OW_OK)
        status = ow_explainer_new(&(ow_explain_model){.size = sizeof(ow_explain_model),
                                                      .model = model},
                                  "guided", &explainer);
    if (status == OW_OK)
        status = ow_explainer_explain(explainer, NULL, &options, 2, j->values, &how,
                                      &explanation);
    assert_true((status == OW_OK) == (explanation != NULL));
    ow_explanation_free(explanation);
    ow_explainer_free(explainer);
    ow_model_free(model);
    return status;
}

static void every_failing_allocation_is_survived(void **state)
{
    ow_test_model m = ow_test_images(ow_test_context(state));
    job j = {.values = m.values};
    assert_ok(ow_model_format(m.model, &j.bytes, &j.size));
    ow_test_sweep(parse_and_explain, &j);
    ow_bytes_free(j.bytes);
    ow_test_model_free(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        ow_test_on_heap(one_step_is_the_formula),
        ow_test_on_heap(the_class_wins_by_the_margin_that_is_asked),
        ow_test_on_heap(a_margin_that_cannot_be_had_does_not_cost_the_density),
        ow_test_on_heap(further_answers_change_other_pixels),
        ow_test_on_heap(answers_are_the_same_on_any_threads_and_in_any_company),
        ow_test_on_heap(every_failing_allocation_is_survived),
    };
    return cmocka_run_group_tests_name("explain/guided_image", tests, NULL, NULL);
}
