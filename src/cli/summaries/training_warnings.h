/* SPDX-License-Identifier: MIT */
/* What should make one doubt a model that was just trained, a line each. */
#ifndef CLI_TRAINING_WARNINGS_H
#define CLI_TRAINING_WARNINGS_H

#include "otherwise/otherwise.h"

/* reader: the rows that it was trained from, bound to its schema. */
void training_warnings_print(const ow_model *model, ow_reader *reader, const ow_call *how);

#endif
