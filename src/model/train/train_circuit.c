/* SPDX-License-Identifier: MIT */
#include "model/train/train_circuit.h"

#include "base/error.h"
#include "base/memory/alloc.h"
#include "circuit/learn/learn.h"

/* With leaves: the trees, where there are to be any and none are given, then the
 * circuit. */
static ow_status make(const owi_training *t, const owi_call *call, ow_circuit_spec *spec,
                      bool trees, const ow_row_source *source, ow_circuit **out)
{
    if (!trees || spec->parents != NULL) return ow_circuit_new(t->ctx, spec, out);
    const size_t n = spec->repetitions * owi_region_graph_groups(spec);
    uint32_t *parents = owi_alloc_array(t->ctx, n, sizeof *parents);
    ow_status status = parents != NULL ? OW_OK : OW_ERR_MEMORY;
    if (status == OW_OK) status = owi_circuit_find_trees(call, spec, source, parents);
    spec->parents = parents;
    if (status == OW_OK) status = ow_circuit_new(t->ctx, spec, out);
    owi_free(t->ctx, parents);
    return status;
}

ow_status owi_training_circuit_new(const owi_training *t, const owi_call *call,
                                   const owi_train_rules *rules,
                                   const ow_row_source *source, ow_circuit **out)
{
    const owi_plan *plan = &t->model->plan;
    ow_leaf *leaves = owi_alloc_array(t->ctx, plan->width, sizeof *leaves);
    float *masses = owi_alloc_array(t->ctx, owi_plan_n_masses(plan), sizeof *masses);
    ow_status status = OW_ERR_MEMORY;
    *out = NULL;
    if (leaves != NULL && masses != NULL) {
        owi_plan_leaves(plan, rules->split_groups, leaves, masses);
        ow_circuit_spec spec = rules->circuit;
        spec.n_classes = ow_schema_n_classes(t->model->schema);
        spec.n_columns = plan->width;
        spec.leaves = leaves;
        if (rules->trees) owi_sheet_list_use(&t->sheets, &spec, leaves);
        status = make(t, call, &spec, rules->trees, source, out);
    }
    owi_free(t->ctx, leaves);
    owi_free(t->ctx, masses);
    return status;
}
