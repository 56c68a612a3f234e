/* SPDX-License-Identifier: MIT */
/* Saying what may change, and counting what is broken. */
#include "explain/constraints/rules.h"
#include "support/explain_fixture.h"
#include "support/schema_fixture.h"

#define COLUMNS                                                                            \
    "'label': {'name': 'y', 'classes': ['a', 'b']}, 'linked': [['school', 'years']], "     \
    "'linked_values': [[['low', 6], ['high', 12]]], 'columns': ["                          \
    "{'name': 'age', 'type': 'integer', 'range': [18, 75]}, "                              \
    "{'name': 'income', 'type': 'continuous', 'range': [0, 90], 'decimals': 2}, "          \
    "{'name': 'town', 'type': 'categorical', 'levels': ['Aachen', 'Bonn', 'Celle']}, "     \
    "{'name': 'size', 'type': 'ordinal', 'levels': ['S', 'M', 'L']}, "                     \
    "{'name': 'school', 'type': 'categorical', 'levels': ['low', 'high']}, "               \
    "{'name': 'years', 'type': 'integer', 'range': [6, 12]}, "                             \
    "{'name': 'sex', 'type': 'categorical', 'levels': ['f', 'm'], 'immutable': true}]"

typedef struct {
    ow_schema *schema;
    ow_constraints *rules;
} fixture;

static fixture begin(void **state, const char *rules)
{
    fixture f = {.schema = ow_test_schema(ow_test_context(state), COLUMNS)};
    assert_ok(ow_constraints_new(ow_test_context(state), f.schema, &f.rules));
    assert_ok(ow_test_add_rules(f.rules, rules));
    return f;
}

static void end(fixture *f)
{
    ow_constraints_free(f->rules);
    ow_schema_free(f->schema);
}

/* The query of all tests: 30 years, 20.50, Bonn, M, high, 12, f. */
static const double query[7] = {30, 20.5, 1, 1, 1, 12, 0};

/* What an answer that differs in one or two columns breaks. */
static size_t broken(const fixture *f, size_t column, double to)
{
    double values[7];
    memcpy(values, query, sizeof values);
    values[column] = to;
    return ow_constraints_violations(f->rules, query, values);
}

static void without_rules_columns_keep_to_their_kind(void **state)
{
    fixture f = begin(state, NULL);
    assert_int_equal(ow_constraints_violations(f.rules, query, query), 0);
    assert_int_equal(broken(&f, 0, 18), 0);
    assert_int_equal(broken(&f, 0, 76), 1);   /* outside the training rows */
    assert_int_equal(broken(&f, 0, 30.5), 1); /* no whole number */
    assert_int_equal(broken(&f, 1, 20.51), 0);
    assert_int_equal(broken(&f, 1, 20.515), 1);
    assert_int_equal(broken(&f, 2, 2), 0);
    assert_int_equal(broken(&f, 2, 3), 1); /* no level */
    assert_int_equal(broken(&f, 2, NAN), 1);
    assert_int_equal(broken(&f, 6, 1), 1); /* immutable by the schema */
    end(&f);
}

static void what_the_query_lacks_stays_missing(void **state)
{
    fixture f = begin(state, NULL);
    double gap[7], values[7];
    memcpy(gap, query, sizeof gap);
    gap[2] = NAN;
    memcpy(values, gap, sizeof values);
    assert_int_equal(ow_constraints_violations(f.rules, gap, values), 0);
    values[2] = 1;
    assert_int_equal(ow_constraints_violations(f.rules, gap, values), 1);
    end(&f);
}

static void a_query_outside_the_range_widens_it(void **state)
{
    fixture f = begin(state, NULL);
    double old[7], values[7];
    memcpy(old, query, sizeof old);
    old[0] = 90;
    memcpy(values, old, sizeof values);
    values[0] = 85;
    assert_int_equal(ow_constraints_violations(f.rules, old, values), 0);
    values[0] = 91;
    assert_int_equal(ow_constraints_violations(f.rules, old, values), 1);
    end(&f);
}

static void every_rule_is_kept(void **state)
{
    fixture f = begin(state, "range age=20:40; monotone income=up; allow town=Celle; "
                             "monotone size=down; max-changes 2");
    assert_int_equal(broken(&f, 0, 40), 0);
    assert_int_equal(broken(&f, 0, 41), 1);
    assert_int_equal(broken(&f, 1, 21), 0);
    assert_int_equal(broken(&f, 1, 20), 1);
    assert_int_equal(broken(&f, 2, 2), 0);
    assert_int_equal(broken(&f, 2, 0), 1);
    assert_int_equal(broken(&f, 3, 0), 0);
    assert_int_equal(broken(&f, 3, 2), 1);
    const double three[7] = {31, 21.5, 2, 1, 1, 12, 0};
    assert_int_equal(ow_constraints_violations(f.rules, query, three), 1);
    end(&f);
}

static void reaches_begin_at_the_query(void **state)
{
    fixture f = begin(state, NULL);
    assert_ok(ow_constraints_reach(f.rules, "age", 0, 5, OW_REACH_UNITS));
    assert_ok(ow_constraints_reach(f.rules, "income", -10, 20, OW_REACH_PERCENT));
    assert_int_equal(broken(&f, 0, 35), 0);
    assert_int_equal(broken(&f, 0, 36), 1);
    assert_int_equal(broken(&f, 0, 29), 1);
    assert_int_equal(broken(&f, 1, 24.6), 0); /* 20.50 and a fifth of it, to the digit */
    assert_int_equal(broken(&f, 1, 24.61), 1);
    assert_int_equal(broken(&f, 1, 18.45), 0);
    assert_int_equal(broken(&f, 1, 18.44), 1);
    assert_ok(ow_constraints_reach(f.rules, "income", 0, 1, OW_REACH_UNITS));
    assert_int_equal(broken(&f, 1, 21.5), 0); /* both hold */
    assert_int_equal(broken(&f, 1, 21.51), 1);
    assert_status(ow_constraints_reach(f.rules, "town", 0, 1, OW_REACH_UNITS),
                  OW_ERR_ARGUMENT);
    assert_status(ow_constraints_reach(f.rules, "age", 2, 1, OW_REACH_UNITS),
                  OW_ERR_ARGUMENT);
    end(&f);
}

static void a_column_with_moves_changes_by_them_only(void **state)
{
    fixture f = begin(state, NULL);
    assert_ok(ow_constraints_move(f.rules, "town", "Bonn", "Celle"));
    assert_ok(ow_constraints_move(f.rules, "size", "S", "M"));
    assert_int_equal(broken(&f, 2, 2), 0);
    assert_int_equal(broken(&f, 2, 0), 1);
    assert_int_equal(broken(&f, 3, 2), 1); /* no move begins at M */
    assert_ok(ow_constraints_allow(f.rules, "town", "Aachen"));
    assert_int_equal(broken(&f, 2, 0), 0);
    assert_status(ow_constraints_move(f.rules, "town", "Bonn", "Berlin"), OW_ERR_ARGUMENT);
    assert_status(ow_constraints_move(f.rules, "age", "30", "31"), OW_ERR_ARGUMENT);
    end(&f);
}

static void costs_have_directions(void **state)
{
    fixture f = begin(state, NULL);
    assert_ok(ow_constraints_cost(f.rules, "age", OW_MONOTONE_UP, 3));
    assert_ok(ow_constraints_cost(f.rules, "town", OW_MONOTONE_NONE, 2));
    const owi_limits age = owi_limits_of(f.rules, 0), town = owi_limits_of(f.rules, 2);
    assert_true(owi_cost_weight(&age, false, 30, 31) == 3.0);
    assert_true(owi_cost_weight(&age, false, 30, 29) == 1.0);
    assert_true(owi_cost_weight(&town, true, 1, 0) == 2.0);
    assert_status(ow_constraints_cost(f.rules, "town", OW_MONOTONE_UP, 2), OW_ERR_ARGUMENT);
    assert_status(ow_constraints_cost(f.rules, "age", OW_MONOTONE_UP, 0), OW_ERR_ARGUMENT);
    end(&f);
}

static void linked_columns_change_together_and_count_once(void **state)
{
    fixture f = begin(state, "max-changes 1");
    const double both[7] = {30, 20.5, 1, 1, 0, 6, 0};
    assert_int_equal(ow_constraints_violations(f.rules, query, both), 0);
    assert_int_equal(owi_count_changes(f.rules, query, both), 1);
    assert_int_equal(broken(&f, 4, 0), 1); /* low with 12 years: nobody has that */
    assert_int_equal(broken(&f, 5, 6), 1);
    end(&f);

    f = begin(state, "immutable years");
    assert_true(owi_limits_of(f.rules, 4).frozen && owi_limits_of(f.rules, 5).frozen);
    assert_int_equal(ow_constraints_violations(f.rules, query, both), 2);
    end(&f);
}

static void columns_that_may_vary_leave_the_others_immutable(void **state)
{
    fixture f = begin(state, "vary town; vary years");
    static const bool frozen[7] = {true, true, false, true, false, false, true};
    for (size_t j = 0; j < 7; j++)
        assert_int_equal(owi_limits_of(f.rules, j).frozen, frozen[j]);
    end(&f);
}

static void what_cannot_be_is_named(void **state)
{
    fixture f = begin(state, NULL);
    static const char *const cases[][2] = {
        {"immutable aeg", "there is no column \"aeg\"; did you mean \"age\"?"},
        {"vary twon", "did you mean \"town\"?"},
        {"range town=0:1", "column \"town\" is categorical: a range is for numbers"},
        {"range age=40:20", "column \"age\": the range 40 to 20 is empty"},
        {"range age=20.2:20.8", "leaves no value that the column can have"},
        {"allow town=Bon",
         "column \"town\": there is no level \"Bon\"; did you mean \"Bonn\"?"},
        {"allow age=old", "column \"age\": expected a number, got \"old\""},
        {"allow age=30.5", "column \"age\": \"30.5\" has more digits than its values"},
        {"monotone town=up", "a direction is for numbers and ordinal levels"},
        {"vary sex", "column \"sex\" cannot be one that may vary: it already is immutable"},
        {"vary age; immutable age", "cannot be immutable: it already is one that may vary"},
        {"monotone income=up; monotone income=down", "it already is monotone up"},
        {"range income=0:10; allow income=20",
         "the allowed value 20 lies outside the range 0 to 10"},
        {"allow years=6; range years=10:12",
         "the allowed value 6 lies outside the range 10 to 12"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_fails(ow_test_add_rules(f.rules, cases[i][0]), OW_ERR_ARGUMENT, cases[i][1]);
    end(&f);
}

static void rules_only_get_narrower(void **state)
{
    fixture f = begin(state, "range age=20:40; range age=30:50; max-changes 3; "
                             "max-changes 5; max-changes 0");
    double low, high;
    const owi_limits limits = owi_limits_of(f.rules, 0);
    owi_limits_interval(&limits, 35, &low, &high);
    assert_true(low == 30 && high == 40);
    assert_int_equal(f.rules->most_changes, 3);
    end(&f);
}

static void copies_are_equal_until_one_changes(void **state)
{
    fixture f = begin(state, "range age=20:40; allow town=Bonn|Celle; max-changes 2");
    ow_constraints *copy = NULL;
    assert_ok(owi_constraints_copy(f.rules, &copy));
    assert_true(owi_constraints_equal(f.rules, copy));
    assert_ok(ow_constraints_allow(copy, "town", "Aachen"));
    assert_false(owi_constraints_equal(f.rules, copy));
    ow_constraints_free(copy);
    end(&f);
}

static void a_derived_column_has_what_follows(void **state)
{
    fixture f = begin(state, NULL);
    double values[7];
    memcpy(values, query, sizeof values);
    assert_ok(ow_constraints_derive(f.rules, "income = age + years / 8"));
    assert_int_equal(ow_constraints_violations(f.rules, query, values), 0);
    values[0] = 40; /* the query itself does not fit the formula */
    assert_int_equal(ow_constraints_violations(f.rules, query, values), 1);
    values[1] = 41.5;
    assert_int_equal(ow_constraints_violations(f.rules, query, values), 0);
    ow_constraints_most_changes(f.rules, 1); /* what follows is not counted */
    assert_int_equal(ow_constraints_violations(f.rules, query, values), 0);
    assert_int_equal(broken(&f, 1, 30), 1); /* not alone */
    assert_fails(ow_constraints_derive(f.rules, "age = income * 2"), OW_ERR_ARGUMENT,
                 "would follow itself");
    assert_fails(ow_constraints_derive(f.rules, "income = 1"), OW_ERR_ARGUMENT,
                 "two formulas");
    assert_fails(ow_constraints_derive(f.rules, "years = age / 2"), OW_ERR_ARGUMENT,
                 "linked");
    end(&f);
}

static void conditions_bind_what_changes(void **state)
{
    fixture f = begin(state, NULL);
    double values[7];
    memcpy(values, query, sizeof values);
    assert_ok(ow_constraints_add_rule(f.rules, "size up => age up"));
    assert_ok(ow_constraints_add_rule(f.rules, "town = Celle => income >= 50"));
    assert_ok(ow_constraints_add_rule(f.rules, "age not down"));
    values[3] = 2;
    assert_int_equal(ow_constraints_violations(f.rules, query, values), 1);
    values[0] = 31;
    assert_int_equal(ow_constraints_violations(f.rules, query, values), 0);
    assert_int_equal(broken(&f, 2, 2), 1);
    assert_int_equal(broken(&f, 2, 0), 0);
    assert_int_equal(broken(&f, 0, 29), 1);
    end(&f);
}

static ow_status make_and_copy(ow_context *ctx, void *user)
{
    ow_constraints *rules = NULL, *copy = NULL;
    ow_status status = ow_constraints_new(ctx, user, &rules);
    if (status == OW_OK)
        status = ow_test_add_rules(rules, "allow town=Bonn|Celle; allow age=20|30|40");
    if (status == OW_OK) status = ow_constraints_move(rules, "size", "S", "M");
    if (status == OW_OK) status = ow_constraints_derive(rules, "income = age + 1");
    if (status == OW_OK) status = ow_constraints_add_rule(rules, "size up => age up");
    if (status == OW_OK) status = owi_constraints_copy(rules, &copy);
    ow_constraints_free(copy);
    ow_constraints_free(rules);
    return status;
}

static void memory_may_run_out_anywhere(void **state)
{
    fixture f = begin(state, NULL);
    ow_test_sweep(make_and_copy, f.schema);
    end(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        ow_test_on_heap(without_rules_columns_keep_to_their_kind),
        ow_test_on_heap(what_the_query_lacks_stays_missing),
        ow_test_on_heap(a_query_outside_the_range_widens_it),
        ow_test_on_heap(every_rule_is_kept),
        ow_test_on_heap(reaches_begin_at_the_query),
        ow_test_on_heap(a_column_with_moves_changes_by_them_only),
        ow_test_on_heap(costs_have_directions),
        ow_test_on_heap(linked_columns_change_together_and_count_once),
        ow_test_on_heap(columns_that_may_vary_leave_the_others_immutable),
        ow_test_on_heap(what_cannot_be_is_named),
        ow_test_on_heap(rules_only_get_narrower),
        ow_test_on_heap(copies_are_equal_until_one_changes),
        ow_test_on_heap(a_derived_column_has_what_follows),
        ow_test_on_heap(conditions_bind_what_changes),
        ow_test_on_heap(memory_may_run_out_anywhere),
    };
    return cmocka_run_group_tests_name("explain/constraints", tests, NULL, NULL);
}
