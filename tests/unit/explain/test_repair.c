/* SPDX-License-Identifier: MIT */
/* From soft rows back to rows that keep every constraint; and projection on the way. */
#include "base/numeric/rng.h"
#include "explain/constraints/boxes.h"
#include "explain/constraints/repair.h"
#include "explain/core/distance.h"
#include "explain/core/soft_column.h"
#include "support/explain_fixture.h"

enum { most_columns = 16, most_width = 128 };

/* A query, its soft row to play with, and the columns by name. */
typedef struct {
    ow_test_model m;
    ow_constraints *rules;
    double query[most_columns], values[most_columns];
    float soft[most_width];
} fixture;

static fixture begin(void **state, ow_leaf_choice leaves, const char *rules, size_t row)
{
    fixture f = {.m = ow_test_applicants(ow_test_context(state), leaves)};
    assert_true(ow_model_soft_width(f.m.model) <= most_width);
    f.rules = ow_test_rules(&f.m, rules);
    memcpy(f.query, f.m.values + row * f.m.n_columns, f.m.n_columns * sizeof(double));
    ow_model_soften(f.m.model, 1, f.query, f.soft);
    return f;
}

static void end(fixture *f)
{
    ow_constraints_free(f->rules);
    ow_test_model_free(&f->m);
}

static size_t column(const fixture *f, const char *name)
{
    size_t j;
    assert_ok(ow_schema_find_column(ow_model_schema(f->m.model), name, &j));
    return j;
}

static void repair_of(fixture *f, const double *query)
{
    owi_rules rules;
    owi_repair one;
    assert_ok(owi_rules_init(&rules, f->rules->ctx, f->rules, f->m.model));
    assert_ok(owi_repair_init(&one, f->rules->ctx, &rules, 1, query));
    assert_true(owi_repair_row(&one, 0, f->soft, NULL));
    memcpy(f->values, one.values, f->m.n_columns * sizeof *f->values);
    assert_false(owi_repair_row(&one, 0, f->soft, NULL));
    assert_memory_equal(f->values, one.values, f->m.n_columns * sizeof *f->values);
    owi_repair_clear(&one);
    owi_rules_clear(&rules);
}

static void repair(fixture *f)
{
    repair_of(f, f->query);
    assert_int_equal(ow_constraints_violations(f->rules, f->query, f->values), 0);
}

/* The soft row as if the column had this value. */
static void move(fixture *f, const char *name, double value)
{
    double values[most_columns];
    float soft[most_width];
    const owi_soft_column at = owi_soft_column_of(f->m.model, column(f, name));
    memcpy(values, f->query, sizeof values);
    values[at.column] = value;
    ow_model_soften(f->m.model, 1, values, soft);
    memcpy(f->soft + at.first, soft + at.first, at.width * sizeof(float));
}

static double level(const fixture *f, const char *name, const char *text)
{
    int32_t index;
    assert_ok(
        ow_schema_find_level(ow_model_schema(f->m.model), column(f, name), text, &index));
    return index;
}

static const ow_leaf_choice both[] = {OW_LEAVES_AUTO, OW_LEAVES_GAUSSIAN};

static void a_row_that_did_not_move_is_the_query_exactly(void **state)
{
    for (size_t k = 0; k < 2; k++) {
        fixture f = begin(state, both[k], NULL, 0);
        for (size_t row = 0; row < 100; row++) {
            const double *query = f.m.values + row * f.m.n_columns;
            ow_model_soften(f.m.model, 1, query, f.soft);
            repair_of(&f, query);
            assert_memory_equal(f.values, query, f.m.n_columns * sizeof(double));
        }
        end(&f);
    }
}

static void numbers_go_to_their_grid_and_into_their_range(void **state)
{
    fixture f = begin(state, OW_LEAVES_AUTO, "range age=20:40", 3);
    const size_t age = column(&f, "age"), income = column(&f, "income");
    f.query[age] = 50;
    f.query[income] = 20.25;
    ow_model_soften(f.m.model, 1, f.query, f.soft);
    move(&f, "age", 33.4);
    move(&f, "income", 25.12345);
    repair(&f);
    assert_true(f.values[age] == 33.0 && f.values[income] == 25.12);
    move(&f, "age", 10.0); /* below the range */
    repair(&f);
    assert_true(f.values[age] == 20.0);
    move(&f, "age", 43.0); /* between the range and the query: the nearer one */
    repair(&f);
    assert_true(f.values[age] == 40.0);
    move(&f, "age", 47.0);
    repair(&f);
    assert_true(f.values[age] == 50.0);
    move(&f, "age", 50.4); /* hardly moved */
    repair(&f);
    assert_true(f.values[age] == 50.0);
    end(&f);
}

static void the_allowed_level_with_the_largest_share_wins(void **state)
{
    for (size_t k = 0; k < 2; k++) {
        fixture f = begin(state, both[k], "allow town=Bonn|Celle", 0);
        const owi_soft_column town = owi_soft_column_of(f.m.model, column(&f, "town"));
        f.query[town.column] = level(&f, "town", "Aachen");
        ow_model_soften(f.m.model, 1, f.query, f.soft);
        float *shares = f.soft + town.first; /* Aachen, Bonn, Celle, Dresden */
        shares[0] = 0.1f, shares[1] = 0.2f, shares[2] = 0.3f, shares[3] = 0.9f;
        repair(&f);
        assert_true(f.values[town.column] == level(&f, "town", "Celle"));
        shares[0] = 0.3f; /* its own is no smaller */
        repair(&f);
        assert_true(f.values[town.column] == f.query[town.column]);
        end(&f);
    }
}

static void linked_columns_go_to_a_combination_that_occurs(void **state)
{
    for (size_t k = 0; k < 2; k++) {
        fixture f = begin(state, both[k], NULL, 0);
        const size_t school = column(&f, "school"), years = column(&f, "years");
        f.query[school] = level(&f, "school", "primary");
        f.query[years] = 6;
        ow_model_soften(f.m.model, 1, f.query, f.soft);
        move(&f, "years", 17);
        move(&f, "school", level(&f, "school", "university"));
        repair(&f);
        assert_true(f.values[school] == level(&f, "school", "university"));
        assert_true(f.values[years] == 17);
        ow_model_soften(f.m.model, 1, f.query, f.soft);
        move(&f, "years", 13); /* pulls in two directions: either is fine, together */
        repair(&f);
        const bool stayed = f.values[school] == f.query[school] && f.values[years] == 6;
        const bool moved =
            f.values[school] == level(&f, "school", "college") && f.values[years] == 13;
        assert_true(stayed || moved);
        end(&f);
    }
}

static void the_largest_changes_are_kept(void **state)
{
    fixture f = begin(state, OW_LEAVES_AUTO, "max-changes 1", 0);
    const size_t age = column(&f, "age"), income = column(&f, "income");
    f.query[age] = 30;
    f.query[income] = 20;
    ow_model_soften(f.m.model, 1, f.query, f.soft);
    move(&f, "age", 34);
    move(&f, "income", 40);
    repair(&f);
    assert_true(f.values[age] == 30 && f.values[income] == 40);
    end(&f);
}

static void steps_that_ran_away_leave_the_query(void **state)
{
    fixture f = begin(state, OW_LEAVES_AUTO, NULL, 0);
    for (size_t j = 0; j < ow_model_soft_width(f.m.model); j++)
        f.soft[j] = j % 2 == 0 ? NAN : INFINITY;
    repair(&f);
    assert_memory_equal(f.values, f.query, f.m.n_columns * sizeof(double));
    end(&f);
}

/* Whatever the soft row is, nothing is broken. */
static void any_soft_row_can_be_repaired(void **state)
{
    static const char *const rules[] = {
        NULL, "immutable age; max-changes 2", "monotone age=up; monotone size=down",
        "range income=10:30; allow town=Bonn; vary income; vary town; vary school"};
    owi_rng rng;
    owi_rng_init(&rng, 5, 5);
    for (size_t k = 0; k < 8; k++) {
        fixture f = begin(state, both[k % 2], rules[k / 2], 0);
        for (size_t i = 0; i < 200; i++) {
            memcpy(f.query, f.m.values + i * f.m.n_columns, f.m.n_columns * sizeof(double));
            for (size_t j = 0; j < ow_model_soft_width(f.m.model); j++)
                f.soft[j] = (float)(3.0 * owi_rng_normal(&rng));
            repair(&f);
        }
        end(&f);
    }
}

/* ---- Projection ---- */

static void without_a_level_that_may_be_the_shares_stay_as_they_are(void **state)
{
    (void)state;
    const float none[2] = {-INFINITY, -INFINITY}, all[2] = {INFINITY, INFINITY};
    float shares[2] = {0.25f, 0.5f}, gaps[2] = {NAN, NAN};
    owi_project_to_simplex(2, none, shares);
    assert_true(shares[0] == 0.25f && shares[1] == 0.5f);
    owi_project_to_simplex(2, all, gaps);
    assert_true(isnan(gaps[0]) && isnan(gaps[1]));
}

/* The nearest point of the simplex, by trying many. */
static void the_projection_onto_the_simplex_is_the_nearest_point(void **state)
{
    (void)state;
    owi_rng rng;
    owi_rng_init(&rng, 6, 6);
    for (size_t i = 0; i < 300; i++) {
        const size_t n = 1 + owi_rng_below(&rng, 5);
        bool allowed[5] = {false};
        float bar[5];
        float x[5], y[5];
        double sum = 0.0, distance = 0.0, shares[5];
        allowed[owi_rng_below(&rng, n)] = true;
        for (size_t k = 0; k < n; k++) {
            allowed[k] |= owi_rng_below(&rng, 3) > 0;
            bar[k] = allowed[k] ? INFINITY : -INFINITY;
            x[k] = y[k] = (float)(2.0 * owi_rng_normal(&rng));
        }
        owi_project_to_simplex(n, bar, y);
        for (size_t k = 0; k < n; k++) {
            assert_true(y[k] >= 0.0f && (allowed[k] || y[k] == 0.0f));
            sum += (double)y[k];
            distance += ((double)x[k] - (double)y[k]) * ((double)x[k] - (double)y[k]);
        }
        const double one = 1.0;
        assert_close(&sum, &one, 1, 1e-5);
        for (size_t trial = 0; trial < 100; trial++) {
            double other = 0.0, total = 0.0;
            owi_rng_dirichlet(&rng, 0.4, n, shares);
            for (size_t k = 0; k < n; k++) total += allowed[k] ? shares[k] : 0.0;
            for (size_t k = 0; k < n; k++) {
                const double z = allowed[k] ? shares[k] / total : 0.0;
                other += ((double)x[k] - z) * ((double)x[k] - z);
            }
            assert_true(other >= distance - 1e-5);
        }
    }
}

static void projecting_keeps_frozen_columns_ranges_and_whole_groups(void **state)
{
    fixture f = begin(state, OW_LEAVES_AUTO, "immutable age; range income=10:30", 1);
    const size_t width = ow_model_soft_width(f.m.model);
    float query[most_width], low[most_width], high[most_width];
    double ends[most_columns];
    memcpy(query, f.soft, sizeof query);
    for (size_t j = 0; j < width; j++) f.soft[j] += j % 2 == 0 ? 5.0f : -5.0f;
    const uint32_t first = 0;
    owi_rules rules;
    owi_boxes boxes;
    assert_ok(owi_rules_init(&rules, f.rules->ctx, f.rules, f.m.model));
    assert_ok(owi_boxes_init(&boxes, f.rules->ctx, &rules, 1, f.query, query, true));
    owi_boxes_project(&boxes, 1, &first, f.soft);
    owi_boxes_clear(&boxes);
    owi_rules_clear(&rules);
    const owi_soft_column age = owi_soft_column_of(f.m.model, column(&f, "age"));
    const owi_soft_column income = owi_soft_column_of(f.m.model, column(&f, "income"));
    const owi_soft_column town = owi_soft_column_of(f.m.model, column(&f, "town"));
    assert_memory_equal(f.soft + age.first, query + age.first, age.width * sizeof(float));
    memcpy(ends, f.query, sizeof ends);
    ends[income.column] = fmin(10.0, f.query[income.column]);
    ow_model_soften(f.m.model, 1, ends, low);
    ends[income.column] = fmax(30.0, f.query[income.column]);
    ow_model_soften(f.m.model, 1, ends, high);
    assert_true(f.soft[income.first] >= low[income.first] &&
                f.soft[income.first] <= high[income.first]);
    double sum = 0.0;
    const double one = 1.0;
    for (size_t k = 0; k < town.width; k++) sum += (double)f.soft[town.first + k];
    assert_close(&sum, &one, 1, 1e-5);
    end(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        ow_test_on_heap(a_row_that_did_not_move_is_the_query_exactly),
        ow_test_on_heap(numbers_go_to_their_grid_and_into_their_range),
        ow_test_on_heap(the_allowed_level_with_the_largest_share_wins),
        ow_test_on_heap(linked_columns_go_to_a_combination_that_occurs),
        ow_test_on_heap(the_largest_changes_are_kept),
        ow_test_on_heap(steps_that_ran_away_leave_the_query),
        ow_test_on_heap(any_soft_row_can_be_repaired),
        cmocka_unit_test(without_a_level_that_may_be_the_shares_stay_as_they_are),
        cmocka_unit_test(the_projection_onto_the_simplex_is_the_nearest_point),
        ow_test_on_heap(projecting_keeps_frozen_columns_ranges_and_whole_groups),
    };
    return cmocka_run_group_tests_name("explain/repair", tests, NULL, NULL);
}
