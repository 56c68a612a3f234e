/* SPDX-License-Identifier: MIT */
/* The options that say what the columns of a table are, for every command that infers a
 * schema. */
#ifndef CLI_INFER_SETTINGS_H
#define CLI_INFER_SETTINGS_H

#include "options/args.h"
#include "otherwise/data.h"
#include "otherwise/schema.h"

typedef struct {
    const char *label;
    text_list classes, drop, ordinal, categorical, immutable;
    int scaling, levels;
} infer_settings;

/* What the settings are before any option is read. */
enum { infer_not_given = -1 };
#define INFER_DEFAULTS                                                                     \
    {                                                                                      \
        .scaling = infer_not_given, .levels = infer_not_given                              \
    }

extern const option_group infer_options;

/* Infers a schema as the options say; needs a label, from them or from the file of labels
 * (labels, which may be NULL).  command and name (of the data) stand in complaints.  An
 * exit code, after saying what went wrong; *schema is NULL then. */
int infer_settings_schema(const infer_settings *settings, const char *command,
                          ow_reader *reader, const char *name, const char *labels,
                          ow_schema **schema);

/* The name of an option that was given and has no place beside a schema that is there
 * already, such as "drop"; NULL if there is none.  The label is none of them. */
const char *infer_settings_given(const infer_settings *settings);

#endif
