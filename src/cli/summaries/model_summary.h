/* SPDX-License-Identifier: MIT */
/* A model as people read it, part by part. */
#ifndef CLI_MODEL_SUMMARY_H
#define CLI_MODEL_SUMMARY_H

#include <stdbool.h>
#include <stdio.h>

#include "otherwise/model.h"

/* Two paragraphs: structure and sizes; which leaves the columns have. */
void model_summary_circuit(FILE *file, const ow_model *model);
/* A paragraph each, where there is one: the network that decides, the model of another
 * package that decides, the cut-offs of classes. */
void model_summary_decider(FILE *file, const ow_model *model);
/* A paragraph: from how many rows; verbose: also by which learner, in how many passes. */
void model_summary_training(FILE *file, const ow_model *model, bool verbose);
/* A table of accuracy, log-loss and density on training and held-out rows; nothing for an
 * imported model. */
void model_summary_scores(FILE *file, const ow_model *model);
/* How much memory and room in files training's rows took. */
void model_summary_stored(FILE *file, const ow_model *model);
/* Which classes are taken for which, of the rows that were not learned from. */
void model_summary_confusion(FILE *file, const ow_model *model);

#endif
