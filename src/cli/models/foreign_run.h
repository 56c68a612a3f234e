/* SPDX-License-Identifier: MIT */
/* The options of commands that use a model: what a model of another package needs beyond
 * the model file. */
#ifndef CLI_FOREIGN_RUN_H
#define CLI_FOREIGN_RUN_H

#include "options/args.h"
#include "otherwise/model.h"

typedef struct {
    const char *command, *onnxruntime;
    double seconds; /* 0: the default */
} foreign_run_settings;

extern const option_group foreign_run_options;

/* ow_model_load, and the program that decides. */
ow_status foreign_run_load(const foreign_run_settings *settings, ow_context *ctx,
                           const char *path, const ow_call *how, ow_model **model);

#endif
