/* SPDX-License-Identifier: MIT */
#include "reproduce/digit_figures.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "terminal/memory.h"
#include "terminal/text_build.h"

enum { side = 28, n_pixels = side * side, scale = 3, cell = side * scale, gap = 2 };
static const double full_ink = 255.0;

/* ---- A grid of images ---- */

typedef struct {
    ow_pixels picture; /* pixels freed with free() */
} grid;

static void grid_init(grid *g, size_t columns, size_t lines)
{
    g->picture = (ow_pixels){.width = columns * (cell + gap) - gap,
                             .height = lines * (cell + gap) - gap,
                             .channels = 3};
    const size_t size = g->picture.width * g->picture.height * 3;
    g->picture.pixels = memory_new(size, 1);
    memset(g->picture.pixels, 255, size);
}

static unsigned char shade(double share)
{
    return (unsigned char)lrint(255.0 * fmin(1.0, fmax(0.0, share)));
}

/* Ink on paper.  With from, what was added to it: red more ink, blue less. */
static void colour_of(const double *row, const double *from, size_t pixel,
                      unsigned char colour[3])
{
    const double ink = row[pixel] / full_ink;
    if (from == NULL) {
        memset(colour, shade(1.0 - ink), 3);
        return;
    }
    const double change = ink - from[pixel] / full_ink;
    colour[0] = shade(change < 0.0 ? 1.0 + change : 1.0);
    colour[1] = shade(1.0 - fabs(change));
    colour[2] = shade(change > 0.0 ? 1.0 - change : 1.0);
}

/* row NULL: no answer, a grey cell. */
static void put_image(grid *g, size_t line, size_t column, const double *row,
                      const double *from)
{
    for (size_t y = 0; y < cell; y++)
        for (size_t x = 0; x < cell; x++) {
            unsigned char *pixel =
                g->picture.pixels + 3 * ((line * (cell + gap) + y) * g->picture.width +
                                         column * (cell + gap) + x);
            if (row == NULL)
                memset(pixel, 230, 3);
            else
                colour_of(row, from, y / scale * side + x / scale, pixel);
        }
}

/* With the names of its lines (NULL: none) and columns. */
static ow_status show_grid(reproduction *r, const grid *g, const char *name,
                           const char *const *lines, const char *const *columns,
                           const char *caption)
{
    char *bytes = NULL, *path = reproduce_path(r, "%s", name);
    size_t size = 0;
    ow_status status = ow_png_save(r->ctx, &g->picture, path);
    if (status == OW_OK) status = ow_png_format(r->ctx, &g->picture, &bytes, &size);
    if (status == OW_OK)
        ow_page_grid(r->page, &(ow_page_grid_content){
                                  .size = sizeof(ow_page_grid_content),
                                  .caption = caption,
                                  .words = caption,
                                  .bytes = bytes,
                                  .n_bytes = size,
                                  .width = g->picture.width,
                                  .height = g->picture.height,
                                  .lines = lines,
                                  .n_lines = (g->picture.height + gap) / (cell + gap),
                                  .columns = columns,
                                  .n_columns = (g->picture.width + gap) / (cell + gap)});
    ow_bytes_free(bytes);
    free(path);
    return status;
}

/* ---- Which queries ---- */

/* n queries of a kind that the model calls by their class, from the middle of them on, as
 * numbers of the study's queries. */
static ow_status find_queries(reproduction *r, const study_seed *s, const char *from,
                              const char *to, size_t n, size_t *found, size_t *n_found)
{
    int32_t y, t;
    const int32_t *classes = ow_table_classes(s->rows->table);
    ow_predictor *predictor = NULL;
    ow_status status = ow_schema_find_class(s->rows->schema, from, &y);
    if (status == OW_OK) status = ow_schema_find_class(s->rows->schema, to, &t);
    if (status == OW_OK) status = ow_predictor_new(s->model, r->backend, &predictor);
    size_t n_kind = 0, at = 0;
    for (size_t q = 0; q < s->n_queries && status == OW_OK; q++)
        n_kind += classes[s->number[q]] == y && s->targets[q] == t;
    *n_found = 0;
    for (size_t q = 0; q < s->n_queries && *n_found < n && status == OW_OK; q++) {
        int32_t said;
        const ow_predictions wanted = {.size = sizeof wanted, .classes = &said};
        if (classes[s->number[q]] != y || s->targets[q] != t) continue;
        if (at++ < n_kind / 2) continue;
        status =
            ow_predictor_predict(predictor, 1, s->queries + q * n_pixels, &r->how, &wanted);
        if (status == OW_OK && said == y) found[(*n_found)++] = q;
    }
    ow_predictor_free(predictor);
    return status;
}

/* ---- Queries against methods ---- */

/* The paper's columns: three of each kind. */
static const char *const kinds[][2] = {{"1", "4"}, {"7", "4"}, {"3", "8"}, {"8", "3"}};
static const ow_contestant methods[] = {{.method = "wachter", .preset = "paper"},
                                        {.method = "face", .preset = "paper"},
                                        {.method = "nearest"},
                                        {.method = "two-step"},
                                        {.method = "guided"},
                                        {.method = "cem", .preset = "paper"}};
enum {
    n_kinds = sizeof kinds / sizeof *kinds,
    of_each = 3,
    most_shown = n_kinds * of_each,
    n_methods = sizeof methods / sizeof *methods
};

static ow_status choose_shown(reproduction *r, const study_seed *s, size_t *shown,
                              size_t *n_shown)
{
    ow_status status = OW_OK;
    *n_shown = 0;
    for (size_t k = 0; k < n_kinds && status == OW_OK; k++) {
        size_t n;
        status = find_queries(r, s, kinds[k][0], kinds[k][1], r->quick ? 1 : of_each,
                              shown + *n_shown, &n);
        *n_shown += n;
    }
    return status;
}

static ow_status fill_line(reproduction *r, const study_seed *s, size_t method, size_t n,
                           const double *queries, const int32_t *targets, grid *g)
{
    study_answers answers;
    const ow_status status =
        study_answers_open(r, s, &methods[method], n, queries, targets, &answers);
    for (size_t i = 0; i < n && status == OW_OK; i++)
        put_image(g, method + 1, i, study_answer_values(&answers, i), NULL);
    study_answers_close(&answers);
    return status;
}

static ow_status show_methods(reproduction *r, const study_seed *s)
{
    /* CEM, the last, trains an autoencoder and takes thousands of steps. */
    const size_t n_lines = r->quick ? n_methods - 1 : n_methods;
    double queries[most_shown][n_pixels];
    int32_t targets[most_shown];
    size_t shown[most_shown], n;
    ow_status status = choose_shown(r, s, shown, &n);
    if (status != OW_OK || n == 0) return status;
    grid g;
    grid_init(&g, n, n_lines + 1);
    for (size_t i = 0; i < n; i++) {
        memcpy(queries[i], s->queries + shown[i] * n_pixels, sizeof queries[i]);
        targets[i] = s->targets[shown[i]];
        put_image(&g, 0, i, queries[i], NULL);
    }
    for (size_t m = 0; m < n_lines && status == OW_OK; m++)
        status = fill_line(r, s, m, n, queries[0], targets, &g);
    ow_page_section(r->page, "Queries against methods");
    const char *lines[n_methods + 1] = {"query"}, *columns[most_shown];
    char wanted[most_shown][32];
    for (size_t m = 0; m < n_lines; m++) lines[m + 1] = methods[m].method;
    for (size_t i = 0; i < n; i++) {
        snprintf(wanted[i], sizeof wanted[i], "to %.20s",
                 ow_schema_class_name(s->rows->schema, (size_t)targets[i]));
        columns[i] = wanted[i];
    }
    if (status == OW_OK)
        status = show_grid(
            r, &g, "methods.png", lines, columns,
            r->quick
                ? "A 1 to become a 4, a 7 a 4, a 3 an 8 and an 8 a 3. From top to "
                  "bottom: the queries, Wachter in the paper's settings, FACE, "
                  "nearest, two-step and guided; the run without --quick has three of "
                  "each and CEM."
                : "Three times a 1 to become a 4, a 7 a 4, a 3 an 8 and an 8 a 3, as in "
                  "the paper. From top to bottom: the queries, Wachter in the paper's "
                  "settings, FACE, nearest, two-step, guided, and CEM in the paper's "
                  "settings, which is content with any other digit.");
    free(g.picture.pixels);
    return status;
}

/* ---- Step by step ---- */

static ow_status draw_steps(reproduction *r, const double *query, const double *u,
                            const double *answer)
{
    grid g;
    grid_init(&g, 5, 1);
    put_image(&g, 0, 0, query, NULL);
    put_image(&g, 0, 1, u, query);
    put_image(&g, 0, 2, u, NULL);
    put_image(&g, 0, 3, answer, u);
    put_image(&g, 0, 4, answer, NULL);
    ow_page_section(r->page, "Step by step");
    static const char *const columns[] = {"query", "first step", "u", "second step", "x'"};
    const ow_status status = show_grid(
        r, &g, "steps.png", NULL, columns,
        "A 1 that becomes a 7: the query; the first step, red where it adds ink and blue "
        "where it takes some away; u, where it leads; the second step; and x'.");
    free(g.picture.pixels);
    return status;
}

/* The first 1 that becomes a 7, of some. */
static ow_status show_steps(reproduction *r, const study_seed *s)
{
    enum { most = 20 };
    static const ow_contestant two_step = {.method = "two-step"};
    double queries[most][n_pixels], u[n_pixels];
    int32_t targets[most];
    size_t found[most], n, drawn = 0;
    study_answers answers = {0};
    ow_status status = find_queries(r, s, "1", "7", most, found, &n);
    if (status != OW_OK || n == 0) return status;
    for (size_t i = 0; i < n; i++) {
        memcpy(queries[i], s->queries + found[i] * n_pixels, sizeof queries[i]);
        targets[i] = s->targets[found[i]];
    }
    status = study_answers_open(r, s, &two_step, n, queries[0], targets, &answers);
    for (size_t i = 0; i < n && status == OW_OK && drawn == 0; i++) {
        const ow_outcome *outcome = ow_explanation_outcome(answers.explanation, i);
        if (outcome->n_answers == 0 || !outcome->answers[0]->valid) continue;
        const ow_counterfactual *answer = outcome->answers[0];
        ow_model_harden(s->model, 1, answer->intermediate, u);
        status = draw_steps(r, queries[i], u, answer->values);
        drawn++;
    }
    study_answers_close(&answers);
    return status;
}

ow_status digit_figures_show(reproduction *r, const study_seed *s)
{
    const ow_status status = show_methods(r, s);
    return status == OW_OK ? show_steps(r, s) : status;
}
