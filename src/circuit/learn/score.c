/* SPDX-License-Identifier: MIT */
/* How well a circuit fits rows. */
#include <math.h>

#include "base/error.h"
#include "base/memory/alloc.h"
#include "base/numeric/largest.h"
#include "circuit/learn/learn.h"
#include "circuit/pass/evaluator.h"

enum { block_rows = 4096 };

typedef struct {
    double log_density, log_density_class, log_loss, right;
} sums;

static void add_rows(const ow_circuit *circuit, const owi_row_block *block,
                     const double *log_class, double *posterior, sums *sum)
{
    const size_t C = circuit->spec.n_classes;
    for (size_t row = 0; row < block->n_rows; row++) {
        const size_t y = (size_t)block->classes[row];
        double log_density;
        ow_circuit_posterior(circuit, 1, log_class + row * C, &log_density, posterior);
        sum->log_density += log_density;
        sum->log_density_class += log_class[row * C + y];
        sum->log_loss -=
            fmax(log(posterior[y]), -700.0); /* one impossible row is not all */
        sum->right += (size_t)owi_most_probable(C, posterior, -1) == y;
    }
}

ow_status owi_circuit_score(const owi_call *call, ow_evaluator *evaluator,
                            const ow_row_source *source, ow_score *score)
{
    const ow_circuit *circuit = evaluator->circuit;
    ow_context *ctx = circuit->ctx;
    const size_t C = circuit->spec.n_classes;
    owi_row_block block;
    sums sum = {0};

    *score = (ow_score){0};
    OWI_TRY(owi_row_block_init(&block, call, circuit, block_rows));
    double *log_class = owi_alloc_array(ctx, (block_rows + 1) * C, sizeof *log_class);
    ow_status status =
        log_class != NULL ? owi_row_block_rewind(&block, source) : OW_ERR_MEMORY;
    while (status == OW_OK) {
        size_t n;
        status = owi_row_block_fill(&block, source, &n);
        if (status != OW_OK || n == 0) break;
        status = owi_evaluate(call, evaluator, block.n_rows, block.rows, log_class);
        if (status == OW_ERR_NUMERIC) (void)owi_row_block_check(&block);
        if (status != OW_OK) break;
        add_rows(circuit, &block, log_class, log_class + block_rows * C, &sum);
        score->n_rows += block.n_rows;
        owi_row_block_empty(&block);
    }
    const double n = (double)(score->n_rows > 0 ? score->n_rows : 1);
    score->log_density = sum.log_density / n;
    score->log_density_class = sum.log_density_class / n;
    score->log_loss = sum.log_loss / n;
    score->accuracy = sum.right / n;
    owi_free(ctx, log_class);
    owi_row_block_clear(&block);
    return status;
}

ow_status ow_circuit_score(ow_evaluator *evaluator, const ow_row_source *source,
                           const ow_call *call, ow_score *score)
{
    owi_call own;
    OWI_REQUIRE(evaluator != NULL && source != NULL && score != NULL);
    OWI_TRY(owi_call_begin(&own, evaluator->circuit->ctx, call));
    return owi_circuit_score(&own, evaluator, source, score);
}
