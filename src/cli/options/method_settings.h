/* SPDX-License-Identifier: MIT */
/* Which method looks for answers, with which parameters, among which known rows. */
#ifndef CLI_METHOD_SETTINGS_H
#define CLI_METHOD_SETTINGS_H

#include "options/args.h"
#include "otherwise/data.h"
#include "otherwise/explain.h"

typedef struct {
    const char *method; /* NULL: the first that there is, guided               */
    const char *preset; /* NULL: none                                          */
    text_list params;   /* "name=value"                                        */
    const char *background;
} method_settings;

extern const option_group method_options;

/* The explainer and the background rows that it borrows (NULL: none were named), which are
 * read as `how` says.  An exit code, after saying what went wrong; either way the caller
 * frees both, the explainer first. */
int method_settings_make(const method_settings *settings, const ow_model *model,
                         const char *backend, const ow_read_options *how, ow_context *ctx,
                         const ow_call *call, ow_explainer **explainer,
                         ow_table **background);

#endif
