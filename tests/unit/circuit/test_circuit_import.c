/* SPDX-License-Identifier: MIT */
/* Circuits as JSON against sums over all their trees, and every mistake that such a file
 * can have. */
#include "backend/backend.h"
#include "base/numeric/rng.h"
#include "circuit/structure/circuit.h"
#include "support/json_circuit.h"
#include "support/ow_test.h"

/* ---- Tests ---- */

static void any_circuit_of_this_form_comes_out_on_every_backend(void **state)
{
    (void)state;
    for (size_t i = 0; i < ow_test_n_circuit_shapes; i++) {
        enum { n_rows = 15 };
        const ow_test_circuit_shape *s = &ow_test_circuit_shapes[i];
        json_t *document = ow_test_circuit_json(s, i + 1);
        ow_context *ctx = NULL;
        ow_circuit *circuit = NULL;
        float rows[n_rows * 16];
        double want[n_rows * 8], got[n_rows * 8], want_density[n_rows], got_density[n_rows];
        owi_rng rng;
        owi_rng_init(&rng, i, 1);
        for (size_t row = 0; row < n_rows; row++) {
            double x[16];
            for (size_t j = 0; j < s->d; j++) {
                const double spread = row % 5 == 4 ? 60.0 : 3.0; /* some far out */
                rows[row * s->d + j] = row % 4 == 3 && owi_rng_below(&rng, 3) == 0
                                           ? NAN
                                           : (float)(spread * owi_rng_normal(&rng));
                x[j] = (double)rows[row * s->d + j];
            }
            for (size_t c = 0; c < s->C; c++)
                want[row * s->C + c] = ow_test_log_root(document, c, x);
            want_density[row] = ow_test_log_density(document, x);
        }
        assert_ok(ow_context_new(NULL, &ctx));
        assert_ok(ow_test_import(ctx, document, &circuit));
        assert_int_equal(circuit->spec.depth, s->D);
        assert_int_equal(circuit->spec.repetitions, s->R);
        for (size_t b = 0; owi_backend_get(b) != NULL; b++) {
            ow_evaluator *evaluator = NULL;
            assert_ok(ow_evaluator_new(circuit, owi_backend_get(b)->name, &evaluator));
            assert_ok(ow_evaluator_evaluate(evaluator, n_rows, rows, NULL, got));
            assert_close(got, want, n_rows * s->C, 1e-5);
            ow_circuit_posterior(circuit, n_rows, got, got_density, NULL);
            assert_close(got_density, want_density, n_rows, 1e-5);
            ow_evaluator_free(evaluator);
        }
        ow_circuit_free(circuit);
        ow_context_free(ctx);
        json_decref(document);
    }
}

/* A copy of a good document with one thing changed must fail with this sentence. */
typedef struct {
    const char *sentence;
    ow_status status;
    void (*spoil)(json_t *document);
} mistake;

static json_t *first_region(json_t *document)
{
    return json_array_get(json_object_get(document, "regions"), 0);
}

static json_t *inner_region(json_t *document)
{
    return json_array_get(json_object_get(document, "regions"), 2);
}

static json_t *first_partition(json_t *document)
{
    return json_array_get(json_object_get(json_object_get(document, "root"), "partitions"),
                          0);
}

static void no_format(json_t *document)
{
    json_object_del(document, "format");
}
static void wrong_format(json_t *document)
{
    json_object_set_new(document, "format", json_string("ratspn-vectors-2"));
}
static void no_columns(json_t *document)
{
    json_object_set_new(document, "d", json_integer(0));
}
static void half_a_column(json_t *document)
{
    json_object_set_new(document, "d", json_real(5.5));
}
static void more_columns(json_t *document)
{
    json_object_set_new(document, "d", json_integer(6));
}
static void a_huge_circuit(json_t *document)
{
    json_object_set_new(document, "I", json_integer(1 << 20));
}
static void more_repetitions(json_t *document)
{
    json_object_set_new(document, "R", json_integer(3));
}
static void too_deep(json_t *document)
{
    json_object_set_new(document, "D", json_integer(21));
}
static void one_region_less(json_t *document)
{
    json_array_remove(json_object_get(document, "regions"), 0);
}
static void a_region_too_many(json_t *document)
{
    json_t *regions = json_object_get(document, "regions");
    json_array_append(regions, json_array_get(regions, 0));
}
static void one_partition_less(json_t *document)
{
    json_array_remove(json_object_get(json_object_get(document, "root"), "partitions"), 0);
}
static void no_root(json_t *document)
{
    json_object_set_new(document, "root", json_array());
}
static void a_child_beyond_the_list(json_t *document)
{
    json_object_set_new(inner_region(document), "children",
                        ow_test_json_numbers(2, (const double[]){0.0, 99.0}));
}
static void three_children(json_t *document)
{
    json_object_set_new(first_partition(document), "children",
                        ow_test_json_numbers(3, (const double[]){0.0, 1.0, 2.0}));
}
static void the_same_child_twice(json_t *document)
{
    json_object_set_new(inner_region(document), "children",
                        ow_test_json_numbers(2, (const double[]){0.0, 0.0}));
}
static void an_inner_region_as_leaf(json_t *document)
{
    json_object_set_new(inner_region(document), "children",
                        ow_test_json_numbers(2, (const double[]){0.0, 2.0}));
}
static void a_column_that_does_not_exist(json_t *document)
{
    json_array_set_new(json_object_get(first_region(document), "scope"), 0, json_real(5.0));
}
static void a_column_twice(json_t *document)
{
    json_t *scope =
        json_object_get(json_array_get(json_object_get(document, "regions"), 1), "scope");
    json_array_set(scope, 0,
                   json_array_get(json_object_get(first_region(document), "scope"), 0));
}
static void a_mean_less(json_t *document)
{
    json_array_remove(json_array_get(json_object_get(first_region(document), "mean"), 1),
                      0);
}
static void a_mean_that_is_text(json_t *document)
{
    json_array_set_new(json_array_get(json_object_get(first_region(document), "mean"), 1),
                       0, json_string("0.5"));
}
static void a_mean_no_float_holds(json_t *document)
{
    json_array_set_new(json_array_get(json_object_get(first_region(document), "mean"), 1),
                       0, json_real(1e60));
}
static void no_variance(json_t *document)
{
    json_array_set_new(json_array_get(json_object_get(first_region(document), "var"), 0), 0,
                       json_real(0.0));
}
static void a_negative_variance(json_t *document)
{
    json_array_set_new(json_array_get(json_object_get(first_region(document), "var"), 0), 0,
                       json_real(-1.0));
}
static void means_too_far_apart_for_the_variance(json_t *document)
{
    json_array_set_new(json_array_get(json_object_get(first_region(document), "var"), 0), 0,
                       json_real(1e-30));
    json_array_set_new(json_array_get(json_object_get(first_region(document), "mean"), 0),
                       0, json_real(1e3));
}
static void a_weight_above_one(json_t *document)
{
    json_array_set_new(
        json_array_get(
            json_array_get(json_object_get(inner_region(document), "weights"), 0), 0),
        0, json_real(1.5));
}
static void a_negative_weight(json_t *document)
{
    json_array_set_new(
        json_array_get(
            json_array_get(json_object_get(first_partition(document), "weights"), 1), 0),
        1, json_real(-0.1));
}
static void a_sum_less(json_t *document)
{
    json_array_remove(json_object_get(inner_region(document), "weights"), 0);
}
static void no_prior(json_t *document)
{
    json_object_del(document, "class_prior");
}
static void a_prior_that_sums_to_two(json_t *document)
{
    json_object_set_new(document, "class_prior",
                        ow_test_json_numbers(3, (const double[]){1.0, 0.5, 0.5}));
}

static const mistake mistakes[] = {
    {"field \"format\": expected \"ratspn-vectors-1\"", OW_ERR_FORMAT, no_format},
    {"field \"format\": expected \"ratspn-vectors-1\"", OW_ERR_FORMAT, wrong_format},
    {"must be at least 1", OW_ERR_FORMAT, no_columns},
    {"field \"d\"", OW_ERR_FORMAT, half_a_column},
    {"holds columns", OW_ERR_FORMAT, more_columns},
    {"more than a file of", OW_ERR_FORMAT, a_huge_circuit},
    {"2 root partitions, expected 3", OW_ERR_FORMAT, more_repetitions},
    {"field \"D\"", OW_ERR_FORMAT, too_deep},
    {"field \"children\"", OW_ERR_FORMAT, one_region_less},
    {"regions, of which the root reaches", OW_ERR_FORMAT, a_region_too_many},
    {"1 root partitions, expected 2", OW_ERR_FORMAT, one_partition_less},
    {"field \"root\": expected an object", OW_ERR_FORMAT, no_root},
    {"region 2, field \"children\"", OW_ERR_FORMAT, a_child_beyond_the_list},
    {"root partition 0, field \"children\": expected two regions", OW_ERR_FORMAT,
     three_children},
    {"region", OW_ERR_FORMAT, the_same_child_twice},
    {"region 2, field \"scope\"", OW_ERR_FORMAT, an_inner_region_as_leaf},
    {"region 0, field \"scope\"", OW_ERR_FORMAT, a_column_that_does_not_exist},
    {"column", OW_ERR_FORMAT, a_column_twice},
    {"region 0, field \"mean\"", OW_ERR_FORMAT, a_mean_less},
    {"region 0, field \"mean\"", OW_ERR_FORMAT, a_mean_that_is_text},
    {"test.json", OW_ERR_FORMAT, a_mean_no_float_holds},
    {"region 0, a variance is 0", OW_ERR_NUMERIC, no_variance},
    {"region 0, a variance is -1", OW_ERR_NUMERIC, a_negative_variance},
    {"leaf parameter", OW_ERR_FORMAT, means_too_far_apart_for_the_variance},
    {"region 2, a weight is 1.5", OW_ERR_NUMERIC, a_weight_above_one},
    {"root partition 0, a weight is -0.1", OW_ERR_NUMERIC, a_negative_weight},
    {"region 2, field \"weights\": expected an array of 3", OW_ERR_FORMAT, a_sum_less},
    {"field \"class_prior\"", OW_ERR_FORMAT, no_prior},
    {"test.json: the class prior sums to 2", OW_ERR_FORMAT, a_prior_that_sums_to_two},
};

static void every_mistake_gets_its_sentence(void **state)
{
    (void)state;
    ow_test_heap heap;
    ow_test_heap_begin(&heap);
    json_t *good = ow_test_circuit_json(&ow_test_circuit_shapes[4], 1);
    for (size_t i = 0; i < sizeof mistakes / sizeof *mistakes; i++) {
        ow_circuit *circuit = NULL;
        json_t *bad = json_deep_copy(good);
        mistakes[i].spoil(bad);
        assert_fails(ow_test_import(heap.ctx, bad, &circuit), mistakes[i].status,
                     mistakes[i].sentence);
        assert_null(circuit);
        json_decref(bad);
    }
    json_decref(good);
    ow_test_heap_end(&heap);
}

/* Whatever is left of a file: a sentence, or (from the last brace on) the circuit. */
static void a_file_cut_off_anywhere_is_refused(void **state)
{
    (void)state;
    ow_test_heap heap;
    ow_test_heap_begin(&heap);
    json_t *document = ow_test_circuit_json(&ow_test_circuit_shapes[2], 1);
    char *text = json_dumps(document, JSON_COMPACT);
    const size_t size = strlen(text);
    for (size_t n = 0; n <= size; n++) {
        ow_circuit *circuit = NULL;
        assert_status(owi_circuit_import_text(heap.ctx, text, n, "cut.json", &circuit),
                      n == size ? OW_OK : OW_ERR_FORMAT);
        ow_circuit_free(circuit);
    }
    free(text);
    json_decref(document);
    ow_test_heap_end(&heap);
}

static void a_file_that_is_not_there_is_an_error_of_its_own(void **state)
{
    (void)state;
    ow_context *ctx = NULL;
    ow_circuit *circuit = NULL;
    assert_ok(ow_context_new(NULL, &ctx));
    assert_fails(ow_circuit_import(ctx, "no/such/file.json", NULL, &circuit), OW_ERR_IO,
                 "no/such/file.json");
    assert_status(ow_circuit_import(ctx, NULL, NULL, &circuit), OW_ERR_ARGUMENT);
    assert_status(ow_circuit_import(ctx, "tests/golden/circuits/a_d4_D1.json", NULL, NULL),
                  OW_ERR_ARGUMENT);
    assert_null(circuit);
    ow_context_free(ctx);
}

static void reading_can_be_stopped(void **state)
{
    (void)state;
    ow_test_heap heap;
    ow_cancel *cancel;
    ow_circuit *circuit;
    ow_test_heap_begin(&heap);
    assert_ok(ow_cancel_new(heap.ctx, &cancel));
    ow_cancel_request(cancel);
    const ow_call call = {.size = sizeof call, .cancel = cancel};
    assert_status(ow_circuit_import(heap.ctx, "tests/golden/circuits/b_d8_D2.json", &call,
                                    &circuit),
                  OW_ERR_CANCELLED);
    assert_null(circuit);
    ow_cancel_free(cancel);
    ow_test_heap_end(&heap);
}

static ow_status import_file(ow_context *ctx, void *user)
{
    ow_circuit *circuit = NULL;
    const ow_status status = ow_circuit_import(ctx, user, NULL, &circuit);
    ow_circuit_free(circuit);
    return status;
}

static void any_failing_allocation_is_survived(void **state)
{
    (void)state;
    char path[] = "tests/golden/circuits/b_d8_D2.json";
    ow_test_sweep(import_file, path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_circuit_of_this_form_comes_out_on_every_backend),
        cmocka_unit_test(every_mistake_gets_its_sentence),
        cmocka_unit_test(a_file_cut_off_anywhere_is_refused),
        cmocka_unit_test(a_file_that_is_not_there_is_an_error_of_its_own),
        cmocka_unit_test(reading_can_be_stopped),
        cmocka_unit_test(any_failing_allocation_is_survived),
    };
    return cmocka_run_group_tests_name("circuit/circuit_import", tests, NULL, NULL);
}
