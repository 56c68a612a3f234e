/* SPDX-License-Identifier: MIT */
/* What computes: an option of every command that evaluates a model. */
#ifndef CLI_COMPUTE_SETTINGS_H
#define CLI_COMPUTE_SETTINGS_H

#include "options/args.h"

typedef struct {
    const char *backend; /* NULL: the fastest */
} compute_settings;

extern const option_group compute_options;

/* That there is such a backend on this machine.  False after a complaint. */
bool compute_settings_check(const compute_settings *settings);

#endif
