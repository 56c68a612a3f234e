/* SPDX-License-Identifier: MIT */
/* The options that say how a data file is written, for every command that reads one. */
#ifndef CLI_READ_SETTINGS_H
#define CLI_READ_SETTINGS_H

#include "options/args.h"
#include "otherwise/data.h"

typedef struct {
    const char *delimiter, *labels;
    uint64_t skip;
    int decimal; /* of decimal_names */
    bool no_header;
} read_settings;

extern const option_group read_options;

/* What the options say, in the library's form.  False after a complaint. */
bool read_settings_convert(const read_settings *settings, ow_read_options *converted);

#endif
