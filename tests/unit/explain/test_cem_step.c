/* SPDX-License-Identifier: MIT */
/* A step of cem in lanes: what the formulas give for each row by itself, byte for byte. */
#include "support/explain_fixture.h"

#include "base/numeric/rng.h"
#include "explain/cem/cem_block.h"
#include "explain/descent/adam_row.h"

enum { n_rows = 35, n_filled = 64, most_width = 40, n_steps = 3 };

typedef struct {
    owi_cem_options options;
    owi_problem problem;
    owi_queries queries;
    owi_cem_basis basis;
    owi_number_run run;
    owi_cem_block work;
    float nothing[most_width];
    owi_cem_row rows[n_rows];
    double log_proba[2 * n_rows];
    bool sided[most_width], boxed[most_width];
    float room[12][n_filled * most_width];
    float a[most_width * n_rows], y[most_width * n_rows]; /* by the formulas */
    float first[most_width * n_rows], second[most_width * n_rows];
} fixture;

static void set_up(fixture *f, const ow_test_model *m, const ow_constraints *rules,
                   const float *soft)
{
    const size_t width = ow_model_soft_width(m->model);
    f->problem = (owi_problem){.model = m->model, .soft_width = width, .n_classes = 2};
    f->queries = (owi_queries){.n_rows = n_rows, .values = m->values, .soft = soft};
    f->run = (owi_number_run){0, 2};
    f->basis = (owi_cem_basis){.nothing = f->nothing, .n_runs = 1, .runs = &f->run};
    /* Whether there is one is all that a step asks. */
    f->basis.autoencoder = (owi_mlp_runner *)(void *)&f->basis;
    float **const arrays[] = {&f->work.d.x,    &f->work.d.gradient, &f->work.raw,
                              &f->work.pull,   &f->work.a,          &f->work.y_lanes,
                              &f->work.first,  &f->work.second,     &f->work.query,
                              &f->work.centre, &f->work.low,        &f->work.high};
    f->work.d.problem = &f->problem;
    f->work.options = &f->options;
    f->work.basis = &f->basis;
    f->work.d.queries = &f->queries;
    f->work.d.n_filled = n_filled;
    f->work.rows = f->rows;
    f->work.d.log_proba = f->log_proba;
    f->work.sided = f->sided;
    f->work.boxed = f->boxed;
    for (size_t i = 0; i < 12; i++) *arrays[i] = f->room[i];
    owi_rules compiled;
    assert_ok(owi_rules_init(&compiled, rules->ctx, rules, m->model));
    assert_ok(owi_boxes_init(&f->work.d.boxes, rules->ctx, &compiled, n_rows, m->values,
                             soft, f->options.whole_groups));
    owi_rules_clear(&compiled);
    owi_cem_step_begin(&f->work);
    owi_cem_step_begin_round(&f->work);
    memcpy(f->work.d.x, soft, n_rows * width * sizeof *soft);
    memcpy(f->a, soft, n_rows * width * sizeof *soft);
    memcpy(f->y, soft, n_rows * width * sizeof *soft);
    memset(f->first, 0, sizeof f->first);
    memset(f->second, 0, sizeof f->second);
}

static void plain_return(const fixture *f, uint32_t row, float *block)
{
    const size_t width = f->problem.soft_width;
    float *x = block + row * width;
    const float *query = f->queries.soft + row * width;
    for (size_t j = 0; j < width && f->options.one_sided; j++) {
        const float now = fabsf(x[j] - f->nothing[j]),
                    before = fabsf(query[j] - f->nothing[j]);
        const bool adds = f->options.mode == OWI_CEM_NEGATIVE;
        if (j < f->run.width && (adds ? now < before : before < now)) x[j] = query[j];
    }
    owi_boxes_project(&f->work.d.boxes, 1, &row, block);
}

/* pull is that row's. */
static void plain_step(fixture *f, uint32_t row, const float *gradient, const float *pull)
{
    const size_t width = f->problem.soft_width, at = row * width;
    const float length =
        (float)(f->options.rate *
                sqrt(1.0 - (double)f->work.d.step / (double)f->options.steps));
    const float beta = (float)f->options.beta, by = length * beta;
    const float c = f->log_proba[2 * row] <= f->log_proba[2 * row + 1] + f->options.kappa
                        ? (float)f->rows[row].c
                        : 0.0f;
    float next[n_rows * most_width];
    for (size_t j = 0; j < width; j++) {
        const float z =
            f->options.mode == OWI_CEM_POSITIVE ? f->nothing[j] : f->queries.soft[at + j];
        const float y = f->y[at + j];
        const float smooth =
            c * gradient[j] + 2.0f * (y - z) + (float)f->options.gamma * pull[j];
        const float x = y - length * smooth, delta = x - z;
        if (f->options.optimiser == OWI_CEM_ADAM)
            next[at + j] = smooth + (y > z ? beta : y < z ? -beta : 0.0f);
        else
            next[at + j] = isnan(delta)  ? x
                           : delta > by  ? x - by
                           : delta < -by ? x + by
                                         : z;
    }
    if (f->options.optimiser == OWI_CEM_ADAM) {
        const owi_adam_bias bias = owi_adam_bias_of(f->work.d.step + 1);
        owi_adam_row(width, next + at, f->options.rate, &bias, f->first + at,
                     f->second + at, f->y + at);
    } else {
        const float ahead = (float)f->work.d.step / (float)(f->work.d.step + 3);
        plain_return(f, row, next);
        for (size_t j = 0; j < width; j++) {
            f->y[at + j] = next[at + j] + ahead * (next[at + j] - f->a[at + j]);
            f->a[at + j] = next[at + j];
        }
    }
    plain_return(f, row, f->y);
}

static void run_steps(fixture *f, owi_rng *rng)
{
    const size_t width = f->problem.soft_width, L = owi_row_lanes;
    for (f->work.d.step = 0; f->work.d.step < n_steps; f->work.d.step++) {
        float pull[n_rows * most_width];
        for (size_t i = 0; i < n_rows * width; i++) {
            const size_t row = i / width, j = i % width;
            f->work.d.gradient[i] = (float)owi_rng_normal(rng);
            pull[i] = (float)owi_rng_normal(rng);
            f->work.pull[(row / L * width + j) * L + row % L] = pull[i];
        }
        for (size_t i = 0; i < 2 * n_rows; i++) f->log_proba[i] = owi_rng_normal(rng);
        for (uint32_t row = 0; row < n_rows; row++)
            plain_step(f, row, f->work.d.gradient + row * width, pull + row * width);
        for (size_t first = 0; first < n_rows; first += L)
            owi_cem_step(&f->work,
                         &(owi_chunk){.first = first,
                                      .n = first + L < n_rows ? L : n_rows - first});
        for (size_t i = 0; i < n_rows * width; i++) {
            const size_t row = i / width, j = i % width;
            const float *a = &f->work.a[(row / L * width + j) * L + row % L];
            if (isnan(f->y[i])) {
                assert_true(isnan(f->work.d.x[i]));
                continue;
            }
            assert_memory_equal(&f->work.d.x[i], &f->y[i], sizeof(float));
            if (f->options.optimiser == OWI_CEM_FISTA)
                assert_memory_equal(a, &f->a[i], sizeof(float));
        }
    }
}

static void steps_of_rows_in_lanes_are_those_of_the_formulas(void **state)
{
    ow_context *ctx = ow_test_context(state);
    ow_test_model m = ow_test_applicants(ctx, OW_LEAVES_AUTO);
    const size_t width = ow_model_soft_width(m.model);
    ow_constraints *rules =
        ow_test_rules(&m, "range income=20:30; allow town=Bonn|Celle; immutable school");
    fixture *f = calloc(1, sizeof *f);
    float soft[n_rows * most_width];
    owi_rng rng;
    owi_rng_init(&rng, 12, 0);
    assert_true(width <= most_width);
    ow_model_soften(m.model, n_rows, m.values, soft);
    for (unsigned kind = 0; kind < 16; kind++) {
        *f = (fixture){.options = {.mode = kind & 1 ? OWI_CEM_POSITIVE : OWI_CEM_NEGATIVE,
                                   .optimiser = kind & 2 ? OWI_CEM_ADAM : OWI_CEM_FISTA,
                                   .one_sided = kind & 4,
                                   .whole_groups = kind & 8,
                                   .beta = 0.1,
                                   .gamma = 0.3,
                                   .kappa = 0.1,
                                   .rate = 0.4,
                                   .steps = 10}};
        for (size_t j = 0; j < width; j++) f->nothing[j] = (float)owi_rng_normal(&rng);
        for (size_t i = 0; i < n_rows; i++) f->rows[i].c = 1.0 + owi_rng_uniform(&rng);
        set_up(f, &m, rules, soft);
        run_steps(f, &rng);
        owi_boxes_clear(&f->work.d.boxes);
    }
    free(f);
    ow_constraints_free(rules);
    ow_test_model_free(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        ow_test_on_heap(steps_of_rows_in_lanes_are_those_of_the_formulas),
    };
    return cmocka_run_group_tests_name("explain/cem_step", tests, NULL, NULL);
}
