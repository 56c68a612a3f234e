/* SPDX-License-Identifier: MIT */
/* The options that say what the columns of a table are, for every command that infers a
 * schema. */
#ifndef CLI_INFER_SETTINGS_H
#define CLI_INFER_SETTINGS_H

#include "options/param_options.h"
#include "otherwise/data.h"
#include "otherwise/schema.h"

typedef struct {
    param_texts texts;
    text_list classes;
} infer_settings;

/* Filled in by infer_settings_start, before anything else looks at it. */
extern option_group infer_options;
void infer_settings_start(void);

/* What the options say, in the library's form, which borrows them.  False after a
 * complaint. */
bool infer_settings_convert(const infer_settings *settings, ow_infer_options *options);

/* Infers a schema as the options say; needs a label, from them or from the file of labels
 * (labels, which may be NULL), unless may_lack_label.  command and name (of the data) stand
 * in complaints.  An exit code, after saying what went wrong; *schema is NULL then. */
int infer_settings_schema(const infer_settings *settings, ow_infer_options options,
                          const char *command, ow_reader *reader, const char *name,
                          const char *labels, bool may_lack_label, const ow_call *call,
                          ow_schema **schema);

/* The name of an option that was given and has no place beside a schema that is there
 * already, such as "drop"; NULL if there is none.  The label is none of them. */
const char *infer_settings_given(const infer_settings *settings);

#endif
