/* SPDX-License-Identifier: MIT */
/* Results of the library as JSON text: explanations, evaluations, models, predictions
 * and methods.
 *
 *     const ow_explain_model what = {.size = sizeof what, .model = model};
 *     ow_explainer *explainer = NULL;
 *     ow_explanation *explanation = NULL;
 *     char *text = NULL;
 *     size_t size = 0;
 *     ow_status st = ow_explainer_new(&what, "guided", &explainer);
 *     if (st == OW_OK)
 *         st = ow_explainer_explain(explainer, NULL, NULL, n, values, NULL, &explanation);
 *     const ow_explain_about about = {.size = sizeof about, .explainer = explainer};
 *     if (st == OW_OK) st = ow_explanation_json(&about, explanation, values, &text, &size);
 *     ...
 *     ow_bytes_free(text);
 *     ow_explanation_free(explanation);
 *     ow_explainer_free(explainer);
 *
 * Texts are UTF-8 and end with a NUL, which size does not count.  The caller frees them
 * with ow_bytes_free, except where the writer below owns them.  NaN and infinities are
 * written as null; bytes in names that are not UTF-8 become U+FFFD.  On failure *text is
 * NULL. */
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

/* The form of the document. */
typedef enum {
    OW_FORM_OTHERWISE, /* doc/explanation.schema.json */
    OW_FORM_DICE       /* the JSON of the DiCE package, version 2.0, for its tools */
} ow_explain_form;

/* What the document says about the call as a whole, besides the rows.  All borrowed. */
typedef struct {
    size_t size; /* sizeof(ow_explain_about)                                      */
    const ow_explainer *explainer;
    const ow_constraints *constraints; /* NULL: the schema's own                  */
    const ow_explain_options *options; /* NULL: the defaults                      */
    const ow_call *call; /* gives seed and number of threads; NULL: the defaults */
    double seconds;      /* the time that the call took */
    bool incomplete;     /* not all rows are here: interrupted, or a bad row ended it */
    ow_explain_form form;
} ow_explain_about;

/* Writes a whole explanation as one document.  values are the queries, n_rows x schema
 * columns.  Rows are numbered from options->first_row + 1. */
OW_API OW_MUST_CHECK ow_status ow_explanation_json(const ow_explain_about *about,
                                                   const ow_explanation *explanation,
                                                   const double *values, char **text,
                                                   size_t *size);

/* Writes the same document row by row, in memory that does not grow with the number of rows
 * (OW_FORM_DICE has the answers at the end, and keeps them until then).  Call begin, then
 * row any number of times, then end; their texts, one after the other, are the document.
 * The writer owns each text, which is valid until the writer's next call. */
typedef struct ow_explain_writer ow_explain_writer;
OW_API OW_MUST_CHECK ow_status ow_explain_writer_new(const ow_explain_about *about,
                                                     ow_explain_writer **out);
OW_API void ow_explain_writer_free(ow_explain_writer *writer);
OW_API OW_MUST_CHECK ow_status ow_explain_writer_begin(ow_explain_writer *writer,
                                                       const char **text, size_t *size);
/* number is the row's number, from 1; id is its name, or NULL; carried has the text of each
 * carried column of the schema, NULL for one that is left out, and is NULL for none; query
 * has one value for each schema column. */
OW_API OW_MUST_CHECK ow_status ow_explain_writer_row(
    ow_explain_writer *writer, size_t number, const char *id, const char *const *carried,
    const double *query, const ow_outcome *outcome, const char **text, size_t *size);
/* seconds and incomplete replace those of ow_explain_about, which the writer ignores. */
OW_API OW_MUST_CHECK ow_status ow_explain_writer_end(ow_explain_writer *writer,
                                                     double seconds, bool incomplete,
                                                     const char **text, size_t *size);

/* ---- Evaluations ---- */

/* What the document says about the comparison, besides its figures.  All borrowed. */
typedef struct {
    size_t size; /* sizeof(ow_evaluation_about)                                    */
    const ow_experiment *experiment;
    const char *model, *rows; /* names of the model and of the rows; NULL: null */
    const ow_call *call;      /* gives seed and number of threads; NULL: the defaults */
    bool interrupted;
} ow_evaluation_about;

/* Writes every figure of every method (doc/metrics.md). */
OW_API OW_MUST_CHECK ow_status ow_evaluation_json(const ow_evaluation_about *about,
                                                  const ow_evaluation *evaluation,
                                                  char **text, size_t *size);

/* ---- Models, predictions, methods ---- */

/* Describes a model, how it was trained, and how well it does on unseen rows (ow_quality).
 * whole: includes every column with its leaf, and the densities of the training rows;
 * otherwise only the number of columns. */
OW_API OW_MUST_CHECK ow_status ow_model_json(const ow_model *model, bool whole, char **text,
                                             size_t *size);

/* What the document says about a training run, besides the model.  All borrowed. */
typedef struct {
    size_t size; /* sizeof(ow_training_about) */
    const ow_model *model;
    const char *name;            /* of the model's file; NULL: null */
    const ow_tune_trial *trials; /* of ow_model_tune; NULL: the size was not tuned */
    size_t n_trials;
    bool interrupted; /* the call was stopped */
} ow_training_about;

/* Describes a training run: what ow_model_json writes (not whole), then tuning, the model's
 * name, the seconds that training took, and whether it was interrupted. */
OW_API OW_MUST_CHECK ow_status ow_training_json(const ow_training_about *about, char **text,
                                                size_t *size);

/* Writes row `row` (from 0) of the arrays that ow_predictor_predict has filled as a JSON
 * object on one line.  number is the row's number in the document, from 1; id is its name,
 * or NULL.  What is NULL in predictions is left out of the object. */
OW_API OW_MUST_CHECK ow_status ow_prediction_json(const ow_model *model, size_t number,
                                                  const char *id,
                                                  const ow_predictions *predictions,
                                                  size_t row, char **text, size_t *size);

/* Writes what a call adds to the constraints of its schema, and its wishes, as a JSON
 * object: what explanations have under meta.constraints.  constraints NULL: nothing was
 * added. */
OW_API OW_MUST_CHECK ow_status ow_constraints_json(ow_context *ctx,
                                                   const ow_constraints *constraints,
                                                   const ow_explain_options *options,
                                                   char **text, size_t *size);

/* Describes every method with its parameters: names, kinds, ranges, defaults, presets. */
OW_API OW_MUST_CHECK ow_status ow_methods_json(ow_context *ctx, char **text, size_t *size);

#ifdef __cplusplus
}
#endif
#endif
