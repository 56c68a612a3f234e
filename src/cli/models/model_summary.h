/* SPDX-License-Identifier: MIT */
/* A model as people read it, part by part. */
#ifndef CLI_MODEL_SUMMARY_H
#define CLI_MODEL_SUMMARY_H

#include <stdio.h>

#include "otherwise/model.h"

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

#endif
