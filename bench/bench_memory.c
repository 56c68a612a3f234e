/* SPDX-License-Identifier: MIT */
/* How much memory training takes, for tables of any length: each is written to a file, then
 * a process of its own learns a model from it with the default settings and tells its
 * largest resident size.
 *
 *     bench_memory [ROWS...]      1 and 5 million
 *     bench_memory --write FOLDER ROWS PARTS [COLUMNS]
 *
 * The second form only writes the table, as part-00000.csv and so on, for measurements of
 * other programs; the columns are 12 by default, a third of them categories. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/numeric/rng.h"
#include "otherwise/otherwise.h"

static size_t n_numbers = 8, n_categories = 4;

static void fail(const char *what)
{
    fprintf(stderr, "bench_memory: %s\n", what);
    exit(1);
}

/* ---- The table ---- */

/* Two classes; numbers lie around a centre of the row's own group, categories lean with the
 * class. */
static void write_row(FILE *file, size_t row)
{
    static const char *const levels[] = {"red", "green", "blue", "grey"};
    owi_rng rng;
    owi_rng_init(&rng, 1, row);
    const size_t group = owi_rng_below(&rng, 6);
    const bool yes = owi_rng_uniform(&rng) < 0.1 + 0.15 * (double)group;
    for (size_t j = 0; j < n_numbers; j++)
        fprintf(file, "%.2f,",
                10.0 * (double)(group * (j + 1) % 5) + 8.0 * owi_rng_normal(&rng));
    for (size_t j = 0; j < n_categories; j++)
        fprintf(file, "%s,", levels[(owi_rng_below(&rng, 3) + yes * (j % 2)) % 4]);
    fputs(yes ? "yes\n" : "no\n", file);
}

static void write_table(FILE *file, size_t first, size_t n_rows)
{
    for (size_t j = 0; j < n_numbers; j++) fprintf(file, "number%zu,", j);
    for (size_t j = 0; j < n_categories; j++) fprintf(file, "category%zu,", j);
    fputs("answer\n", file);
    for (size_t i = first; i < first + n_rows; i++) write_row(file, i);
    if (fflush(file) != 0) fail("the table cannot be written");
}

/* ---- Training ---- */

typedef struct {
    double megabytes, seconds, accuracy;
} outcome;

static ow_status train(const char *path, ow_train_report *report)
{
    ow_train_options options;
    ow_train_options_init(&options, sizeof options);
    ow_context *ctx = NULL;
    ow_reader *reader = NULL;
    ow_schema *schema = NULL;
    ow_model *model = NULL;
    ow_status status = ow_context_new(NULL, &ctx);
    if (status == OW_OK) status = ow_reader_open(ctx, path, NULL, NULL, &reader);
    if (status == OW_OK)
        status = ow_schema_infer(reader,
                                 &(ow_infer_options){.size = sizeof(ow_infer_options),
                                                     .label = "answer"},
                                 NULL, &schema);
    if (status == OW_OK) status = ow_model_train(reader, schema, &options, NULL, &model);
    if (status == OW_OK) *report = *ow_model_report(model);
    ow_model_free(model);
    ow_schema_free(schema);
    ow_reader_free(reader);
    ow_context_free(ctx);
    return status;
}

/* What the process of its own does. */
static void train_and_tell(const char *path, int to)
{
    ow_train_report report;
    struct rusage usage;
    if (train(path, &report) != OW_OK) fail(ow_error_message());
    if (getrusage(RUSAGE_SELF, &usage) != 0) fail("the system tells no memory");
    const outcome result = {.megabytes = (double)usage.ru_maxrss / 1024.0,
                            .seconds = report.seconds,
                            .accuracy = report.test.accuracy};
    if (write(to, &result, sizeof result) != (ssize_t)sizeof result)
        fail("the result cannot be told");
    _exit(0);
}

static outcome measure(const char *path)
{
    int ends[2], status;
    outcome result;
    if (pipe(ends) != 0) fail("there is no pipe");
    const pid_t child = fork();
    if (child < 0) fail("there is no second process");
    if (child == 0) train_and_tell(path, ends[1]);
    if (waitpid(child, &status, 0) != child || status != 0) exit(1);
    if (read(ends[0], &result, sizeof result) != (ssize_t)sizeof result)
        fail("training told nothing");
    close(ends[0]);
    close(ends[1]);
    return result;
}

static void run(size_t n_rows)
{
    const char *folder = getenv("TMPDIR");
    char path[4096];
    snprintf(path, sizeof path, "%s/bench_memory_XXXXXX", folder != NULL ? folder : "/tmp");
    const int handle = mkstemp(path);
    FILE *file = handle >= 0 ? fdopen(handle, "w") : NULL;
    if (file == NULL) fail("there is no temporary file");
    write_table(file, 0, n_rows);
    const double size = 1e-6 * (double)ftell(file);
    const outcome result = measure(path);
    printf("%10zu %10.0f %12.0f %10.1f %9.3f\n", n_rows, size, result.megabytes,
           result.seconds, result.accuracy);
    fflush(stdout);
    fclose(file);
    unlink(path);
}

static size_t count(const char *text)
{
    return (size_t)strtoull(text, NULL, 10);
}

static void write_parts(const char *folder, size_t n_rows, size_t n_parts)
{
    for (size_t i = 0; i < n_parts; i++) {
        char path[4096];
        snprintf(path, sizeof path, "%s/part-%05zu.csv", folder, i);
        FILE *file = fopen(path, "w");
        if (file == NULL) fail("a part cannot be made");
        const size_t first = n_rows * i / n_parts;
        write_table(file, first, n_rows * (i + 1) / n_parts - first);
        fclose(file);
    }
}

int main(int argc, char **argv)
{
    if (argc >= 5 && strcmp(argv[1], "--write") == 0) {
        const size_t n_columns = argc > 5 ? count(argv[5]) : n_numbers + n_categories;
        n_categories = n_columns / 3;
        n_numbers = n_columns - n_categories;
        write_parts(argv[2], count(argv[3]), count(argv[4]));
        return 0;
    }
    printf("%10s %10s %12s %10s %9s\n", "rows", "file, MB", "resident, MB", "seconds",
           "accuracy");
    fflush(stdout);
    if (argc < 2) {
        run(1000000);
        run(5000000);
    }
    for (int i = 1; i < argc; i++) run(count(argv[i]));
    return 0;
}
