/* SPDX-License-Identifier: MIT */
#include "models/original_decisions.h"

#include <stdlib.h>
#include <string.h>

#include "commands/command.h"
#include "terminal/exit_codes.h"
#include "terminal/memory.h"
#include "terminal/message.h"
#include "terminal/text_build.h"

/* Rows of a block, and row numbers that are listed. */
enum { block_rows = 512, most_listed = 5 };

void original_decisions_drop(const char *column, ow_infer_options *infer,
                             const char ***drop)
{
    *drop = NULL;
    if (column == NULL) return;
    *drop = memory_new(infer->n_drop + 1, sizeof **drop);
    for (size_t i = 0; i < infer->n_drop; i++) (*drop)[i] = infer->drop[i];
    (*drop)[infer->n_drop++] = column;
    infer->drop = *drop;
}

typedef struct {
    size_t n_rows, n_other;
    char *rows; /* numbers of the first that differ */
} difference;

/* A row whose column is empty was not decided. */
static ow_status compare_row(const ow_schema *schema, const char *text, int32_t decided,
                             size_t number, difference *d)
{
    int32_t original;
    if (text == NULL || text[0] == '\0') return OW_OK;
    const ow_status status = ow_schema_find_class(schema, text, &original);
    if (status != OW_OK) return status;
    d->n_rows++;
    if (original == decided) return OW_OK;
    if (d->n_other < most_listed)
        d->rows = text_add(d->rows, d->n_other == 0 ? "%zu" : ", %zu", number);
    d->n_other++;
    return OW_OK;
}

static ow_status compare_rows(const ow_schema *schema, ow_reader *reader,
                              ow_predictor *predictor, const ow_call *how, difference *d)
{
    double *values = memory_new(block_rows * ow_schema_n_columns(schema), sizeof *values);
    int32_t *decided = memory_new(block_rows, sizeof *decided);
    const ow_predictions wanted = {.size = sizeof wanted, .classes = decided};
    ow_status status = OW_OK;
    size_t first = 0, n = block_rows;
    for (; status == OW_OK && n > 0; first += n) {
        status = ow_reader_next(reader, block_rows, how, values, NULL, &n);
        if (status == OW_OK && n > 0)
            status = ow_predictor_predict(predictor, n, values, how, &wanted);
        for (size_t i = 0; i < n && status == OW_OK; i++)
            status =
                compare_row(schema, ow_reader_id(reader, i), decided[i], first + i + 1, d);
    }
    free(decided);
    free(values);
    return status;
}

int original_decisions_tell(const ow_model *model, ow_reader *reader, const char *column,
                            const char *backend, const ow_call *how)
{
    const ow_schema *schema = ow_model_schema(model);
    ow_predictor *predictor = NULL;
    difference d = {0};
    if (column == NULL) return EXIT_DONE;
    ow_status status = ow_reader_set_id(reader, column);
    if (status == OW_OK) status = ow_reader_rewind(reader);
    if (status == OW_OK) status = ow_predictor_new(model, backend, &predictor);
    if (status == OW_OK) status = compare_rows(schema, reader, predictor, how, &d);
    ow_predictor_free(predictor);
    if (status == OW_OK && d.n_other == 0)
        message(OW_LOG_INFO, "the model decides all %zu rows as column \"%s\" does",
                d.n_rows, column);
    else if (status == OW_OK)
        message(OW_LOG_WARN,
                "the model decides %zu of %zu rows otherwise than column \"%s\": row%s "
                "%s%s",
                d.n_other, d.n_rows, column, d.n_other == 1 ? "" : "s", d.rows,
                d.n_other > most_listed ? ", ..." : "");
    free(d.rows);
    return command_check_option("--original", status);
}
