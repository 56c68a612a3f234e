/* SPDX-License-Identifier: MIT */
/* What somebody wants of answers, as JSON: the page saves it, and explain --preferences
 * reads it.  doc/serve.md lists the keys; those of constraints are the ones that
 * doc/explanation.schema.json has under meta.constraints. */
#ifndef SERVE_PREFERENCES_H
#define SERVE_PREFERENCES_H

#include <jansson.h>
#include <stdbool.h>

#include "otherwise/explain.h"

/* Adds preferences to constraints and options.  Of the options, target, n_answers and
 * prefer change only where they still have their default, so that options of a command line
 * go first.  False with a sentence to be freed; constraints and options are then not to be
 * used. */
bool preferences_apply(const json_t *preferences, const ow_schema *schema,
                       ow_constraints *constraints, ow_explain_options *options,
                       char **error);

/* Reads a file of preferences.  NULL with a sentence to be freed. */
json_t *preferences_load(const char *path, char **error);

/* The second answers of the page and of `explain --format json` reach this, unless a
 * probability is asked for. */
extern const double preferences_surer_proba;

#endif
