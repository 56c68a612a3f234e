/* SPDX-License-Identifier: MIT */
#include "options/reach_option.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "commands/command.h"
#include "options/decimal.h"
#include "terminal/exit_codes.h"
#include "terminal/memory.h"
#include "terminal/message.h"

const char reach_option_cost_form[] = "COLUMN=N, COLUMN=up:N or COLUMN=down:N";

bool reach_option_is_relative(const char *value)
{
    const char *high = strchr(value, ':');
    return value[0] == '+' || strchr(value, '%') != NULL ||
           (high != NULL && high[1] == '+');
}

/* One end, "+5" or "-10%"; empty: none.  False: it is neither. */
static bool read_end(const char *text, size_t length, double *amount, ow_reach_unit *unit)
{
    const bool is_percent = length > 0 && text[length - 1] == '%';
    *unit = is_percent ? OW_REACH_PERCENT : OW_REACH_UNITS;
    if (length == 0) return true;
    char *number = memory_copy(text, length - is_percent);
    const bool good = decimal_read(number, amount);
    free(number);
    return good;
}

int reach_option_add(const char *column, const char *text, const char *value,
                     ow_constraints *rules)
{
    const size_t length = strcspn(value, ":");
    const char *rest = value[length] == ':' ? value + length + 1 : "";
    double low = -INFINITY, high = INFINITY;
    ow_reach_unit units[2];
    if (value[length] != ':' || !read_end(value, length, &low, &units[0]) ||
        !read_end(rest, strlen(rest), &high, &units[1])) {
        message(OW_LOG_ERROR,
                "--range: expected COLUMN=LOW:HIGH, as in income=+0:+20%%, got \"%s\"",
                text);
        return EXIT_USAGE;
    }
    ow_status status;
    if (low == 0.0) units[0] = units[1];
    if (high == 0.0) units[1] = units[0];
    if (units[0] == units[1] || !isfinite(low) || !isfinite(high)) {
        const ow_reach_unit unit = isfinite(low) ? units[0] : units[1];
        status = ow_constraints_reach(rules, column, low, high, unit);
    } else {
        status = ow_constraints_reach(rules, column, low, INFINITY, units[0]);
        if (status == OW_OK)
            status = ow_constraints_reach(rules, column, -INFINITY, high, units[1]);
    }
    return command_check_option("--range", status);
}

/* Whether the column has a level of this name. */
static bool is_level(const ow_column *column, const char *name)
{
    for (size_t k = 0; k < column->n_levels; k++)
        if (strcmp(column->levels[k], name) == 0) return true;
    return false;
}

/* A copy without blanks at its ends, freed with free(). */
static char *trimmed(const char *text, size_t length)
{
    while (length > 0 && *text == ' ') {
        text++;
        length--;
    }
    while (length > 0 && text[length - 1] == ' ') length--;
    return memory_copy(text, length);
}

int reach_option_allow(const ow_schema *schema, size_t column, const char *name,
                       const char *value, ow_constraints *rules)
{
    const ow_column *shown = ow_schema_column(schema, column);
    const char *arrow = strstr(value, "->");
    if (arrow == NULL || is_level(shown, value))
        return command_check_option("--allow", ow_constraints_allow(rules, name, value));
    /* A level may have an arrow in its name: the first that leaves a level before it. */
    char *from = trimmed(value, (size_t)(arrow - value));
    for (const char *next = arrow; !is_level(shown, from);) {
        next = strstr(next + 2, "->");
        if (next == NULL) break;
        free(from);
        from = trimmed(value, (size_t)(next - value));
        arrow = next;
    }
    char *to = trimmed(arrow + 2, strlen(arrow + 2));
    const int code =
        command_check_option("--allow", ow_constraints_move(rules, name, from, to));
    free(from);
    free(to);
    return code;
}

int reach_option_cost(const char *column, const char *text, const char *value,
                      ow_constraints *rules)
{
    ow_monotone direction = OW_MONOTONE_NONE;
    double cost;
    if (strncmp(value, "up:", 3) == 0) {
        direction = OW_MONOTONE_UP;
        value += 3;
    } else if (strncmp(value, "down:", 5) == 0) {
        direction = OW_MONOTONE_DOWN;
        value += 5;
    }
    if (!decimal_read(value, &cost)) {
        message(OW_LOG_ERROR, "--cost: expected %s, got \"%s\"", reach_option_cost_form,
                text);
        return EXIT_USAGE;
    }
    return command_check_option("--cost",
                                ow_constraints_cost(rules, column, direction, cost));
}
