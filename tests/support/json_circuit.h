/* SPDX-License-Identifier: MIT */
/* Circuits as JSON, of any shape and with weights down to 1e-71, and sums over all their
 * trees straight from the JSON. */
#ifndef OW_TEST_JSON_CIRCUIT_H
#define OW_TEST_JSON_CIRCUIT_H

#include <jansson.h>

#include "otherwise/circuit.h"

typedef struct {
    size_t d, C, D, R, S, I;
    bool sorted;
    double tiniest; /* weights go down to this */
    bool early;     /* leaf regions may end before depth D */
} ow_test_circuit_shape;

/* Odd numbers of columns, unequal halves, depths 0 to 4, d up to 16 and C up to 8. */
enum { ow_test_n_circuit_shapes = 13 };
extern const ow_test_circuit_shape ow_test_circuit_shapes[ow_test_n_circuit_shapes];

/* The caller json_decref's it. */
json_t *ow_test_circuit_json(const ow_test_circuit_shape *s, uint64_t seed);
ow_status ow_test_import(ow_context *ctx, const json_t *document, ow_circuit **circuit);

json_t *ow_test_json_numbers(size_t n, const double *values);

/* log S(x given c), and log S(x); NaN is summed out. */
double ow_test_log_root(const json_t *document, size_t c, const double *x);
double ow_test_log_density(const json_t *document, const double *x);

#endif
