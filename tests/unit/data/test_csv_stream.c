/* SPDX-License-Identifier: MIT */
/* Records out of a stream: what stays, what moves, and how much memory it takes. */
#include "base/io/byte_source.h"
#include "base/memory/alloc.h"
#include "data/csv/csv.h"
#include "support/ow_test.h"

typedef struct {
    ow_test_heap heap;
    owi_byte_source *source;
    owi_csv_stream stream;
} fixture;

static void begin(fixture *f, const char *csv, size_t size, owi_csv_sizes sizes)
{
    ow_test_heap_begin(&f->heap);
    assert_ok(owi_byte_source_open_memory(f->heap.ctx, csv, size, "f.csv", &f->source));
    assert_ok(owi_csv_stream_init(&f->stream, f->heap.ctx, f->source, "f.csv", sizes));
    owi_csv_dialect_init(&f->stream.dialect, ',');
}

static void end(fixture *f)
{
    owi_csv_stream_clear(&f->stream);
    owi_byte_source_free(f->source);
    ow_test_heap_end(&f->heap);
}

static void assert_first_field(const fixture *f, const char *want)
{
    const owi_csv_field *field = &f->stream.record.fields[0];
    assert_int_equal(field->length, strlen(want));
    assert_memory_equal(field->text, want, field->length);
}

static void a_record_comes_again_until_it_is_consumed(void **state)
{
    (void)state;
    fixture f;
    bool at_end;
    begin(&f, "a,b\nc\n", 6, (owi_csv_sizes){2, 100});
    assert_ok(owi_csv_stream_start(&f.stream, 0));
    for (int i = 0; i < 2; i++) {
        assert_ok(owi_csv_stream_next(&f.stream, 10, &at_end));
        assert_int_equal(f.stream.record.n_fields, 2);
        assert_first_field(&f, "a");
        assert_int_equal(f.stream.line, 1);
    }
    owi_csv_stream_consume(&f.stream);
    assert_first_field(&f, "a"); /* lent until the next call */
    assert_int_equal(f.stream.line, 2);
    assert_ok(owi_csv_stream_next(&f.stream, 10, &at_end));
    assert_first_field(&f, "c");
    owi_csv_stream_consume(&f.stream);
    assert_ok(owi_csv_stream_next(&f.stream, 10, &at_end));
    assert_true(at_end);
    end(&f);
}

static void only_as_many_fields_as_asked_for_are_stored(void **state)
{
    (void)state;
    fixture f;
    bool at_end;
    char csv[201];
    memset(csv, ',', sizeof csv);
    begin(&f, csv, sizeof csv - 1, (owi_csv_sizes){64, 1000});
    assert_ok(owi_csv_stream_start(&f.stream, 0));
    assert_ok(owi_csv_stream_next(&f.stream, 3, &at_end));
    assert_int_equal(f.stream.record.n_fields, 201);
    assert_in_range(f.stream.record.capacity, 3, 100);
    assert_ok(owi_csv_stream_next(&f.stream, 1000, &at_end));
    assert_true(f.stream.record.capacity >= 201);
    end(&f);
}

static void memory_grows_with_the_longest_record_and_not_with_the_file(void **state)
{
    (void)state;
    enum { line_size = 10, n_lines = 100 * 1000, long_size = 5000 };
    fixture f;
    bool at_end;
    char *csv = malloc(n_lines * line_size + long_size);
    assert_non_null(csv);
    for (size_t i = 0; i < n_lines; i++)
        memcpy(csv + i * line_size, "1234,6789\n", line_size);
    memset(csv + n_lines * line_size, 'x', long_size);

    begin(&f, csv, n_lines * line_size + long_size, (owi_csv_sizes){1024, 10 * 1000});
    assert_ok(owi_csv_stream_start(&f.stream, 0));
    for (size_t i = 0; i < n_lines; i++) {
        assert_ok(owi_csv_stream_next(&f.stream, 2, &at_end));
        assert_int_equal(f.stream.line, i + 1);
        owi_csv_stream_consume(&f.stream);
    }
    assert_true(f.stream.capacity <= 2 * 1024);
    assert_ok(owi_csv_stream_next(&f.stream, 2, &at_end));
    assert_int_equal(f.stream.record.fields[0].length, long_size);
    assert_in_range(f.stream.capacity, long_size, 4 * long_size);
    end(&f);
    free(csv);
}

static void starting_again_forgets_everything_but_the_delimiter(void **state)
{
    (void)state;
    fixture f;
    bool at_end;
    const char *csv = "first\n;second;2\nthird;3;3\n";
    begin(&f, csv, strlen(csv), (owi_csv_sizes){3, 100});
    for (int i = 0; i < 3; i++) {
        assert_ok(owi_csv_stream_start(&f.stream, 1));
        if (i == 0) assert_ok(owi_csv_stream_find_delimiter(&f.stream));
        assert_int_equal(f.stream.line, 2);
        assert_ok(owi_csv_stream_next(&f.stream, 10, &at_end));
        assert_int_equal(f.stream.record.n_fields, 3);
        owi_csv_stream_consume(&f.stream);
        if (i == 1) assert_ok(owi_csv_stream_next(&f.stream, 10, &at_end));
        assert_ok(owi_byte_source_rewind(f.source));
    }
    end(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_record_comes_again_until_it_is_consumed),
        cmocka_unit_test(only_as_many_fields_as_asked_for_are_stored),
        cmocka_unit_test(memory_grows_with_the_longest_record_and_not_with_the_file),
        cmocka_unit_test(starting_again_forgets_everything_but_the_delimiter),
    };
    return cmocka_run_group_tests_name("data/csv_stream", tests, NULL, NULL);
}
