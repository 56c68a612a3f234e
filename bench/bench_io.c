/* SPDX-License-Identifier: MIT */
/* How fast a numeric CSV file is read, beside what the machine needs for the least that can
 * be done with its bytes: copying them (memcpy) and counting its lines (wc -l).
 *
 *     bench_io            makes a file of 128 MB in $TMPDIR, and removes it
 *     bench_io FILE.csv   takes this one: comma separated numbers below a header */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/io/byte_source.h"
#include "base/memory/alloc.h"
#include "base/numeric/rng.h"
#include "base/text/number.h"
#include "data/csv/csv.h"
#include "data/schema/schema_private.h"
#include "stopwatch.h"

enum {
    n_runs = 5,
    rows_at_a_time = 256,
    n_columns = 20,
    file_size = 128 * 1000 * 1000,
    piece_size = 8 * 1000 * 1000 /* of rows; the file repeats it */
};

typedef struct {
    const char *path;
    char *bytes, *copy; /* the whole file, twice */
    size_t size;
    ow_context *ctx;
    size_t n_rows, n_numbers; /* found by the last run */
    double sum;
} table;

static void stop(const char *what)
{
    fprintf(stderr, "bench_io: %s\n", what);
    exit(1);
}

static void check(ow_status status)
{
    if (status != OW_OK) stop(ow_error_message());
}

/* ---- The file ---- */

/* A row of numbers as tables have them: whole ones, and some with two or four decimals. */
static size_t print_row(owi_rng *rng, char *text)
{
    size_t length = 0;
    for (size_t column = 0; column < n_columns; column++) {
        const int decimals = column % 4 == 0 ? 0 : column % 4 == 1 ? 2 : 4;
        const double value = 100.0 * owi_rng_normal(rng);
        char number[owi_fixed_size];
        const size_t size = owi_print_fixed(value, decimals, number);
        memcpy(text + length, number, size);
        length += size;
        text[length++] = column + 1 < n_columns ? ',' : '\n';
    }
    return length;
}

static void write_table(const char *path)
{
    char *piece = malloc(piece_size + n_columns * owi_fixed_size);
    FILE *file = fopen(path, "wb");
    if (piece == NULL || file == NULL) stop("cannot make the file");
    size_t length = 0;
    owi_rng rng;
    owi_rng_init(&rng, 1, 0);
    while (length < piece_size) length += print_row(&rng, piece + length);

    for (size_t column = 0; column < n_columns; column++)
        fprintf(file, "column_%zu%c", column, column + 1 < n_columns ? ',' : '\n');
    for (size_t written = 0; written < file_size; written += length)
        if (fwrite(piece, 1, length, file) != length) stop("cannot write the file");
    if (fclose(file) != 0) stop("cannot write the file");
    free(piece);
}

/* Also brings the file into the system's cache. */
static void load(table *t)
{
    owi_byte_source *source;
    check(owi_byte_source_open(t->ctx, t->path, NULL, &source));
    check(owi_byte_source_read_all(source, SIZE_MAX - 1, &t->bytes, &t->size));
    owi_byte_source_free(source);
    t->copy = owi_alloc_zeroed(t->ctx, t->size + 1);
    if (t->copy == NULL) check(OW_ERR_MEMORY);
}

/* ---- What is measured ---- */

static void copy_bytes(void *user)
{
    table *t = user;
    memcpy(t->copy, t->bytes, t->size);
    /* read, so that the copy cannot be left out */
    t->sum += t->copy[t->size / 2];
}

static void count_lines(void *user)
{
    const table *t = user;
    int state;
    const pid_t child = fork();
    if (child == 0) {
        if (freopen("/dev/null", "w", stdout) == NULL) _exit(127);
        execlp("wc", "wc", "-l", t->path, (char *)NULL);
        _exit(127);
    }
    if (child < 0 || waitpid(child, &state, 0) != child || state != 0)
        stop("cannot run wc");
}

static void open_rows(const table *t, owi_rows *rows, owi_cell **cells)
{
    const ow_read_options options = {.size = sizeof(ow_read_options), .delimiter = ','};
    *rows = (owi_rows){.ctx = t->ctx, .name = t->path, .format = &owi_format_csv};
    check(owi_byte_source_open(t->ctx, t->path, NULL, &rows->source));
    check(rows->format->open(rows, &options));
    *cells = owi_alloc_array(t->ctx, rows->n_columns, sizeof **cells);
    if (*cells == NULL) check(OW_ERR_MEMORY);
}

static void read_cells(table *t, bool with_numbers)
{
    owi_rows rows;
    owi_cell *cells;
    bool at_end;
    open_rows(t, &rows, &cells);
    t->n_rows = t->n_numbers = 0;
    t->sum = 0.0;
    for (;; t->n_rows++) {
        check(rows.format->next(&rows, cells, &at_end));
        if (at_end) break;
        for (size_t i = 0; with_numbers && i < rows.n_columns; i++) {
            double value;
            if (!owi_parse_number(cells[i].text, cells[i].length, &value, NULL)) continue;
            t->sum += value;
            t->n_numbers++;
        }
    }
    owi_rows_clear(&rows);
    owi_free(t->ctx, cells);
}

static void cut_into_cells(void *user)
{
    read_cells(user, false);
}

static void cut_and_read_numbers(void *user)
{
    read_cells(user, true);
}

/* Columns that take any number. */
static ow_schema *make_schema(table *t, const ow_reader *reader)
{
    ow_schema *schema;
    const size_t n = ow_reader_n_columns(reader);
    check(owi_schema_new(t->ctx, n, &schema));
    for (size_t i = 0; i < n; i++) {
        const char *name = ow_reader_column_name(reader, i);
        ow_column *column;
        check(owi_schema_add_column(schema, name, strlen(name), &column));
        owi_column_set_range(column, -1e9, 1e9);
    }
    check(owi_schema_finish(schema, ""));
    return schema;
}

static void read_rows(void *user)
{
    table *t = user;
    ow_reader *reader;
    check(ow_reader_open(t->ctx, t->path, NULL, NULL, &reader));
    ow_schema *schema = make_schema(t, reader);
    check(ow_reader_bind(reader, schema, false));
    const size_t width = ow_schema_n_columns(schema);
    double *values = owi_alloc_array(t->ctx, rows_at_a_time * width, sizeof *values);
    if (values == NULL) check(OW_ERR_MEMORY);
    double sum = 0.0;
    size_t n;
    do {
        check(ow_reader_next(reader, rows_at_a_time, NULL, values, NULL, &n));
        for (size_t i = 0; i < n * width; i++) sum += values[i];
    } while (n > 0);
    if (sum != t->sum) stop("the two ways to the numbers differ");
    owi_free(t->ctx, values);
    ow_reader_free(reader);
    ow_schema_free(schema);
}

/* ---- The report ---- */

static void print_line(const table *t, const char *what, double seconds, double least)
{
    printf("%-44s %8.3f %8.0f %8.1f\n", what, seconds, 1e-6 * (double)t->size / seconds,
           seconds / least);
}

static void measure(table *t)
{
    load(t);
    const double copying = stopwatch_best(n_runs, copy_bytes, t);
    const double counting = stopwatch_best(n_runs, count_lines, t);
    const double least = copying + counting;
    const double cutting = stopwatch_best(n_runs, cut_into_cells, t);
    const double reading = stopwatch_best(n_runs, cut_and_read_numbers, t);
    const double rows = stopwatch_best(n_runs, read_rows, t);
    printf("%.1f MB, %zu rows, %zu numbers; best of %d runs, processor seconds\n\n",
           1e-6 * (double)t->size, t->n_rows, t->n_numbers, n_runs);
    printf("%-44s %8s %8s %8s\n", "", "seconds", "MB/s", "ratio");
    print_line(t, "memcpy", copying, least);
    print_line(t, "wc -l", counting, least);
    print_line(t, "memcpy and wc -l together", least, least);
    print_line(t, "CSV into cells", cutting, least);
    print_line(t, "CSV into cells, cells into numbers", reading, least);
    print_line(t, "rows of doubles (ow_reader_next)", rows, least);
    owi_free(t->ctx, t->copy);
    owi_free(t->ctx, t->bytes);
}

int main(int argc, char **argv)
{
    table t = {0};
    char folder[256], path[300];
    const char *base = getenv("TMPDIR");
    check(ow_context_new(NULL, &t.ctx));
    if (argc > 1) {
        t.path = argv[1];
        measure(&t);
    } else {
        snprintf(folder, sizeof folder, "%s/ow-bench-XXXXXX", base != NULL ? base : "/tmp");
        if (mkdtemp(folder) == NULL) stop("cannot make a temporary folder");
        snprintf(path, sizeof path, "%s/numbers.csv", folder);
        t.path = path;
        write_table(path);
        measure(&t);
        unlink(path);
        rmdir(folder);
    }
    ow_context_free(t.ctx);
    return 0;
}
