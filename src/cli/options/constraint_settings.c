/* SPDX-License-Identifier: MIT */
#include "options/constraint_settings.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "commands/command.h"
#include "options/column_option.h"
#include "options/decimal.h"
#include "options/reach_option.h"
#include "output/json_output.h"
#include "serve/preferences.h"
#include "terminal/exit_codes.h"
#include "terminal/memory.h"
#include "terminal/message.h"

static const option_spec options[] = {
    {.name = "immutable",
     .word = "A,B",
     .help = "columns that must stay as they are, besides those of the schema",
     .kind = OPTION_LIST,
     .at = offsetof(constraint_settings, immutable)},
    {.name = "vary",
     .word = "A,B",
     .help = "the only columns that may change",
     .kind = OPTION_LIST,
     .at = offsetof(constraint_settings, vary)},
    {.name = "range",
     .word = "COL=LOW:HIGH",
     .help = "where a changed number may go; an end may be left out; +0:+5 and -10%:+20% "
             "count from the row's own value; may be repeated",
     .kind = OPTION_REPEATED,
     .at = offsetof(constraint_settings, range)},
    {.name = "allow",
     .word = "COL=A|B",
     .help = "the values that a changed column may take, or moves as in A->B; may be "
             "repeated",
     .kind = OPTION_REPEATED,
     .at = offsetof(constraint_settings, allow)},
    {.name = "monotone",
     .word = "COL=up|down",
     .help = "the only direction in which a number or an ordinal level may change; may be "
             "repeated",
     .kind = OPTION_REPEATED,
     .at = offsetof(constraint_settings, monotone)},
    {.name = "cost",
     .word = "COL=[up:|down:]N",
     .help = "what changing a column costs, 1 by default: answers are compared by their "
             "changes times this; may be repeated",
     .kind = OPTION_REPEATED,
     .at = offsetof(constraint_settings, cost)},
    {.name = "derive",
     .word = "'COL = EXPRESSION'",
     .help = "a column that follows others and changes with them, as in 'dti = 1200 * "
             "payment / income'; may be repeated",
     .kind = OPTION_REPEATED,
     .at = offsetof(constraint_settings, derive)},
    {.name = "rule",
     .word = "'[IF =>] THEN'",
     .help = "a condition between columns, as in 'education up => age up' or 'housing=own "
             "=> property!=none'; may be repeated",
     .kind = OPTION_REPEATED,
     .at = offsetof(constraint_settings, rule)},
    {.name = "no-relations",
     .help = "leave out the relations between columns that the schema has",
     .kind = OPTION_FLAG,
     .at = offsetof(constraint_settings, no_relations)},
    {.name = "max-changes",
     .word = "N",
     .help = "how many columns may change; linked ones count once",
     .kind = OPTION_INTEGER,
     .least = 1,
     .most = UINT32_MAX,
     .at = offsetof(constraint_settings, most_changes)},
    {.name = "min-density",
     .word = "qN",
     .help = "answers must be at least as typical as N percent of the target's real rows; "
             "q25 by default, and then only where it can be had",
     .kind = OPTION_TEXT,
     .at = offsetof(constraint_settings, least_density)},
    {.name = "prob",
     .word = "LOW:HIGH",
     .help = "the probability that the target must have; by default it need only be the "
             "most probable class",
     .kind = OPTION_TEXT,
     .at = offsetof(constraint_settings, proba)},
    {.name = "preferences",
     .word = "FILE",
     .help = "all of these as JSON, as the page of otherwise serve saves them "
             "(doc/serve.md); options of the command line go first or restrict further",
     .kind = OPTION_TEXT,
     .at = offsetof(constraint_settings, preferences)},
};

const option_group constraint_options = {
    .title = "What an answer may be",
    .options = options,
    .n_options = sizeof options / sizeof *options,
};

static const char range_form[] = "COLUMN=LOW:HIGH", allow_form[] = "COLUMN=VALUE|VALUE",
                  monotone_form[] = "COLUMN=up or COLUMN=down";

/* ---- Values ---- */

/* The next of the values that are divided by "|", where "\|" is part of one; NULL at the
 * end.  Freed with free(). */
static char *next_value(const char **text)
{
    const char *at = *text;
    if (at == NULL) return NULL;
    char *value = memory_new(strlen(at) + 1, 1);
    size_t length = 0;
    for (; *at != '\0' && *at != '|'; at++) {
        if (at[0] == '\\' && at[1] == '|') at++;
        value[length++] = *at;
    }
    *text = *at == '|' ? at + 1 : NULL;
    return value;
}

static bool read_direction(const char *text, ow_monotone *direction)
{
    static const ow_monotone all[] = {OW_MONOTONE_UP, OW_MONOTONE_DOWN};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (strcmp(ow_monotone_name(all[i]), text) == 0) {
            *direction = all[i];
            return true;
        }
    return false;
}

static int complain_form(const char *option, const char *form, const char *text)
{
    message(OW_LOG_ERROR, "%s: expected %s, got \"%s\"", option, form, text);
    return EXIT_USAGE;
}

/* ---- One option after the other ---- */

static int add_names(const char *option, const text_list *names, ow_constraints *rules,
                     ow_status (*add)(ow_constraints *, const char *))
{
    int code = EXIT_DONE;
    for (size_t i = 0; i < names->n && code == EXIT_DONE; i++)
        code = command_check_option(option, add(rules, names->items[i]));
    return code;
}

static int add_range(const ow_schema *schema, const char *text, ow_constraints *rules)
{
    size_t j;
    const char *value;
    double low = -INFINITY, high = INFINITY;
    if (!column_option_split(schema, "--range", range_form, false, text, &j, &value))
        return EXIT_USAGE;
    if (reach_option_is_relative(value))
        return reach_option_add(ow_schema_column(schema, j)->name, text, value, rules);
    if (!decimal_read_interval(value, &low, &high))
        return complain_form("--range", range_form, text);
    const char *name = ow_schema_column(schema, j)->name;
    return command_check_option("--range", ow_constraints_range(rules, name, low, high));
}

static int add_allowed(const ow_schema *schema, const char *text, ow_constraints *rules)
{
    size_t j;
    const char *rest;
    int code = EXIT_DONE;
    if (!column_option_split(schema, "--allow", allow_form, false, text, &j, &rest))
        return EXIT_USAGE;
    const char *name = ow_schema_column(schema, j)->name;
    for (char *value; code == EXIT_DONE && (value = next_value(&rest)) != NULL;) {
        code = reach_option_allow(schema, j, name, value, rules);
        free(value);
    }
    return code;
}

static int add_direction(const ow_schema *schema, const char *text, ow_constraints *rules)
{
    size_t j;
    const char *value;
    ow_monotone direction;
    if (!column_option_split(schema, "--monotone", monotone_form, false, text, &j, &value))
        return EXIT_USAGE;
    if (!read_direction(value, &direction))
        return complain_form("--monotone", monotone_form, text);
    const char *name = ow_schema_column(schema, j)->name;
    return command_check_option("--monotone",
                                ow_constraints_monotone(rules, name, direction));
}

static int add_cost(const ow_schema *schema, const char *text, ow_constraints *rules)
{
    size_t j;
    const char *value;
    if (!column_option_split(schema, "--cost", reach_option_cost_form, false, text, &j,
                             &value))
        return EXIT_USAGE;
    return reach_option_cost(ow_schema_column(schema, j)->name, text, value, rules);
}

static int add_each(const text_list *texts, const ow_schema *schema, ow_constraints *rules,
                    int (*add)(const ow_schema *, const char *, ow_constraints *))
{
    int code = EXIT_DONE;
    for (size_t i = 0; i < texts->n && code == EXIT_DONE; i++)
        code = add(schema, texts->items[i], rules);
    return code;
}

/* ---- Wishes ---- */

static int read_wishes(const constraint_settings *settings, ow_explain_options *wishes)
{
    const char *density = settings->least_density;
    double percent;
    if (density != NULL) {
        if (density[0] != 'q' || !decimal_read(density + 1, &percent) || percent < 0.0 ||
            percent > 100.0)
            return complain_form("--min-density", "q and a number from 0 to 100, as in q25",
                                 density);
        wishes->density_quantile = percent / 100.0;
        wishes->density_required = true;
    }
    if (settings->proba != NULL) {
        double low = 0.0, high = 1.0;
        if (!decimal_read_interval(settings->proba, &low, &high) || low < 0.0 ||
            high > 1.0 || low > high)
            return complain_form("--prob", "LOW:HIGH with numbers from 0 to 1",
                                 settings->proba);
        wishes->least_proba = low;
        wishes->most_proba = high;
    }
    return EXIT_DONE;
}

static int add_preferences(const constraint_settings *settings, const ow_schema *schema,
                           ow_constraints *rules, ow_explain_options *wishes)
{
    char *error = NULL;
    if (settings->preferences == NULL) return EXIT_DONE;
    json_t *preferences = preferences_load(settings->preferences, &error);
    const bool is_file = preferences != NULL;
    const bool well =
        is_file && preferences_apply(preferences, schema, rules, wishes, &error);
    if (!well)
        message(OW_LOG_ERROR, "--preferences: %s%s%s", is_file ? settings->preferences : "",
                is_file ? ": " : "", error);
    json_decref(preferences);
    free(error);
    return well ? EXIT_DONE : is_file ? EXIT_USAGE : EXIT_DATA;
}

int constraint_settings_make(const constraint_settings *settings, const ow_schema *schema,
                             ow_context *ctx, ow_constraints **out,
                             ow_explain_options *wishes)
{
    ow_constraints *rules = NULL;
    *out = NULL;
    const ow_status status = ow_constraints_new(ctx, schema, &rules);
    if (status != OW_OK) return command_failed(status, false);
    int code = add_preferences(settings, schema, rules, wishes);
    if (code == EXIT_DONE) code = read_wishes(settings, wishes);
    if (code == EXIT_DONE)
        code =
            add_names("--immutable", &settings->immutable, rules, ow_constraints_immutable);
    if (code == EXIT_DONE)
        code = add_names("--vary", &settings->vary, rules, ow_constraints_vary);
    if (code == EXIT_DONE) code = add_each(&settings->range, schema, rules, add_range);
    if (code == EXIT_DONE) code = add_each(&settings->allow, schema, rules, add_allowed);
    if (code == EXIT_DONE)
        code = add_each(&settings->monotone, schema, rules, add_direction);
    if (code == EXIT_DONE) code = add_each(&settings->cost, schema, rules, add_cost);
    if (settings->no_relations) ow_constraints_drop_relations(rules);
    if (code == EXIT_DONE)
        code = add_names("--derive", &settings->derive, rules, ow_constraints_derive);
    if (code == EXIT_DONE)
        code = add_names("--rule", &settings->rule, rules, ow_constraints_add_rule);
    if (settings->most_changes > 0)
        ow_constraints_most_changes(rules, (size_t)settings->most_changes);
    if (code == EXIT_DONE)
        *out = rules;
    else
        ow_constraints_free(rules);
    return code;
}
