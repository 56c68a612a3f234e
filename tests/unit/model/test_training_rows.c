/* SPDX-License-Identifier: MIT */
/* Rows divided into training and test rows: each in one of them, the same again, whether
 * they are kept, read again, or too many to divide by class. */
#include "model/train/rows/training_rows.h"
#include "support/ow_test.h"
#include "support/test_call.h"

#include "base/memory/alloc.h"

enum { n_rows = 3000, n_unlabelled = 30 };

static const owi_call *call_of(ow_context *ctx)
{
    return ow_test_call(ctx, ow_test_seed(5));
}

/* Row i is the number i; one in ten is of class b, one in a hundred has no class. */
typedef struct {
    ow_reader *reader;
    ow_schema *schema;
    owi_plan plan;
    char *text;
} table;

static void open_table(ow_context *ctx, table *t)
{
    size_t length = 0;
    t->text = malloc(n_rows * 16);
    assert_non_null(t->text);
    length += (size_t)sprintf(t->text, "x,y\n");
    for (int i = 0; i < n_rows; i++)
        length += (size_t)sprintf(t->text + length, "%d,%s\n", i,
                                  i % 100 == 7 ? "?" : (i % 10 == 3 ? "b" : "a"));
    const ow_infer_options options = {.size = sizeof(ow_infer_options),
                                      .label = "y",
                                      .scaling_given = true,
                                      .scaling = OW_SCALE_NONE};
    assert_ok(ow_reader_open_memory(ctx, t->text, length, "rows.csv", NULL, &t->reader));
    assert_ok(ow_schema_infer(t->reader, &options, NULL, &t->schema));
    assert_ok(owi_plan_init(&t->plan, t->schema, ctx));
    owi_plan_finish(&t->plan);
}

static void close_table(table *t)
{
    owi_plan_clear(&t->plan);
    ow_schema_free(t->schema);
    ow_reader_free(t->reader);
    free(t->text);
}

/* Counts the rows of a view by number, and those of class b; they must keep their class. */
static size_t count(owi_training_rows *rows, bool test, size_t at_a_time, int *seen,
                    size_t *n_b)
{
    owi_rows_view view = {.rows = rows, .test = test};
    const ow_row_source source = owi_training_rows_source(&view);
    float values[256];
    int32_t classes[256];
    size_t total = 0, n;
    *n_b = 0;
    assert_ok(source.rewind(source.user));
    for (;;) {
        assert_ok(source.next(source.user, at_a_time, values, classes, &n));
        if (n == 0) return total;
        total += n;
        for (size_t i = 0; i < n; i++) {
            assert_int_equal(classes[i], (int)values[i] % 10 == 3);
            *n_b += classes[i] == 1;
            seen[(size_t)values[i]]++;
        }
    }
}

/* One column, of floats: 4 bytes and 4 of the class, packed and encoded, and a byte for the
 * form of each packed block. */
static void assert_size(const owi_training_rows *rows, bool kept)
{
    const size_t n_blocks = (n_rows + owi_store_block - 1) / owi_store_block;
    const size_t size = 8 * (rows->n_rows + rows->n_train) + n_blocks;
    size_t in_memory, in_files;
    owi_training_rows_size(rows, &in_memory, &in_files);
    assert_int_equal(in_memory, kept ? size : 0);
    assert_int_equal(in_files, kept ? 0 : size);
}

static void every_row_with_a_class_is_in_one_part_however_they_are_kept(void **state)
{
    ow_context *ctx = ow_test_context(state);
    table t;
    open_table(ctx, &t);
    for (int by_class = 0; by_class < 2; by_class++)
        for (int kept = 0; kept < 2; kept++) {
            const owi_division division = {.share = 0.2,
                                           .most_by_class = by_class ? n_rows : 100,
                                           .most_stored = kept ? 1 << 20 : 0};
            owi_training_rows rows;
            int seen[n_rows] = {0}, again[n_rows] = {0};
            size_t n_b, n_test_b;
            assert_ok(owi_training_rows_init(&rows, call_of(ctx), t.reader, t.schema,
                                             division, (owi_labeller){0}));
            assert_ok(owi_training_rows_encode(&rows, &t.plan, kept ? 1 << 20 : 0));
            assert_true((rows.kept != NULL) == kept && (rows.spool == NULL) == kept);
            assert_true((rows.is_test != NULL) == by_class);
            assert_size(&rows, kept);
            assert_int_equal(rows.n_rows, n_rows);
            assert_int_equal(rows.n_unlabelled, n_unlabelled);
            assert_int_equal(count(&rows, false, 256, seen, &n_b), rows.n_train);
            assert_int_equal(n_b, rows.class_rows[1]);
            assert_int_equal(rows.class_rows[0] + rows.class_rows[1], rows.n_train);
            assert_int_equal(count(&rows, false, 7, again, &n_b), rows.n_train);
            assert_memory_equal(seen, again, sizeof seen);
            assert_int_equal(count(&rows, true, 100, seen, &n_test_b), rows.n_test);
            assert_int_equal(rows.n_train + rows.n_test, n_rows - n_unlabelled);
            for (int i = 0; i < n_rows; i++) assert_int_equal(seen[i], i % 100 != 7);
            if (by_class) {
                assert_int_equal(rows.n_test, 594);
                assert_int_equal(n_test_b, 60);
            } else {
                assert_true(rows.n_test > 520 && rows.n_test < 670);
                assert_true(n_test_b > 35 && n_test_b < 90);
            }
            owi_training_rows_clear(&rows);
        }
    close_table(&t);
}

static void the_caller_may_say_which_rows_are_held_out(void **state)
{
    ow_context *ctx = ow_test_context(state);
    table t;
    bool is_test[n_rows];
    int seen[n_rows] = {0};
    size_t n_b;
    owi_training_rows rows;
    open_table(ctx, &t);
    for (int i = 0; i < n_rows; i++) is_test[i] = i % 4 == 1;
    const owi_division division = {.is_test = is_test, .n_is_test = n_rows, .share = 0.9};
    assert_ok(owi_training_rows_init(&rows, call_of(ctx), t.reader, t.schema, division,
                                     (owi_labeller){0}));
    assert_ok(owi_training_rows_encode(&rows, &t.plan, 0));
    (void)count(&rows, true, 64, seen, &n_b);
    for (int i = 0; i < n_rows; i++) assert_int_equal(seen[i], i % 4 == 1 && i % 100 != 7);
    owi_training_rows_clear(&rows);
    close_table(&t);
}

/* x is the row's number, so the file is sorted by it. */
static void rows_beyond_memory_come_mixed(void **state)
{
    ow_context *ctx = ow_test_context(state);
    table t;
    owi_training_rows rows;
    float values[512];
    int32_t classes[512];
    size_t n, n_low = 0;
    open_table(ctx, &t);
    assert_ok(owi_training_rows_init(&rows, call_of(ctx), t.reader, t.schema,
                                     (owi_division){.share = 0.0}, (owi_labeller){0}));
    assert_ok(owi_training_rows_encode(&rows, &t.plan, 0));
    owi_rows_view view = {.rows = &rows};
    const ow_row_source source = owi_training_rows_source(&view);
    assert_ok(source.rewind(source.user));
    assert_ok(source.next(source.user, 512, values, classes, &n));
    assert_int_equal(n, 512);
    for (size_t i = 0; i < n; i++) n_low += values[i] < n_rows / 2;
    assert_true(n_low > 150 &&
                n_low < 362); /* half of them, about; in the file's order all */
    owi_training_rows_clear(&rows);
    close_table(&t);
}

/* As a pipe: rows can be read once, so that training must do with one pass. */
static void rows_are_read_from_the_reader_once(void **state)
{
    ow_context *ctx = ow_test_context(state);
    table t;
    open_table(ctx, &t);
    for (int kept = 0; kept < 2; kept++) {
        const owi_division division = {.share = 0.2, .most_by_class = n_rows};
        owi_training_rows rows;
        owi_row_sample sample;
        int seen[n_rows] = {0};
        size_t n, n_b;
        double value;
        int32_t class_index;
        assert_ok(owi_training_rows_init(&rows, call_of(ctx), t.reader, t.schema, division,
                                         (owi_labeller){0}));
        assert_ok(owi_training_rows_sample(&rows, &sample));
        assert_int_equal(sample.n_rows, rows.n_train);
        assert_ok(owi_training_rows_encode(&rows, &t.plan, kept ? 1 << 20 : 0));
        (void)count(&rows, false, 256, seen, &n_b);
        (void)count(&rows, true, 256, seen, &n_b);
        /* It still stands at its end: nobody has rewound it. */
        assert_ok(ow_reader_next(t.reader, 1, NULL, &value, &class_index, &n));
        assert_int_equal(n, 0);
        owi_free(ctx, sample.values);
        owi_training_rows_clear(&rows);
    }
    close_table(&t);
}

/* As when the disk has no room: a warning, and the rows as they stand in the file. */
static void without_a_temporary_file_rows_come_in_their_order_and_that_is_said(void **state)
{
    ow_context *ctx = ow_test_context(state);
    ow_test_log log;
    table t;
    owi_training_rows rows;
    float values[64];
    int32_t classes[64];
    size_t n;
    open_table(ctx, &t);
    ow_test_log_attach(&log, ctx, OW_LOG_WARN);
    assert_ok(owi_training_rows_init(&rows, call_of(ctx), t.reader, t.schema,
                                     (owi_division){.share = 0.0}, (owi_labeller){0}));
    assert_ok(ow_context_set_temporary_folder(ctx, "a folder that is not there"));
    assert_ok(owi_training_rows_encode(&rows, &t.plan, 0));
    assert_non_null(strstr(log.text,
                           "do not fit into memory, and a temporary file for them "
                           "cannot be made: No such file or directory; they are "
                           "read in the order of rows.csv"));
    owi_rows_view view = {.rows = &rows};
    const ow_row_source source = owi_training_rows_source(&view);
    assert_ok(source.rewind(source.user));
    assert_ok(source.next(source.user, 64, values, classes, &n));
    for (size_t i = 1; i < n; i++) assert_true(values[i] > values[i - 1]);
    assert_true(n > 1);
    owi_training_rows_clear(&rows);
    close_table(&t);
}

/* As when the disk is full before all rows are stored: a warning, and the same parts, by
 * reading again. */
static void without_a_store_rows_are_read_again_and_that_is_said(void **state)
{
    ow_context *ctx = ow_test_context(state);
    const owi_division stored = {.share = 0.2,
                                 .most_by_class = n_rows,
                                 .most_stored = 1 << 20},
                       full = {.share = 0.2, .most_by_class = n_rows};
    int seen[2][2][n_rows] = {0};
    table t;
    ow_test_log log;
    open_table(ctx, &t);
    ow_test_log_attach(&log, ctx, OW_LOG_WARN);
    for (int i = 0; i < 2; i++) {
        owi_training_rows rows;
        owi_row_sample sample;
        size_t n_b;
        if (i == 1)
            assert_ok(ow_context_set_temporary_folder(ctx, "a folder that is not there"));
        assert_ok(owi_training_rows_init(&rows, call_of(ctx), t.reader, t.schema,
                                         i == 0 ? stored : full, (owi_labeller){0}));
        assert_true((rows.store == NULL) == (i == 1));
        assert_true((strstr(log.text,
                            "the rows do not fit into memory, and a temporary "
                            "file for them cannot be made: No such file or "
                            "directory; rows.csv is read several times instead") != NULL) ==
                    (i == 1));
        assert_ok(owi_training_rows_sample(&rows, &sample));
        assert_int_equal(sample.n_rows, rows.n_train);
        assert_ok(owi_training_rows_encode(&rows, &t.plan, 1 << 20));
        (void)count(&rows, false, 256, seen[i][0], &n_b);
        (void)count(&rows, true, 256, seen[i][1], &n_b);
        owi_free(ctx, sample.values);
        owi_training_rows_clear(&rows);
    }
    assert_memory_equal(seen[0], seen[1], sizeof seen[0]);
    close_table(&t);
}

static ow_status divide(ow_context *ctx, void *user)
{
    static const char text[] = "x,y\n1,a\n2,b\n3,a\n4,b\n5,a\n";
    ow_reader *reader = NULL;
    ow_schema *schema = NULL;
    owi_plan plan = {0};
    owi_training_rows rows;
    const owi_division division = {.share = 0.4, .most_by_class = 100};
    ow_status status =
        ow_reader_open_memory(ctx, text, strlen(text), "rows.csv", NULL, &reader);
    if (status == OW_OK)
        status = ow_schema_infer(
            reader, &(ow_infer_options){.size = sizeof(ow_infer_options), .label = "y"},
            NULL, &schema);
    if (status == OW_OK) status = owi_plan_init(&plan, schema, ctx);
    if (status == OW_OK) {
        owi_plan_finish(&plan);
        status = owi_training_rows_init(&rows, call_of(ctx), reader, schema, division,
                                        (owi_labeller){0});
        if (status == OW_OK)
            status = owi_training_rows_encode(&rows, &plan, *(const size_t *)user);
        owi_training_rows_clear(&rows);
    }
    owi_plan_clear(&plan);
    ow_schema_free(schema);
    ow_reader_free(reader);
    return status;
}

static void running_out_of_memory_anywhere_is_clean(void **state)
{
    (void)state;
    size_t most_bytes[] = {1 << 20, 0};
    for (size_t i = 0; i < 2; i++) ow_test_sweep(divide, &most_bytes[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        ow_test_on_heap(every_row_with_a_class_is_in_one_part_however_they_are_kept),
        ow_test_on_heap(the_caller_may_say_which_rows_are_held_out),
        ow_test_on_heap(rows_beyond_memory_come_mixed),
        ow_test_on_heap(rows_are_read_from_the_reader_once),
        ow_test_on_heap(without_a_temporary_file_rows_come_in_their_order_and_that_is_said),
        ow_test_on_heap(without_a_store_rows_are_read_again_and_that_is_said),
        cmocka_unit_test(running_out_of_memory_anywhere_is_clean),
    };
    return cmocka_run_group_tests_name("model/training_rows", tests, NULL, NULL);
}
