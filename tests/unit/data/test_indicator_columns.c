/* SPDX-License-Identifier: MIT */
/* Categories spread over columns of 0 and 1. */
#include "support/ow_test.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "data/infer/indicator_columns.h"

enum { most_columns = 300 };

/* Rows of 0, 1 and anything else for columns with these names. */
typedef struct {
    owi_indicators *indicators;
    size_t n_columns;
    owi_cell cells[most_columns];
    size_t group[most_columns];
} looking;

static void begin(looking *l, ow_context *ctx, size_t n_columns, const char *const *names)
{
    *l = (looking){.n_columns = n_columns};
    assert_ok(owi_indicators_new(ctx, n_columns, names, &l->indicators));
}

static void add(looking *l, const double *values)
{
    for (size_t j = 0; j < l->n_columns; j++) l->cells[j].number = values[j];
    owi_indicators_add_row(l->indicators, l->cells);
}

static void end(looking *l)
{
    owi_indicators_finish(l->indicators, l->group);
    owi_indicators_free(l->indicators);
}

static void assert_groups(const looking *l, const size_t *want)
{
    for (size_t j = 0; j < l->n_columns; j++) assert_int_equal(l->group[j], want[j]);
}

/* Areas 1 to 3, then soils 1 to 4 of which the first was left out, under names that all
 * begin alike. */
static void spread_categories_are_told_apart(void **state)
{
    static const char *const names[] = {"land_height", "land_area1", "land_area2",
                                        "land_area3",  "land_soil2", "land_soil3",
                                        "land_soil4",  "land_wet"};
    looking l;
    begin(&l, ow_test_context(state), 8, names);
    for (size_t i = 0; i < 200; i++) {
        double row[8] = {(double)i};
        row[1 + i % 3] = 1.0;
        if (i % 4 != 0) row[3 + i % 4] = 1.0;
        row[7] = i % 5 < 2; /* for itself */
        add(&l, row);
    }
    end(&l);
    assert_groups(&l, (const size_t[]){0, 1, 1, 1, 2, 2, 2, 0});
}

static void names_without_a_common_beginning_are_not_looked_at(void **state)
{
    static const char *const names[] = {"red", "green", "blue", NULL, "x_1", NULL, "x_2"};
    looking l;
    begin(&l, ow_test_context(state), 7, names);
    for (size_t i = 0; i < 200; i++)
        add(&l, (const double[]){i % 3 == 0, i % 3 == 1, i % 3 == 2, 0, i % 2 == 1, 0,
                                 i % 2 == 0});
    end(&l);
    assert_groups(&l, (const size_t[]){0, 0, 0, 0, 0, 0, 0});
}

static void what_may_be_chance_is_left_alone(void **state)
{
    static const char *const names[] = {"sign_a", "sign_b", "sign_c"};
    for (size_t often = 2; often <= 200; often *= 10) {
        looking l;
        begin(&l, ow_test_context(state), 3, names);
        for (size_t i = 0; i < 600; i++)
            add(&l, (const double[]){i < often, i >= 200 && i < 200 + often,
                                     i >= 400 && i < 400 + often});
        end(&l);
        /* 3 pairs of n^2 / 600 expected meetings: 0.02, 2, 200 */
        assert_int_equal(l.group[0], often == 200);
    }
}

static void one_row_with_two_ones_is_enough_to_part_them(void **state)
{
    static const char *const names[] = {"kind a", "kind b", "kind c"};
    looking l;
    begin(&l, ow_test_context(state), 3, names);
    for (size_t i = 0; i < 300; i++)
        add(&l, (const double[]){i % 3 == 0, i % 3 == 1 || i == 0, i % 3 == 2});
    end(&l);
    assert_groups(&l, (const size_t[]){0, 1, 1});
}

/* A gap, a 2, or never a 1. */
static void other_columns_do_not_take_part(void **state)
{
    static const char *const names[] = {"kind.a", "kind.b", "kind.c",
                                        "kind.d", "kind.e", "kind.f"};
    looking l;
    begin(&l, ow_test_context(state), 6, names);
    for (size_t i = 0; i < 300; i++)
        add(&l, (const double[]){i % 3 == 0, i == 7 ? (double)NAN : 0.0, i % 3 == 1,
                                 i == 7 ? 2.0 : 0.0, 0.0, i % 3 == 2});
    end(&l);
    assert_groups(&l, (const size_t[]){1, 0, 1, 0, 0, 1});
}

static void words_are_understood(void **state)
{
    static const struct {
        const char *text;
        int want;
    } cases[] = {{"1", 1},    {"0", 0},   {"true", 1},  {"False", 0}, {"TRUE", 1},
                 {"1.0", 1},  {"0.0", 0}, {"", -1},     {"2", -1},    {"yes", -1},
                 {"tru", -1}, {"01", -1}, {"truer", -1}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_int_equal(owi_indicator_value(cases[i].text, strlen(cases[i].text)),
                         cases[i].want);
}

/* As many columns as a set of bits has words for, and one more; and more than a link may
 * have. */
static void groups_may_be_large_but_not_larger_than_a_link(void **state)
{
    static const size_t sizes[] = {63, 64, 65, 129, 256, 257};
    static char text[most_columns][16];
    const char *names[most_columns];
    for (size_t j = 0; j < most_columns; j++) {
        snprintf(text[j], sizeof text[j], "town%zu", j);
        names[j] = text[j];
    }
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        looking l;
        begin(&l, ow_test_context(state), sizes[s], names);
        for (size_t i = 0; i < 4 * sizes[s]; i++) {
            double row[most_columns] = {0};
            row[i % sizes[s]] = 1.0;
            add(&l, row);
        }
        end(&l);
        for (size_t j = 0; j < sizes[s]; j++) assert_int_equal(l.group[j], sizes[s] <= 256);
    }
}

static ow_status look(ow_context *ctx, void *user)
{
    static const char *const names[] = {"a1", "a2", "b", "c_1", "c_2"};
    owi_indicators *indicators;
    (void)user;
    const ow_status status = owi_indicators_new(ctx, 5, names, &indicators);
    owi_indicators_free(indicators);
    return status;
}

static void every_failing_allocation_is_survived(void **state)
{
    (void)state;
    ow_test_sweep(look, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        ow_test_on_heap(spread_categories_are_told_apart),
        ow_test_on_heap(names_without_a_common_beginning_are_not_looked_at),
        ow_test_on_heap(what_may_be_chance_is_left_alone),
        ow_test_on_heap(one_row_with_two_ones_is_enough_to_part_them),
        ow_test_on_heap(other_columns_do_not_take_part),
        cmocka_unit_test(words_are_understood),
        ow_test_on_heap(groups_may_be_large_but_not_larger_than_a_link),
        cmocka_unit_test(every_failing_allocation_is_survived),
    };
    return cmocka_run_group_tests_name("data/indicator_columns", tests, NULL, NULL);
}
