/* SPDX-License-Identifier: MIT */
/* Which tilt of its class densities (tilt.h) makes a circuit the best classifier. */
#ifndef OWI_TILT_FIT_H
#define OWI_TILT_FIT_H

#include "circuit/learn/tilt_rows.h"

/* A nat of a class's own density is worth so many nats of log-loss. */
static const double owi_density_worth = 0.02;

/* What is fitted for each class: one coefficient for each feature, and one for each column
 * whose levels have an order, which counts along it; 0 for other columns. */
static inline size_t owi_tilt_size(const ow_circuit *circuit)
{
    return circuit->spec.n_classes * (circuit->n_features + circuit->spec.n_columns);
}

/* From the coefficients that are there (0: no tilt) to the least
 *
 *     sum over rows of [ -log P(y given x) - worth log S(x given y) ]
 *     +  ridge / 2 sum coefficient^2
 *
 * of the tilted base, from which the rows have their logits.  P(y given x) is with the
 * classes' shares of these rows.  trial is another circuit of the same spec,
 * overwritten. */
ow_status owi_tilt_fit(const owi_tilt_rows *rows, const ow_circuit *base, ow_circuit *trial,
                       double ridge, double *coefficients);

/* Makes `to` the base circuit, tilted; they may be the same. */
ow_status owi_tilt_apply(const owi_call *call, const ow_circuit *base,
                         const double *coefficients, ow_circuit *to);

#endif
