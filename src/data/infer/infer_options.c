/* SPDX-License-Identifier: MIT */
/* The options of inferring a schema as a table.  A new one is a field of ow_infer_options
 * and a line here. */
#include <string.h>

#include "base/error.h"
#include "base/options.h"
#include "base/text/param_table.h"
#include "data/schema/schema_private.h"

typedef ow_infer_options options;

static const owi_param params[] = {
    OWI_PARAM(options, label, .name = "label", .kind = OW_PARAM_TEXT, .word = "COLUMN",
              .summary = "the column that holds the class (with --labels, label by "
                         "default)"),
    OWI_PARAM(options, drop, .name = "drop", .kind = OW_PARAM_NAMES, .word = "A,B",
              .summary = "columns to leave out"),
    OWI_PARAM(options, categorical, .name = "categorical", .kind = OW_PARAM_NAMES,
              .word = "A,B", .summary = "columns whose numbers are codes and not amounts"),
    OWI_PARAM(options, ordinal, .name = "ordinal", .kind = OW_PARAM_LIST,
              .word = "COL[=A|B|C]",
              .summary = "column whose levels have an order: the one given, else that of "
                         "the numbers or the alphabet; may be repeated"),
    OWI_PARAM(options, immutable, .name = "immutable", .kind = OW_PARAM_NAMES,
              .word = "A,B", .summary = "columns that a counterfactual must never change"),
    OWI_PARAM(options, monotone, .name = "monotone", .kind = OW_PARAM_LIST,
              .word = "COL=up|down",
              .summary =
                  "a number or ordinal column that only changes upwards or downwards; "
                  "may be repeated"),
    OWI_PARAM(options, unlock, .name = "unlock", .kind = OW_PARAM_NAMES, .word = "A,B",
              .summary = "columns that may change although they look as if nobody could "
                         "change them (age, sex, ...); all: none is locked for its name"),
    OWI_PARAM(options, keep, .name = "keep", .kind = OW_PARAM_NAMES, .word = "A,B",
              .summary = "columns that are learned although they look like identifiers or "
                         "free text; a date among them may change"),
    OWI_PARAM(options, missing, .name = "missing", .kind = OW_PARAM_LIST, .word = "WORD",
              .summary = "a word that stands for a missing value in every column; may be "
                         "repeated"),
    OWI_CHOICE(options, scaling, "scaling", owi_scaling_names, NULL,
               .summary = "how numbers are scaled; standard by default, minmax for images "
                          "and maps"),
    OWI_CHOICE(options, level_order, "levels", owi_level_order_names, "sorted",
               .summary = "the order of levels and classes; sorted by default"),
    OWI_FLAG(options, no_relations, "no-relations", "no",
             .summary = "do not look for columns that follow others"),
};

static const owi_param_table table = {.params = params,
                                      .n_params = sizeof params / sizeof *params,
                                      .what = "schema option"};

const ow_param *ow_infer_option_get(size_t index)
{
    return index < table.n_params ? &params[index].shown : NULL;
}

/* A list is a pointer with its count behind it. */
typedef struct {
    const char *const *items;
    size_t n;
} list;
#define IS_LIST(field)                                                                     \
    (offsetof(options, n_##field) == offsetof(options, field) + offsetof(list, n))
_Static_assert(IS_LIST(drop) && IS_LIST(categorical) && IS_LIST(ordinal) &&
                   IS_LIST(immutable) && IS_LIST(keep) && IS_LIST(missing) &&
                   IS_LIST(unlock) && IS_LIST(monotone),
               "every list of ow_infer_options is followed by its count");

ow_status ow_infer_options_set(ow_infer_options *to, const char *name, size_t n_values,
                               const char *const *values)
{
    size_t index;
    OWI_REQUIRE(to != NULL && name != NULL && (n_values == 0 || values != NULL));
    OWI_TRY(owi_param_find(&table, name, &index));
    const owi_param *param = &params[index];
    const bool is_list =
        param->shown.kind == OW_PARAM_NAMES || param->shown.kind == OW_PARAM_LIST;
    OWI_TRY(owi_options_reach("ow_infer_options", to, sizeof *to, name, param->at,
                              is_list ? sizeof(list) : param->length));
    char *at = (char *)to + param->at;
    if (is_list) {
        const list given = {values, n_values};
        memcpy(at, &given, sizeof given);
        return OW_OK;
    }
    if (n_values != 1)
        return owi_fail(OW_ERR_ARGUMENT, "%s: expected one value, got %zu", name, n_values);
    if (param->shown.kind == OW_PARAM_TEXT) {
        memcpy(at, values, sizeof *values);
        return OW_OK;
    }
    OWI_TRY(owi_param_parse(NULL, &table, index, values[0], to, NULL));
    if (at == (char *)&to->scaling) to->scaling_given = true;
    return OW_OK;
}
