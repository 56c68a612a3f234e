/* SPDX-License-Identifier: MIT */
/* Two sets of points in the plane, the paper's four-panel figure for each: what the circuit
 * learns, and where the two steps lead.  One set is dense, the other sparse: off the data
 * only the second step leads back. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reproduce/reproduce.h"
#include "terminal/memory.h"
#include "terminal/text_build.h"

typedef struct {
    const char *name, *title, *caption;
    ow_synthetic_kind kind;
    size_t n_rows;
    double noise;
    size_t depth, inputs;
} point_set;

static const point_set sets[] = {
    {"moons", "Two moons, 600 points",
     "Two moons, a dense set. The first step crosses the border between the classes; where "
     "it "
     "ends off the data, the second step leads back.",
     OW_SYNTHETIC_MOONS, 600, 0.10, 0, 16},
    {"rings", "Two rings, 120 points",
     "Two rings with few points. Between them and outside there are no data: the arrows of "
     "the second "
     "step all point to the rings.",
     OW_SYNTHETIC_RINGS, 120, 0.04, 0, 16},
};

/* The points as a CSV file, which is what models are trained on. */
static char *points_as_csv(size_t n, const double *points, const int32_t *classes)
{
    char *csv = text_add(NULL, "x,y,class\n");
    for (size_t i = 0; i < n; i++)
        csv = text_add(csv, "%.6f,%.6f,%s\n", points[2 * i], points[2 * i + 1],
                       classes[i] == 0 ? "first" : "second");
    return csv;
}

static ow_status train(reproduction *r, const point_set *set, const char *csv,
                       ow_model **model)
{
    ow_reader *reader = NULL;
    ow_schema *schema = NULL;
    ow_train_options options;
    ow_train_options_init(&options, sizeof options);
    options.regions = OW_REGIONS_RANDOM;
    options.depth = (int64_t)set->depth;
    options.inputs = (int64_t)set->inputs;
    options.test_share = 0.0;
    options.backend = r->backend;
    ow_status status =
        ow_reader_open_memory(r->ctx, csv, strlen(csv), set->name, NULL, &reader);
    if (status == OW_OK)
        status = ow_schema_infer(reader,
                                 &(ow_infer_options){.size = sizeof(ow_infer_options),
                                                     .label = "class",
                                                     .no_relations = true},
                                 &r->how, &schema);
    if (status == OW_OK) status = ow_model_train(reader, schema, &options, &r->how, model);
    ow_schema_free(schema);
    ow_reader_free(reader);
    return status;
}

static ow_status show(reproduction *r, const point_set *set, const ow_model *model,
                      const double *points, const int32_t *classes)
{
    const ow_score score = ow_model_report(model)->train;
    char name[64], *svg = NULL;
    ow_status status =
        ow_report_plane(model, set->n_rows, points, classes, set->title, &svg);
    snprintf(name, sizeof name, "%s.svg", set->name);
    if (status == OW_OK) status = reproduce_save(r, name, svg, strlen(svg));
    if (status == OW_OK) {
        ow_page_section(r->page, set->title);
        ow_page_svg(r->page, set->caption, svg);
        char *words =
            text_add(NULL,
                     "%zu points; the circuit calls %.1f %% of them by their class, at a "
                     "mean log-density of %.3f (circuit's own scale).",
                     score.n_rows, 100.0 * score.accuracy, score.log_density);
        ow_page_note(r->page, words);
        free(words);
    }
    ow_bytes_free(svg);
    return status;
}

static ow_status run_set(reproduction *r, const point_set *set)
{
    double *points = memory_new(set->n_rows, 2 * sizeof *points);
    int32_t *classes = memory_new(set->n_rows, sizeof *classes);
    ow_model *model = NULL;
    ow_status status = ow_synthetic_make(r->ctx, set->kind, set->n_rows, 2, set->noise,
                                         r->how.seed, points, classes);
    if (status == OW_OK) {
        char *csv = points_as_csv(set->n_rows, points, classes);
        status = train(r, set, csv, &model);
        free(csv);
    }
    if (status == OW_OK) status = show(r, set, model, points, classes);
    ow_model_free(model);
    free(points);
    free(classes);
    return status;
}

static ow_status run(reproduction *r)
{
    ow_status status = OW_OK;
    ow_page_text(r->page,
                 "From left to right: the points; the class that the circuit gives to each "
                 "place; the logarithm of the ratio of the two class densities, with its "
                 "gradient, along which the first step goes; the log-density, with its "
                 "gradient off the data, along which the second one goes. Arrows show "
                 "directions only.");
    for (size_t i = 0; i < sizeof sets / sizeof *sets && status == OW_OK; i++)
        status = run_set(r, &sets[i]);
    return status;
}

const reproduce_spec reproduce_toy = {
    .name = "toy",
    .summary = "two sets of points in the plane, and where the two steps lead",
    .title = "The two steps on a plane",
    .lead = "What a circuit learns from points in the plane, and where the two-step method "
            "takes them.",
    .run = run,
};
