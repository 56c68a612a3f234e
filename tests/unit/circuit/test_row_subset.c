/* SPDX-License-Identifier: MIT */
/* Some rows of a long source: about as many as wanted, of every class, each with its
 * own. */
#include "base/memory/alloc.h"
#include "circuit/rows/row_subset.h"
#include "support/ow_test.h"
#include "support/test_call.h"

enum { n_rows = 20000 };

/* Row i is the number i; class 1 has 3000 rows, class 2 has 20. */
static ow_row_array numbers(void)
{
    static float rows[n_rows];
    static int32_t classes[n_rows];
    for (size_t i = 0; i < n_rows; i++) {
        rows[i] = (float)i;
        classes[i] = i < 20 ? 2 : i % 20 < 3;
    }
    return (ow_row_array){n_rows, 1, rows, classes, 0};
}

static ow_status started(ow_context *ctx, const ow_row_source *source, ow_circuit **out)
{
    const ow_leaf leaf = {.kind = OW_LEAF_GAUSSIAN};
    const ow_circuit_spec spec = {.size = sizeof(ow_circuit_spec),
                                  .structure = OW_STRUCTURE_SHARED,
                                  .repetitions = 1,
                                  .inputs = 1,
                                  .n_classes = 3,
                                  .n_columns = 1,
                                  .leaves = &leaf};
    const ow_status status = ow_circuit_new(ctx, &spec, out);
    return status == OW_OK ? ow_circuit_start(*out, source, ow_test_seed(1)) : status;
}

static void about_as_many_as_wanted_and_some_of_every_class(void **state)
{
    ow_context *ctx = ow_test_context(state);
    ow_row_array array = numbers();
    const ow_row_source source = ow_row_source_of_array(&array);
    ow_circuit *circuit = NULL;
    assert_ok(started(ctx, &source, &circuit));
    for (uint64_t seed = 1; seed <= 2; seed++) {
        float *rows = NULL, before = -1.0f;
        int32_t *classes = NULL;
        size_t n, n_class[3] = {0};
        assert_ok(owi_row_subset_read(ow_test_call(circuit->ctx, NULL), circuit, &source,
                                      2000, seed, &rows, &classes, &n));
        assert_true(n > 1800 && n < 2250);
        for (size_t i = 0; i < n; i++) {
            const size_t row = (size_t)rows[i];
            assert_true(rows[i] > before);
            before = rows[i];
            assert_int_equal(classes[i], array.classes[row]);
            n_class[classes[i]]++;
        }
        assert_int_equal(n_class[2], 20);
        assert_true(n_class[1] > 220 && n_class[1] < 380);
        owi_free(ctx, rows);
        owi_free(ctx, classes);
        /* Fewer than a class must have: it has about those. */
        assert_ok(owi_row_subset_read(ow_test_call(circuit->ctx, NULL), circuit, &source,
                                      10, seed, &rows, &classes, &n));
        assert_true(n > 100 && n < 210);
        owi_free(ctx, rows);
        owi_free(ctx, classes);
    }
    ow_circuit_free(circuit);
}

static ow_status read_some(ow_context *ctx, void *user)
{
    ow_row_array array = *(ow_row_array *)user;
    const ow_row_source source = ow_row_source_of_array(&array);
    ow_circuit *circuit = NULL;
    float *rows = NULL;
    int32_t *classes = NULL;
    size_t n;
    ow_status status = started(ctx, &source, &circuit);
    if (status == OW_OK)
        status = owi_row_subset_read(ow_test_call(circuit->ctx, NULL), circuit, &source,
                                     100, 1, &rows, &classes, &n);
    owi_free(ctx, rows);
    owi_free(ctx, classes);
    ow_circuit_free(circuit);
    return status;
}

static void running_out_of_memory_anywhere_is_clean(void **state)
{
    (void)state;
    ow_row_array array = numbers();
    array.n_rows = 200;
    ow_test_sweep(read_some, &array);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        ow_test_on_heap(about_as_many_as_wanted_and_some_of_every_class),
        cmocka_unit_test(running_out_of_memory_anywhere_is_clean),
    };
    return cmocka_run_group_tests_name("circuit/row_subset", tests, NULL, NULL);
}
