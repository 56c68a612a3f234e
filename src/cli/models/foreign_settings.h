/* SPDX-License-Identifier: MIT */
/* The options of train that name a model of another package, which decides. */
#ifndef CLI_FOREIGN_SETTINGS_H
#define CLI_FOREIGN_SETTINGS_H

#include "options/args.h"
#include "otherwise/model.h"

typedef struct {
    const char *path, *limit;
    text_list classes;
    bool embed;
} foreign_settings;

extern const option_group foreign_options;

/* Into *foreign, which options then points to where a model is named.  False after a
 * complaint. */
bool foreign_settings_convert(const foreign_settings *settings, ow_foreign *foreign,
                              ow_train_options *options);

#endif
