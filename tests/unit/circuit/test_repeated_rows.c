/* SPDX-License-Identifier: MIT */
/* Copies of rows are told from rows that are alike by chance, and are held out together. */
#include "circuit/rows/repeated_rows.h"

#include "base/numeric/rng.h"
#include "circuit/rows/fold_source.h"
#include "support/ow_test.h"
#include "support/test_call.h"

enum { n_rows = 1200, n_columns = 12 };

static ow_call how = {.size = sizeof how};

typedef struct {
    float rows[n_rows * n_columns];
    int32_t classes[n_rows];
    ow_row_array array;
    ow_row_source source;
} table;

/* Categories of so many levels.  Of two classes; copied: half of the rows are copies. */
static table *make_table(size_t used_columns, size_t n_levels, bool copied)
{
    table *t = calloc(1, sizeof *t);
    owi_rng rng;
    assert_non_null(t);
    owi_rng_init(&rng, 5, 1);
    for (size_t i = 0; i < n_rows; i++) {
        const size_t of = copied && i % 2 == 1 ? owi_rng_below(&rng, i) : i;
        for (size_t j = 0; j < used_columns && of == i; j++)
            t->rows[i * n_columns + j] = (float)owi_rng_below(&rng, n_levels);
        memmove(t->rows + i * n_columns, t->rows + of * n_columns,
                n_columns * sizeof *t->rows);
        t->classes[i] = of == i ? (int32_t)(i / 2 % 2) : t->classes[of];
    }
    t->array = (ow_row_array){n_rows, n_columns, t->rows, t->classes, 0};
    t->source = ow_row_source_of_array(&t->array);
    return t;
}

static bool repeats(void **state, const table *t)
{
    bool repeat;
    assert_ok(owi_rows_repeat(ow_test_call(ow_test_context(state), &how), &t->source,
                              n_columns, 2, &repeat));
    return repeat;
}

static void copies_are_found(void **state)
{
    table *t = make_table(n_columns, 8, true);
    assert_true(repeats(state, t));
    free(t);
}

static void other_rows_are_no_copies(void **state)
{
    table *different = make_table(n_columns, 8, false), *few = make_table(4, 3, false);
    assert_false(repeats(state, different));
    assert_false(repeats(state, few)); /* 81 kinds of rows */
    free(different);
    free(few);
}

static void copies_are_held_out_together(void **state)
{
    (void)state;
    table *t = make_table(n_columns, 8, true);
    owi_fold fold = {.from = &t->source,
                     .n_columns = n_columns,
                     .seed = 3,
                     .high = 0.3,
                     .by_content = true};
    const ow_row_source source = owi_fold_source(&fold);
    float *inside = malloc(sizeof t->rows), *outside = malloc(sizeof t->rows);
    int32_t classes[n_rows];
    size_t n_inside, n_outside;
    assert_ok(source.rewind(source.user));
    assert_ok(source.next(source.user, n_rows, inside, classes, &n_inside));
    fold.others = true;
    assert_ok(source.rewind(source.user));
    assert_ok(source.next(source.user, n_rows, outside, classes, &n_outside));
    assert_int_equal(n_inside + n_outside, n_rows);
    assert_in_range(n_inside, n_rows / 5, 2 * n_rows / 5);
    for (size_t i = 0; i < n_inside; i++)
        for (size_t k = 0; k < n_outside; k++)
            assert_memory_not_equal(inside + i * n_columns, outside + k * n_columns,
                                    n_columns * sizeof *inside);
    free(inside);
    free(outside);
    free(t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        ow_test_on_heap(copies_are_found),
        ow_test_on_heap(other_rows_are_no_copies),
        cmocka_unit_test(copies_are_held_out_together),
    };
    return cmocka_run_group_tests_name("circuit/repeated_rows", tests, NULL, NULL);
}
