/* SPDX-License-Identifier: MIT */
#include "serve/reasons_json.h"

#include <math.h>
#include <stdlib.h>

#include "cli/terminal/memory.h"
#include "serve/json_values.h"

const char *reasons_text(const reasons_about *about, size_t group)
{
    for (size_t j = 0; about->texts != NULL && j < about->groups->n_columns; j++) {
        const char *name = ow_schema_column(about->schema, j)->name;
        const char *text = json_string_value(json_object_get(about->texts, name));
        if (about->groups->of[j] == group && text != NULL) return text;
    }
    return NULL;
}

static json_t *group_json(const reasons_about *about, size_t group)
{
    json_t *o = json_object(), *values = json_object();
    bool locked = true;
    for (size_t j = 0; j < about->groups->n_columns; j++) {
        const ow_column *column = ow_schema_column(about->schema, j);
        if (about->groups->of[j] != group) continue;
        locked &= column->immutable;
        json_object_set_new(values, column->name,
                            json_values_cell(about->schema, j, about->row[j]));
    }
    json_object_set_new(o, "values", values);
    json_object_set_new(o, "value", json_real(about->reasons->value[group]));
    json_object_set_new(o, "error", json_real(about->reasons->error[group]));
    json_object_set_new(o, "locked", json_boolean(locked));
    const char *text = reasons_text(about, group);
    if (text != NULL) json_object_set_new(o, "text", json_values_text(text));
    return o;
}

json_t *reasons_json(const reasons_about *about)
{
    const reasons *r = about->reasons;
    size_t *order = memory_new(about->groups->n + 1, sizeof *order);
    json_t *o = json_object(), *list = json_array();
    reasons_order(about->groups, r, order);
    for (size_t i = 0; i < about->groups->n; i++)
        json_array_append_new(list, group_json(about, order[i]));
    free(order);
    json_object_set_new(o, "row", json_integer((json_int_t)about->number));
    if (about->id != NULL) json_object_set_new(o, "id", json_values_text(about->id));
    json_object_set_new(o, "class",
                        json_values_text(
                            ow_schema_class_name(about->schema, (size_t)about->predicted)));
    json_object_set_new(o, "target",
                        json_values_text(
                            ow_schema_class_name(about->schema, (size_t)about->target)));
    json_object_set_new(o, "log_odds", json_real(r->all));
    json_object_set_new(o, "log_odds_of_any_row", json_real(r->none));
    json_object_set_new(o, "exact", json_boolean(r->exact));
    json_object_set_new(o, "reasons", list);
    return o;
}
