/* SPDX-License-Identifier: MIT */
/* What cem knows before the first query: which value of an entry says nothing, and an
 * autoencoder's idea of what rows look like: what it gives back of x' badly is unlike the
 * rows.  Both come from the background rows, or where there are none from the model's
 * samples. */
#ifndef OWI_CEM_BASIS_H
#define OWI_CEM_BASIS_H

#include "base/memory/workspace.h"
#include "explain/core/explainer.h"
#include "network/mlp.h"

typedef struct {
    size_t first, width;
} owi_number_run;

typedef struct {
    owi_workspace *workspace;
    float *nothing; /* (width): b, of numbers the training median, of levels their shares */
    size_t n_runs;
    owi_number_run *
        /* entries that are numbers, as far as they follow each other; others are shares */
        runs;
    owi_mlp *network;
    owi_mlp_runner *autoencoder; /* NULL: none was wanted */
} owi_cem_basis;

typedef struct {
    size_t n_units; /* of the hidden layer; 0: an eighth of the entries, 4 to 128 */
    size_t passes;  /* over the rows, at most; 0: 600,000 rows in all, 20 to 500 passes */
    double rate;
} owi_cem_autoencoder;

/* wanted NULL: no autoencoder.  The error that it leaves is said in the log; one that is no
 * number, or twice that of giving back the mean, is OW_ERR_NUMERIC. */
ow_status owi_cem_basis_new(const owi_problem *problem, const owi_cem_autoencoder *wanted,
                            owi_cem_basis **out);
void owi_cem_basis_free(ow_context *ctx, owi_cem_basis *basis);

#endif
