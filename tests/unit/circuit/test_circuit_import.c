/* SPDX-License-Identifier: MIT */
/* Circuits as JSON, made here with any shape and weights down to 1e-71, against sums over all their trees straight from the
 * JSON; and every mistake that such a file can have. */
#include <jansson.h>

#include "backend/backend.h"
#include "base/rng.h"
#include "circuit/circuit.h"
#include "support/ow_test.h"

/* ---- Making ---- */

typedef struct {
    size_t d, C, D, R, S, I;
    bool sorted;
    double tiniest; /* weights go down to this */
} shape;

static json_t *numbers(size_t n, const double *values)
{
    json_t *array = json_array();
    for (size_t i = 0; i < n; i++) json_array_append_new(array, json_real(values[i]));
    return array;
}

/* n weights that sum to 1, of very different sizes. */
static void draw_weights(owi_rng *rng, double tiniest, size_t n, double *w)
{
    double sum = 0.0;
    for (size_t i = 0; i < n; i++) sum += w[i] = pow(tiniest, owi_rng_uniform(rng));
    for (size_t i = 0; i < n; i++) w[i] /= sum;
}

static json_t *matrix(size_t rows, size_t columns, const double *values)
{
    json_t *array = json_array();
    for (size_t i = 0; i < rows; i++)
        json_array_append_new(array, numbers(columns, values + i * columns));
    return array;
}

static json_t *leaf_json(owi_rng *rng, const shape *s, size_t n, const size_t *columns)
{
    double mean[64], variance[64], scope[16];
    for (size_t i = 0; i < n; i++) scope[i] = (double)columns[i];
    for (size_t i = 0; i < s->I * n; i++) {
        mean[i] = 3.0 * owi_rng_normal(rng);
        variance[i] = 0.05 + 2.0 * owi_rng_uniform(rng);
    }
    json_t *leaf = json_object();
    json_object_set_new(leaf, "scope", numbers(n, scope));
    json_object_set_new(leaf, "mean", matrix(s->I, n, mean));
    json_object_set_new(leaf, "var", matrix(s->I, n, variance));
    return leaf;
}

/* One region at a depth over these columns, and all below it, appended to the list from the bottom up; its index. */
static size_t add_region(owi_rng *rng, const shape *s, size_t depth, size_t n,
                         size_t *columns, json_t *regions)
{
    if (depth == s->D) {
        for (size_t i = 1; i < n && s->sorted; i++) /* insertion */
            for (size_t k = i; k > 0 && columns[k] < columns[k - 1]; k--) {
                const size_t swap = columns[k];
                columns[k] = columns[k - 1];
                columns[k - 1] = swap;
            }
        json_array_append_new(regions, leaf_json(rng, s, n, columns));
        return json_array_size(regions) - 1;
    }
    /* Unequal halves, but columns enough for every leaf below. */
    const size_t least = (size_t)1 << (s->D - depth - 1);
    const size_t left = least + owi_rng_below(rng, n - 2 * least + 1);
    const double children[2] = {
        (double)add_region(rng, s, depth + 1, left, columns, regions),
        (double)add_region(rng, s, depth + 1, n - left, columns + left, regions)};
    const size_t K = depth + 1 == s->D ? s->I : s->S;
    json_t *region = json_object(), *weights = json_array();
    json_object_set_new(region, "children", numbers(2, children));
    for (size_t i = 0; i < s->S; i++) {
        double w[64];
        draw_weights(rng, s->tiniest, K * K, w);
        json_array_append_new(weights, matrix(K, K, w));
    }
    json_object_set_new(region, "weights", weights);
    json_array_append_new(regions, region);
    return json_array_size(regions) - 1;
}

/* The root of each class: R blocks of weights that sum to 1 together. */
static json_t *root_json(owi_rng *rng, const shape *s, const double *children)
{
    const size_t K = s->D <= 1 ? s->I : s->S, block = s->D == 0 ? K : K * K;
    double w[8][512];
    json_t *partitions = json_array(), *root = json_object();
    assert_true(s->C <= 8 && s->R * block <= 512);
    for (size_t c = 0; c < s->C; c++) draw_weights(rng, s->tiniest, s->R * block, w[c]);
    for (size_t rep = 0; rep < s->R; rep++) {
        json_t *partition = json_object(), *weights = json_array();
        const size_t n = s->D == 0 ? 1 : 2;
        json_object_set_new(partition, "children", numbers(n, children + rep * n));
        for (size_t c = 0; c < s->C; c++)
            json_array_append_new(weights, s->D == 0 ? numbers(K, w[c] + rep * block)
                                                     : matrix(K, K, w[c] + rep * block));
        json_object_set_new(partition, "weights", weights);
        json_array_append_new(partitions, partition);
    }
    json_object_set_new(root, "partitions", partitions);
    return root;
}

static json_t *circuit_json(const shape *s, uint64_t seed)
{
    owi_rng rng;
    double prior[8], children[64];
    json_t *document = json_object(), *regions = json_array();
    owi_rng_init(&rng, seed, 0);
    for (size_t rep = 0; rep < s->R; rep++) {
        size_t columns[16];
        for (size_t j = 0; j < s->d; j++) columns[j] = j;
        owi_rng_shuffle(&rng, s->d, columns);
        if (s->D == 0) {
            children[rep] = (double)add_region(&rng, s, 0, s->d, columns, regions);
            continue;
        }
        const size_t least = (size_t)1 << (s->D - 1);
        const size_t left = least + owi_rng_below(&rng, s->d - 2 * least + 1);
        children[2 * rep] = (double)add_region(&rng, s, 1, left, columns, regions);
        children[2 * rep + 1] =
            (double)add_region(&rng, s, 1, s->d - left, columns + left, regions);
    }
    owi_rng_dirichlet(&rng, 1.0, s->C, prior);
    json_object_set_new(document, "format", json_string("ratspn-vectors-1"));
    const char *const names[] = {"d", "C", "D", "R", "S", "I"};
    const size_t sizes[] = {s->d, s->C, s->D, s->R, s->S, s->I};
    for (size_t i = 0; i < 6; i++)
        json_object_set_new(document, names[i], json_integer((json_int_t)sizes[i]));
    json_object_set_new(document, "class_prior", numbers(s->C, prior));
    json_object_set_new(document, "regions", regions);
    json_object_set_new(document, "root", root_json(&rng, s, children));
    return document;
}

static ow_status import(ow_context *ctx, const json_t *document, ow_circuit **circuit)
{
    char *text = json_dumps(document, JSON_REAL_PRECISION(17));
    assert_non_null(text);
    const ow_status status =
        owi_circuit_import_text(ctx, text, strlen(text), "test.json", circuit);
    free(text);
    return status;
}

/* ---- Sums over all trees, from the JSON ---- */

static double number_at(const json_t *array, size_t i)
{
    return json_number_value(json_array_get(array, i));
}

static double weight_at(const json_t *weights, size_t s, size_t i, size_t j)
{
    return number_at(json_array_get(json_array_get(weights, s), i), j);
}

static double log_add(double a, double b)
{
    const double high = fmax(a, b), low = fmin(a, b);
    return low == -INFINITY ? high : high + log1p(exp(low - high));
}

static double log_region(const json_t *regions, size_t index, size_t k, const double *x)
{
    const json_t *region = json_array_get(regions, index);
    const json_t *children = json_object_get(region, "children");
    if (children == NULL) {
        const json_t *scope = json_object_get(region, "scope");
        double sum = 0.0;
        for (size_t i = 0; i < json_array_size(scope); i++) {
            const double at = x[(size_t)number_at(scope, i)];
            const double mean =
                number_at(json_array_get(json_object_get(region, "mean"), k), i);
            const double v =
                number_at(json_array_get(json_object_get(region, "var"), k), i);
            if (!isnan(at))
                sum -= 0.5 * ((at - mean) * (at - mean) / v + log(2.0 * acos(-1.0) * v));
        }
        return sum;
    }
    const json_t *weights = json_object_get(region, "weights");
    const size_t K = json_array_size(json_array_get(weights, k));
    double sum = -INFINITY;
    for (size_t i = 0; i < K; i++)
        for (size_t j = 0; j < K; j++)
            sum =
                log_add(sum, log(weight_at(weights, k, i, j)) +
                                 log_region(regions, (size_t)number_at(children, 0), i, x) +
                                 log_region(regions, (size_t)number_at(children, 1), j, x));
    return sum;
}

static double log_root(const json_t *document, size_t c, const double *x)
{
    const json_t *regions = json_object_get(document, "regions");
    const json_t *partitions =
        json_object_get(json_object_get(document, "root"), "partitions");
    double sum = -INFINITY;
    for (size_t rep = 0; rep < json_array_size(partitions); rep++) {
        const json_t *partition = json_array_get(partitions, rep);
        const json_t *children = json_object_get(partition, "children");
        const json_t *weights = json_object_get(partition, "weights");
        const size_t K = json_array_size(json_array_get(weights, c));
        for (size_t i = 0; i < K; i++) {
            const double left = log_region(regions, (size_t)number_at(children, 0), i, x);
            if (json_array_size(children) == 1) {
                sum = log_add(sum, log(number_at(json_array_get(weights, c), i)) + left);
                continue;
            }
            for (size_t j = 0; j < K; j++)
                sum = log_add(sum, log(weight_at(weights, c, i, j)) + left +
                                       log_region(regions, (size_t)number_at(children, 1),
                                                  j, x));
        }
    }
    return sum;
}

/* ---- Tests ---- */

static const shape shapes[] = {
    {1, 2, 0, 1, 1, 3, true, 1e-3},   {5, 1, 0, 3, 1, 2, false, 1e-71},
    {2, 3, 1, 2, 1, 3, true, 1e-3},   {7, 2, 1, 3, 1, 4, false, 1e-71},
    {5, 3, 2, 2, 3, 2, true, 1e-71},  {9, 2, 2, 2, 2, 3, false, 1e-2},
    {11, 3, 3, 2, 2, 2, true, 1e-71}, {13, 2, 3, 1, 3, 2, false, 1e-3},
};
enum { n_shapes = sizeof shapes / sizeof *shapes };

static void any_circuit_of_this_form_comes_out_on_every_backend(void **state)
{
    (void)state;
    for (size_t i = 0; i < n_shapes; i++) {
        enum { n_rows = 15 };
        const shape *s = &shapes[i];
        json_t *document = circuit_json(s, i + 1);
        ow_context *ctx = NULL;
        ow_circuit *circuit = NULL;
        float rows[n_rows * 16];
        double want[n_rows * 8], got[n_rows * 8], want_density[n_rows], got_density[n_rows];
        owi_rng rng;
        owi_rng_init(&rng, i, 1);
        for (size_t row = 0; row < n_rows; row++) {
            double x[16];
            want_density[row] = -INFINITY;
            for (size_t j = 0; j < s->d; j++) {
                const double spread = row % 5 == 4 ? 60.0 : 3.0; /* some far out */
                rows[row * s->d + j] = row % 4 == 3 && owi_rng_below(&rng, 3) == 0
                                           ? NAN
                                           : (float)(spread * owi_rng_normal(&rng));
                x[j] = (double)rows[row * s->d + j];
            }
            for (size_t c = 0; c < s->C; c++) {
                want[row * s->C + c] = log_root(document, c, x);
                want_density[row] = log_add(
                    want_density[row],
                    want[row * s->C + c] +
                        log(number_at(json_object_get(document, "class_prior"), c)));
            }
        }
        assert_ok(ow_context_new(NULL, &ctx));
        assert_ok(import(ctx, document, &circuit));
        assert_int_equal(circuit->spec.depth, s->D);
        assert_int_equal(circuit->spec.repetitions, s->R);
        for (size_t b = 0; owi_backend_get(b) != NULL; b++) {
            ow_evaluator *evaluator = NULL;
            assert_ok(ow_evaluator_new(circuit, owi_backend_get(b)->name, &evaluator));
            assert_ok(ow_evaluate(evaluator, n_rows, rows, got));
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
                        numbers(2, (const double[]){0.0, 99.0}));
}
static void three_children(json_t *document)
{
    json_object_set_new(first_partition(document), "children",
                        numbers(3, (const double[]){0.0, 1.0, 2.0}));
}
static void the_same_child_twice(json_t *document)
{
    json_object_set_new(inner_region(document), "children",
                        numbers(2, (const double[]){0.0, 0.0}));
}
static void an_inner_region_as_leaf(json_t *document)
{
    json_object_set_new(inner_region(document), "children",
                        numbers(2, (const double[]){0.0, 2.0}));
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
                        numbers(3, (const double[]){1.0, 0.5, 0.5}));
}

static const mistake mistakes[] = {
    {"field \"format\": expected \"ratspn-vectors-1\"", OW_ERR_FORMAT, no_format},
    {"field \"format\": expected \"ratspn-vectors-1\"", OW_ERR_FORMAT, wrong_format},
    {"must be at least 1", OW_ERR_FORMAT, no_columns},
    {"field \"d\"", OW_ERR_FORMAT, half_a_column},
    {"holds columns", OW_ERR_FORMAT, more_columns},
    {"more than a file of", OW_ERR_FORMAT, a_huge_circuit},
    {"regions, expected", OW_ERR_FORMAT, more_repetitions},
    {"field \"D\"", OW_ERR_FORMAT, too_deep},
    {"regions, expected", OW_ERR_FORMAT, one_region_less},
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
    json_t *good = circuit_json(&shapes[4], 1);
    for (size_t i = 0; i < sizeof mistakes / sizeof *mistakes; i++) {
        ow_circuit *circuit = NULL;
        json_t *bad = json_deep_copy(good);
        mistakes[i].spoil(bad);
        assert_fails(import(heap.ctx, bad, &circuit), mistakes[i].status,
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
    json_t *document = circuit_json(&shapes[2], 1);
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
    assert_fails(ow_circuit_import(ctx, "no/such/file.json", &circuit), OW_ERR_IO,
                 "no/such/file.json");
    assert_status(ow_circuit_import(ctx, NULL, &circuit), OW_ERR_ARGUMENT);
    assert_status(ow_circuit_import(ctx, "tests/golden/circuits/a_d4_D1.json", NULL),
                  OW_ERR_ARGUMENT);
    assert_null(circuit);
    ow_context_free(ctx);
}

static ow_status import_file(ow_context *ctx, void *user)
{
    ow_circuit *circuit = NULL;
    const ow_status status = ow_circuit_import(ctx, user, &circuit);
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
        cmocka_unit_test(any_failing_allocation_is_survived),
    };
    return cmocka_run_group_tests_name("circuit/circuit_import", tests, NULL, NULL);
}
