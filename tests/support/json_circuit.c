/* SPDX-License-Identifier: MIT */
#include "support/json_circuit.h"

#include "base/numeric/rng.h"
#include "circuit/structure/circuit.h"
#include "support/ow_test.h"

/* ---- Making ---- */

const ow_test_circuit_shape ow_test_circuit_shapes[ow_test_n_circuit_shapes] = {
    {1, 2, 0, 1, 1, 3, true, 1e-3, false},   {5, 1, 0, 3, 1, 2, false, 1e-71, false},
    {2, 3, 1, 2, 1, 3, true, 1e-3, false},   {7, 2, 1, 3, 1, 4, false, 1e-71, false},
    {5, 3, 2, 2, 3, 2, true, 1e-71, false},  {9, 2, 2, 2, 2, 3, false, 1e-2, false},
    {11, 3, 3, 2, 2, 2, true, 1e-71, false}, {13, 2, 3, 1, 3, 2, false, 1e-3, false},
    {3, 2, 2, 2, 3, 3, true, 1e-3, true},    {5, 3, 3, 3, 2, 3, true, 1e-71, true},
    {7, 2, 3, 4, 3, 2, false, 1e-3, true},   {11, 2, 4, 3, 2, 2, true, 1e-2, true},
    {6, 1, 3, 2, 1, 4, false, 1e-71, true},
};

json_t *ow_test_json_numbers(size_t n, const double *values)
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
        json_array_append_new(array, ow_test_json_numbers(columns, values + i * columns));
    return array;
}

static json_t *leaf_json(owi_rng *rng, const ow_test_circuit_shape *s, size_t n,
                         const size_t *columns)
{
    double mean[64], variance[64], scope[16];
    for (size_t i = 0; i < n; i++) scope[i] = (double)columns[i];
    for (size_t i = 0; i < s->I * n; i++) {
        mean[i] = 3.0 * owi_rng_normal(rng);
        variance[i] = 0.05 + 2.0 * owi_rng_uniform(rng);
    }
    json_t *leaf = json_object();
    json_object_set_new(leaf, "scope", ow_test_json_numbers(n, scope));
    json_object_set_new(leaf, "mean", matrix(s->I, n, mean));
    json_object_set_new(leaf, "var", matrix(s->I, n, variance));
    return leaf;
}

/* How many components a region has. */
static size_t n_components(const ow_test_circuit_shape *s, const json_t *regions,
                           double index)
{
    const json_t *region = json_array_get(regions, (size_t)index);
    return json_object_get(region, "children") == NULL ? s->I : s->S;
}

/* Where n columns are divided that are to be halved some more times: unequally, but so that
 * every leaf below has one; or anywhere. */
static size_t divide(owi_rng *rng, const ow_test_circuit_shape *s, size_t n,
                     size_t halvings)
{
    const size_t least = s->early ? 1 : (size_t)1 << halvings;
    return least + owi_rng_below(rng, n - 2 * least + 1);
}

/* One region at a depth over these columns, and all below it, appended to the list from the
 * bottom up; its index. */
static size_t add_region(owi_rng *rng, const ow_test_circuit_shape *s, size_t depth,
                         size_t n, size_t *columns, json_t *regions)
{
    if (depth == s->D || (s->early && (n == 1 || owi_rng_below(rng, 4) == 0))) {
        for (size_t i = 1; i < n && s->sorted; i++) /* insertion */
            for (size_t k = i; k > 0 && columns[k] < columns[k - 1]; k--) {
                const size_t swap = columns[k];
                columns[k] = columns[k - 1];
                columns[k - 1] = swap;
            }
        json_array_append_new(regions, leaf_json(rng, s, n, columns));
        return json_array_size(regions) - 1;
    }
    const size_t left = divide(rng, s, n, s->D - depth - 1);
    const double children[2] = {
        (double)add_region(rng, s, depth + 1, left, columns, regions),
        (double)add_region(rng, s, depth + 1, n - left, columns + left, regions)};
    const size_t rows = n_components(s, regions, children[0]);
    const size_t width = n_components(s, regions, children[1]);
    json_t *region = json_object(), *weights = json_array();
    json_object_set_new(region, "children", ow_test_json_numbers(2, children));
    for (size_t i = 0; i < s->S; i++) {
        double w[64];
        draw_weights(rng, s->tiniest, rows * width, w);
        json_array_append_new(weights, matrix(rows, width, w));
    }
    json_object_set_new(region, "weights", weights);
    json_array_append_new(regions, region);
    return json_array_size(regions) - 1;
}

/* The root of each class: R blocks of weights that sum to 1 together. */
static json_t *root_json(owi_rng *rng, const ow_test_circuit_shape *s,
                         const json_t *regions, const double *children)
{
    const size_t n = s->D == 0 ? 1 : 2;
    size_t rows[16], width[16], start[17] = {0};
    double w[8][512];
    json_t *partitions = json_array(), *root = json_object();
    for (size_t rep = 0; rep < s->R; rep++) {
        rows[rep] = n_components(s, regions, children[rep * n]);
        width[rep] = n == 1 ? 1 : n_components(s, regions, children[rep * n + 1]);
        start[rep + 1] = start[rep] + rows[rep] * width[rep];
    }
    assert_true(s->C <= 8 && start[s->R] <= 512);
    for (size_t c = 0; c < s->C; c++) draw_weights(rng, s->tiniest, start[s->R], w[c]);
    for (size_t rep = 0; rep < s->R; rep++) {
        json_t *partition = json_object(), *weights = json_array();
        json_object_set_new(partition, "children",
                            ow_test_json_numbers(n, children + rep * n));
        for (size_t c = 0; c < s->C; c++)
            json_array_append_new(weights,
                                  n == 1
                                      ? ow_test_json_numbers(rows[rep], w[c] + start[rep])
                                      : matrix(rows[rep], width[rep], w[c] + start[rep]));
        json_object_set_new(partition, "weights", weights);
        json_array_append_new(partitions, partition);
    }
    json_object_set_new(root, "partitions", partitions);
    return root;
}

json_t *ow_test_circuit_json(const ow_test_circuit_shape *s, uint64_t seed)
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
        const size_t left = divide(&rng, s, s->d, s->D - 1);
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
    json_object_set_new(document, "class_prior", ow_test_json_numbers(s->C, prior));
    json_object_set_new(document, "regions", regions);
    json_object_set_new(document, "root", root_json(&rng, s, regions, children));
    return document;
}

ow_status ow_test_import(ow_context *ctx, const json_t *document, ow_circuit **circuit)
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
    const json_t *rows = json_array_get(weights, k);
    double sum = -INFINITY;
    for (size_t i = 0; i < json_array_size(rows); i++)
        for (size_t j = 0; j < json_array_size(json_array_get(rows, i)); j++)
            sum =
                log_add(sum, log(weight_at(weights, k, i, j)) +
                                 log_region(regions, (size_t)number_at(children, 0), i, x) +
                                 log_region(regions, (size_t)number_at(children, 1), j, x));
    return sum;
}

double ow_test_log_root(const json_t *document, size_t c, const double *x)
{
    const json_t *regions = json_object_get(document, "regions");
    const json_t *partitions =
        json_object_get(json_object_get(document, "root"), "partitions");
    double sum = -INFINITY;
    for (size_t rep = 0; rep < json_array_size(partitions); rep++) {
        const json_t *partition = json_array_get(partitions, rep);
        const json_t *children = json_object_get(partition, "children");
        const json_t *weights = json_object_get(partition, "weights");
        const json_t *rows = json_array_get(weights, c);
        for (size_t i = 0; i < json_array_size(rows); i++) {
            const double left = log_region(regions, (size_t)number_at(children, 0), i, x);
            if (json_array_size(children) == 1) {
                sum = log_add(sum, log(number_at(rows, i)) + left);
                continue;
            }
            for (size_t j = 0; j < json_array_size(json_array_get(rows, i)); j++)
                sum = log_add(sum, log(weight_at(weights, c, i, j)) + left +
                                       log_region(regions, (size_t)number_at(children, 1),
                                                  j, x));
        }
    }
    return sum;
}

double ow_test_log_density(const json_t *document, const double *x)
{
    const json_t *prior = json_object_get(document, "class_prior");
    double sum = -INFINITY;
    for (size_t c = 0; c < json_array_size(prior); c++)
        sum = log_add(sum, ow_test_log_root(document, c, x) + log(number_at(prior, c)));
    return sum;
}
