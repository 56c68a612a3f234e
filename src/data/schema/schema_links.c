/* SPDX-License-Identifier: MIT */
/* Linked columns and the values that they have together. */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/memory/alloc.h"
#include "data/schema/schema_private.h"

void owi_schema_free_links(ow_schema *schema)
{
    for (size_t i = 0; schema->links != NULL && i < schema->n_links; i++) {
        owi_free(schema->ctx, schema->links[i].columns);
        owi_free(schema->ctx, schema->links[i].values);
    }
    owi_free(schema->ctx, schema->links);
}

ow_status owi_schema_make_links(ow_schema *schema)
{
    for (size_t j = 0; j < schema->n_columns; j++)
        if (schema->columns[j].link > schema->n_links)
            schema->n_links = schema->columns[j].link;
    schema->links = owi_alloc_array(schema->ctx, schema->n_links, sizeof *schema->links);
    if (schema->links == NULL) return OW_ERR_MEMORY;
    for (size_t i = 0; i < schema->n_links; i++) {
        owi_link *link = &schema->links[i];
        for (size_t j = 0; j < schema->n_columns; j++)
            link->n_columns += schema->columns[j].link == i + 1;
        link->columns = owi_alloc_array(schema->ctx, link->n_columns, sizeof(size_t));
        if (link->columns == NULL) return OW_ERR_MEMORY;
        size_t n = 0;
        for (size_t j = 0; j < schema->n_columns; j++)
            if (schema->columns[j].link == i + 1) link->columns[n++] = j;
    }
    return OW_OK;
}

ow_status owi_schema_add_linked(ow_schema *schema, size_t link_number, const double *values)
{
    owi_link *link = &schema->links[link_number - 1];
    const size_t row_size = link->n_columns * sizeof *values;
    OWI_TRY(
        owi_grow(schema->ctx, &link->values, &link->capacity, link->n_rows + 1, row_size));
    memcpy(link->values + link->n_rows++ * link->n_columns, values, row_size);
    return OW_OK;
}

size_t ow_schema_n_links(const ow_schema *schema)
{
    return schema->n_links;
}

ow_linked ow_schema_linked(const ow_schema *schema, size_t link)
{
    if (link == 0 || link > schema->n_links) return (ow_linked){0};
    const owi_link *kept = &schema->links[link - 1];
    return (ow_linked){.n_columns = kept->n_columns,
                       .columns = kept->columns,
                       .n_rows = kept->n_rows,
                       .values = kept->values};
}
