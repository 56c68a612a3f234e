/* SPDX-License-Identifier: MIT */
/* Tables of parameters (otherwise/param.h): from text to the fields of a struct.  Names,
 * ranges, choices and defaults are declared once, in the table:
 *
 *     static const owi_param params[] = {
 *         OWI_NUMBER(settings, rate, "rate", 0, 1, "0.1", .summary = "length of a step"),
 *         OWI_FLAG(settings, sparse, "sparse", "no", .summary = "undo small changes"),
 *     }; */
#ifndef OWI_PARAM_TABLE_H
#define OWI_PARAM_TABLE_H

#include <stddef.h>
#include <stdint.h>

#include "otherwise/context.h"
#include "otherwise/param.h"
#include "otherwise/status.h"

/* A parameter as people see it, and where its value goes: a double, an int64_t (-1 for
 * "auto"), an int or enumeration (index of the choice), a bool, or an ow_sizes.  Of texts
 * and lists only the description is used. */
typedef struct {
    ow_param shown;
    size_t at, length; /* bytes */
} owi_param;

/* One line of a table.  The designators behind the fixed arguments begin with .summary. */
#define OWI_PARAM(type, field, ...)                                                        \
    {                                                                                      \
        .shown = {__VA_ARGS__}, .at = offsetof(type, field),                               \
        .length = sizeof((type *)0)->field                                                 \
    }
#define OWI_NUMBER(type, field, name_, low_, high_, initial_, ...)                         \
    OWI_PARAM(type, field, .name = name_, .kind = OW_PARAM_NUMBER, .low = low_,            \
              .high = high_, .initial = initial_, __VA_ARGS__)
#define OWI_INTEGER(type, field, name_, low_, high_, initial_, ...)                        \
    OWI_PARAM(type, field, .name = name_, .kind = OW_PARAM_INTEGER, .low = low_,           \
              .high = high_, .initial = initial_, __VA_ARGS__)
#define OWI_CHOICE(type, field, name_, choices_, initial_, ...)                            \
    OWI_PARAM(type, field, .name = name_, .kind = OW_PARAM_CHOICE, .choices = choices_,    \
              .initial = initial_, __VA_ARGS__)
#define OWI_FLAG(type, field, name_, initial_, ...)                                        \
    OWI_PARAM(type, field, .name = name_, .kind = OW_PARAM_FLAG, .initial = initial_,      \
              __VA_ARGS__)

typedef struct {
    const owi_param *params;
    size_t n_params;
    const char *what;   /* in sentences: "parameter", "training option"           */
    const char *method; /* whose parameters they are; NULL: options               */
    double auto_number; /* what "auto" is for a double: NaN, or OW_AUTO           */
} owi_param_table;

/* The number of the parameter; OW_ERR_ARGUMENT with the nearest spelling. */
ow_status owi_param_find(const owi_param_table *table, const char *name, size_t *index);

/* Stores the value in the settings.  Unless text is NULL, *text gets its usual spelling,
 * "0.5" for "0.50" (owned by the caller, owi_free); on failure NULL, and nothing is
 * stored. */
ow_status owi_param_parse(ow_context *ctx, const owi_param_table *table, size_t index,
                          const char *value, void *settings, char **text);

/* Stores the initial value of every parameter that has one; these are known to be good. */
void owi_param_set_initial(const owi_param_table *table, void *settings);

/* That numbers lie in their ranges and choices among those that there are, for settings
 * that a caller has filled in field by field. */
ow_status owi_param_check(const owi_param_table *table, const void *settings);

/* What a preset makes of the parameter: "" is none, "paper" and "reference"; NULL: there is
 * no such preset. */
const char *owi_param_preset(const owi_param *param, const char *preset);

#endif
