/* SPDX-License-Identifier: MIT */
/* Explanations as one document (doc/explanation.schema.json): features first, then a line
 * for each row, and at the end what is known only there: the summary and how it was made.
 * Or in the form of another package (dice_document.c). */
#ifndef OWI_EXPLAIN_DOCUMENT_H
#define OWI_EXPLAIN_DOCUMENT_H

#include "base/text/json_write.h"
#include "otherwise/explain_stream.h"
#include "otherwise/json.h"

/* A document on its way; json holds what was written and not yet taken away. */
typedef struct {
    owi_json json;
    const ow_explain_about *about; /* borrowed */
    const ow_model *model;
    const ow_schema *schema;
    ow_explain_summary summary; /* of the rows so far */
    owi_json answers;           /* OW_FORM_DICE: the answers of the rows so far */
} owi_explain_document;

void owi_explain_document_begin(owi_explain_document *d, const ow_explain_about *about);
void owi_explain_document_head(owi_explain_document *d);
void owi_explain_document_row(owi_explain_document *d, size_t number, const char *id,
                              const char *const *carried, const double *query,
                              const ow_outcome *outcome);
ow_status owi_explain_document_end(owi_explain_document *d, double seconds,
                                   bool incomplete);
/* Frees what a document holds that was not ended. */
void owi_explain_document_clear(owi_explain_document *d);

void owi_dice_head(owi_explain_document *d);
void owi_dice_row(owi_explain_document *d, const double *query, const ow_outcome *outcome);
ow_status owi_dice_end(owi_explain_document *d);

#endif
