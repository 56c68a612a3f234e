/* SPDX-License-Identifier: MIT */
#include "serve/row_store.h"

#include <stdlib.h>
#include <string.h>

#include "cli/terminal/memory.h"

enum { block_rows = 1024 };

/* Place of each carried column in the reader; SIZE_MAX: it has none. */
static size_t *find_carried(const row_store *store, const ow_reader *reader)
{
    size_t *places = memory_new(store->n_carried + 1, sizeof *places);
    for (size_t k = 0; k < store->n_carried; k++) {
        places[k] = SIZE_MAX;
        for (size_t j = 0; j < ow_reader_n_columns(reader); j++)
            if (strcmp(ow_reader_column_name(reader, j),
                       ow_schema_carried(store->schema, k)) == 0)
                places[k] = j;
    }
    return places;
}

static void *larger(void *array, size_t n, size_t size)
{
    return memory_checked(realloc(array, (n > 0 ? n : 1) * size));
}

static void keep_texts(row_store *store, const ow_reader *reader, const size_t *places,
                       size_t n)
{
    const size_t K = store->n_carried, all = store->n_rows + n;
    if (store->id_name != NULL) store->ids = larger(store->ids, all, sizeof *store->ids);
    store->carried = larger(store->carried, all * K, sizeof *store->carried);
    for (size_t i = 0; i < n; i++) {
        const size_t row = store->n_rows + i;
        if (store->id_name != NULL) {
            const char *id = ow_reader_id(reader, i);
            store->ids[row] = memory_copy(id, strlen(id));
        }
        for (size_t k = 0; k < K; k++) {
            const char *text =
                places[k] != SIZE_MAX ? ow_reader_text(reader, i, places[k]) : NULL;
            store->carried[row * K + k] =
                text != NULL ? memory_copy(text, strlen(text)) : NULL;
        }
    }
}

static ow_status read_rows(row_store *store, ow_reader *reader, const ow_call *call)
{
    size_t *places = find_carried(store, reader);
    ow_status status = OW_OK;
    for (size_t n = 1; n > 0 && status == OW_OK; store->n_rows += n) {
        store->values =
            larger(store->values, (store->n_rows + block_rows) * store->n_columns,
                   sizeof *store->values);
        status = ow_reader_next(reader, block_rows, call,
                                store->values + store->n_rows * store->n_columns, NULL, &n);
        if (status != OW_OK) n = 0;
        if (n > 0) keep_texts(store, reader, places, n);
    }
    free(places);
    return status;
}

ow_status row_store_load(const ow_model *model, ow_reader *reader, const char *id_name,
                         const char *backend, const ow_call *call, row_store *store)
{
    const ow_schema *schema = ow_model_schema(model);
    *store = (row_store){.model = model,
                         .schema = schema,
                         .n_columns = ow_schema_n_columns(schema),
                         .n_classes = ow_schema_n_classes(schema),
                         .n_carried = ow_schema_n_carried(schema),
                         .id_name = id_name};
    ow_status status = read_rows(store, reader, call);
    if (status != OW_OK) return status;
    const size_t n = store->n_rows > 0 ? store->n_rows : 1;
    store->classes = memory_new(n, sizeof *store->classes);
    store->proba = memory_new(n * store->n_classes, sizeof *store->proba);
    store->percentile = memory_new(n, sizeof *store->percentile);
    const ow_predictions wanted = {.size = sizeof wanted,
                                   .classes = store->classes,
                                   .proba = store->proba,
                                   .percentile = store->percentile};
    ow_predictor *predictor = NULL;
    status = ow_predictor_new(model, backend, &predictor);
    if (status == OW_OK && store->n_rows > 0)
        status =
            ow_predictor_predict(predictor, store->n_rows, store->values, call, &wanted);
    ow_predictor_free(predictor);
    return status;
}

void row_store_clear(row_store *store)
{
    for (size_t i = 0; store->ids != NULL && i < store->n_rows; i++) free(store->ids[i]);
    for (size_t i = 0; i < store->n_rows * store->n_carried; i++) free(store->carried[i]);
    free(store->ids);
    free(store->carried);
    free(store->values);
    free(store->classes);
    free(store->proba);
    free(store->percentile);
}
