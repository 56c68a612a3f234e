/* SPDX-License-Identifier: MIT */
/* A model as programs read it. */
#ifndef CLI_MODEL_JSON_H
#define CLI_MODEL_JSON_H

#include <jansson.h>

#include "otherwise/model.h"

/* Label, classes, circuit, how it was trained and how well, and the confusion of the rows
 * held out. */
json_t *model_json(const ow_model *model);

#endif
