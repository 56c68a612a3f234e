/* SPDX-License-Identifier: MIT */
#include "models/foreign_run.h"

#include <stdlib.h>

#include "models/onnxruntime_path.h"

static const option_spec specs[] = {
    {.name = "model-command",
     .word = "CMD",
     .help = "of a model that was trained with a program which decides: that program, "
             "which a model file alone does not start",
     .kind = OPTION_TEXT,
     .at = offsetof(foreign_run_settings, command)},
    {.name = "model-timeout",
     .word = "SECONDS",
     .help = "how long that program may be silent while it owes answers; 60 by default",
     .kind = OPTION_NUMBER,
     .low = 0.001,
     .high = 1e6,
     .at = offsetof(foreign_run_settings, seconds)},
    {.name = "onnxruntime",
     .word = "PATH",
     .help = "of a model in ONNX format: the library of onnxruntime, or its folder",
     .kind = OPTION_TEXT,
     .at = offsetof(foreign_run_settings, onnxruntime)},
};

const option_group foreign_run_options = {"What decides", specs,
                                          sizeof specs / sizeof *specs};

ow_status foreign_run_load(const foreign_run_settings *settings, ow_context *ctx,
                           const char *path, const ow_call *how, ow_model **model)
{
    char *onnxruntime = onnxruntime_path(settings->onnxruntime);
    const ow_foreign_run run = {.size = sizeof run,
                                .command = settings->command,
                                .seconds = settings->seconds,
                                .onnxruntime = onnxruntime};
    ow_status status = ow_model_load(ctx, path, how, model);
    if (status == OW_OK) status = ow_model_run_foreign(*model, &run);
    free(onnxruntime);
    return status;
}
