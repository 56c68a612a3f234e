/* SPDX-License-Identifier: MIT */
#include "model/foreign/foreign.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/io/byte_source.h"
#include "base/memory/alloc.h"
#include "base/text/number.h"
#include "base/text/quote.h"
#include "model/foreign/asked_rows.h"
#include "otherwise/schema_builder.h"

/* Seconds without a sign of a program. */
static const double usual_seconds = 60.0;
/* Files beyond this are refused rather than read into memory. */
static const size_t most_bytes = (size_t)1 << 32;

const char *owi_foreign_kind_name(int kind)
{
    static const char *const names[] = {[OWI_FOREIGN_TREES] = "trees",
                                        [OWI_FOREIGN_COMMAND] = "command",
                                        [OWI_FOREIGN_ONNX] = "onnx"};
    return kind >= 0 && kind < (int)(sizeof names / sizeof *names) ? names[kind] : NULL;
}

/* ---- Files ---- */

static ow_status read_file(ow_context *ctx, const owi_call *call, const char *path,
                           char **bytes, size_t *size)
{
    owi_byte_source *source = NULL;
    OWI_TRY(owi_byte_source_open(ctx, path, call, &source));
    const ow_status status = owi_byte_source_read_all(source, most_bytes, bytes, size);
    owi_byte_source_free(source);
    return status;
}

/* By its name, or by its first byte: that of the field in which every ONNX file says its
 * version, where files of trees begin with a letter or a brace. */
static bool is_onnx(const char *path, const char *bytes, size_t size)
{
    const size_t length = strlen(path);
    return (length > 5 && strcmp(path + length - 5, ".onnx") == 0) ||
           (size > 0 && bytes[0] == 8);
}

static ow_status parse_onnx(owi_foreign *foreign, const char *bytes, size_t size)
{
    static const char package[] = "ONNX";
    char *copy = owi_copy_text(foreign->ctx, bytes, size);
    if (copy == NULL) return OW_ERR_MEMORY;
    foreign->kind = OWI_FOREIGN_ONNX;
    const ow_status status =
        owi_onnx_new(foreign->ctx, foreign->path, copy, size, &foreign->onnx);
    if (status != OW_OK) owi_free(foreign->ctx, copy);
    if (status != OW_OK || foreign->package != NULL) return status;
    foreign->package = owi_copy_text(foreign->ctx, package, strlen(package));
    return foreign->package != NULL ? OW_OK : OW_ERR_MEMORY;
}

/* Makes the model from the bytes of its file. */
static ow_status parse(owi_foreign *foreign, const char *bytes, size_t size)
{
    if (is_onnx(foreign->path, bytes, size)) return parse_onnx(foreign, bytes, size);
    OWI_TRY(
        ow_trees_load_memory(foreign->ctx, bytes, size, foreign->path, &foreign->trees));
    if (foreign->package != NULL) return OW_OK;
    const char *package = ow_trees_package(foreign->trees);
    foreign->package = owi_copy_text(foreign->ctx, package, strlen(package));
    return foreign->package != NULL ? OW_OK : OW_ERR_MEMORY;
}

/* ---- Options ---- */

static ow_status copy_classes(owi_foreign *foreign, size_t n, const char *const *classes)
{
    foreign->classes = owi_alloc_array(foreign->ctx, n, sizeof *foreign->classes);
    if (foreign->classes == NULL) return OW_ERR_MEMORY;
    foreign->n_classes = n;
    for (size_t c = 0; c < n; c++) {
        foreign->classes[c] = owi_copy_text(foreign->ctx, classes[c], strlen(classes[c]));
        if (foreign->classes[c] == NULL) return OW_ERR_MEMORY;
    }
    return OW_OK;
}

/* "score>=620": what is predicted, and where the classes part. */
static ow_status read_limit(owi_foreign *foreign, const char *text)
{
    char quoted[owi_quote_size];
    const char *sign = strpbrk(text, "<>");
    const bool is_equal = sign != NULL && sign[1] == '=';
    const char *number = sign != NULL ? sign + (is_equal ? 2 : 1) : NULL;
    double limit;
    if (number == NULL || sign == text ||
        !owi_parse_number(number, strlen(number), &limit, NULL) || !isfinite(limit))
        return owi_fail(OW_ERR_ARGUMENT,
                        "a limit is written NAME>=NUMBER, as in score>=620; got %s",
                        owi_quote_text(text, quoted));
    const bool is_open = (*sign == '>') != is_equal; /* at the limit: below */
    foreign->limit =
        (owi_score_limit){.is_used = true,
                          .limit = is_open ? nextafter(limit, INFINITY) : limit,
                          .spread = 1};
    const int length = (int)(sign - text);
    char *names[2] = {owi_format_text(foreign->ctx, "%.*s%s%s", length, text,
                                      is_open ? "<=" : "<", number),
                      owi_format_text(foreign->ctx, "%.*s%s%s", length, text,
                                      is_open ? ">" : ">=", number)};
    const ow_status status = names[0] != NULL && names[1] != NULL
                                 ? copy_classes(foreign, 2, (const char *const *)names)
                                 : OW_ERR_MEMORY;
    owi_free(foreign->ctx, names[0]);
    owi_free(foreign->ctx, names[1]);
    return status;
}

static ow_status take_options(owi_foreign *foreign, const ow_foreign *options)
{
    const char *path = options->command != NULL ? options->command : options->path;
    if ((options->command == NULL) == (options->path == NULL))
        return owi_fail(OW_ERR_ARGUMENT,
                        "a model is a file or a program: exactly one of path and command "
                        "must be given");
    foreign->path = owi_copy_text(foreign->ctx, path, strlen(path));
    if (foreign->path == NULL) return OW_ERR_MEMORY;
    if (options->limit != NULL && options->classes != NULL)
        return owi_fail(OW_ERR_ARGUMENT, "a limit makes the classes: none can be named");
    if (options->limit != NULL) return read_limit(foreign, options->limit);
    if (options->classes != NULL)
        return copy_classes(foreign, options->n_classes, options->classes);
    return OW_OK;
}

static ow_status set_command(owi_foreign *foreign, const char *text, double seconds)
{
    if (!(seconds >= 0.0))
        return owi_fail(OW_ERR_ARGUMENT, "the seconds that a program may be silent must be "
                                         "0 (the default, 60) or more");
    owi_command_free(foreign->command);
    return owi_command_new(foreign->ctx, text, seconds > 0.0 ? seconds : usual_seconds,
                           &foreign->command);
}

static ow_status load_command(owi_foreign *foreign, const ow_foreign *options)
{
    static const char package[] = "program";
    foreign->kind = OWI_FOREIGN_COMMAND;
    if (options->embed) return owi_fail(OW_ERR_ARGUMENT, "a program cannot be embedded");
    foreign->package = owi_copy_text(foreign->ctx, package, strlen(package));
    if (foreign->package == NULL) return OW_ERR_MEMORY;
    return set_command(foreign, options->command, options->seconds);
}

static ow_status load(owi_foreign *foreign, const owi_call *call, const ow_foreign *options)
{
    char *bytes = NULL;
    size_t size = 0;
    OWI_TRY(take_options(foreign, options));
    if (options->command != NULL) return load_command(foreign, options);
    OWI_TRY(ow_file_sha256(foreign->path, foreign->sha256));
    OWI_TRY(read_file(foreign->ctx, call, foreign->path, &bytes, &size));
    const ow_status status = parse(foreign, bytes, size);
    if (options->embed && status == OW_OK) {
        foreign->bytes = bytes;
        foreign->n_bytes = size;
    } else {
        owi_free(foreign->ctx, bytes);
    }
    if (status == OW_OK && foreign->onnx != NULL)
        return owi_onnx_set_library(foreign->onnx, options->onnxruntime);
    if (status != OW_OK || foreign->limit.is_used ||
        ow_trees_get_kind(foreign->trees) != OW_TREES_SCORE)
        return status;
    return owi_fail(OW_ERR_ARGUMENT,
                    "%s: the %s model predicts a number (%s); say where its classes part "
                    "(--target), as in score>=620",
                    foreign->path, foreign->package, ow_trees_objective(foreign->trees));
}

ow_status owi_foreign_load(const owi_call *call, const ow_foreign *options,
                           owi_foreign **out)
{
    *out = NULL;
    owi_foreign *foreign = owi_alloc_zeroed(call->ctx, sizeof *foreign);
    if (foreign == NULL) return OW_ERR_MEMORY;
    foreign->ctx = call->ctx;
    const ow_status status = load(foreign, call, options);
    if (status == OW_OK)
        *out = foreign;
    else
        owi_foreign_free(foreign);
    return status;
}

void owi_foreign_free(owi_foreign *foreign)
{
    if (foreign == NULL) return;
    for (size_t c = 0; foreign->classes != NULL && c < foreign->n_classes; c++)
        owi_free(foreign->ctx, foreign->classes[c]);
    owi_free(foreign->ctx, foreign->classes);
    owi_free(foreign->ctx, foreign->bytes);
    owi_free(foreign->ctx, foreign->package);
    owi_free(foreign->ctx, foreign->path);
    ow_trees_free(foreign->trees);
    owi_command_free(foreign->command);
    owi_onnx_free(foreign->onnx);
    owi_free(foreign->ctx, foreign);
}

/* ---- Again ---- */

/* path, or the same from the folder of the file `beside`; the caller frees it. */
static char *find_file(ow_context *ctx, const char *path, const char *beside)
{
    const char *slash = strrchr(beside, '/');
    FILE *file = path[0] == '/' || slash == NULL ? NULL : fopen(path, "rb");
    if (path[0] == '/' || slash == NULL || file != NULL) {
        if (file != NULL) fclose(file);
        return owi_copy_text(ctx, path, strlen(path));
    }
    return owi_format_text(ctx, "%.*s%s", (int)(slash + 1 - beside), beside, path);
}

/* The file under that name, if it is the one that was meant. */
static ow_status read_again(owi_foreign *foreign, const char *path, const char *beside,
                            char **bytes, size_t *size)
{
    char sum[OW_SHA256_SIZE];
    const ow_status status = ow_file_sha256(path, sum);
    if (status == OW_ERR_IO)
        return owi_fail(OW_ERR_IO,
                        "%s: its decisions are those of the %s model %s, which cannot be "
                        "read; put the file there, or train again with the file embedded",
                        beside, foreign->package, path);
    OWI_TRY(status);
    if (strcmp(sum, foreign->sha256) != 0)
        return owi_fail(OW_ERR_FORMAT,
                        "%s: %s is not the %s model that it was trained with (SHA-256 "
                        "%.12s..., expected %.12s...)",
                        beside, path, foreign->package, sum, foreign->sha256);
    return read_file(foreign->ctx, NULL, path, bytes, size);
}

ow_status owi_foreign_recall(owi_foreign *foreign, const char *beside)
{
    char *bytes = NULL;
    size_t size = 0;
    if (foreign->kind == OWI_FOREIGN_COMMAND) return OW_OK;
    if (foreign->bytes != NULL) return parse(foreign, foreign->bytes, foreign->n_bytes);
    char *path = find_file(foreign->ctx, foreign->path, beside);
    if (path == NULL) return OW_ERR_MEMORY;
    ow_status status = read_again(foreign, path, beside, &bytes, &size);
    if (status == OW_OK) status = parse(foreign, bytes, size);
    owi_free(foreign->ctx, bytes);
    owi_free(foreign->ctx, path);
    return status;
}

ow_status owi_foreign_run(owi_foreign *foreign, const ow_foreign_run *run)
{
    char remembered[owi_quote_size], given[owi_quote_size];
    if (foreign->onnx != NULL) return owi_onnx_set_library(foreign->onnx, run->onnxruntime);
    if (foreign->kind != OWI_FOREIGN_COMMAND) return OW_OK;
    if (run->command == NULL)
        return owi_fail(OW_ERR_ARGUMENT,
                        "its decisions are those of the program %s, and a model file alone "
                        "does not start programs: name the program again, by "
                        "--model-command",
                        owi_quote_text(foreign->path, remembered));
    if (strcmp(run->command, foreign->path) != 0)
        owi_log(foreign->ctx, OW_LOG_WARN,
                "the model was trained with the program %s; %s decides now",
                owi_quote_text(foreign->path, remembered),
                owi_quote_text(run->command, given));
    return set_command(foreign, run->command, run->seconds);
}

/* ---- Rows ---- */

static void release_trees(void *user)
{
    owi_matched_trees_free(user);
}

static void release_asked(void *user)
{
    owi_asked_rows_free(user);
}

void owi_matched_clear(owi_matched *matched)
{
    if (matched->user != NULL) matched->release(matched->user);
    *matched = (owi_matched){0};
}

ow_status owi_foreign_match_trees(const owi_foreign *foreign, const ow_schema *schema,
                                  owi_matched_trees **out)
{
    const ow_trees_match match = {.size = sizeof match,
                                  .classes = foreign->limit.is_used
                                                 ? NULL
                                                 : (const char *const *)foreign->classes,
                                  .n_classes = foreign->n_classes};
    return owi_matched_trees_new(foreign->ctx, schema, foreign->trees, &match,
                                 &foreign->limit, out);
}

ow_status owi_foreign_match(const owi_foreign *foreign, const ow_schema *schema,
                            owi_matched *out)
{
    *out = (owi_matched){0};
    if (foreign->kind == OWI_FOREIGN_TREES) {
        owi_matched_trees *trees = NULL;
        OWI_TRY(owi_foreign_match_trees(foreign, schema, &trees));
        *out = (owi_matched){owi_matched_trees_predict, release_trees, trees};
        return OW_OK;
    }
    owi_asked_rows *asked = NULL;
    OWI_TRY(owi_asked_rows_new(foreign, schema, &asked));
    *out = (owi_matched){owi_asked_rows_predict, release_asked, asked};
    return OW_OK;
}

/* Names of the classes: those that were given, or their numbers. */
static ow_status set_label(ow_schema_builder *builder, const owi_foreign *foreign)
{
    enum { name_size = 24 };
    const char *const *given = (const char *const *)foreign->classes;
    if (given != NULL)
        return ow_schema_builder_set_label(builder, "decision", foreign->n_classes, given);
    if (foreign->trees == NULL)
        return owi_fail(OW_ERR_ARGUMENT,
                        "without a label nobody knows the classes of the model: name them "
                        "in its order (--model-classes A,B)");
    const size_t n = ow_trees_n_classes(foreign->trees);
    char *texts = owi_alloc_array(foreign->ctx, n, name_size);
    const char **names = owi_alloc_array(foreign->ctx, n, sizeof *names);
    ow_status status = texts != NULL && names != NULL ? OW_OK : OW_ERR_MEMORY;
    for (size_t c = 0; c < n && status == OW_OK; c++) {
        snprintf(texts + c * name_size, name_size, "%zu", c);
        names[c] = texts + c * name_size;
    }
    if (status == OW_OK)
        status = ow_schema_builder_set_label(builder, "decision", n, names);
    owi_free(foreign->ctx, names);
    owi_free(foreign->ctx, texts);
    return status;
}

ow_status owi_foreign_set_label(const owi_foreign *foreign, ow_schema **schema)
{
    ow_schema_builder *builder = NULL;
    ow_schema *labelled = NULL;
    OWI_TRY(ow_schema_builder_new(foreign->ctx, *schema, &builder));
    ow_status status = set_label(builder, foreign);
    if (status == OW_OK) status = ow_schema_builder_build(builder, &labelled);
    ow_schema_builder_free(builder);
    if (status != OW_OK) return status;
    ow_schema_free(*schema);
    *schema = labelled;
    return OW_OK;
}
