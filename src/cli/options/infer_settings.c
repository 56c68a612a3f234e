/* SPDX-License-Identifier: MIT */
#include "options/infer_settings.h"

#include <stdlib.h>
#include <string.h>

#include "commands/command.h"
#include "terminal/exit_codes.h"
#include "terminal/message.h"
#include "terminal/text_build.h"

static option_spec specs[param_options_most + 1];

option_group infer_options = {.title = "What the columns are", .options = specs};

void infer_settings_start(void)
{
    const size_t n =
        param_options_make(ow_infer_option_get, offsetof(infer_settings, texts), specs);
    specs[n] = (option_spec){.name = "classes",
                             .word = "A,B",
                             .help = "keep the rows of these classes only",
                             .kind = OPTION_LIST,
                             .at = offsetof(infer_settings, classes)};
    infer_options.n_options = n + 1;
    for (size_t i = 0; i < n; i++) specs[i].in_usage = strcmp(specs[i].name, "label") == 0;
}

bool infer_settings_convert(const infer_settings *settings, ow_infer_options *options)
{
    *options = (ow_infer_options){.size = sizeof(ow_infer_options), .lock_found = true};
    for (size_t i = 0; ow_infer_option_get(i) != NULL; i++) {
        const text_list *texts = &settings->texts.of[i];
        if (texts->n == 0 ||
            ow_infer_options_set(options, ow_infer_option_get(i)->name, texts->n,
                                 (const char *const *)texts->items) == OW_OK)
            continue;
        param_options_complain();
        return false;
    }
    return true;
}

const char *infer_settings_given(const infer_settings *settings)
{
    for (size_t i = 0; ow_infer_option_get(i) != NULL; i++)
        if (settings->texts.of[i].n > 0 &&
            strcmp(ow_infer_option_get(i)->name, "label") != 0)
            return ow_infer_option_get(i)->name;
    return settings->classes.n > 0 ? "classes" : NULL;
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

int infer_settings_schema(const infer_settings *settings, ow_infer_options wanted,
                          const char *command, ow_reader *reader, const char *name,
                          const char *labels, bool may_lack_label, const ow_call *call,
                          ow_schema **schema)
{
    *schema = NULL;
    if (wanted.label == NULL && labels == NULL && !may_lack_label)
        return complain_no_label(command, reader, name);
    if (wanted.label == NULL && labels != NULL) wanted.label = "label";
    ow_status status = OW_OK;
    if (settings->classes.n > 0)
        status = ow_reader_keep_classes(reader, wanted.label,
                                        (const char *const *)settings->classes.items,
                                        settings->classes.n);
    if (status == OW_OK) status = ow_schema_infer(reader, &wanted, call, schema);
    return status == OW_OK ? EXIT_DONE : command_failed(status, false);
}
