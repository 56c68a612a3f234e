/* SPDX-License-Identifier: MIT */
#include "data/infer/infer_label.h"

#include <string.h>

#include "base/context.h"
#include "base/error.h"
#include "base/text/quote.h"
#include "data/schema/schema_private.h"

ow_status owi_require_label(const owi_column_stats *stats, const char *file)
{
    char quoted[owi_quote_size];
    if (stats->n_present > 0) return OW_OK;
    return owi_fail(OW_ERR_SCHEMA,
                    "%s: label %s has no value in any row, expected two or more classes",
                    file, owi_quote_text(stats->name, quoted));
}

static ow_status check_classes(const owi_column_stats *stats, const char *file,
                               const owi_level *classes, size_t n)
{
    char quoted[2][owi_quote_size];
    if (n >= 2) return OW_OK;
    OWI_TRY(owi_require_label(stats, file));
    owi_quote_text(stats->name, quoted[0]);
    return owi_fail(OW_ERR_SCHEMA,
                    "%s: label %s is %s in every row, expected two or more classes", file,
                    quoted[0], owi_quote(classes[0].text, classes[0].length, quoted[1]));
}

static void warn(const owi_column_stats *stats, const char *file)
{
    char quoted[owi_quote_size];
    const size_t n = stats->n_present, n_classes = owi_column_stats_n_different(stats);
    owi_quote_text(stats->name, quoted);
    if (stats->n_missing > 0)
        owi_log(stats->ctx, OW_LOG_WARN,
                "%s: %zu of %zu rows %s no label in column %s and %s left out", file,
                stats->n_missing, n + stats->n_missing,
                stats->n_missing == 1 ? "has" : "have", quoted,
                stats->n_missing == 1 ? "is" : "are");
    if (n_classes > 2 && n_classes > n / 2)
        owi_log(stats->ctx, OW_LOG_WARN,
                "%s: label %s has %zu classes in %zu rows; is it the label?", file, quoted,
                n_classes, n);
}

/* adult.test ends every class name with a full stop that adult.data does not have. */
static void strip_full_stops(ow_context *ctx, const char *file, owi_level *classes,
                             size_t n)
{
    for (size_t k = 0; k < n; k++)
        if (classes[k].length < 2 || classes[k].text[classes[k].length - 1] != '.') return;
    for (size_t k = 0; k < n; k++) classes[k].length--;
    owi_log(ctx, OW_LOG_INFO,
            "%s: every class name ends in a full stop, which is left away", file);
}

ow_status owi_add_label(ow_schema *schema, const owi_column_stats *stats, const char *file,
                        ow_level_order order, owi_level **classes)
{
    size_t n;
    OWI_TRY(owi_list_levels(stats, order, classes, &n));
    OWI_TRY(check_classes(stats, file, *classes, n));
    warn(stats, file);
    strip_full_stops(stats->ctx, file, *classes, n);
    OWI_TRY(owi_schema_set_label(schema, stats->name, strlen(stats->name)));
    for (size_t k = 0; k < n; k++)
        OWI_TRY(owi_schema_add_class(schema, (*classes)[k].text, (*classes)[k].length));
    return OW_OK;
}
