/* SPDX-License-Identifier: MIT */
/* What tuning tried. */
#ifndef CLI_TUNE_REPORT_H
#define CLI_TUNE_REPORT_H

#include "otherwise/model.h"

/* A table on standard output, the best marked. */
void tune_report_print(const ow_tune_trial *trials, size_t n, size_t best);

#endif
