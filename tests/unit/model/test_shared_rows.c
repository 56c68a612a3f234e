/* SPDX-License-Identifier: MIT */
/* Rows of text files that several processes read together: each gets all of them, in their
 * order, and reads its share, wherever the ranges are cut; and what people have to be told
 * is left to each alone. */
#include "model/train/rows/shared_rows.h"
#include "support/ow_test.h"

#include <string.h>

#include "data/rows/reader.h"
#include "support/test_call.h"
#include "support/thread_team.h"

enum { n_rows = 4000, n_files = 3, most = ow_test_most_members };

/* What stands behind the numbers of a row: texts that hold line ends, delimiters and
 * quotes, one of them longer than a range. */
static const char *text_of(size_t row)
{
    static const char *const texts[] = {
        "plain", "\"two\nlines\"", "\"a,b\"\"c\"", "\"7,yes\n8,no\n\"", "", "\"\r\n\r\n\""};
    static char lines[20001];
    if (row % 1500 != 700) return texts[row * 31 % 6];
    if (lines[0] == '\0') {
        for (size_t i = 0; i + 8 < sizeof lines; i += 8) memcpy(lines + i, "\n5,b,yes", 8);
        lines[0] = lines[20000 - 1] = '"';
    }
    return lines;
}

typedef struct {
    const char *end;   /* of a line: "\n" or "\r\n" */
    const char *wrong; /* the number of a row in the second file; NULL: its own */
    size_t n_plain;    /* so many letters behind each number instead of texts; or 0 */
} kind;

/* Most rows are those of the second file. */
static void write_files(const kind *how, const char *paths[n_files])
{
    for (size_t f = 0, row = 0; f < n_files; f++) {
        char name[32];
        snprintf(name, sizeof name, "shared-%zu.csv", f);
        paths[f] = ow_test_path(name, (int)f);
        FILE *file = fopen(paths[f], "wb");
        assert_non_null(file);
        fprintf(file, "x,text,y%s", how->end);
        const size_t past = f == 0 ? n_rows / 8 : f == 1 ? n_rows - 1 : n_rows;
        for (; row < past; row++) {
            if (how->wrong != NULL && row == n_rows / 2)
                fprintf(file, "%s,", how->wrong);
            else
                fprintf(file, "%zu.5,", row * 37 % n_rows);
            for (size_t i = 0; i < how->n_plain; i++) fputc('z', file);
            fprintf(file, "%s,%s%s", how->n_plain > 0 ? "" : text_of(row),
                    row % 3 ? "a" : "b", how->end);
            if (row % 400 == 3) fputs(how->end, file); /* an empty line */
        }
        assert_int_equal(fclose(file), 0);
    }
}

static ow_status open_files(ow_context *ctx, const char *const *paths, ow_reader **reader)
{
    return ow_reader_open_parts(ctx, n_files, paths, "shared-*.csv", NULL, NULL, reader);
}

static ow_schema *schema_of(ow_context *ctx, const char *const *paths)
{
    const char *const dropped[] = {"text"};
    const ow_infer_options options = {
        .size = sizeof options, .label = "y", .drop = dropped, .n_drop = 1};
    ow_reader *reader;
    ow_schema *schema;
    assert_ok(open_files(ctx, paths, &reader));
    assert_ok(ow_schema_infer(reader, &options, NULL, &schema));
    ow_reader_free(reader);
    return schema;
}

/* ---- Reading ---- */

/* What a process has got. */
typedef struct {
    ow_status status;
    double values[n_rows];
    int32_t classes[n_rows];
    size_t n;
    uint64_t n_bytes;
    bool shared, gave_up;
    char message[256];
} gotten;

typedef struct {
    const char *const *paths;
    const ow_schema *const *schemas; /* of each process */
    gotten *of;
} job;

static ow_status get(const owi_call *call, const ow_reader *reader, gotten *got)
{
    enum { at_a_time = 171 };
    owi_shared_rows *shared;
    ow_status status = owi_shared_rows_new(call, reader, &shared);
    got->shared = shared != NULL;
    for (size_t n = at_a_time; got->shared && status == OW_OK && n > 0; got->n += n) {
        n = n_rows - got->n < at_a_time ? n_rows - got->n : at_a_time;
        if (n == 0) break;
        status = owi_shared_rows_next(shared, n, got->values + got->n,
                                      got->classes + got->n, &n);
    }
    if (got->shared) {
        got->gave_up = owi_shared_rows_gave_up(shared);
        got->n_bytes = owi_shared_rows_bytes(shared);
    }
    owi_shared_rows_free(shared);
    return status;
}

static void share(void *user, const ow_team *team)
{
    const job *all = user;
    gotten *got = &all->of[team->rank];
    ow_context *ctx = NULL;
    ow_reader *reader = NULL;
    owi_call call;
    got->status = ow_context_new(NULL, &ctx);
    if (got->status == OW_OK) got->status = owi_call_begin(&call, ctx, NULL);
    if (got->status == OW_OK) got->status = owi_call_join(&call, team);
    if (got->status == OW_OK) got->status = open_files(ctx, all->paths, &reader);
    if (got->status == OW_OK)
        got->status = ow_reader_bind(reader, all->schemas[team->rank], false);
    if (got->status == OW_OK) got->status = get(&call, reader, got);
    snprintf(got->message, sizeof got->message, "%s", ow_error_message());
    ow_reader_free(reader);
    ow_context_free(ctx);
}

static gotten got[most];

static void run(size_t n, const char *const *paths, const ow_schema *const *schemas)
{
    job all = {paths, schemas, got};
    memset(got, 0, sizeof got);
    ow_test_run_team(n, share, &all);
}

/* ---- The tests ---- */

static void everybody_gets_the_rows_of_one_alone(void **state)
{
    ow_context *ctx = ow_test_context(state);
    static double values[n_rows];
    static int32_t classes[n_rows];
    const char *paths[n_files], *const ends[] = {"\n", "\r\n"};
    for (size_t e = 0; e < 2; e++) {
        const kind how = {.end = ends[e]};
        write_files(&how, paths);
        ow_schema *schema = schema_of(ctx, paths);
        const ow_schema *schemas[most] = {schema, schema, schema, schema, schema};
        ow_reader *reader;
        size_t n_alone;
        assert_ok(open_files(ctx, paths, &reader));
        assert_ok(ow_reader_bind(reader, schema, false));
        assert_ok(ow_reader_next(reader, n_rows, NULL, values, classes, &n_alone));
        assert_int_equal(n_alone, n_rows);
        for (size_t n = 2; n <= most; n++) {
            run(n, paths, schemas);
            for (size_t i = 0; i < n; i++) {
                assert_int_equal(got[i].status, OW_OK);
                assert_true(got[i].shared && !got[i].gave_up);
                assert_int_equal(got[i].n, n_rows);
                assert_memory_equal(got[i].values, values, sizeof values);
                assert_memory_equal(got[i].classes, classes, sizeof classes);
            }
        }
        ow_reader_free(reader);
        ow_schema_free(schema);
    }
}

/* Of 12 MB; what a reader looks at beyond is at most a block where it begins. */
static void each_reads_its_share(void **state)
{
    ow_context *ctx = ow_test_context(state);
    const char *paths[n_files];
    const kind how = {.end = "\n", .n_plain = 3000};
    const uint64_t size = n_rows * how.n_plain, beyond = 2 << 20;
    write_files(&how, paths);
    ow_schema *schema = schema_of(ctx, paths);
    const ow_schema *schemas[most] = {schema, schema, schema, schema, schema};
    run(4, paths, schemas);
    for (size_t i = 0; i < 4; i++) {
        assert_int_equal(got[i].n, n_rows);
        assert_in_range(got[i].n_bytes, size / 8, size / 4 + beyond);
    }
    ow_schema_free(schema);
}

/* In the middle of somebody's range. */
static void what_has_to_be_told_is_left_to_each_alone(void **state)
{
    ow_context *ctx = ow_test_context(state);
    const char *paths[n_files], *const wrong[] = {"many", "\"1\"x", "1,2"};
    write_files(&(kind){.end = "\n"}, paths);
    ow_schema *schema = schema_of(ctx, paths);
    const ow_schema *schemas[most] = {schema, schema, schema, schema, schema};
    for (size_t i = 0; i < 3; i++) {
        write_files(&(kind){.end = "\n", .wrong = wrong[i]}, paths);
        run(3, paths, schemas);
        for (size_t k = 0; k < 3; k++) {
            assert_int_equal(got[k].status, OW_OK);
            assert_true(got[k].gave_up);
        }
    }
    ow_schema_free(schema);
}

static void who_has_seen_other_rows_is_named(void **state)
{
    ow_context *ctx = ow_test_context(state);
    const char *paths[n_files];
    write_files(&(kind){.end = "\n", .wrong = "1e6"}, paths);
    ow_schema *other = schema_of(ctx, paths);
    write_files(&(kind){.end = "\n"}, paths);
    ow_schema *schema = schema_of(ctx, paths);
    const ow_schema *schemas[most] = {schema, schema, other};
    run(3, paths, schemas);
    for (size_t i = 0; i < 3; i++) {
        assert_int_equal(got[i].status, OW_ERR_FORMAT);
        assert_string_equal(got[i].message, "process 2 has other rows than process 0");
    }
    ow_schema_free(schema);
    ow_schema_free(other);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        ow_test_on_heap(everybody_gets_the_rows_of_one_alone),
        ow_test_on_heap(each_reads_its_share),
        ow_test_on_heap(what_has_to_be_told_is_left_to_each_alone),
        ow_test_on_heap(who_has_seen_other_rows_is_named),
    };
    return cmocka_run_group_tests_name("model/shared_rows", tests, NULL, NULL);
}
