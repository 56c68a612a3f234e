/* SPDX-License-Identifier: MIT */
/* What is asked for: options of every command that looks for counterfactuals. */
#ifndef CLI_QUESTION_SETTINGS_H
#define CLI_QUESTION_SETTINGS_H

#include "options/args.h"
#include "otherwise/explain.h"

typedef struct {
    const char *target; /* NULL: any other class                                  */
    uint64_t n_answers;
    int prefer; /* an ow_prefer                                            */
    bool steps;
    double time_limit; /* seconds; 0: none                                        */
} question_settings;

extern const option_group question_options;
/* With these: an answer, and no limit. */
#define QUESTION_DEFAULTS                                                                  \
    {                                                                                      \
        .n_answers = 1                                                                     \
    }

/* The question as options of a call.  False after a complaint with the nearest class. */
bool question_settings_make(const question_settings *settings, const ow_schema *schema,
                            ow_explain_options *options);

#endif
