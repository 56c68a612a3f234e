/* SPDX-License-Identifier: MIT */
#include "options/infer_settings.h"

#include <stdlib.h>

#include "commands/command.h"
#include "terminal/exit_codes.h"
#include "terminal/message.h"
#include "terminal/text_build.h"

/* In the order of ow_scaling and ow_level_order. */
static const char *const scalings[] = {"none", "minmax", "standard", "log1p", NULL};
static const char *const level_orders[] = {"sorted", "appearance", NULL};

static const option_spec options[] = {
    {.name = "label",
     .word = "COLUMN",
     .help = "the column that holds the class (with --labels, label by default)",
     .kind = OPTION_TEXT,
     .in_usage = true,
     .at = offsetof(infer_settings, label)},
    {.name = "classes",
     .word = "A,B",
     .help = "keep the rows of these classes only",
     .kind = OPTION_LIST,
     .at = offsetof(infer_settings, classes)},
    {.name = "drop",
     .word = "A,B",
     .help = "columns to leave out",
     .kind = OPTION_LIST,
     .at = offsetof(infer_settings, drop)},
    {.name = "categorical",
     .word = "A,B",
     .help = "columns whose numbers are codes and not amounts",
     .kind = OPTION_LIST,
     .at = offsetof(infer_settings, categorical)},
    {.name = "ordinal",
     .word = "COL[=A|B|C]",
     .help =
         "column whose levels have an order: the one given, else that of the numbers or "
         "the alphabet; may be repeated",
     .kind = OPTION_REPEATED,
     .at = offsetof(infer_settings, ordinal)},
    {.name = "immutable",
     .word = "A,B",
     .help = "columns that a counterfactual must never change",
     .kind = OPTION_LIST,
     .at = offsetof(infer_settings, immutable)},
    {.name = "scaling",
     .word = "HOW",
     .help = "how numbers are scaled; standard by default, minmax for images and maps",
     .kind = OPTION_CHOICE,
     .choices = scalings,
     .at = offsetof(infer_settings, scaling)},
    {.name = "levels",
     .word = "ORDER",
     .help = "the order of levels and classes; sorted by default",
     .kind = OPTION_CHOICE,
     .choices = level_orders,
     .at = offsetof(infer_settings, levels)},
};

const option_group infer_options = {
    .title = "What the columns are",
    .options = options,
    .n_options = sizeof options / sizeof *options,
};

const char *infer_settings_given(const infer_settings *settings)
{
    if (settings->classes.n > 0) return "classes";
    if (settings->drop.n > 0) return "drop";
    if (settings->categorical.n > 0) return "categorical";
    if (settings->ordinal.n > 0) return "ordinal";
    if (settings->immutable.n > 0) return "immutable";
    if (settings->scaling != infer_not_given) return "scaling";
    return settings->levels != infer_not_given ? "levels" : NULL;
}

/* Nobody remembers the names of all columns, so they are told. */
static int complain_no_label(const char *command, const ow_reader *reader, const char *name)
{
    enum { most_names = 40 };
    const size_t n = ow_reader_n_columns(reader);
    if (ow_reader_layout(reader).kind != OW_LAYOUT_TABLE) {
        message(OW_LOG_ERROR, "%s holds no classes: give them with --labels FILE", name);
        return EXIT_USAGE;
    }
    char *names = NULL;
    for (size_t j = 0; j < n && j < most_names; j++)
        names = text_add_item(names, j > 0 ? ", " : "", ow_reader_column_name(reader, j));
    if (n > most_names) names = text_add(names, " and %zu more", n - most_names);
    message(OW_LOG_ERROR,
            "%s needs --label COLUMN, the column that holds the class; %s has %s", command,
            name, names != NULL ? names : "none");
    free(names);
    return EXIT_USAGE;
}

int infer_settings_schema(const infer_settings *settings, const char *command,
                          ow_reader *reader, const char *name, const char *labels,
                          ow_schema **schema)
{
    const bool sorted = settings->levels != OW_LEVELS_BY_APPEARANCE;
    const bool scaled = settings->scaling != infer_not_given;
    const ow_infer_options wanted = {
        .label = settings->label != NULL ? settings->label : "label",
        .level_order = sorted ? OW_LEVELS_SORTED : OW_LEVELS_BY_APPEARANCE,
        .scaling = scaled ? (ow_scaling)settings->scaling : OW_SCALE_NONE,
        .scaling_given = scaled,
        .drop = (const char *const *)settings->drop.items,
        .n_drop = settings->drop.n,
        .ordinal = (const char *const *)settings->ordinal.items,
        .n_ordinal = settings->ordinal.n,
        .categorical = (const char *const *)settings->categorical.items,
        .n_categorical = settings->categorical.n,
        .immutable = (const char *const *)settings->immutable.items,
        .n_immutable = settings->immutable.n,
    };
    *schema = NULL;
    if (settings->label == NULL && labels == NULL)
        return complain_no_label(command, reader, name);
    ow_status status = OW_OK;
    if (settings->classes.n > 0)
        status = ow_reader_keep_classes(reader, wanted.label,
                                        (const char *const *)settings->classes.items,
                                        settings->classes.n);
    if (status == OW_OK) status = ow_schema_infer(reader, &wanted, schema);
    return status == OW_OK ? EXIT_DONE : command_failed(status, false);
}
