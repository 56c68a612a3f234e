/* SPDX-License-Identifier: MIT */
/* What the library makes, as JSON text: the same bytes for programs, pages and other
 * languages.
 *
 *     const ow_explain_model what = {.size = sizeof what, .model = model};
 *     ow_explainer *explainer = NULL;
 *     ow_explanation *explanation = NULL;
 *     char *text = NULL;
 *     size_t size = 0;
 *     ow_status st = ow_explainer_new(&what, "guided", &explainer);
 *     if (st == OW_OK)
 *         st = ow_explain(explainer, NULL, NULL, n, values, NULL, &explanation);
 *     const ow_explain_about about = {.size = sizeof about, .explainer = explainer};
 *     if (st == OW_OK) st = ow_explanation_json(&about, explanation, values, &text, &size);
 *     ...
 *     ow_bytes_free(text);
 *     ow_explanation_free(explanation);
 *     ow_explainer_free(explainer);
 *
 * Texts are UTF-8 with a NUL behind the last byte, which size does not count, and are given
 * to ow_bytes_free unless they are lent.  NaN and infinities are null; bytes of names that
 * are not UTF-8 become U+FFFD.  On failure *text is NULL. */
#ifndef OTHERWISE_JSON_H
#define OTHERWISE_JSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "otherwise/call.h"
#include "otherwise/evaluate.h"
#include "otherwise/explain.h"
#include "otherwise/model.h"
#include "otherwise/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Explanations ---- */

/* What a document says about the call besides its rows.  All borrowed. */
typedef struct {
    size_t size; /* sizeof(ow_explain_about)                                      */
    const ow_explainer *explainer;
    const ow_constraints *constraints; /* NULL: the schema's own                  */
    const ow_explain_options *options; /* NULL: the defaults                      */
    const ow_call *call; /* whose seed and threads are told; NULL: the default    */
    double seconds;      /* that it took                                              */
    bool incomplete;     /* there were more rows: interrupted, or one of them was bad */
} ow_explain_about;

/* A whole explanation as one document (doc/explanation.schema.json).  values is n_rows x
 * schema columns, as explained; rows are numbered from options->first_row + 1. */
OW_API OW_MUST_CHECK ow_status ow_explanation_json(const ow_explain_about *about,
                                                   const ow_explanation *explanation,
                                                   const double *values, char **text,
                                                   size_t *size);

/* The same row by row, in memory that does not grow with the rows: begin, then any number
 * of rows, then end; their texts one behind the other are the document.  Texts are lent by
 * the writer until its next call. */
typedef struct ow_explain_writer ow_explain_writer;
OW_API OW_MUST_CHECK ow_status ow_explain_writer_new(const ow_explain_about *about,
                                                     ow_explain_writer **out);
OW_API void ow_explain_writer_free(ow_explain_writer *writer);
OW_API OW_MUST_CHECK ow_status ow_explain_writer_begin(ow_explain_writer *writer,
                                                       const char **text, size_t *size);
/* number counts from 1; id names the row and may be NULL. */
OW_API OW_MUST_CHECK ow_status ow_explain_writer_row(ow_explain_writer *writer,
                                                     size_t number, const char *id,
                                                     const double *query,
                                                     const ow_outcome *outcome,
                                                     const char **text, size_t *size);
/* seconds and incomplete as in ow_explain_about, which is not looked at for them. */
OW_API OW_MUST_CHECK ow_status ow_explain_writer_end(ow_explain_writer *writer,
                                                     double seconds, bool incomplete,
                                                     const char **text, size_t *size);

/* ---- Evaluations ---- */

/* What a document says about the comparison besides its figures.  All borrowed. */
typedef struct {
    size_t size; /* sizeof(ow_evaluation_about)                                    */
    const ow_experiment *experiment;
    const char *model, *rows; /* names of where they came from; NULL: null         */
    const ow_call *call;      /* whose seed and threads are told; NULL: the default */
    bool interrupted;
} ow_evaluation_about;

/* Every figure of every method (doc/metrics.md). */
OW_API OW_MUST_CHECK ow_status ow_evaluation_json(const ow_evaluation_about *about,
                                                  const ow_evaluation *evaluation,
                                                  char **text, size_t *size);

/* ---- Models, predictions, methods ---- */

/* What a model is and how it was trained.  whole: every column with its leaf, and densities
 * of the training rows; else the number of columns. */
OW_API OW_MUST_CHECK ow_status ow_model_json(const ow_model *model, bool whole, char **text,
                                             size_t *size);

/* One row of ow_predict as an object on one line: number counts from 1, id may be NULL,
 * log_class and posterior have an entry for each class. */
OW_API OW_MUST_CHECK ow_status ow_prediction_json(
    const ow_model *model, size_t number, const char *id, const ow_prediction *prediction,
    const double *log_class, const double *posterior, char **text, size_t *size);

/* Every method with its parameters: names, kinds, ranges, defaults and presets. */
OW_API OW_MUST_CHECK ow_status ow_methods_json(ow_context *ctx, char **text, size_t *size);

#ifdef __cplusplus
}
#endif
#endif
