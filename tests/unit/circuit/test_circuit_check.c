/* SPDX-License-Identifier: MIT */
/* Making circuits: how many parameters they have, what they know at first, and what cannot
 * be one. */
#include "circuit/structure/circuit.h"
#include "support/ow_test.h"
#include "support/tiny_circuits.h"

static ow_circuit *circuit_of(ow_context *ctx, const ow_circuit_spec *spec)
{
    ow_circuit *circuit = NULL;
    assert_ok(ow_circuit_new(ctx, spec, &circuit));
    return circuit;
}

/* Unit-variance Gaussians. */
static ow_circuit_spec numbers_spec(size_t d, size_t depth, size_t R, size_t S, size_t I,
                                    size_t C)
{
    static ow_leaf leaves[784];
    assert_true(d <= 784);
    for (size_t j = 0; j < d; j++)
        leaves[j] = (ow_leaf){.kind = OW_LEAF_GAUSSIAN, .group = j};
    return (ow_circuit_spec){.size = sizeof(ow_circuit_spec),
                             .structure = OW_STRUCTURE_SHARED,
                             .depth = depth,
                             .repetitions = R,
                             .sums = S,
                             .inputs = I,
                             .n_classes = C,
                             .n_columns = d,
                             .leaves = leaves,
                             .variance = 1.0};
}

static void parameters_are_as_many_as_the_structure_says(void **state)
{
    (void)state;
    static const struct {
        size_t d, depth, R, S, I, C, means, weights;
    } shared[] = {
        {784, 1, 19, 1, 20, 5, 297920, 38000}, /* MNIST: R I d; C R I^2  */
        {10, 0, 7, 1, 4, 3, 40, 12},           /* one region: I d; C I   */
        {10, 1, 7, 9, 4, 3, 280, 336},         /* S is without effect    */
        /* D = 2: C R S^2 at the roots, 2 R regions of S I^2 below */
        {10, 2, 7, 3, 4, 2, 280, 2 * 7 * 9 + 2 * 7 * 3 * 16},
        /* D = 3: and 4 R of S I^2 below 2 R of S S^2 */
        {10, 3, 7, 3, 4, 2, 280, 2 * 7 * 9 + 2 * 7 * 27 + 4 * 7 * 3 * 16},
        {1, 0, 1, 1, 1, 1, 1, 1},
    };
    ow_context *ctx = NULL;
    assert_ok(ow_context_new(NULL, &ctx));
    for (size_t i = 0; i < sizeof shared / sizeof *shared; i++) {
        ow_circuit_spec spec = numbers_spec(shared[i].d, shared[i].depth, shared[i].R,
                                            shared[i].S, shared[i].I, shared[i].C);
        ow_circuit *circuit = circuit_of(ctx, &spec);
        assert_int_equal(ow_circuit_n_leaf_parameters(circuit), shared[i].means);
        assert_int_equal(ow_circuit_n_weights(circuit), shared[i].weights);
        const owi_circuit_counts count = owi_circuit_count(&circuit->spec);
        assert_true(count.leaf == (double)shared[i].means);
        assert_true(count.weights == (double)shared[i].weights);
        ow_circuit_free(circuit);

        /* Per class: C times the leaves and the inner sums, and the same roots. */
        const size_t K = shared[i].depth <= 1 ? shared[i].I : shared[i].S;
        const size_t R = shared[i].depth == 0 ? 1 : shared[i].R;
        const size_t root = shared[i].C * R * (shared[i].depth == 0 ? K : K * K);
        spec.structure = OW_STRUCTURE_PER_CLASS;
        circuit = circuit_of(ctx, &spec);
        assert_int_equal(ow_circuit_n_leaf_parameters(circuit),
                         shared[i].C * shared[i].means);
        assert_int_equal(ow_circuit_n_weights(circuit),
                         root + shared[i].C * (shared[i].weights - root));
        ow_circuit_free(circuit);
    }
    /* Learned variances double the numbers; levels and masses have one each, a slab
     * three. */
    const ow_circuit_spec mixed = ow_tiny_spec(OW_STRUCTURE_SHARED, 1, 2);
    ow_circuit *circuit = circuit_of(ctx, &mixed);
    assert_int_equal(ow_circuit_n_leaf_parameters(circuit),
                     3 * 4 * (2 + 2 + 3 + 2 + (2 + 3) + 2 + 2));
    assert_true(owi_circuit_count(&circuit->spec).leaf ==
                (double)ow_circuit_n_leaf_parameters(circuit));
    ow_circuit_free(circuit);
    ow_context_free(ctx);
}

static void a_new_circuit_knows_nothing(void **state)
{
    (void)state;
    for (size_t depth = 0; depth <= 2; depth++) {
        const ow_circuit_spec spec = ow_tiny_spec(OW_STRUCTURE_PER_CLASS, depth, 4);
        ow_context *ctx = NULL;
        ow_evaluator *evaluator = NULL;
        assert_ok(ow_context_new(NULL, &ctx));
        ow_circuit *circuit = circuit_of(ctx, &spec);
        for (size_t c = 0; c < 4; c++)
            assert_true(fabs(exp(ow_circuit_log_prior(circuit)[c]) - 0.25) < 1e-12);
        assert_ok(ow_evaluator_new(circuit, NULL, &evaluator));
        const float row[ow_tiny_columns] = {0.5f, -1.0f, 2.0f, 1.0f, 1.0f, 3.0f, 0.0f};
        const double half = 0.5 * log(2.0 * acos(-1.0));
        double got[4], want[4];
        want[0] = -(0.125 + half) - (0.5 + half) - log(3.0) - log(2.0) - log(3.0) -
                  (4.5 + half) - 0.7 - log(2.0);
        want[3] = want[2] = want[1] = want[0];
        assert_ok(ow_evaluator_evaluate(evaluator, 1, row, NULL, got));
        assert_close(got, want, 4, 1e-6);
        ow_evaluator_free(evaluator);
        ow_circuit_free(circuit);
        ow_context_free(ctx);
    }
}

static void the_spec_is_copied_and_told_as_it_became(void **state)
{
    (void)state;
    ow_context *ctx = NULL;
    ow_test_log log = {0};
    assert_ok(ow_context_new(NULL, &ctx));
    ow_test_log_attach(&log, ctx, OW_LOG_WARN);
    float masses[2] = {0.0f, 5.0f};
    ow_leaf leaves[3] = {
        {.kind = OW_LEAF_POINT_MASSES, .n_masses = 2, .masses = masses, .group = 0},
        {.kind = OW_LEAF_BERNOULLI, .n_levels = 77, .n_masses = 9, .group = 1},
        {.kind = OW_LEAF_GAUSSIAN, .n_levels = 3, .n_masses = 4, .group = 1}};
    ow_circuit_spec spec = {.size = sizeof(ow_circuit_spec),
                            .depth = 6,
                            .repetitions = 3,
                            .sums = 2,
                            .inputs = 2,
                            .n_classes = 2,
                            .n_columns = 3,
                            .leaves = leaves};
    ow_circuit *circuit = circuit_of(ctx, &spec);
    assert_non_null(
        strstr(log.text, "depth 6 is more than the columns can be halved; using 1"));
    masses[1] = 7.0f;
    leaves[1].kind = OW_LEAF_GAUSSIAN;
    const ow_circuit_spec *told = ow_circuit_get_spec(circuit);
    assert_int_equal(told->depth, 1); /* two groups */
    assert_int_equal(told->repetitions, 3);
    assert_true(told->leaves[0].masses[1] == 5.0f);
    assert_int_equal(told->leaves[1].kind, OW_LEAF_BERNOULLI);
    assert_int_equal(told->leaves[1].n_levels, 2);
    assert_int_equal(told->leaves[2].n_levels, 0);
    assert_int_equal(told->leaves[2].n_masses, 0);
    ow_circuit_free(circuit);

    /* One group cannot be halved at all, and repetitions of it would be alike. */
    leaves[0].group = 1;
    circuit = circuit_of(ctx, &spec);
    assert_int_equal(ow_circuit_get_spec(circuit)->depth, 0);
    assert_int_equal(ow_circuit_get_spec(circuit)->repetitions, 1);
    ow_circuit_free(circuit);
    ow_circuit_free(NULL);
    ow_context_free(ctx);
}

/* ---- What is refused ---- */

typedef struct {
    const char *sentence;
    ow_status status;
    void (*spoil)(ow_circuit_spec *spec, ow_leaf *leaves);
} mistake;

static const float repeated[3] = {1.0f, 2.0f, 1.0f}, infinite[1] = {INFINITY};

static void no_columns(ow_circuit_spec *spec, ow_leaf *leaves)
{
    (void)leaves;
    spec->n_columns = 0;
}
static void no_leaves(ow_circuit_spec *spec, ow_leaf *leaves)
{
    (void)leaves;
    spec->leaves = NULL;
}
static void no_classes(ow_circuit_spec *spec, ow_leaf *leaves)
{
    (void)leaves;
    spec->n_classes = 0;
}
static void no_inputs(ow_circuit_spec *spec, ow_leaf *leaves)
{
    (void)leaves;
    spec->inputs = 0;
}
static void no_repetitions(ow_circuit_spec *spec, ow_leaf *leaves)
{
    (void)leaves;
    spec->repetitions = 0;
}
static void no_sums(ow_circuit_spec *spec, ow_leaf *leaves)
{
    (void)leaves;
    spec->depth = 2;
    spec->sums = 0;
}
static void a_structure_of_its_own(ow_circuit_spec *spec, ow_leaf *leaves)
{
    (void)leaves;
    spec->structure = (ow_structure)7;
}
static void a_negative_variance(ow_circuit_spec *spec, ow_leaf *leaves)
{
    (void)leaves;
    spec->variance = -1.0;
}
static void a_variance_that_is_none(ow_circuit_spec *spec, ow_leaf *leaves)
{
    (void)leaves;
    spec->variance = (double)NAN;
}
static void a_fixed_variance_beside_masses(ow_circuit_spec *spec, ow_leaf *leaves)
{
    (void)leaves;
    spec->variance = 1.0;
}
static void a_category_without_levels(ow_circuit_spec *spec, ow_leaf *leaves)
{
    (void)spec;
    leaves[2].n_levels = 0;
}
static void levels_beyond_floats(ow_circuit_spec *spec, ow_leaf *leaves)
{
    (void)spec;
    leaves[2].n_levels = ((size_t)1 << 24) + 1;
}
static void a_leaf_of_its_own(ow_circuit_spec *spec, ow_leaf *leaves)
{
    (void)spec;
    leaves[1].kind = (ow_leaf_kind)9;
}
static void masses_without_values(ow_circuit_spec *spec, ow_leaf *leaves)
{
    (void)spec;
    leaves[4].masses = NULL;
}
static void no_masses(ow_circuit_spec *spec, ow_leaf *leaves)
{
    (void)spec;
    leaves[4].n_masses = 0;
}
static void a_mass_twice(ow_circuit_spec *spec, ow_leaf *leaves)
{
    (void)spec;
    leaves[4].masses = repeated;
    leaves[4].n_masses = 3;
}
static void an_infinite_mass(ow_circuit_spec *spec, ow_leaf *leaves)
{
    (void)spec;
    leaves[4].masses = infinite;
    leaves[4].n_masses = 1;
}
static void a_cell_of_no_width(ow_circuit_spec *spec, ow_leaf *leaves)
{
    (void)spec;
    leaves[5].log_cell = -INFINITY;
}
static void tails_that_begin_nowhere(ow_circuit_spec *spec, ow_leaf *leaves)
{
    (void)spec;
    leaves[5].low = 2.0;
    leaves[5].high = 1.0;
}
static void tails_of_fixed_variances(ow_circuit_spec *spec, ow_leaf *leaves)
{
    spec->variance = 1.0;
    leaves[4] = leaves[5];
    leaves[5].high = 1.0;
}
static void more_sums_than_memory(ow_circuit_spec *spec, ow_leaf *leaves)
{
    (void)leaves;
    spec->depth = 2;
    spec->sums = (size_t)1 << 40;
}
static void more_repetitions_than_numbers(ow_circuit_spec *spec, ow_leaf *leaves)
{
    (void)leaves;
    spec->repetitions = SIZE_MAX / 2;
}
static void more_classes_than_memory(ow_circuit_spec *spec, ow_leaf *leaves)
{
    (void)leaves;
    spec->n_classes = (size_t)1 << 60;
}

static const mistake mistakes[] = {
    {"n_columns >= 1", OW_ERR_ARGUMENT, no_columns},
    {"leaves != NULL", OW_ERR_ARGUMENT, no_leaves},
    {"n_classes >= 1", OW_ERR_ARGUMENT, no_classes},
    {"inputs >= 1", OW_ERR_ARGUMENT, no_inputs},
    {"repetitions >= 1", OW_ERR_ARGUMENT, no_repetitions},
    {"sums >= 1", OW_ERR_ARGUMENT, no_sums},
    {"structure", OW_ERR_ARGUMENT, a_structure_of_its_own},
    {"variance >= 0", OW_ERR_ARGUMENT, a_negative_variance},
    {"isfinite(spec->variance)", OW_ERR_ARGUMENT, a_variance_that_is_none},
    {"column 4 has point masses, which need learned variances", OW_ERR_ARGUMENT,
     a_fixed_variance_beside_masses},
    {"column 2 is categorical with 0 levels", OW_ERR_ARGUMENT, a_category_without_levels},
    {"column 2 is categorical with 16777217 levels, expected 1 to 16777216",
     OW_ERR_ARGUMENT, levels_beyond_floats},
    {"column 1: there is no leaf kind 9", OW_ERR_ARGUMENT, a_leaf_of_its_own},
    {"column 4 has point masses but no values", OW_ERR_ARGUMENT, masses_without_values},
    {"column 4 has point masses but no values", OW_ERR_ARGUMENT, no_masses},
    {"column 4 has the point mass 1 twice", OW_ERR_ARGUMENT, a_mass_twice},
    {"column 4: point mass 0 is not finite", OW_ERR_NUMERIC, an_infinite_mass},
    {"column 5: log_cell is -inf", OW_ERR_NUMERIC, a_cell_of_no_width},
    {"column 5: its tails begin at 2 and 1", OW_ERR_NUMERIC, tails_that_begin_nowhere},
    {"column 5 has tails", OW_ERR_ARGUMENT, tails_of_fixed_variances},
    {"does not fit into memory", OW_ERR_MEMORY, more_sums_than_memory},
    {"does not fit into memory", OW_ERR_MEMORY, more_repetitions_than_numbers},
    {"does not fit into memory", OW_ERR_MEMORY, more_classes_than_memory},
};

static void what_cannot_be_a_circuit_is_refused_with_a_sentence(void **state)
{
    (void)state;
    ow_test_heap heap;
    ow_test_heap_begin(&heap);
    for (size_t i = 0; i < sizeof mistakes / sizeof *mistakes; i++) {
        ow_leaf leaves[ow_tiny_columns];
        ow_circuit *circuit = NULL;
        memcpy(leaves, ow_tiny_leaves, sizeof leaves);
        ow_circuit_spec spec = ow_tiny_spec(OW_STRUCTURE_PER_CLASS, 1, 2);
        spec.leaves = leaves;
        mistakes[i].spoil(&spec, leaves);
        assert_fails(ow_circuit_new(heap.ctx, &spec, &circuit), mistakes[i].status,
                     mistakes[i].sentence);
        assert_null(circuit);
    }
    const ow_circuit_spec spec = ow_tiny_spec(OW_STRUCTURE_PER_CLASS, 1, 2);
    ow_circuit *circuit = NULL;
    assert_status(ow_circuit_new(NULL, &spec, &circuit), OW_ERR_ARGUMENT);
    assert_status(ow_circuit_new(heap.ctx, NULL, &circuit), OW_ERR_ARGUMENT);
    assert_status(ow_circuit_new(heap.ctx, &spec, NULL), OW_ERR_ARGUMENT);
    ow_test_heap_end(&heap);
}

static ow_status make(ow_context *ctx, void *user)
{
    const ow_circuit_spec spec = ow_tiny_spec(*(const ow_structure *)user, 2, 3);
    ow_circuit *circuit = NULL;
    const ow_status status = ow_circuit_new(ctx, &spec, &circuit);
    assert_true((circuit == NULL) == (status != OW_OK));
    ow_circuit_free(circuit);
    return status;
}

static void any_failing_allocation_is_survived(void **state)
{
    (void)state;
    ow_structure structures[2] = {OW_STRUCTURE_PER_CLASS, OW_STRUCTURE_SHARED};
    ow_test_sweep(make, &structures[0]);
    ow_test_sweep(make, &structures[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parameters_are_as_many_as_the_structure_says),
        cmocka_unit_test(a_new_circuit_knows_nothing),
        cmocka_unit_test(the_spec_is_copied_and_told_as_it_became),
        cmocka_unit_test(what_cannot_be_a_circuit_is_refused_with_a_sentence),
        cmocka_unit_test(any_failing_allocation_is_survived),
    };
    return cmocka_run_group_tests_name("circuit/circuit_check", tests, NULL, NULL);
}
