/* SPDX-License-Identifier: MIT */
/* Formulas and conditions between columns: the first byte says which.  What is refused is
 * refused with a sentence; what is accepted has a value, or keeps the query. */
#include <math.h>
#include <string.h>

#include "base/memory/alloc.h"
#include "data/expression/condition.h"
#include "data/expression/expression.h"
#include "fuzz_target.h"
#include "otherwise/otherwise.h"

static const char columns[] =
    "{\"schema_version\": \"1.0\", \"columns\": ["
    "{\"name\": \"a\", \"type\": \"continuous\", \"range\": [0, 9]},"
    "{\"name\": \"b-c\", \"type\": \"integer\", \"range\": [-9, 9]},"
    "{\"name\": \"d`e\", \"type\": \"ordinal\", \"levels\": [\"S\", \"M\"]},"
    "{\"name\": \"f\", \"type\": \"categorical\", \"levels\": [\"x=y\", \"up\"]}]}";

static void try_expression(ow_context *ctx, const ow_schema *schema, const char *text)
{
    static const double row[4] = {2.5, -3, 1, 0};
    owi_expression *expression;
    const ow_status status = owi_expression_parse(ctx, schema, text, &expression);
    expect((status == OW_OK) == (expression != NULL));
    if (status != OW_OK) {
        expect(strlen(ow_error_message()) > 0);
        return;
    }
    const double value = owi_expression_value(expression, row);
    expect(isnan(value) || isfinite(value));
    owi_free(ctx, expression);
}

static void try_condition(ow_context *ctx, const ow_schema *schema, const char *text)
{
    static const double query[4] = {2.5, -3, 1, 0}, other[4] = {3, NAN, 0, 1};
    owi_condition *condition;
    const ow_status status = owi_condition_parse(ctx, schema, text, &condition);
    expect((status == OW_OK) == (condition != NULL));
    if (status != OW_OK) return;
    expect(condition->n_terms > 0 && condition->n_terms <= owi_most_terms);
    expect(owi_condition_holds(condition, query, query));
    (void)owi_condition_holds(condition, query, other);
    owi_free(ctx, condition);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    ow_context *ctx;
    ow_schema *schema;
    if (size == 0) return 0;
    expect(ow_context_new(NULL, &ctx) == OW_OK);
    expect(ow_schema_parse(ctx, columns, strlen(columns), "s", &schema) == OW_OK);
    char *text = owi_copy_text(ctx, (const char *)data + 1, size - 1);
    if (data[0] == 'r')
        try_condition(ctx, schema, text);
    else
        try_expression(ctx, schema, text);
    owi_free(ctx, text);
    ow_schema_free(schema);
    ow_context_free(ctx);
    return 0;
}
