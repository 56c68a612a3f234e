/* SPDX-License-Identifier: MIT */
#include "serve/preferences.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/terminal/text_build.h"

const double preferences_surer_proba = 0.7;

/* What the readers below fill. */
typedef struct {
    const ow_schema *schema;
    ow_constraints *rules;
    ow_explain_options *options;
    char **error;
} target;

static bool fail(const target *t, const char *key, const char *expected)
{
    *t->error = text_add(NULL, "preferences: \"%s\": expected %s", key, expected);
    return false;
}

/* The sentence of the library's last failure. */
static bool check(const target *t, const char *key, ow_status status)
{
    if (status == OW_OK) return true;
    *t->error = text_add(NULL, "preferences: \"%s\": %s", key, ow_error_message());
    return false;
}

/* ---- Constraints ---- */

typedef ow_status (*add_name)(ow_constraints *constraints, const char *name);

static bool read_names(const target *t, const char *key, const json_t *list, add_name add)
{
    if (!json_is_array(list)) return fail(t, key, "a list of texts");
    for (size_t i = 0; i < json_array_size(list); i++) {
        const char *name = json_string_value(json_array_get(list, i));
        if (name == NULL) return fail(t, key, "a list of texts");
        if (!check(t, key, add(t->rules, name))) return false;
    }
    return true;
}

static bool read_immutable(const target *t, const char *key, const json_t *value)
{
    return read_names(t, key, value, ow_constraints_immutable);
}

static bool read_vary(const target *t, const char *key, const json_t *value)
{
    return read_names(t, key, value, ow_constraints_vary);
}

static bool read_rules(const target *t, const char *key, const json_t *value)
{
    return read_names(t, key, value, ow_constraints_add_rule);
}

/* [low, high]; null is no bound. */
static bool read_interval(const target *t, const char *key, const json_t *value,
                          double *low, double *high)
{
    const json_t *const ends[2] = {json_array_get(value, 0), json_array_get(value, 1)};
    double *const places[2] = {low, high};
    if (!json_is_array(value) || json_array_size(value) != 2)
        return fail(t, key, "two numbers, or null for no bound");
    for (int i = 0; i < 2; i++) {
        if (!json_is_number(ends[i]) && !json_is_null(ends[i]))
            return fail(t, key, "two numbers, or null for no bound");
        *places[i] = json_is_number(ends[i]) ? json_number_value(ends[i])
                                             : (i == 0 ? -INFINITY : INFINITY);
    }
    return true;
}

/* What one column has under a key. */
typedef bool (*read_column)(const target *t, const char *key, const char *column,
                            const json_t *value);

static bool read_columns(const target *t, const char *key, const json_t *object,
                         read_column read)
{
    const char *column;
    json_t *value;
    if (!json_is_object(object)) return fail(t, key, "an object of columns");
    json_object_foreach((json_t *)(uintptr_t)object, column, value)
    {
        if (!read(t, key, column, value)) return false;
    }
    return true;
}

static bool column_range(const target *t, const char *key, const char *column,
                         const json_t *value)
{
    double low, high;
    return read_interval(t, key, value, &low, &high) &&
           check(t, key, ow_constraints_range(t->rules, column, low, high));
}

static bool column_reach(const target *t, const char *key, const char *column,
                         const json_t *value)
{
    static const char *const units[] = {
        [OW_REACH_UNITS] = "units", [OW_REACH_PERCENT] = "percent"};
    if (!json_is_object(value)) return fail(t, key, "an object with units or percent");
    for (size_t i = 0; i < 2; i++) {
        const json_t *interval = json_object_get(value, units[i]);
        double low, high;
        if (interval == NULL) continue;
        if (!read_interval(t, key, interval, &low, &high)) return false;
        if (isinf(low) && isinf(high)) continue;
        if (!check(t, key,
                   ow_constraints_reach(t->rules, column, low, high, (ow_reach_unit)i)))
            return false;
    }
    return true;
}

static bool column_allow(const target *t, const char *key, const char *column,
                         const json_t *value)
{
    if (!json_is_array(value)) return fail(t, key, "a list of texts for each column");
    for (size_t i = 0; i < json_array_size(value); i++) {
        const char *text = json_string_value(json_array_get(value, i));
        if (text == NULL) return fail(t, key, "a list of texts for each column");
        if (!check(t, key, ow_constraints_allow(t->rules, column, text))) return false;
    }
    return true;
}

static bool column_moves(const target *t, const char *key, const char *column,
                         const json_t *value)
{
    if (!json_is_array(value)) return fail(t, key, "a list of pairs for each column");
    for (size_t i = 0; i < json_array_size(value); i++) {
        const json_t *pair = json_array_get(value, i);
        const char *from = json_string_value(json_array_get(pair, 0));
        const char *to = json_string_value(json_array_get(pair, 1));
        if (from == NULL || to == NULL || json_array_size(pair) != 2)
            return fail(t, key, "pairs of levels: [from, to]");
        if (!check(t, key, ow_constraints_move(t->rules, column, from, to))) return false;
    }
    return true;
}

static bool column_monotone(const target *t, const char *key, const char *column,
                            const json_t *value)
{
    const char *text = json_string_value(value);
    const bool up = text != NULL && strcmp(text, "up") == 0;
    const bool down = text != NULL && strcmp(text, "down") == 0;
    if (!up && !down) return fail(t, key, "up or down for each column");
    return check(t, key,
                 ow_constraints_monotone(t->rules, column,
                                         up ? OW_MONOTONE_UP : OW_MONOTONE_DOWN));
}

/* A number, or one for each direction. */
static bool column_cost(const target *t, const char *key, const char *column,
                        const json_t *value)
{
    static const struct {
        const char *name;
        ow_monotone direction;
    } ways[] = {{"up", OW_MONOTONE_UP}, {"down", OW_MONOTONE_DOWN}};
    if (json_is_number(value))
        return check(t, key,
                     ow_constraints_cost(t->rules, column, OW_MONOTONE_NONE,
                                         json_number_value(value)));
    const json_t *up = json_object_get(value, "up"), *down = json_object_get(value, "down");
    if (!json_is_number(up) || !json_is_number(down))
        return fail(t, key, "a number above 0, or one for up and one for down");
    const double costs[2] = {json_number_value(up), json_number_value(down)};
    /* Columns whose levels have no order have one cost only. */
    if (costs[0] == costs[1])
        return check(t, key,
                     ow_constraints_cost(t->rules, column, OW_MONOTONE_NONE, costs[0]));
    for (size_t i = 0; i < 2; i++)
        if (!check(t, key,
                   ow_constraints_cost(t->rules, column, ways[i].direction, costs[i])))
            return false;
    return true;
}

/* "column" = formula, with the name quoted. */
static bool column_derive(const target *t, const char *key, const char *column,
                          const json_t *value)
{
    const char *formula = json_string_value(value);
    if (formula == NULL) return fail(t, key, "a formula for each column");
    char *statement = text_add(NULL, "\"");
    for (const char *c = column; *c != '\0'; c++)
        statement = text_add(statement, "%s%c", *c == '"' ? "\"" : "", *c);
    statement = text_add(statement, "\" = %s", formula);
    const ow_status status = ow_constraints_derive(t->rules, statement);
    free(statement);
    return check(t, key, status);
}

#define READ_COLUMNS(name)                                                                 \
    static bool read_##name(const target *t, const char *key, const json_t *value)         \
    {                                                                                      \
        return read_columns(t, key, value, column_##name);                                 \
    }
READ_COLUMNS(range)
READ_COLUMNS(reach)
READ_COLUMNS(allow)
READ_COLUMNS(moves)
READ_COLUMNS(monotone)
READ_COLUMNS(cost)
READ_COLUMNS(derive)

static bool read_most_changes(const target *t, const char *key, const json_t *value)
{
    if (json_is_null(value)) return true;
    if (!json_is_integer(value) || json_integer_value(value) < 1)
        return fail(t, key, "a whole number above 0");
    ow_constraints_most_changes(t->rules, (size_t)json_integer_value(value));
    return true;
}

/* ---- Options ---- */

static bool is_share(double x)
{
    return x >= 0.0 && x <= 1.0;
}

static bool read_density(const target *t, const char *key, const json_t *value)
{
    const json_t *quantile = json_object_get(value, "quantile");
    const json_t *required = json_object_get(value, "required");
    if (!json_is_number(quantile) || !is_share(json_number_value(quantile)))
        return fail(t, key, "an object with a quantile from 0 to 1");
    t->options->density_quantile = json_number_value(quantile);
    if (required != NULL) t->options->density_required = json_is_true(required);
    return true;
}

static bool read_proba(const target *t, const char *key, const json_t *value)
{
    double low, high;
    if (!read_interval(t, key, value, &low, &high)) return false;
    if (!is_share(low) || !is_share(high) || low > high)
        return fail(t, key, "two numbers from 0 to 1, the smaller one first");
    t->options->least_proba = low;
    t->options->most_proba = high;
    return true;
}

static bool read_target(const target *t, const char *key, const json_t *value)
{
    int32_t class_index = OW_ANY_OTHER_CLASS;
    if (!json_is_null(value)) {
        if (!json_is_string(value)) return fail(t, key, "a class, or null for any other");
        if (!check(t, key,
                   ow_schema_find_class(t->schema, json_string_value(value), &class_index)))
            return false;
    }
    if (t->options->target == OW_ANY_OTHER_CLASS) t->options->target = class_index;
    return true;
}

static bool read_answers(const target *t, const char *key, const json_t *value)
{
    const json_int_t n = json_integer_value(value);
    if (!json_is_integer(value) || n < 1 || n > 100)
        return fail(t, key, "a whole number from 1 to 100");
    if (t->options->n_answers == 1) t->options->n_answers = (size_t)n;
    return true;
}

static bool read_prefer(const target *t, const char *key, const json_t *value)
{
    const char *text = json_string_value(value);
    for (int i = OW_PREFER_LEAST; text != NULL && i <= OW_PREFER_CHEAPEST; i++)
        if (strcmp(text, ow_prefer_name((ow_prefer)i)) == 0) {
            if (t->options->prefer == OW_PREFER_LEAST) t->options->prefer = (ow_prefer)i;
            return true;
        }
    return fail(t, key, "least, typical, robust or cheapest");
}

static bool read_steps(const target *t, const char *key, const json_t *value)
{
    if (!json_is_boolean(value)) return fail(t, key, "true or false");
    if (json_is_true(value)) t->options->steps = true;
    return true;
}

/* ---- All of them ---- */

static const struct {
    const char *key;
    bool (*read)(const target *t, const char *key, const json_t *value);
} readers[] = {{"immutable", read_immutable},
               {"vary", read_vary},
               {"range", read_range},
               {"reach", read_reach},
               {"allow", read_allow},
               {"moves", read_moves},
               {"monotone", read_monotone},
               {"cost", read_cost},
               {"derive", read_derive},
               {"rules", read_rules},
               {"max_changes", read_most_changes},
               {"min_density", read_density},
               {"prob", read_proba},
               {"target", read_target},
               {"answers", read_answers},
               {"prefer", read_prefer},
               {"steps", read_steps}};

static bool is_known(const char *key)
{
    for (size_t i = 0; i < sizeof readers / sizeof *readers; i++)
        if (strcmp(readers[i].key, key) == 0) return true;
    return false;
}

bool preferences_apply(const json_t *preferences, const ow_schema *schema,
                       ow_constraints *constraints, ow_explain_options *options,
                       char **error)
{
    const target t = {schema, constraints, options, error};
    const char *key;
    json_t *value;
    if (!json_is_object(preferences)) {
        *error = text_add(NULL, "preferences: expected an object");
        return false;
    }
    json_object_foreach((json_t *)(uintptr_t)preferences, key, value)
    {
        if (!is_known(key)) return fail(&t, key, "a key that doc/serve.md lists");
    }
    for (size_t i = 0; i < sizeof readers / sizeof *readers; i++) {
        const json_t *given = json_object_get(preferences, readers[i].key);
        if (given != NULL && !readers[i].read(&t, readers[i].key, given)) return false;
    }
    return true;
}

json_t *preferences_load(const char *path, char **error)
{
    json_error_t problem;
    json_t *preferences = json_load_file(path, JSON_REJECT_DUPLICATES, &problem);
    if (preferences == NULL)
        *error = problem.line > 0
                     ? text_add(NULL, "%s, line %d: %s", path, problem.line, problem.text)
                     : text_add(NULL, "%s", problem.text);
    return preferences;
}
