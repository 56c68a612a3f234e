/* SPDX-License-Identifier: MIT */
#include "options/read_settings.h"

#include <string.h>

#include "terminal/message.h"

/* As they are found in the file, or as told. */
static const char *const decimal_names[] = {"auto", "point", "comma", NULL};
static const char decimal_marks[] = {'\0', '.', ','};

static const option_spec options[] = {
    {.name = "delimiter",
     .word = "C",
     .help = "CSV: what divides the fields (comma, semicolon, tab, bar, space, or the "
             "character itself); found in the file by default",
     .kind = OPTION_TEXT,
     .at = offsetof(read_settings, delimiter)},
    {.name = "decimal",
     .word = "MARK",
     .help = "CSV: what stands before decimals; auto, the default, finds 12,5 where no "
             "comma divides the fields",
     .kind = OPTION_CHOICE,
     .choices = decimal_names,
     .at = offsetof(read_settings, decimal)},
    {.name = "no-header",
     .help = "CSV: the first line is a row; the columns are x0, x1, ...",
     .kind = OPTION_FLAG,
     .at = offsetof(read_settings, no_header)},
    {.name = "skip",
     .word = "N",
     .help = "CSV: pass over N lines at the start",
     .kind = OPTION_INTEGER,
     .most = SIZE_MAX,
     .at = offsetof(read_settings, skip)},
    {.name = "labels",
     .word = "FILE",
     .help = "IDX, NPY: file with the class of each row, seen as a column named label",
     .kind = OPTION_TEXT,
     .at = offsetof(read_settings, labels)},
};

const option_group read_options = {
    .title = "How the file is written",
    .options = options,
    .n_options = sizeof options / sizeof *options,
};

bool read_settings_convert(const read_settings *settings, ow_read_options *converted)
{
    static const struct {
        const char *name;
        char delimiter;
    } delimiters[] = {
        {"comma", ','}, {",", ','},     {"semicolon", ';'}, {";", ';'},
        {"tab", '\t'},  {"\t", '\t'},   {"\\t", '\t'},      {"bar", '|'},
        {"|", '|'},     {"space", ' '}, {" ", ' '},
    };
    *converted = (ow_read_options){.size = sizeof(ow_read_options),
                                   .no_header = settings->no_header,
                                   .decimal = decimal_marks[settings->decimal],
                                   .skip = (size_t)settings->skip,
                                   .labels = settings->labels};
    if (settings->delimiter == NULL) return true;
    for (size_t i = 0; i < sizeof delimiters / sizeof *delimiters; i++)
        if (strcmp(settings->delimiter, delimiters[i].name) == 0) {
            converted->delimiter = delimiters[i].delimiter;
            return true;
        }
    message(OW_LOG_ERROR,
            "--delimiter: expected comma, semicolon, tab, bar or space, got \"%s\"",
            settings->delimiter);
    return false;
}
