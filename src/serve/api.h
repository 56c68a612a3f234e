/* SPDX-License-Identifier: MIT */
/* What the server answers: the page, and JSON for the page and for programs (doc/serve.md
 * specifies it). */
#ifndef SERVE_API_H
#define SERVE_API_H

#include "otherwise/explain.h"
#include "serve/reasons.h"
#include "serve/row_store.h"
#include "serve/state_store.h"
#include "serve/work.h"

/* Shared by all workers; read-only while they run. */
typedef struct {
    const ow_model *model;
    const ow_schema *schema;
    const row_store *rows;
    const char *table_name; /* of the file, for people */
    ow_call how;            /* seed and threads of every call */
    state_store *state;
    bool read_only; /* the state cannot be changed */
    reason_groups groups;
    char *about; /* the text of /api/about */
} api;

/* One worker's own. */
typedef struct {
    const api *api;
    ow_explainer *explainer;
    ow_predictor *predictor;
} api_worker;

/* Makes the text of /api/about.  False without memory. */
bool api_init(api *a);
void api_clear(api *a);

/* A work_fn. */
void api_answer(void *worker, work_item *item);

/* ---- The parts of it ---- */

/* The text of /api/about: columns, classes, how often the rows have which values. */
char *api_about_text(const api *a);
http_reply api_list_rows(const api *a, http_text query);
http_reply api_show_row(const api *a, http_text number);
http_reply api_predict(api_worker *worker, const work_item *item);
http_reply api_explain(api_worker *worker, const work_item *item);
http_reply api_reasons(api_worker *worker, const work_item *item);

#endif
