/* SPDX-License-Identifier: MIT */
/* Circuits as JSON: what is accepted gives numbers, never NaN, for any row, on every
 * backend. */
#include <math.h>
#include <string.h>

#include "circuit/structure/circuit.h"
#include "fuzz_target.h"

/* How everything here is called. */
static ow_call how = {.size = sizeof how};

enum { most_columns = 256, most_classes = 16 };

static void use(const ow_circuit *circuit, const char *backend)
{
    static const float values[] = {0.0f, 1.0f, -30.0f, 1e6f, -3e38f, 3e38f, NAN};
    enum { n_values = sizeof values / sizeof *values, n_rows = 14 };
    static float rows[n_rows * most_columns], gradients[n_rows * most_columns];
    static double log_class[n_rows * most_classes], log_density[n_rows];
    const size_t d = circuit->spec.n_columns, C = circuit->spec.n_classes;
    ow_evaluator *evaluator = NULL;

    for (size_t i = 0; i < n_rows * d; i++)
        rows[i] = values[i / d < n_values ? i / d : (i * 5 + i / d) % n_values];
    const ow_mix mix = {NULL, 1.0};
    expect(ow_evaluator_new(circuit, backend, &evaluator) == OW_OK);
    expect(ow_evaluator_differentiate(evaluator, n_rows, rows, 1, &mix, &how, log_class,
                                      gradients) == OW_OK);
    ow_circuit_posterior(circuit, n_rows, log_class, log_density, NULL);
    for (size_t i = 0; i < n_rows * C; i++) expect(log_class[i] < INFINITY);
    for (size_t i = 0; i < n_rows; i++) expect(log_density[i] < INFINITY);
    for (size_t i = 0; i < n_rows * d; i++) expect(isfinite(gradients[i]));
    ow_evaluator_free(evaluator);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    ow_context *ctx = NULL;
    ow_circuit *circuit = NULL;
    expect(ow_context_new(NULL, &ctx) == OW_OK);
    how.threads = 1;
    const ow_status status =
        owi_circuit_import_text(ctx, (const char *)data, size, "fuzz.json", &circuit);
    expect(status == OW_OK || status == OW_ERR_FORMAT || status == OW_ERR_NUMERIC);
    if (status == OW_OK && circuit->spec.n_columns <= most_columns &&
        circuit->spec.n_classes <= most_classes) {
        use(circuit, "ref");
        use(circuit, "cpu");
    }
    ow_circuit_free(circuit);
    ow_context_free(ctx);
    return 0;
}
