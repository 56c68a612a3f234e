/* SPDX-License-Identifier: MIT */
/* What an answer may change and how sure and typical it has to be: options of every command
 * that looks for counterfactuals. */
#ifndef CLI_CONSTRAINT_SETTINGS_H
#define CLI_CONSTRAINT_SETTINGS_H

#include "options/args.h"
#include "otherwise/explain.h"

typedef struct {
    text_list immutable, vary;        /* columns                               */
    text_list range, allow, monotone; /* "column=..."                          */
    text_list cost;                   /* likewise                              */
    text_list derive, rule;           /* statements                            */
    bool no_relations;                /* leave the schema's relations out      */
    uint64_t most_changes;            /* 0: any number                         */
    const char *least_density;        /* "q25"; NULL: that as a wish           */
    const char *proba;                /* "0.7:1"; NULL: the most probable class */
    const char *preferences;          /* a file of them; NULL: none            */
} constraint_settings;

extern const option_group constraint_options;

/* The constraints, and the wishes as far as they are options of a call.  An exit code,
 * after saying which option is wrong, and then NULL in *out. */
int constraint_settings_make(const constraint_settings *settings, const ow_schema *schema,
                             ow_context *ctx, ow_constraints **out,
                             ow_explain_options *options);

#endif
