/* SPDX-License-Identifier: MIT */
#include "evaluating/evaluation_files.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "output/csv_output.h"
#include "output/output.h"
#include "output/page_output.h"
#include "terminal/exit_codes.h"
#include "terminal/message.h"
#include "terminal/text_build.h"

/* ---- Rows ---- */

static void print_head(void)
{
    static const char *const titles[] = {"seed",  "method", "row",   "status", "reason",
                                         "class", "target", "valid", NULL};
    for (size_t i = 0; titles[i] != NULL; i++) csv_output_field(titles[i], i == 0);
    for (size_t i = 0; ow_metric_get(i) != NULL; i++)
        if (ow_metric_get(i)->base != OW_BASE_METHOD)
            csv_output_field(ow_metric_get(i)->name, false);
    csv_output_end_line();
}

/* The text is freed. */
static void print_field(char *text, bool first)
{
    csv_output_field(text, first);
    free(text);
}

static void print_row(const ow_evaluation *evaluation, const ow_schema *schema,
                      uint64_t first_seed, size_t seed, size_t method, size_t row)
{
    const ow_row_result result = ow_evaluation_row(evaluation, seed, method, row);
    const char *reason = ow_reason_name(result.reason);
    print_field(text_add(NULL, "%" PRIu64, first_seed + seed), true);
    csv_output_field(ow_evaluation_standing(evaluation, method)->name, false);
    print_field(text_add(NULL, "%zu", row + 1), false);
    csv_output_field(ow_outcome_kind_name(result.kind), false);
    csv_output_field(reason != NULL ? reason : "", false);
    csv_output_field(ow_schema_class_name(schema, (size_t)result.predicted), false);
    csv_output_field(ow_schema_class_name(schema, (size_t)result.target), false);
    csv_output_field(result.valid ? "1" : "0", false);
    for (size_t i = 0; ow_metric_get(i) != NULL; i++) {
        const double figure = result.figures[i];
        if (ow_metric_get(i)->base == OW_BASE_METHOD) continue;
        print_field(isnan(figure) ? text_add(NULL, "%s", "")
                                  : text_add(NULL, "%.9g", figure),
                    false);
    }
    csv_output_end_line();
}

/* Rows of runs that are complete. */
static void print_rows(const ow_evaluation *evaluation, const ow_schema *schema,
                       uint64_t first_seed)
{
    const ow_evaluation_info info = *ow_evaluation_get_info(evaluation);
    print_head();
    for (size_t s = 0; s < info.n_seeds; s++)
        for (size_t m = 0; m < info.n_methods; m++) {
            if (!ow_evaluation_row(evaluation, s, m, 0).complete) continue;
            for (size_t i = 0; i < info.n_rows && !output_failed(); i++)
                print_row(evaluation, schema, first_seed, s, m, i);
        }
}

/* ---- Files ---- */

static int complain_folder(const char *folder, int error)
{
    message(OW_LOG_ERROR, "cannot write to the folder %s: %s", folder, strerror(error));
    return EXIT_RESOURCES;
}

static const char rows_name[] = "rows.csv", summary_name[] = "summary.json";
const char evaluation_files_last[] = "index.html";

int evaluation_files_check(const char *folder, const char *const *read, size_t n)
{
    struct stat there;
    if (folder == NULL)
        return output_files_differ(read, n, NULL, 0) ? EXIT_DONE : EXIT_USAGE;
    char *rows = text_add(NULL, "%s/%s", folder, rows_name);
    char *summary = text_add(NULL, "%s/%s", folder, summary_name);
    char *page = text_add(NULL, "%s/%s", folder, evaluation_files_last);
    const bool differ =
        output_files_differ(read, n, (const char *const[]){rows, summary, page}, 3);
    free(rows);
    free(summary);
    free(page);
    if (!differ) return EXIT_USAGE;
    if (mkdir(folder, 0777) != 0 && errno != EEXIST) return complain_folder(folder, errno);
    if (stat(folder, &there) != 0) return complain_folder(folder, errno);
    if (!S_ISDIR(there.st_mode)) return complain_folder(folder, ENOTDIR);
    if (access(folder, W_OK | X_OK) != 0) return complain_folder(folder, errno);
    return EXIT_DONE;
}

/* Sends what is printed next to a file of the folder. */
static int begin_file(ow_context *ctx, const char *folder, const char *name)
{
    char *path = text_add(NULL, "%s/%s", folder, name);
    const int code = output_begin_file(ctx, path);
    free(path);
    return code;
}

/* The page of the comparison: the figures in words and bars, and the model that was
 * asked. */
static int print_page(ow_context *ctx, const ow_evaluation *evaluation,
                      const ow_model *model, const char *target, const asked *question)
{
    ow_page *page = NULL;
    char *lead =
        target != NULL
            ? text_add(NULL,
                       "Each method was asked what would have to be different for "
                       "the model to say \"%s\" of the same rows.",
                       target)
            : text_add(NULL, "Each method was asked what would have to be different for "
                             "the model to decide otherwise on the same rows.");
    ow_status status = ow_page_new(ctx, "Methods compared", lead, &page);
    if (status == OW_OK) {
        asked_add(page, question);
        ow_page_section(page, "The figures");
        ow_page_evaluation(page, evaluation, true);
        ow_page_section(page, "The model");
        ow_page_model(page, model);
    }
    free(lead);
    return page_output(status, page);
}

int evaluation_files_write(ow_context *ctx, uint64_t seed, const char *folder,
                           const ow_evaluation *evaluation, const ow_model *model,
                           const char *target, const asked *question, const char *summary,
                           size_t size)
{
    int code = begin_file(ctx, folder, rows_name);
    if (code != EXIT_DONE) return code;
    print_rows(evaluation, ow_model_schema(model), seed);
    code = output_end_file(EXIT_DONE, true);
    if (code == EXIT_DONE) code = begin_file(ctx, folder, summary_name);
    if (code != EXIT_DONE) return code;
    output_write(stdout, summary, size);
    code = output_end_file(EXIT_DONE, true);
    if (code == EXIT_DONE) code = begin_file(ctx, folder, evaluation_files_last);
    if (code != EXIT_DONE) return code;
    code = print_page(ctx, evaluation, model, target, question);
    return output_end_file(code, code == EXIT_DONE);
}
