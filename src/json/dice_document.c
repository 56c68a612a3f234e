/* SPDX-License-Identifier: MIT */
/* Explanations as the JSON of the DiCE package (dice_ml.counterfactual_explanations,
 * version 2.0), so that its tools can show them:
 *
 *     {"test_data": [[[...]], ...], "cfs_list": [[[...], ...], ...], ...}
 *
 * Each innermost list is a row: its values, then its class.  test_data has the queries and
 * cfs_list the answers, in the same order.  The answers come after all queries, so they
 * wait in d->answers until the end. */
#include "json/explain_document.h"

#include "base/error.h"
#include "json/json_parts.h"

void owi_dice_head(owi_explain_document *d)
{
    owi_json_raw(&d->json, "{\"test_data\": [");
}

/* The values and the class. */
static void put_instance(const owi_explain_document *d, owi_json *json,
                         const double *values, int32_t class_index)
{
    owi_json_open_array(json, true);
    for (size_t j = 0; j < ow_schema_n_columns(d->schema); j++)
        owi_json_cell(json, d->schema, j, values[j]);
    owi_json_text(json, ow_schema_class_name(d->schema, (size_t)class_index));
    owi_json_close_array(json);
}

void owi_dice_row(owi_explain_document *d, const double *query, const ow_outcome *outcome)
{
    const char *between = d->summary.n_rows == 1 ? "\n  " : ",\n  ";
    owi_json_raw(&d->json, between);
    owi_json_open_array(&d->json, true);
    put_instance(d, &d->json, query, outcome->predicted);
    owi_json_close_array(&d->json);

    owi_json_raw(&d->answers, between);
    owi_json_open_array(&d->answers, true);
    for (size_t k = 0; outcome->kind == OW_OUTCOME_FOUND && k < outcome->n_answers; k++)
        put_instance(d, &d->answers, outcome->answers[k]->values,
                     outcome->answers[k]->predicted);
    owi_json_close_array(&d->answers);
}

/* The names of the columns, and of the label if it is given. */
static void put_names(owi_explain_document *d, const char *label)
{
    owi_json_open_array(&d->json, true);
    for (size_t j = 0; j < ow_schema_n_columns(d->schema); j++)
        owi_json_text(&d->json, ow_schema_column(d->schema, j)->name);
    if (label != NULL) owi_json_text(&d->json, label);
    owi_json_close_array(&d->json);
}

ow_status owi_dice_end(owi_explain_document *d)
{
    owi_json *json = &d->json;
    const char *label = ow_schema_label(d->schema);
    const char *name = label != NULL ? label : "class";
    const int32_t target = d->about->options->target;
    char *answers = NULL;
    OWI_TRY(owi_json_end(&d->answers, &answers, NULL));
    owi_json_raw(json, "],\n \"cfs_list\": [");
    owi_json_raw(json, answers);
    ow_bytes_free(answers);
    owi_json_raw(json, "],\n \"local_importance\": null, \"summary_importance\": null,\n "
                       "\"data_interface\": ");
    owi_json_open_object(json, true);
    owi_put_text(json, "outcome_name", name);
    owi_put_null(json, "data_df");
    owi_json_close_object(json);
    owi_json_raw(json, ",\n \"feature_names\": ");
    put_names(d, NULL);
    owi_json_raw(json, ",\n \"feature_names_including_target\": ");
    put_names(d, name);
    owi_json_raw(json, ",\n \"model_type\": \"classifier\", \"desired_class\": ");
    owi_json_text(json, target == OW_ANY_OTHER_CLASS
                            ? NULL
                            : ow_schema_class_name(d->schema, (size_t)target));
    owi_json_raw(json,
                 ", \"desired_range\": null, \"metadata\": {\"version\": \"2.0\"}}\n");
    return OW_OK;
}
