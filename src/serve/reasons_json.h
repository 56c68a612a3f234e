/* SPDX-License-Identifier: MIT */
/* Reasons as JSON (doc/serve.md). */
#ifndef SERVE_REASONS_JSON_H
#define SERVE_REASONS_JSON_H

#include <jansson.h>

#include "serve/reasons.h"

/* What is told of one row, besides its reasons.  All lent. */
typedef struct {
    const ow_schema *schema;
    const reason_groups *groups;
    const reasons *reasons;
    const double *row;
    size_t number;
    const char *id; /* NULL: none */
    int32_t predicted, target;
    const json_t *texts; /* by column, of the user's; NULL: none */
} reasons_about;

/* The user's text of a group: that of its first column that has one; NULL: none has. */
const char *reasons_text(const reasons_about *about, size_t group);
/* NULL without memory. */
json_t *reasons_json(const reasons_about *about);

#endif
