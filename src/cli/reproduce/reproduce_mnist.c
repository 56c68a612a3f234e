/* SPDX-License-Identifier: MIT */
/* MNIST: digits 1 3 4 7 8 of all 70,000 images, four pairs in both directions; tables, the figure of queries against methods, and the
 * two steps of a 1 that becomes a 7. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "memory.h"
#include "reproduce/study.h"
#include "text_build.h"

static const char *const digits[] = {"1", "3", "4", "7", "8"};
static const study_pair pairs[] = {{"1", "4"}, {"4", "1"}, {"1", "7"}, {"7", "1"},
                                   {"3", "8"}, {"8", "3"}, {"7", "4"}, {"4", "7"}};
static const study_paper paper = {.log_density = {-738.51, -735.13, -733.73, -725.13},
                                  .success = {1.00, 0.90, 0.54, 0.71},
                                  .seconds = {181, 216, 281, 27},
                                  .accuracy = 0.98};

enum { n_pixels = 784, side = 28 };

/* ---- Rows ---- */

/* The images of these digits in one of the two published files. */
static ow_status read_part(reproduction *r, const char *part, study_rows *rows)
{
    char *images = text_add(NULL, "%s/mnist/%s-images-idx3-ubyte.gz", r->data, part);
    char *labels = text_add(NULL, "%s/mnist/%s-labels-idx1-ubyte.gz", r->data, part);
    const study_source source = {.path = images,
                                 .read = {.labels = labels},
                                 .infer = {.label = "label"},
                                 .classes = digits,
                                 .n_classes = sizeof digits / sizeof *digits};
    const ow_status status = study_rows_read(r->ctx, &source, rows);
    free(images);
    free(labels);
    return status;
}

/* Both parts as one array below work/, with a file of labels beside it. */
static ow_status write_joined(reproduction *r, const study_rows parts[2],
                              const char *images, const char *labels)
{
    const size_t n[2] = {ow_table_n_rows(parts[0].table), ow_table_n_rows(parts[1].table)};
    const size_t shape[3] = {n[0] + n[1], side, side};
    unsigned char *pixels = memory_new(shape[0], n_pixels);
    char *text = memory_new(shape[0] + 1, 8);
    size_t at = 0, size = 0;
    for (size_t p = 0; p < 2; p++)
        for (size_t i = 0; i < n[p]; i++, at++) {
            const double *row = ow_table_row(parts[p].table, i);
            const int32_t class_index = ow_table_classes(parts[p].table)[i];
            for (size_t j = 0; j < n_pixels; j++)
                pixels[at * n_pixels + j] = (unsigned char)row[j];
            size +=
                (size_t)sprintf(text + size, "%s\n",
                                ow_schema_class_name(parts[p].schema, (size_t)class_index));
        }
    ow_status status = ow_npy_write(r->ctx, images, OW_NPY_UINT8, 3, shape, pixels);
    if (status == OW_OK) status = reproduce_save(r, labels, text, size);
    free(pixels);
    free(text);
    return status;
}

static ow_status read_digits(reproduction *r, study_rows *rows)
{
    study_rows parts[2] = {{0}};
    char *images = reproduce_path(r, "work/digits.npy");
    char *labels = reproduce_path(r, "work/digits.txt");
    ow_status status = reproduce_work_folder(r);
    if (status == OW_OK) status = read_part(r, "train", &parts[0]);
    if (status == OW_OK) status = read_part(r, "t10k", &parts[1]);
    if (status == OW_OK) status = write_joined(r, parts, images, "work/digits.txt");
    study_rows_clear(&parts[0]);
    study_rows_clear(&parts[1]);
    const study_source source = {.path = images,
                                 .read = {.labels = labels},
                                 .infer = {.label = "label"}};
    if (status == OW_OK) status = study_rows_read(r->ctx, &source, rows);
    free(images);
    free(labels);
    return status;
}

/* ---- Pictures ---- */

static const ow_contestant shown_methods[] = {{.method = "two-step"},
                                              {.method = "guided"},
                                              {.method = "face", .preset = "paper"},
                                              {.method = "nearest"},
                                              {.method = "wachter", .preset = "paper"},
                                              {.method = "cem", .preset = "paper"}};
enum {
    n_shown = sizeof shown_methods / sizeof *shown_methods,
    most_queries_shown = 12,
    quick_queries_shown = 4,
    scale = 3
};

/* Grey cells of a grid: the first line the queries, then one line for each method. */
typedef struct {
    size_t columns, lines;
    ow_pixels picture;
} grid;

static void put_image(grid *g, size_t line, size_t column, const double *row)
{
    for (size_t y = 0; y < side * scale; y++)
        for (size_t x = 0; x < side * scale; x++) {
            const double ink = row == NULL ? 0.0 : row[y / scale * side + x / scale];
            const double grey = 255.0 - (ink < 0.0 ? 0.0 : ink > 255.0 ? 255.0 : ink);
            const size_t at_x = column * (side * scale + 2) + x;
            const size_t at_y = line * (side * scale + 2) + y;
            g->picture.pixels[at_y * g->picture.width + at_x] =
                row == NULL ? 230 : (unsigned char)grey;
        }
}

static void grid_init(grid *g, size_t columns, size_t lines)
{
    *g = (grid){.columns = columns, .lines = lines};
    g->picture = (ow_pixels){.width = columns * (side * scale + 2),
                             .height = lines * (side * scale + 2),
                             .channels = 1};
    g->picture.pixels = memory_new(g->picture.width, g->picture.height);
    memset(g->picture.pixels, 255, g->picture.width * g->picture.height);
}

static ow_status show_grid(reproduction *r, grid *g, const char *name, const char *caption)
{
    char *bytes = NULL, *path = reproduce_path(r, "%s", name);
    size_t size = 0;
    ow_status status = ow_png_save(r->ctx, &g->picture, path);
    if (status == OW_OK) status = ow_png_format(r->ctx, &g->picture, &bytes, &size);
    if (status == OW_OK) ow_page_png(r->page, caption, caption, bytes, size, true);
    ow_text_free(r->ctx, bytes);
    free(path);
    free(g->picture.pixels);
    return status;
}

/* One method's line of the figure. */
static ow_status fill_line(reproduction *r, const study_seed *s, size_t method, size_t n,
                           const double *queries, const int32_t *targets, grid *g)
{
    study_answers answers;
    const ow_status status =
        study_answers_open(r, s, &shown_methods[method], n, queries, targets, &answers);
    for (size_t i = 0; i < n && status == OW_OK; i++)
        put_image(g, method + 1, i, study_answer_values(&answers, i));
    study_answers_close(&answers);
    return status;
}

/* Some queries, evenly over the pairs, and below each what every method makes of it. */
static ow_status show_methods(reproduction *r, const study_seed *s)
{
    const size_t n_queries_shown = r->quick ? quick_queries_shown : most_queries_shown;
    /* CEM, the last, trains an autoencoder and takes seconds for each query. */
    const size_t n_lines = r->quick ? n_shown - 1 : n_shown;
    double *queries = memory_new(n_queries_shown, n_pixels * sizeof *queries);
    int32_t targets[most_queries_shown];
    grid g;
    ow_status status = OW_OK;
    grid_init(&g, n_queries_shown, n_lines + 1);
    for (size_t i = 0; i < n_queries_shown; i++) {
        const size_t at = (2 * i + 1) * s->n_queries / (2 * n_queries_shown);
        memcpy(queries + i * n_pixels, s->queries + at * n_pixels,
               n_pixels * sizeof *queries);
        targets[i] = s->targets[at];
        put_image(&g, 0, i, queries + i * n_pixels);
    }
    for (size_t m = 0; m < n_lines && status == OW_OK; m++)
        status = fill_line(r, s, m, n_queries_shown, queries, targets, &g);
    ow_page_section(r->page, "Queries against methods");
    if (status == OW_OK)
        status = show_grid(
            r, &g, "methods.png",
            r->quick ? "From top to bottom: the queries, two-step, guided, FACE, nearest "
                       "and Wachter in the paper's settings; the run without --quick "
                       "has twelve queries and CEM. Grey: no answer."
                     : "From top to bottom: the queries, two-step, guided, FACE, "
                       "nearest, Wachter and CEM in the paper's settings. Grey: no "
                       "answer.");
    else
        free(g.picture.pixels);
    free(queries);
    return status;
}

/* A 1 that becomes a 7: query, u and x'. */
static ow_status show_steps(reproduction *r, const study_seed *s)
{
    const int32_t seven = ow_schema_find_class(s->rows->schema, "7");
    const int32_t one = ow_schema_find_class(s->rows->schema, "1");
    const int32_t *classes = ow_table_classes(s->rows->table);
    size_t at = 0;
    while (at < s->n_queries && !(classes[s->number[at]] == one && s->targets[at] == seven))
        at++;
    if (at == s->n_queries) return OW_OK;
    const double *query = s->queries + at * n_pixels;
    ow_explainer *explainer = NULL;
    ow_explanation *explanation = NULL;
    ow_explain_options options = ow_explain_defaults();
    options.target = seven;
    ow_status status =
        ow_explainer_new(&(ow_explain_model){.model = s->model, .backend = r->backend},
                         "two-step", &explainer);
    if (status == OW_OK)
        status = ow_explain(explainer, NULL, &options, 1, query, &explanation);
    const ow_outcome *outcome =
        status == OW_OK ? ow_explanation_outcome(explanation, 0) : NULL;
    if (outcome != NULL && outcome->n_answers > 0) {
        const ow_strip strip = {query, outcome->answers[0].intermediate,
                                outcome->answers[0].values};
        ow_pixels picture = {0};
        char *bytes = NULL, *path = reproduce_path(r, "steps.png");
        size_t size = 0;
        status = ow_report_strips(s->model, 1, &strip, &picture);
        if (status == OW_OK) status = ow_png_save(r->ctx, &picture, path);
        if (status == OW_OK) status = ow_png_format(r->ctx, &picture, &bytes, &size);
        if (status == OW_OK) {
            ow_page_section(r->page, "Step by step");
            ow_page_png(r->page,
                        "A 1 that becomes a 7: the query, u after the first step, x' after "
                        "the second, and the difference between x' and the query.",
                        "A one, the point after the first step, the seven, the difference",
                        bytes, size, true);
        }
        ow_text_free(r->ctx, bytes);
        ow_pixels_clear(r->ctx, &picture);
        free(path);
    }
    ow_explanation_free(explanation);
    ow_explainer_free(explainer);
    return status;
}

static ow_status run(reproduction *r)
{
    study_plan plan = {.title = "MNIST, digits 1 3 4 7 8, four pairs in both directions",
                       .pairs = pairs,
                       .n_pairs = sizeof pairs / sizeof *pairs,
                       .paper = &paper,
                       .training = study_paper_training(19, 20, true),
                       .most_known = 2000,
                       .ablate = true,
                       .network = true};
    study_usual_sizes(&plan, 4);
    study_rows rows = {0};
    study_seed first = {0};
    ow_status status = read_digits(r, &rows);
    if (status == OW_OK) status = study_run(r, &plan, &rows, &first);
    if (status == OW_OK) status = show_methods(r, &first);
    if (status == OW_OK) status = show_steps(r, &first);
    study_seed_close(&first);
    study_rows_clear(&rows);
    return status;
}

const reproduce_spec reproduce_mnist = {
    .name = "mnist",
    .summary = "MNIST digits: tables, queries against methods, and the two steps",
    .title = "MNIST",
    .lead = "The paper's experiment on handwritten digits, its figures beside ours.",
    .dataset = "mnist",
    .tunes = true,
    .run = run,
};
