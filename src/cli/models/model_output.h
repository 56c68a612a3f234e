/* SPDX-License-Identifier: MIT */
/* Writing a model to the file that --output names. */
#ifndef CLI_MODEL_OUTPUT_H
#define CLI_MODEL_OUTPUT_H

#include "otherwise/model.h"

/* Before the work: that the option was given and its folder can be written to.  An exit
 * code, after a complaint in the command's name. */
int model_output_check(const char *command, const char *path);

/* That a file can be written at this path.  An exit code, after a complaint. */
int model_output_check_path(const char *path);

/* Writes the model; "-" is standard output.  An exit code, after saying what went wrong. */
int model_output_write(const ow_model *model, const char *path);

#endif
