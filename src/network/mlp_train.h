/* SPDX-License-Identifier: MIT */
/* Learning a network: Adam on batches of rows in an order drawn anew in every pass; the
 * state that was best on held-out rows is kept.
 *
 *     owi_mlp_spec spec;
 *     (void)owi_mlp_spec_fill(&spec, OWI_MLP_CLASSES, width, 2,
 *                             (const size_t[]){64, 64}, n_classes);
 *     const owi_mlp_options options = owi_mlp_defaults();
 *     OWI_TRY(owi_mlp_train(call, &spec, &options, &source, &mlp, NULL));
 *
 * Rows are read block by block in every pass, so that memory does not depend on their
 * number; the result is the same bytes on any number of threads. */
#ifndef OWI_MLP_TRAIN_H
#define OWI_MLP_TRAIN_H

#include "network/mlp.h"
#include "otherwise/learn.h"

typedef struct {
    const char *backend;
    size_t passes;    /* at most                                               */
    size_t batch;     /* rows for each update; 0: 256, or 64 where rows are few */
    size_t patience;  /* passes without improvement before it stops            */
    double rate;      /* step length                                           */
    double decay;     /* share of the weights in the gradient of a batch's sum */
    double held_out;  /* share of the rows; 0: the training rows themselves judge */
    const bool *rare; /* (classes) never held out; NULL: none                  */
    bool one_kind; /* inputs are alike, as pixels are: the range of all is that of each */
    uint64_t seed;
} owi_mlp_options;
owi_mlp_options owi_mlp_defaults(void);

typedef struct {
    size_t n_rows, n_held_out;
    size_t passes, best_pass;
    /* best mean over the held-out rows: -log P(class given x), or |x - out|^2 */
    double loss;
    double accuracy; /* there; of classes only                                 */
} owi_mlp_score;

/* The rows of the source are as wide as the network's inputs; what is missing (NaN) is 0 in
 * standardised space and, among numbers to give back, counts for nothing.  Cancelled
 * (OW_ERR_CANCELLED): the best network so far is in *out all the same.  score may be
 * NULL. */
ow_status owi_mlp_train(const owi_call *call, const owi_mlp_spec *spec,
                        const owi_mlp_options *options, const ow_row_source *source,
                        owi_mlp **out, owi_mlp_score *score);

#endif
