/* SPDX-License-Identifier: MIT */
/* What a column of the schema has become in the circuit. */
#include "model/model_private.h"

ow_column_leaf ow_model_column_leaf(const ow_model *model, size_t column)
{
    const bool category = ow_schema_column(model->schema, column)->n_levels > 0;
    size_t first, width;
    ow_model_span(model, column, &first, &width);
    switch (ow_circuit_get_spec(model->circuit)->leaves[first].kind) {
    case OW_LEAF_CATEGORICAL:
        return category ? OW_COLUMN_LEAF_CATEGORICAL : OW_COLUMN_LEAF_FEW_VALUES;
    case OW_LEAF_BERNOULLI:
        return OW_COLUMN_LEAF_BERNOULLI;
    case OW_LEAF_POINT_MASSES:
        return OW_COLUMN_LEAF_POINT_MASSES;
    case OW_LEAF_FOLLOWS:
        return OW_COLUMN_LEAF_FOLLOWS;
    case OW_LEAF_GAUSSIAN:
        break;
    }
    return category ? OW_COLUMN_LEAF_ONE_HOT : OW_COLUMN_LEAF_GAUSSIAN;
}

const char *ow_column_leaf_name(ow_column_leaf leaf)
{
    static const char *const names[] = {[OW_COLUMN_LEAF_CATEGORICAL] = "categorical",
                                        [OW_COLUMN_LEAF_FEW_VALUES] = "few values",
                                        [OW_COLUMN_LEAF_BERNOULLI] = "Bernoulli",
                                        [OW_COLUMN_LEAF_GAUSSIAN] = "Gaussian",
                                        [OW_COLUMN_LEAF_POINT_MASSES] = "point masses",
                                        [OW_COLUMN_LEAF_ONE_HOT] = "one-hot",
                                        [OW_COLUMN_LEAF_FOLLOWS] = "follows"};
    return (size_t)leaf < sizeof names / sizeof *names ? names[leaf] : NULL;
}
