/* SPDX-License-Identifier: MIT */
/* Columns that determine each other, found in one pass. */
#include "support/ow_test.h"

#include "data/infer/linked_columns.h"

enum { max_columns = 8, max_values = 64 };

/* Rows of values of any kind, numbered by first appearance as links want them.  -1 stays
 * -1. */
typedef struct {
    ow_test_heap heap;
    owi_links *links;
    size_t n_columns;
    int values[max_columns][max_values];
    size_t counts[max_columns][max_values];
    size_t n_values[max_columns], n_present[max_columns];
} table;

static void begin(table *t, size_t n_columns)
{
    *t = (table){.n_columns = n_columns};
    ow_test_heap_begin(&t->heap);
    assert_ok(owi_links_new(t->heap.ctx, n_columns, &t->links));
}

static int32_t number(table *t, size_t column, int value)
{
    if (value < 0) return value;
    size_t id = 0;
    while (id < t->n_values[column] && t->values[column][id] != value) id++;
    if (id == t->n_values[column]) t->values[column][t->n_values[column]++] = value;
    t->counts[column][id]++;
    t->n_present[column]++;
    return (int32_t)id;
}

static void add(table *t, const int *row)
{
    int32_t ids[max_columns];
    for (size_t j = 0; j < t->n_columns; j++) ids[j] = number(t, j, row[j]);
    assert_ok(owi_links_add_row(t->links, ids));
}

static void finish(table *t, size_t *link)
{
    owi_link_evidence evidence[max_columns];
    for (size_t j = 0; j < t->n_columns; j++) {
        double sum = owi_log_factorial(t->n_present[j]);
        for (size_t v = 0; v < t->n_values[j]; v++)
            sum -= owi_log_factorial(t->counts[j][v]);
        evidence[j] = (owi_link_evidence){t->n_present[j], sum};
    }
    owi_links_finish(t->links, evidence, link);
    owi_links_free(t->links);
    ow_test_heap_end(&t->heap);
}

#define expect_links(t, ...) check_links((t), (const size_t[]){__VA_ARGS__})
static void check_links(table *t, const size_t *want)
{
    size_t link[max_columns];
    finish(t, link);
    for (size_t j = 0; j < t->n_columns; j++) assert_int_equal(link[j], want[j]);
}

static unsigned roll(uint64_t *seed, unsigned n)
{
    *seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (unsigned)(*seed >> 33) % n;
}

static void the_logarithm_of_a_factorial_is_the_sum_of_logarithms(void **state)
{
    (void)state;
    double sum = 0;
    for (size_t n = 0; n <= 1000; n++) {
        if (n > 0) sum += log((double)n);
        const double got = owi_log_factorial(n);
        assert_close(&got, &sum, 1, 1e-3);
    }
}

/* Columns: 0 and 3 determine each other, 1 follows from 0 but not 0 from 1, 2 is its
 * own. */
static void a_one_to_one_relation_is_found_and_no_other(void **state)
{
    (void)state;
    table t;
    uint64_t seed = 1;
    begin(&t, 4);
    for (int i = 0; i < 200; i++) {
        const int a = (int)roll(&seed, 10);
        add(&t, (const int[]){a, a / 2, (int)roll(&seed, 10), (7 * a + 3) % 10});
    }
    expect_links(&t, 1, 0, 0, 1);
}

static void links_are_numbered_in_the_order_of_columns(void **state)
{
    (void)state;
    table t;
    uint64_t seed = 2;
    begin(&t, 6);
    for (int i = 0; i < 200; i++) {
        const int a = (int)roll(&seed, 5), b = (int)roll(&seed, 5);
        add(&t, (const int[]){(int)roll(&seed, 5), a, b, 4 - b, 10 + a, 20 + b});
    }
    expect_links(&t, 0, 1, 2, 2, 1, 2);
}

/* A file sorted by the columns that are linked: for long both never vary. */
static void a_sorted_file_hides_nothing(void **state)
{
    (void)state;
    table t;
    begin(&t, 3);
    for (int i = 0; i < 4000; i++) add(&t, (const int[]){i / 1000, 5, 9 - i / 1000});
    expect_links(&t, 1, 0, 1);
}

static void one_row_that_contradicts_is_enough(void **state)
{
    (void)state;
    table t;
    uint64_t seed = 3;
    begin(&t, 3);
    for (int i = 0; i < 1000; i++) {
        const int a = (int)roll(&seed, 6);
        const int c = i == 700 ? (a + 1) % 6 : a;
        add(&t, (const int[]){a, a + 10, c});
    }
    expect_links(&t, 1, 1, 0);
}

/* In the last row the twins of two unrelated columns part from them with the same
 * number. */
static void columns_that_part_together_from_different_groups_are_not_joined(void **state)
{
    (void)state;
    table t;
    uint64_t seed = 8;
    begin(&t, 4);
    add(&t, (const int[]){0, 0, 0, 0});
    add(&t, (const int[]){1, 1, 1, 1});
    for (int i = 0; i < 200; i++) {
        const int a = (int)roll(&seed, 2), b = (int)roll(&seed, 2);
        add(&t, (const int[]){a, b, a, b});
    }
    add(&t, (const int[]){0, 0, 1, 1});
    expect_links(&t, 0, 0, 0, 0);
}

/* Missing in different rows, from the first row on or later; only rows where both are there
 * count, and one of those may contradict. */
static void missing_values_neither_link_nor_part(void **state)
{
    (void)state;
    for (int contradiction = 0; contradiction < 2; contradiction++)
        for (int first = 0; first < 40; first += 13) {
            table t;
            size_t link[max_columns];
            uint64_t seed = 4;
            begin(&t, 4);
            for (int i = 0; i < 400; i++) {
                const int a = (int)roll(&seed, 6), other = (int)roll(&seed, 6);
                int row[] = {a, 20 - a, other, a};
                if (i >= first && roll(&seed, 5) == 0) row[0] = -1;
                if (i >= first && roll(&seed, 5) == 0) row[1] = -1;
                if (i >= first && roll(&seed, 5) == 0) row[2] = -1;
                if (i == first) row[0] = -1;
                if (contradiction && i == 390) row[0] = 1, row[1] = 2, row[3] = 1;
                add(&t, row);
            }
            finish(&t, link);
            assert_int_equal(link[0], 1); /* 0 and 3 agree either way */
            assert_int_equal(link[3], 1);
            assert_int_equal(link[2], 0);
            assert_int_equal(link[1], contradiction ? 0 : 1);
        }
}

/* One code before a gap and another behind it, each consistent in itself. */
static void what_was_so_before_a_missing_value_is_not_forgotten(void **state)
{
    (void)state;
    table t;
    uint64_t seed = 9;
    begin(&t, 2);
    for (int i = 0; i < 400; i++) {
        const int a = (int)roll(&seed, 6);
        add(&t, (const int[]){i == 200 ? -1 : a, i < 200 ? a : (a + 1) % 6});
    }
    expect_links(&t, 0, 0);
}

static void what_may_be_chance_is_no_link(void **state)
{
    (void)state;
    table t;
    begin(&t, 2); /* constant */
    for (int i = 0; i < 100; i++) add(&t, (const int[]){3, 4});
    expect_links(&t, 0, 0);

    begin(&t, 2); /* nearly every row a value of its own */
    for (int i = 0; i < 60; i++) add(&t, (const int[]){i / 2, 100 - i / 2});
    expect_links(&t, 0, 0);

    begin(&t, 2); /* one row out of 500 stands out, in both */
    for (int i = 0; i < 500; i++) add(&t, (const int[]){i == 77, i == 77});
    expect_links(&t, 0, 0);

    begin(&t, 2); /* the same for 5 rows: that is no chance */
    for (int i = 0; i < 500; i++) add(&t, (const int[]){i % 100 == 77, i % 100 == 77});
    expect_links(&t, 1, 1);
}

static void a_column_whose_values_are_not_numbered_any_more_is_out(void **state)
{
    (void)state;
    table t;
    uint64_t seed = 5;
    begin(&t, 5);
    for (int i = 0; i < 300; i++) {
        const int a = (int)roll(&seed, 6);
        int row[] = {a, a, a, a, a};
        if (i == 50) row[1] = owi_id_missing; /* pairs first, then lost */
        if (i >= 100) row[0] = owi_id_lost;
        if (i >= 200) row[1] = owi_id_lost;
        add(&t, row);
    }
    expect_links(&t, 0, 0, 1, 1, 1);
}

/* Every pair by brute force, over random small tables full of near-links. */
static void agrees_with_looking_at_all_pairs(void **state)
{
    (void)state;
    enum { n_columns = 6, n_rows = 120 };
    uint64_t seed = 6;
    for (size_t run = 0; run < 300 * ow_test_scale(); run++) {
        static int rows[n_rows][n_columns];
        table t;
        size_t link[max_columns];
        begin(&t, n_columns);
        for (int i = 0; i < n_rows; i++) {
            const int a = (int)roll(&seed, 3), b = (int)roll(&seed, 3);
            for (int j = 0; j < n_columns; j++) {
                rows[i][j] = j % 2 == 0 ? a : b;
                if (roll(&seed, 100) == 0) rows[i][j] = (int)roll(&seed, 3);
                if (j > 2 && roll(&seed, 8) == 0) rows[i][j] = -1;
            }
            add(&t, rows[i]);
        }
        finish(&t, link);

        /* Joined by brute force; the least column of a link stands for it. */
        size_t root[n_columns];
        for (size_t j = 0; j < n_columns; j++) root[j] = j;
        for (size_t a = 0; a < n_columns; a++)
            for (size_t b = a + 1; b < n_columns; b++) {
                bool agree = true;
                for (int i = 0; i < n_rows && agree; i++)
                    for (int k = 0; k < i && agree; k++) {
                        const int *x = rows[i], *y = rows[k];
                        if (x[a] < 0 || x[b] < 0 || y[a] < 0 || y[b] < 0) continue;
                        agree = (x[a] == y[a]) == (x[b] == y[b]);
                    }
                const size_t low = root[a] < root[b] ? root[a] : root[b];
                const size_t high = root[a] < root[b] ? root[b] : root[a];
                for (size_t j = 0; agree && j < n_columns; j++)
                    if (root[j] == high) root[j] = low;
            }
        for (size_t a = 0; a < n_columns; a++)
            for (size_t b = 0; b < n_columns; b++)
                if (a != b)
                    assert_int_equal(root[a] == root[b], link[a] > 0 && link[a] == link[b]);
    }
}

static ow_status link_and_free(ow_context *ctx, void *user)
{
    (void)user;
    owi_links *links;
    ow_status status = owi_links_new(ctx, 5, &links);
    for (int32_t i = 0; i < 100 && status == OW_OK; i++) {
        const int32_t id = i < 50 ? i : i % 50;
        const int32_t other = i % 7 == 3 ? owi_id_missing : id;
        status = owi_links_add_row(links, (const int32_t[]){id, other, id, other, 0});
    }
    owi_links_free(links);
    return status;
}

static void running_out_of_memory_leaves_nothing_behind(void **state)
{
    (void)state;
    ow_test_sweep(link_and_free, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_logarithm_of_a_factorial_is_the_sum_of_logarithms),
        cmocka_unit_test(a_one_to_one_relation_is_found_and_no_other),
        cmocka_unit_test(links_are_numbered_in_the_order_of_columns),
        cmocka_unit_test(a_sorted_file_hides_nothing),
        cmocka_unit_test(one_row_that_contradicts_is_enough),
        cmocka_unit_test(columns_that_part_together_from_different_groups_are_not_joined),
        cmocka_unit_test(missing_values_neither_link_nor_part),
        cmocka_unit_test(what_was_so_before_a_missing_value_is_not_forgotten),
        cmocka_unit_test(what_may_be_chance_is_no_link),
        cmocka_unit_test(a_column_whose_values_are_not_numbered_any_more_is_out),
        cmocka_unit_test(agrees_with_looking_at_all_pairs),
        cmocka_unit_test(running_out_of_memory_leaves_nothing_behind),
    };
    return cmocka_run_group_tests_name("data/linked_columns", tests, NULL, NULL);
}
