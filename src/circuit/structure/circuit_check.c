/* SPDX-License-Identifier: MIT */
/* What a circuit can be: its size before anything is allocated, and its parameters before
 * they are used. */
#include <math.h>

#include "base/error.h"
#include "circuit/structure/circuit.h"
#include "circuit/structure/sheets.h"

/* Floats count levels exactly up to here. */
enum { most_levels = 1 << 24 };
/* No machine holds a circuit of more parameters; below it no product of its sizes
 * overflows. */
static const double most_parameters = 1e13;
/* A natural parameter beyond this leaves no room for sums of it in a float (prepare.c). */
static const double most_theta = 1e33;

/* ---- Sizes ---- */

owi_circuit_counts owi_circuit_count(const ow_circuit_spec *spec)
{
    const double copies =
        spec->structure == OW_STRUCTURE_SHARED ? 1.0 : (double)spec->n_classes;
    const double I = (double)spec->inputs, S = (double)spec->sums;
    const double top = spec->depth <= 1 ? I : S;
    owi_circuit_counts n = {.repetitions = copies * (double)spec->repetitions};

    for (size_t j = 0; j < spec->n_columns && spec->leaves != NULL; j++) {
        const ow_leaf *leaf = &spec->leaves[j];
        switch (leaf->kind) {
        case OW_LEAF_GAUSSIAN:
            n.leaf += spec->variance > 0.0 ? 1.0 : 2.0;
            break;
        case OW_LEAF_CATEGORICAL:
            n.leaf += (double)leaf->n_levels;
            break;
        case OW_LEAF_BERNOULLI:
            n.leaf += 2.0;
            break;
        case OW_LEAF_POINT_MASSES:
            n.leaf += (double)leaf->n_masses + 3.0;
            break;
        case OW_LEAF_FOLLOWS:
            break;
        }
    }
    n.leaf *= n.repetitions * I;
    const double parts = spec->parents != NULL ? (double)owi_region_graph_groups(spec)
                                               : ldexp(1.0, (int)spec->depth);
    n.leaf_regions = n.repetitions * parts;
    n.weights = (double)spec->n_classes * (double)spec->repetitions *
                (spec->depth == 0 ? I : top * top);
    if (spec->parents != NULL) n.weights += n.repetitions * (parts - 1.0) * I * I;
    for (size_t d = 1; d < spec->depth; d++) {
        const double K = d + 1 == spec->depth ? I : S;
        n.weights += n.repetitions * ldexp(1.0, (int)d) * S * K * K;
    }
    return n;
}

/* ---- The spec ---- */

static ow_status check_masses(const ow_leaf *leaf, size_t j)
{
    if (leaf->n_masses == 0 || leaf->masses == NULL)
        return owi_fail(OW_ERR_ARGUMENT, "column %zu has point masses but no values", j);
    for (size_t a = 0; a < leaf->n_masses; a++) {
        if (!isfinite(leaf->masses[a]))
            return owi_fail(OW_ERR_NUMERIC, "column %zu: point mass %zu is not finite", j,
                            a);
        for (size_t b = 0; b < a; b++)
            if (leaf->masses[a] == leaf->masses[b])
                return owi_fail(OW_ERR_ARGUMENT, "column %zu has the point mass %g twice",
                                j, (double)leaf->masses[a]);
    }
    return OW_OK;
}

static ow_status check_leaf(const ow_circuit_spec *spec, size_t j)
{
    const ow_leaf *leaf = &spec->leaves[j];
    switch (leaf->kind) {
    case OW_LEAF_GAUSSIAN:
    case OW_LEAF_BERNOULLI:
    case OW_LEAF_FOLLOWS:
        break;
    case OW_LEAF_CATEGORICAL:
        if (leaf->n_levels >= 1 && leaf->n_levels <= most_levels) break;
        return owi_fail(OW_ERR_ARGUMENT,
                        "column %zu is categorical with %zu levels, expected 1 to %d", j,
                        leaf->n_levels, (int)most_levels);
    case OW_LEAF_POINT_MASSES:
        if (spec->variance > 0.0)
            return owi_fail(OW_ERR_ARGUMENT,
                            "column %zu has point masses, which need learned variances", j);
        OWI_TRY(check_masses(leaf, j));
        break;
    default:
        return owi_fail(OW_ERR_ARGUMENT, "column %zu: there is no leaf kind %d", j,
                        (int)leaf->kind);
    }
    if (!isfinite(leaf->log_cell))
        return owi_fail(OW_ERR_NUMERIC, "column %zu: log_cell is %g", j, leaf->log_cell);
    if (!isfinite(leaf->low) || !isfinite(leaf->high) || leaf->low > leaf->high)
        return owi_fail(OW_ERR_NUMERIC, "column %zu: its tails begin at %g and %g", j,
                        leaf->low, leaf->high);
    if (leaf->low < leaf->high && spec->variance > 0.0)
        return owi_fail(OW_ERR_ARGUMENT,
                        "column %zu has tails, which need learned variances", j);
    return OW_OK;
}

ow_status owi_circuit_check_spec(const ow_circuit_spec *spec)
{
    OWI_REQUIRE(spec->n_columns >= 1 && spec->leaves != NULL);
    OWI_REQUIRE(spec->n_classes >= 1);
    OWI_REQUIRE(spec->inputs >= 1 && spec->repetitions >= 1);
    OWI_REQUIRE(spec->depth < 2 || spec->sums >= 1 || spec->parents != NULL);
    OWI_REQUIRE(spec->structure == OW_STRUCTURE_SHARED ||
                spec->structure == OW_STRUCTURE_PER_CLASS);
    OWI_REQUIRE(spec->variance >= 0.0 && isfinite(spec->variance));
    OWI_REQUIRE(spec->depth < 32);
    for (size_t j = 0; j < spec->n_columns; j++) OWI_TRY(check_leaf(spec, j));
    return owi_sheets_check(spec);
}

ow_status owi_circuit_check_size(const ow_circuit_spec *spec)
{
    const owi_circuit_counts n = owi_circuit_count(spec);
    if (n.leaf + n.weights + n.leaf_regions * (double)spec->inputs <= most_parameters)
        return OW_OK;
    return owi_fail(OW_ERR_MEMORY, "a circuit of %g parameters does not fit into memory",
                    n.leaf + n.weights);
}

/* ---- Parameters ---- */

static bool is_possible(const ow_circuit *circuit, const owi_feature *feature,
                        const float *parameter)
{
    const double mean = (double)*parameter - (double)circuit->shift[feature->column];
    const double v = feature->kind == OWI_FEATURE_NUMBER ? circuit->spec.variance
                     : feature->kind == OWI_FEATURE_MEAN ? (double)parameter[1]
                                                         : 1.0;
    if (!isfinite(*parameter)) return false;
    switch (feature->kind) {
    case OWI_FEATURE_LEVEL:
    case OWI_FEATURE_MASS:
    case OWI_FEATURE_SLAB:
        return *parameter <= 1e-3f;
    case OWI_FEATURE_VARIANCE:
        return (double)*parameter >= 0.5 / most_theta;
    case OWI_FEATURE_NUMBER:
    case OWI_FEATURE_MEAN:
        break;
    }
    /* What prepare.c makes of a mean must fit: mean / v and mean^2 / v. */
    return !(fabs(mean) / v > most_theta) && !(mean * mean / v > most_theta);
}

ow_status owi_circuit_check_parameters(const ow_circuit *circuit, const char *file)
{
    const size_t I = circuit->spec.inputs;
    for (size_t j = 0; j < circuit->spec.n_columns; j++)
        if (!isfinite(circuit->shift[j]))
            return owi_fail(OW_ERR_FORMAT, "%s: the shift of column %zu is not finite",
                            file, j);
    for (size_t r = 0; r < circuit->regions.n_copies * circuit->regions.n_regions; r++) {
        const size_t start = circuit->scope_start[r];
        const size_t width = circuit->scope_start[r + 1] - start;
        for (size_t i = 0; i < I * width; i++) {
            const owi_feature *feature =
                &circuit->features[circuit->scope[start + i % width]];
            const float *parameter = &circuit->leaf[I * start + i];
            if (!is_possible(circuit, feature, parameter))
                return owi_fail(OW_ERR_FORMAT,
                                "%s: leaf parameter %zu, of column %u, is %g", file,
                                I * start + i, feature->column, (double)*parameter);
        }
    }
    for (size_t i = 0; i < circuit->n_weights; i++)
        if (!(circuit->log_weight[i] <= 1e-3f))
            return owi_fail(OW_ERR_FORMAT, "%s: log-weight %zu is %g", file, i,
                            (double)circuit->log_weight[i]);
    for (size_t c = 0; c < circuit->spec.n_classes; c++)
        if (!(circuit->log_prior[c] <= 1e-6))
            return owi_fail(OW_ERR_FORMAT, "%s: the prior of class %zu is no probability",
                            file, c);
    return OW_OK;
}
