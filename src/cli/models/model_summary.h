/* SPDX-License-Identifier: MIT */
/* A model as people read it, part by part. */
#ifndef CLI_MODEL_SUMMARY_H
#define CLI_MODEL_SUMMARY_H

#include <stdio.h>

#include "otherwise/model.h"

/* The leaf of a schema column in a word or two: "Gaussian", "categorical", "few values",
 * "point masses", "one-hot". */
const char *model_summary_leaf(const ow_model *model, size_t column);

/* Two paragraphs: structure and sizes; which leaves the columns have. */
void model_summary_circuit(FILE *file, const ow_model *model);
/* The network that decides, where there is one. */
void model_summary_network(FILE *file, const ow_model *model);
/* A paragraph: by which learner, in how many passes, from which rows. */
void model_summary_training(FILE *file, const ow_model *model);
/* A table of accuracy, log-loss and density on training and held-out rows, and what always
 * saying the most frequent class would reach; nothing for an imported model. */
void model_summary_scores(FILE *file, const ow_model *model);
/* Which classes are taken for which, of the held-out rows. */
void model_summary_confusion(FILE *file, const ow_model *model);
/* How far its probabilities are off, if that is known. */
void model_summary_calibration(FILE *file, const ow_model *model);

/* The class that most held-out rows have, and its share of them; NaN without such rows. */
double model_summary_majority(const ow_model *model, size_t *class_index);

#endif
