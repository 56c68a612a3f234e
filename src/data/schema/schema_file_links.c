/* SPDX-License-Identifier: MIT */
/* The links of a schema file: which columns determine each other ("linked"), and the values
 * that they have together ("linked_values": for each link a list of combinations, in the
 * order of its names). */
#include <math.h>

#include "base/error.h"
#include "base/text/quote.h"
#include "data/schema/schema_file.h"
#include "data/schema/schema_private.h"

ow_status owi_schema_read_links(const owi_json_fields *top, ow_schema *schema)
{
    const json_t *links;
    OWI_TRY(owi_json_read_array(top, "linked", &links));
    for (size_t i = 0; i < json_array_size(links); i++) {
        const json_t *group = json_array_get(links, i);
        if (!json_is_array(group) || json_array_size(group) < 2)
            return owi_json_unexpected(top, "linked", "lists of two or more column names",
                                       group);
        for (size_t k = 0; k < json_array_size(group); k++) {
            char quoted[owi_quote_size];
            const char *name;
            size_t j;
            OWI_TRY(owi_json_item_text(top, "linked", json_array_get(group, k), &name));
            if (ow_schema_find_column(schema, name, &j) != OW_OK)
                return owi_fail(OW_ERR_FORMAT, "%s: field \"linked\": %s", top->file,
                                ow_error_message());
            if (schema->columns[j].link != 0)
                return owi_fail(OW_ERR_FORMAT,
                                "%s: field \"linked\": column %s stands there twice",
                                top->file, owi_quote_text(name, quoted));
            schema->columns[j].link = i + 1;
        }
    }
    return OW_OK;
}

ow_status owi_schema_read_value(const owi_json_fields *top, const char *field,
                                const ow_schema *schema, size_t j, const json_t *item,
                                double *value)
{
    const ow_column *column = &schema->columns[j];
    const char *text;
    char quoted[2][owi_quote_size];
    *value = NAN;
    if (json_is_null(item)) return OW_OK;
    if (column->n_levels == 0) return owi_json_item_number(top, field, item, value);
    OWI_TRY(owi_json_item_text(top, field, item, &text));
    const int32_t level = owi_schema_level(schema, j, text);
    if (level < 0)
        return owi_fail(OW_ERR_FORMAT, "%s: %sfield \"%s\": %s is no level of %s",
                        top->file, top->where, field, owi_quote_text(text, quoted[0]),
                        owi_quote_text(column->name, quoted[1]));
    *value = (double)level;
    return OW_OK;
}

/* One combination; its values stand in the order of the link's names, and go to that of the
 * columns. */
static ow_status read_combination(const owi_json_fields *top, ow_schema *schema,
                                  size_t link_number, const json_t *names,
                                  const json_t *row)
{
    enum { most_columns = 256 };
    const owi_link *link = &schema->links[link_number - 1];
    double values[most_columns];
    if (!json_is_array(row) || json_array_size(row) != link->n_columns ||
        link->n_columns > most_columns)
        return owi_json_unexpected(top, "linked_values",
                                   "one value for each column of the link", row);
    for (size_t k = 0; k < link->n_columns; k++) {
        size_t j, at = 0;
        OWI_TRY(
            ow_schema_find_column(schema, json_string_value(json_array_get(names, k)), &j));
        while (link->columns[at] != j) at++;
        OWI_TRY(owi_schema_read_value(top, "linked_values", schema, j,
                                      json_array_get(row, k), &values[at]));
    }
    return owi_schema_add_linked(schema, link_number, values);
}

ow_status owi_schema_read_linked_values(const owi_json_fields *top, ow_schema *schema)
{
    const json_t *links, *values;
    OWI_TRY(owi_json_read_array(top, "linked", &links));
    OWI_TRY(owi_json_read_array(top, "linked_values", &values));
    if (values == NULL) return OW_OK;
    if (json_array_size(values) != json_array_size(links))
        return owi_json_unexpected(top, "linked_values", "one list for each link", values);
    for (size_t i = 0; i < json_array_size(values); i++) {
        const json_t *rows = json_array_get(values, i);
        if (!json_is_array(rows))
            return owi_json_unexpected(top, "linked_values", "lists of combinations", rows);
        for (size_t r = 0; r < json_array_size(rows); r++)
            OWI_TRY(read_combination(top, schema, i + 1, json_array_get(links, i),
                                     json_array_get(rows, r)));
    }
    return OW_OK;
}
