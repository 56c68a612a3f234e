/* SPDX-License-Identifier: MIT */
/* Class mixes run only the sub-circuits that they need.  What comes out is what all of them
 * give, which test_evaluator.c checks against differences. */
#include "support/ow_test.h"
#include "support/random_circuits.h"
#include "support/tiny_circuits.h"

#include "circuit/structure/circuit.h"

/* How everything here is called. */
static ow_call how = {.size = sizeof how};

enum { d = ow_tiny_columns, C = 5, n_mixes = 2, most_rows = 150 };

typedef struct {
    ow_context *ctx;
    ow_circuit *circuit;
    ow_evaluator *evaluator;
    ow_tiny_rows rows;
    double factor[2][most_rows * C];
    ow_mix mixes[n_mixes];
} fixture;

/* Every row has two classes in the first mix, some have one in the second, every seventh
 * has none in either. */
static void fill_factors(fixture *f)
{
    memset(f->factor, 0, sizeof f->factor);
    for (size_t i = 0; i < most_rows; i++) {
        if (i % 7 == 3) continue;
        f->factor[0][i * C + i % C] = -1.0;
        f->factor[0][i * C + (i + 1 + i % (C - 1)) % C] = 1.5;
        if (i % 2 == 0) f->factor[1][i * C + (i + 2) % C] = 0.5;
    }
    f->mixes[0] = (ow_mix){f->factor[0], 0.0};
    f->mixes[1] = (ow_mix){f->factor[1], 0.0};
}

static void init(fixture *f, ow_structure structure, size_t depth)
{
    ow_circuit_spec spec = ow_tiny_spec(structure, depth, C);
    if (structure == OW_STRUCTURE_SHARED) spec.leaves = ow_tiny_tails;
    *f = (fixture){.rows = ow_tiny_rows_new(most_rows, C, 0.1, 3)};
    assert_ok(ow_context_new(NULL, &f->ctx));
    f->circuit = ow_random_circuit(f->ctx, &spec, 12);
    assert_ok(ow_evaluator_new(f->circuit, NULL, &f->evaluator));
    fill_factors(f);
}

static void clear(fixture *f)
{
    ow_evaluator_free(f->evaluator);
    ow_circuit_free(f->circuit);
    ow_context_free(f->ctx);
    ow_tiny_rows_free(&f->rows);
}

/* Asking for log_class makes every sub-circuit run. */
static void mixes_of_few_classes_are_those_of_all(void **state)
{
    (void)state;
    static const size_t sizes[] = {1, 2, 11, 12, 64, 65, most_rows};
    static float whole[n_mixes * most_rows * d], sparse[n_mixes * most_rows * d];
    static double log_class[most_rows * C];
    for (int structure = OW_STRUCTURE_PER_CLASS; structure <= OW_STRUCTURE_SHARED;
         structure++)
        for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
            const size_t n = sizes[i];
            fixture f;
            init(&f, (ow_structure)structure, i % 3);
            assert_ok(ow_evaluator_differentiate(f.evaluator, n, f.rows.rows, n_mixes,
                                                 f.mixes, &how, log_class, whole));
            memset(sparse, 0xff, sizeof sparse);
            assert_ok(ow_evaluator_differentiate(f.evaluator, n, f.rows.rows, n_mixes,
                                                 f.mixes, &how, NULL, sparse));
            for (size_t e = 0; e < n_mixes * n * d; e++) {
                const double got = (double)sparse[e], want = (double)whole[e];
                assert_close(&got, &want, 1, 1e-5);
            }
            clear(&f);
        }
}

/* Alone, a row leaves out components and classes of which a sum of floats would keep
 * nothing. */
static void a_row_alone_has_the_gradient_of_the_reference(void **state)
{
    (void)state;
    static float want[most_rows * d], got[d];
    for (int structure = OW_STRUCTURE_PER_CLASS; structure <= OW_STRUCTURE_SHARED;
         structure++)
        for (size_t depth = 0; depth <= ow_tree_depth; depth = ow_next_depth(depth, 2)) {
            fixture f;
            ow_evaluator *reference;
            init(&f, (ow_structure)structure, depth);
            assert_ok(ow_evaluator_new(f.circuit, "ref", &reference));
            for (int of_density = 0; of_density < 2; of_density++) {
                const double factor = of_density ? 1.0 : 0.0;
                assert_ok(ow_evaluator_differentiate(reference, most_rows, f.rows.rows, 1,
                                                     &(ow_mix){f.factor[0], factor}, &how,
                                                     NULL, want));
                for (size_t i = 0; i < most_rows; i++) {
                    /* Messages along a tree pass through more sums of floats. */
                    const double bound = depth == ow_tree_depth ? 2e-5 : 1e-5;
                    double largest = 1e-3;
                    assert_ok(
                        ow_evaluator_differentiate(f.evaluator, 1, f.rows.rows + i * d, 1,
                                                   &(ow_mix){f.factor[0] + i * C, factor},
                                                   &how, NULL, got));
                    for (size_t j = 0; j < d; j++)
                        largest = fmax(largest, fabs((double)want[i * d + j]));
                    for (size_t j = 0; j < d; j++)
                        assert_true(fabs((double)(got[j] - want[i * d + j])) <=
                                    bound * largest);
                }
            }
            ow_evaluator_free(reference);
            clear(&f);
        }
}

static void the_same_bytes_on_any_number_of_threads(void **state)
{
    (void)state;
    static float one[n_mixes * most_rows * d], more[n_mixes * most_rows * d];
    for (size_t n_threads = 1; n_threads <= 5; n_threads += 2) {
        fixture f;
        init(&f, OW_STRUCTURE_PER_CLASS, 1);
        how.threads = n_threads;
        assert_ok(ow_evaluator_differentiate(f.evaluator, most_rows, f.rows.rows, n_mixes,
                                             f.mixes, &how, NULL,
                                             n_threads == 1 ? one : more));
        if (n_threads > 1) assert_memory_equal(one, more, sizeof one);
        clear(&f);
    }
}

/* Also in a row that no class has to do with. */
static void a_bad_value_is_named_by_the_row_of_the_caller(void **state)
{
    (void)state;
    static float gradients[n_mixes * most_rows * d];
    fixture f;
    init(&f, OW_STRUCTURE_PER_CLASS, 1);
    for (size_t row = 100; row < 110; row++) {
        char sentence[100];
        const float before = f.rows.rows[row * d];
        f.rows.rows[row * d] = INFINITY;
        snprintf(sentence, sizeof sentence,
                 "row %zu, column 0: expected a number, got infinity", row + 1);
        assert_fails(ow_evaluator_differentiate(f.evaluator, most_rows, f.rows.rows,
                                                n_mixes, f.mixes, &how, NULL, gradients),
                     OW_ERR_NUMERIC, sentence);
        f.rows.rows[row * d] = before;
    }
    clear(&f);
}

static ow_status differentiate(ow_context *ctx, void *user)
{
    const fixture *f = user;
    const ow_circuit_spec spec = ow_tiny_spec(OW_STRUCTURE_PER_CLASS, 1, C);
    static float gradients[n_mixes * most_rows * d];
    ow_circuit *circuit = NULL;
    ow_evaluator *evaluator = NULL;
    ow_status status = ow_circuit_new(ctx, &spec, &circuit);
    if (status == OW_OK) status = ow_evaluator_new(circuit, NULL, &evaluator);
    if (status == OW_OK)
        status = ow_evaluator_differentiate(evaluator, most_rows, f->rows.rows, n_mixes,
                                            f->mixes, &how, NULL, gradients);
    ow_evaluator_free(evaluator);
    ow_circuit_free(circuit);
    return status;
}

static void any_failing_allocation_is_survived(void **state)
{
    (void)state;
    fixture f;
    init(&f, OW_STRUCTURE_PER_CLASS, 1);
    ow_test_sweep(differentiate, &f);
    clear(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(mixes_of_few_classes_are_those_of_all),
        cmocka_unit_test(a_row_alone_has_the_gradient_of_the_reference),
        cmocka_unit_test(the_same_bytes_on_any_number_of_threads),
        cmocka_unit_test(a_bad_value_is_named_by_the_row_of_the_caller),
        cmocka_unit_test(any_failing_allocation_is_survived),
    };
    return cmocka_run_group_tests_name("circuit/query_gradient", tests, NULL, NULL);
}
