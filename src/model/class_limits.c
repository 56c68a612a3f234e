/* SPDX-License-Identifier: MIT */
#include "model/class_limits.h"

#include <math.h>

#include "base/memory/alloc.h"

/* Of models that do not know theirs: a probability of 0.9. */
static const double usual_margin = 2.1972;

ow_status owi_model_limits_new(ow_model *model)
{
    const size_t n = ow_schema_n_classes(model->schema) * model->plan.n_columns;
    owi_free(model->ctx, model->class_limits);
    model->class_limits = owi_alloc_array(model->ctx, 2 * n, sizeof(double));
    if (model->class_limits == NULL) return OW_ERR_MEMORY;
    for (size_t i = 0; i < n; i++) {
        model->class_limits[2 * i] = -INFINITY;
        model->class_limits[2 * i + 1] = INFINITY;
    }
    return OW_OK;
}

bool owi_model_is_usual(const ow_model *model, size_t class_index, size_t column,
                        double value)
{
    if (model->class_limits == NULL) return true;
    const double *limits =
        model->class_limits + 2 * (class_index * model->plan.n_columns + column);
    return !(value < limits[0] || value > limits[1]);
}

double owi_model_robust_margin(const ow_model *model, size_t class_index)
{
    const double margin = model->classes[class_index].robust_margin;
    return margin > 0.0 ? margin : usual_margin;
}
