/* SPDX-License-Identifier: MIT */
#include "commands/known_names.h"

#include "otherwise/explain.h"
#include "otherwise/model.h"
#include "output/output.h"
#include "terminal/exit_codes.h"

const char *const known_names_kinds[] = {[NAMES_OF_METHODS] = "methods",
                                         [NAMES_OF_COLUMNS] = "columns",
                                         [NAMES_OF_CLASSES] = "classes",
                                         NULL};

/* Line breaks would part a name. */
static void print_name(const char *name)
{
    for (const char *at = name; *at != '\0'; at++)
        if ((unsigned char)*at < ' ') return;
    output_print(stdout, "%s\n", name);
}

static void print_of_schema(const ow_schema *schema, int kind)
{
    if (kind == NAMES_OF_CLASSES)
        for (size_t c = 0; c < ow_schema_n_classes(schema); c++)
            print_name(ow_schema_class_name(schema, c));
    else
        for (size_t j = 0; j < ow_schema_n_columns(schema); j++)
            print_name(ow_schema_column(schema, j)->name);
}

int known_names_print(const invocation *call, int kind, const char *path)
{
    ow_model *model = NULL;
    ow_reader *reader = NULL;
    if (kind == NAMES_OF_METHODS)
        for (size_t i = 0; ow_method_get(i) != NULL; i++)
            print_name(ow_method_get(i)->name);
    if (kind == NAMES_OF_METHODS || path == NULL) return EXIT_DONE;
    /* A file is a model, or a table, whose header has the columns; nothing is said of one
     * that is neither, since somebody is typing. */
    if (ow_model_load(call->ctx, path, &call->how, &model) == OW_OK)
        print_of_schema(ow_model_schema(model), kind);
    else if (kind == NAMES_OF_COLUMNS &&
             ow_reader_open(call->ctx, path, NULL, &call->how, &reader) == OW_OK)
        for (size_t j = 0; j < ow_reader_n_columns(reader); j++)
            print_name(ow_reader_column_name(reader, j));
    ow_reader_free(reader);
    ow_model_free(model);
    return EXIT_DONE;
}
