/* SPDX-License-Identifier: MIT */
/* How good a model is, in figures that people know. */
#ifndef CLI_QUALITY_SUMMARY_H
#define CLI_QUALITY_SUMMARY_H

#include <stdio.h>

#include "otherwise/model.h"

/* Accuracy with its interval and the majority beside it, AUC, Gini, log-loss and
 * calibration on rows that were not learned from; nothing for an imported model. */
void quality_summary_print(FILE *file, const ow_model *model);

#endif
