/* SPDX-License-Identifier: MIT */
#include "base/text/param_table.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/memory/alloc.h"
#include "base/text/name_list.h"
#include "base/text/number.h"
#include "base/text/quote.h"
#include "base/text/spelling.h"

/* What "auto" is in an int64_t. */
static const int64_t auto_integer = -1;

static const char *param_name(const void *user, size_t i)
{
    const owi_param_table *table = user;
    return table->params[i].shown.name;
}

ow_status owi_param_find(const owi_param_table *table, const char *name, size_t *index)
{
    for (size_t i = 0; i < table->n_params; i++)
        if (strcmp(table->params[i].shown.name, name) == 0) {
            *index = i;
            return OW_OK;
        }
    char quoted[owi_quote_size];
    if (table->n_params == 0)
        return owi_fail(OW_ERR_ARGUMENT, "method %s has no parameters, and so no %s",
                        table->method, owi_quote_text(name, quoted));
    return owi_fail_unknown(OW_ERR_ARGUMENT, table->method, table->what, name,
                            table->n_params, param_name, table);
}

/* ---- Sentences ---- */

/* "method wachter, parameter "rate": expected WHAT, got "x"", or "depth: expected ...";
 * for choices with the nearest one. */
static ow_status fail_value(const owi_param_table *table, const ow_param *param,
                            const char *expected, const char *value)
{
    char quoted[owi_quote_size], hint[owi_hint_size];
    owi_spelling spelling;
    owi_spelling_begin(&spelling, value);
    for (size_t k = 0; param->choices != NULL && param->choices[k] != NULL; k++)
        owi_spelling_offer(&spelling, param->choices[k], k);
    owi_spelling_hint(&spelling, hint);
    owi_quote_text(value, quoted);
    if (table->method == NULL)
        return owi_fail(OW_ERR_ARGUMENT, "%s: expected %s, got %s%s", param->name, expected,
                        quoted, hint);
    return owi_fail(OW_ERR_ARGUMENT, "method %s, parameter \"%s\": expected %s, got %s%s",
                    table->method, param->name, expected, quoted, hint);
}

static ow_status fail_number(const owi_param_table *table, const ow_param *param,
                             const char *value)
{
    char low[owi_number_size], high[owi_number_size], expected[160];
    owi_print_number(param->low, low);
    owi_print_number(param->high, high);
    const char *what = param->kind == OW_PARAM_NUMBER    ? "a number"
                       : param->kind == OW_PARAM_INTEGER ? "a whole number"
                                                         : "whole numbers";
    const bool zero = param->zero != NULL;
    snprintf(expected, sizeof expected, "%s from %s to %s%s%s%s%s", what, low, high,
             param->kind == OW_PARAM_SIZES ? ", as in 64,64" : "", zero ? ", " : "",
             zero ? param->zero : "",
             !param->has_auto ? ""
             : zero           ? " or auto"
                              : ", or auto");
    return fail_value(table, param, expected, value);
}

/* ---- One value ---- */

/* Room for a value of any kind. */
typedef union {
    double number;
    int64_t integer;
    int choice;
    bool flag;
    ow_sizes sizes;
} param_value;

static size_t value_size(ow_param_kind kind)
{
    switch (kind) {
    case OW_PARAM_NUMBER:
        return sizeof(double);
    case OW_PARAM_INTEGER:
        return sizeof(int64_t);
    case OW_PARAM_CHOICE:
        return sizeof(int);
    case OW_PARAM_FLAG:
        return sizeof(bool);
    case OW_PARAM_SIZES:
        return sizeof(ow_sizes);
    default:
        return 0;
    }
}

static bool is_whole_in_range(const ow_param *param, double number)
{
    return number >= param->low && number <= param->high && number == floor(number);
}

static ow_status parse_number(const owi_param_table *table, const ow_param *param,
                              const char *text, double *number)
{
    if (!owi_parse_number(text, strlen(text), number, NULL) || *number < param->low ||
        *number > param->high ||
        (param->kind == OW_PARAM_INTEGER && *number != floor(*number)))
        return fail_number(table, param, text);
    return OW_OK;
}

static ow_status parse_choice(const owi_param_table *table, const ow_param *param,
                              const char *text, int *choice)
{
    owi_name_list list = {0};
    char expected[owi_name_list_size + 16];
    for (int k = 0; param->choices[k] != NULL; k++) {
        if (strcmp(param->choices[k], text) == 0) {
            *choice = k;
            return OW_OK;
        }
        owi_name_list_add(&list, param->choices[k]);
    }
    snprintf(expected, sizeof expected, "one of %s", list.text);
    return fail_value(table, param, expected, text);
}

static ow_status parse_flag(const owi_param_table *table, const ow_param *param,
                            const char *text, bool *flag)
{
    *flag = strcmp(text, "yes") == 0;
    if (*flag || strcmp(text, "no") == 0) return OW_OK;
    return fail_value(table, param, "yes or no", text);
}

static ow_status parse_sizes(const owi_param_table *table, const ow_param *param,
                             const char *text, ow_sizes *sizes)
{
    *sizes = (ow_sizes){0};
    for (const char *at = text;; at++) {
        const size_t length = strcspn(at, ",");
        double number;
        if (!owi_parse_number(at, length, &number, NULL) ||
            !is_whole_in_range(param, number))
            return fail_number(table, param, text);
        if (sizes->n == OW_MOST_SIZES) {
            char expected[64];
            snprintf(expected, sizeof expected, "up to %d numbers", (int)OW_MOST_SIZES);
            return fail_value(table, param, expected, text);
        }
        sizes->size[sizes->n++] = (size_t)number;
        at += length;
        if (*at == '\0') return OW_OK;
    }
}

static ow_status parse(const owi_param_table *table, const ow_param *param,
                       const char *text, param_value *value)
{
    const bool is_auto = param->has_auto && strcmp(text, "auto") == 0;
    double number = 0.0;
    switch (param->kind) {
    case OW_PARAM_NUMBER:
    case OW_PARAM_INTEGER:
        if (!is_auto && (param->zero == NULL || strcmp(text, param->zero) != 0))
            OWI_TRY(parse_number(table, param, text, &number));
        if (param->kind == OW_PARAM_NUMBER)
            value->number = is_auto ? table->auto_number : number;
        else
            value->integer = is_auto ? auto_integer : (int64_t)number;
        return OW_OK;
    case OW_PARAM_CHOICE:
        return parse_choice(table, param, text, &value->choice);
    case OW_PARAM_FLAG:
        return parse_flag(table, param, text, &value->flag);
    case OW_PARAM_SIZES:
        return parse_sizes(table, param, text, &value->sizes);
    default:
        return OW_OK;
    }
}

/* Numbers in their shortest form; everything else has one spelling. */
static char *usual_spelling(ow_context *ctx, const ow_param *param, const char *text)
{
    const bool is_number =
        param->kind == OW_PARAM_NUMBER || param->kind == OW_PARAM_INTEGER;
    char printed[owi_number_size];
    double number;
    if (is_number && owi_parse_number(text, strlen(text), &number, NULL)) {
        owi_print_number(number, printed);
        text = printed;
    }
    return owi_copy_text(ctx, text, strlen(text));
}

ow_status owi_param_parse(ow_context *ctx, const owi_param_table *table, size_t index,
                          const char *value, void *settings, char **text)
{
    const owi_param *param = &table->params[index];
    param_value parsed = {0};
    if (text != NULL) *text = NULL;
    OWI_TRY(parse(table, &param->shown, value, &parsed));
    if (text != NULL) {
        *text = usual_spelling(ctx, &param->shown, value);
        if (*text == NULL) return OW_ERR_MEMORY;
    }
    memcpy((char *)settings + param->at, &parsed, value_size(param->shown.kind));
    return OW_OK;
}

/* ---- All of them ---- */

void owi_param_set_initial(const owi_param_table *table, void *settings)
{
    for (size_t i = 0; i < table->n_params; i++) {
        const char *initial = table->params[i].shown.initial;
        if (initial == NULL) continue;
        const ow_status status = owi_param_parse(NULL, table, i, initial, settings, NULL);
        assert(status == OW_OK);
        (void)status;
    }
}

static bool is_good(const owi_param_table *table, const ow_param *param,
                    const param_value *value)
{
    double number = 0.0;
    switch (param->kind) {
    case OW_PARAM_NUMBER:
    case OW_PARAM_INTEGER:
        number = param->kind == OW_PARAM_NUMBER ? value->number : (double)value->integer;
        if (param->has_auto && param->kind == OW_PARAM_INTEGER && number == -1.0)
            return true;
        if (param->has_auto &&
            (number == table->auto_number || (isnan(number) && isnan(table->auto_number))))
            return true;
        return (param->zero != NULL && number == 0.0) ||
               (number >= param->low && number <= param->high);
    case OW_PARAM_CHOICE: {
        int n = 0;
        while (param->choices[n] != NULL) n++;
        return value->choice >= 0 && value->choice < n;
    }
    case OW_PARAM_SIZES:
        if (value->sizes.n > OW_MOST_SIZES) return false;
        for (size_t i = 0; i < value->sizes.n; i++)
            if (!is_whole_in_range(param, (double)value->sizes.size[i])) return false;
        return true;
    default:
        return true;
    }
}

/* A value that is not good, for the sentence. */
static void print_value(const ow_param *param, const param_value *value,
                        char text[owi_number_size])
{
    double number = value->number;
    if (param->kind == OW_PARAM_INTEGER) number = (double)value->integer;
    if (param->kind == OW_PARAM_CHOICE) number = value->choice;
    if (param->kind == OW_PARAM_SIZES) {
        number = (double)value->sizes.n;
        for (size_t i = 0; value->sizes.n <= OW_MOST_SIZES && i < value->sizes.n; i++)
            if (!is_whole_in_range(param, (double)value->sizes.size[i]))
                number = (double)value->sizes.size[i];
    }
    owi_print_number(number, text);
}

ow_status owi_param_check(const owi_param_table *table, const void *settings)
{
    for (size_t i = 0; i < table->n_params; i++) {
        const ow_param *param = &table->params[i].shown;
        param_value value = {0};
        int choice;
        char text[owi_number_size];
        memcpy(&value, (const char *)settings + table->params[i].at,
               value_size(param->kind));
        if (is_good(table, param, &value)) continue;
        print_value(param, &value, text);
        return param->kind == OW_PARAM_CHOICE ? parse_choice(table, param, text, &choice)
                                              : fail_number(table, param, text);
    }
    return OW_OK;
}

const char *owi_param_preset(const owi_param *param, const char *preset)
{
    const char *value = NULL;
    if (strcmp(preset, "paper") == 0)
        value = param->shown.paper;
    else if (strcmp(preset, "reference") == 0)
        value = param->shown.reference;
    else if (strcmp(preset, "") != 0)
        return NULL;
    return value != NULL ? value : param->shown.initial;
}
