/* SPDX-License-Identifier: MIT */
#include "support/explain_fixture.h"

void ow_test_make_quick(ow_explainer *explainer)
{
    static const char *const quick[][2] = {{"steps", "10"},
                                           {"rounds", "1"},
                                           {"gamma", "0"}};
    const char *value;
    for (size_t k = 0; k < sizeof quick / sizeof *quick; k++)
        if (ow_explainer_get(explainer, quick[k][0], &value) == OW_OK)
            assert_ok(ow_explainer_set(explainer, quick[k][0], quick[k][1]));
}

ow_explainer *ow_test_explainer(const ow_test_model *m, const char *method)
{
    ow_explainer *explainer = NULL;
    assert_ok(ow_explainer_new(&(ow_explain_model){.size = sizeof(ow_explain_model),
                                                   .model = m->model},
                               method, &explainer));
    assert_ok(ow_explainer_set_background(explainer, m->n_rows, m->values));
    ow_test_make_quick(explainer);
    return explainer;
}

/* "duration=0:24" */
static ow_status add_range(ow_constraints *rules, char *text)
{
    char *value = strchr(text, '=');
    assert_non_null(value);
    *value++ = '\0';
    char *high = strchr(value, ':');
    assert_non_null(high);
    *high++ = '\0';
    return ow_constraints_range(rules, text, *value != '\0' ? atof(value) : -INFINITY,
                                *high != '\0' ? atof(high) : INFINITY);
}

/* "town=Bonn|Celle" */
static ow_status add_allowed(ow_constraints *rules, char *text)
{
    char *value = strchr(text, '=');
    assert_non_null(value);
    *value++ = '\0';
    for (char *next; value != NULL; value = next) {
        next = strchr(value, '|');
        if (next != NULL) *next++ = '\0';
        const ow_status status = ow_constraints_allow(rules, text, value);
        if (status != OW_OK) return status;
    }
    return OW_OK;
}

static ow_status add_rule(ow_constraints *rules, char *text)
{
    char *rest = strchr(text, ' ');
    assert_non_null(rest);
    *rest++ = '\0';
    if (strcmp(text, "immutable") == 0) return ow_constraints_immutable(rules, rest);
    if (strcmp(text, "vary") == 0) return ow_constraints_vary(rules, rest);
    if (strcmp(text, "rule") == 0) return ow_constraints_add_rule(rules, rest);
    if (strcmp(text, "derive") == 0) return ow_constraints_derive(rules, rest);
    if (strcmp(text, "range") == 0) return add_range(rules, rest);
    if (strcmp(text, "allow") == 0) return add_allowed(rules, rest);
    if (strcmp(text, "monotone") == 0) {
        char *direction = strchr(rest, '=');
        assert_non_null(direction);
        *direction++ = '\0';
        return ow_constraints_monotone(rules, rest,
                                       strcmp(direction, "up") == 0 ? OW_MONOTONE_UP
                                                                    : OW_MONOTONE_DOWN);
    }
    assert_string_equal(text, "max-changes");
    ow_constraints_most_changes(rules, (size_t)atoi(rest));
    return OW_OK;
}

ow_status ow_test_add_rules(ow_constraints *rules, const char *text)
{
    char rule[256];
    while (text != NULL && *text != '\0') {
        const char *end = strstr(text, "; ");
        const size_t length = end != NULL ? (size_t)(end - text) : strlen(text);
        assert_true(length < sizeof rule);
        memcpy(rule, text, length);
        rule[length] = '\0';
        const ow_status status = add_rule(rules, rule);
        if (status != OW_OK) return status;
        text = end != NULL ? end + 2 : NULL;
    }
    return OW_OK;
}

ow_constraints *ow_test_rules(const ow_test_model *m, const char *text)
{
    ow_constraints *rules = NULL;
    assert_ok(ow_constraints_new(m->ctx, ow_model_schema(m->model), &rules));
    assert_ok(ow_test_add_rules(rules, text));
    return rules;
}
