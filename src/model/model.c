/* SPDX-License-Identifier: MIT */
#include "model/model_private.h"

#include <math.h>

#include "base/error.h"
#include "base/memory/alloc.h"

ow_status owi_model_new(ow_schema *schema, ow_context *ctx, ow_model **out)
{
    const size_t C = ow_schema_n_classes(schema), n_columns = ow_schema_n_columns(schema);

    *out = NULL;
    ow_model *model = owi_alloc_zeroed(ctx, sizeof *model);
    if (model == NULL) {
        ow_schema_free(schema);
        return OW_ERR_MEMORY;
    }
    model->ctx = ctx;
    model->schema = schema;
    model->report.towards_rows = model->report.agreement = -1.0;
    model->classes = owi_alloc_array(ctx, C, sizeof *model->classes);
    model->columns = owi_alloc_array(ctx, n_columns, sizeof *model->columns);
    model->confusion = owi_alloc_array(ctx, C * C, sizeof *model->confusion);
    ow_status status = owi_plan_init(&model->plan, schema, ctx);
    if (model->classes == NULL || model->columns == NULL || model->confusion == NULL)
        status = OW_ERR_MEMORY;
    if (status != OW_OK) {
        ow_model_free(model);
        return status;
    }
    model->report.confusion = model->confusion;
    model->report.unseen = &model->quality;
    model->quality = (ow_quality){.majority_class = OW_NO_CLASS, .auc = NAN};
    *out = model;
    return OW_OK;
}

void ow_model_free(ow_model *model)
{
    if (model == NULL) return;
    ow_context *ctx = model->ctx;
    for (size_t c = 0; model->classes != NULL && c < ow_schema_n_classes(model->schema);
         c++) {
        owi_free(ctx, model->classes[c].densities);
        owi_free(ctx, model->classes[c].samples);
    }
    owi_free(ctx, model->classes);
    owi_free(ctx, model->columns);
    owi_free(ctx, model->column_values);
    owi_free(ctx, model->class_limits);
    owi_free(ctx, model->cutoffs);
    owi_free(ctx, model->log_cutoffs);
    owi_free(ctx, model->confusion);
    ow_bytes_free(model->training);
    owi_plan_clear(&model->plan);
    owi_mlp_free(model->network);
    owi_replicas_free(model);
    owi_foreign_free(model->foreign);
    ow_circuit_free(model->circuit);
    ow_schema_free(model->schema);
    owi_free(ctx, model);
}

/* ---- What it knows ---- */

ow_context *ow_model_context(const ow_model *model)
{
    return model->ctx;
}

const ow_schema *ow_model_schema(const ow_model *model)
{
    return model->schema;
}

const ow_circuit *ow_model_circuit(const ow_model *model)
{
    return model->circuit;
}

bool ow_model_network(const ow_model *model, ow_network_size *size)
{
    const owi_mlp *network = model->network;
    if (network == NULL) return false;
    *size = (ow_network_size){.n_hidden = network->spec.n_layers - 1,
                              .n_parameters = network->n_parameters,
                              .hidden = network->spec.sizes + 1};
    return true;
}

bool ow_model_foreign(const ow_model *model, ow_foreign_info *info)
{
    const owi_foreign *foreign = model->foreign;
    if (foreign == NULL) return false;
    *info =
        (ow_foreign_info){.package = foreign->package,
                          .path = foreign->path,
                          .sha256 = foreign->sha256,
                          .n_trees =
                              foreign->trees != NULL ? ow_trees_n_trees(foreign->trees) : 0,
                          .embedded = foreign->bytes != NULL};
    return true;
}

const char *ow_model_training(const ow_model *model)
{
    return model->training != NULL ? model->training : "{}";
}

const ow_train_report *ow_model_report(const ow_model *model)
{
    return &model->report;
}

void ow_model_span(const ow_model *model, size_t column, size_t *first, size_t *width)
{
    *first = model->plan.columns[column].first;
    *width = model->plan.columns[column].width;
}

void ow_model_encode(const ow_model *model, size_t n_rows, const double *values,
                     float *rows)
{
    owi_plan_encode(&model->plan, n_rows, values, rows);
}

void ow_model_decode(const ow_model *model, size_t n_rows, const float *rows,
                     double *values)
{
    owi_plan_decode(&model->plan, n_rows, rows, values);
}

size_t ow_model_soft_width(const ow_model *model)
{
    return model->plan.soft_width;
}

void ow_model_soft_span(const ow_model *model, size_t column, size_t *first, size_t *width)
{
    *first = model->plan.columns[column].soft_first;
    *width = model->plan.columns[column].soft_width;
}

double ow_model_soft_value(const ow_model *model, size_t column, size_t k)
{
    const owi_column_plan *plan = &model->plan.columns[column];
    return plan->kind == OWI_PLAN_VALUES ? plan->values[k] : (double)k;
}

void ow_model_soften(const ow_model *model, size_t n_rows, const double *values,
                     float *soft)
{
    owi_plan_soften(&model->plan, n_rows, values, soft);
}

void ow_model_harden(const ow_model *model, size_t n_rows, const float *soft,
                     double *values)
{
    owi_plan_harden(&model->plan, n_rows, soft, values);
}

const float *ow_model_log_densities(const ow_model *model, size_t class_index, size_t *n)
{
    *n = model->classes[class_index].n_densities;
    return model->classes[class_index].densities;
}

const float *ow_model_samples(const ow_model *model, size_t class_index, size_t *n)
{
    *n = model->classes[class_index].n_samples;
    return model->classes[class_index].samples;
}

ow_column_figures ow_model_figures(const ow_model *model, size_t column)
{
    return model->columns[column];
}
