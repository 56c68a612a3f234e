/* SPDX-License-Identifier: MIT */
/* Files of `serve --state`, which `train --corrections` takes as well.  As a state: it is
 * taken, and then its text is taken again and stays the same, or it is refused with a
 * sentence.  As corrections: they become labelled rows of the table's classes, or a
 * sentence. */
#include "commands/command.h"
#include "loans_target.h"
#include "models/corrections.h"
#include "serve/state_store.h"
#include "terminal/message.h"

/* main.c has the commands; here are none. */
const command_spec *command_get(size_t index)
{
    (void)index;
    return NULL;
}

static ow_context *ctx;
static ow_schema *schema;

static void use_state(const char *path)
{
    char *error = NULL;
    state_store *store = state_store_open(ctx, schema, path, &error);
    expect((store == NULL) == (error != NULL));
    if (store != NULL) {
        int status = 0;
        char *text = state_store_text(store);
        state_store_free(store);
        store = state_store_open(ctx, schema, NULL, &error);
        expect(state_store_set(store, text, strlen(text), &status, &error));
        char *again = state_store_text(store);
        expect(strcmp(text, again) == 0);
        free(again);
        free(text);
    }
    state_store_free(store);
    free(error);
}

static void use_corrections(const char *path)
{
    const corrections_settings set = {.path = path, .weight = 5};
    const ow_call how = {.size = sizeof how};
    corrected_rows rows;
    ow_reader *reader = loans_open(ctx);
    if (corrected_rows_make(&set, ctx, &how, reader, schema, 0.2, &rows) == 0) {
        expect(rows.n_rows == 60 + rows.n_added && rows.n_added == 12 * rows.n_corrections);
        const int32_t *classes = ow_table_classes(rows.table);
        for (size_t i = 0; i < rows.n_rows; i++) expect(classes[i] == 0 || classes[i] == 1);
        for (size_t i = 60; i < rows.n_rows; i++) expect(!rows.is_test[i]);
    }
    corrected_rows_clear(&rows);
    ow_reader_free(reader);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char path[64];
    if (ctx == NULL) {
        message_set_muted(true);
        expect(ow_context_new(NULL, &ctx) == OW_OK);
        schema = loans_schema(ctx);
    }
    FILE *file = tmpfile();
    expect(file != NULL && fwrite(data, 1, size, file) == size && fflush(file) == 0);
    snprintf(path, sizeof path, "/proc/self/fd/%d", fileno(file));
    use_state(path);
    use_corrections(path);
    fclose(file);
    return 0;
}
