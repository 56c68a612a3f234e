/* SPDX-License-Identifier: MIT */
/* Images and what became of them, side by side: one line for each answer,
 *
 *     query | u | x' | x' - query
 *
 * u only where some answer has one.  The first three are as bright as they are in the data,
 * from the smallest number that any column has to the largest; in the difference white is
 * no change, red more and blue less, at full strength for the whole range.  A map with
 * three channels is shown in colour; of others, the mean over the channels. */
#include <math.h>
#include <string.h>

#include "otherwise/report.h"
#include "report/support.h"

enum {
    least_panel = 112, /* pixels of an image's longer side, if it is enlarged at all  */
    most_zoom = 8,
    gap = 6, /* between panels and around them                          */
    colours = 3
};

static const unsigned char paper = 255;
static const unsigned char missing_colour[colours] = {236, 214, 150};

typedef struct {
    const ow_model *model;
    ow_layout layout;
    size_t n_columns, zoom, n_panels;
    bool has_intermediate;
    double low, high;   /* over all columns */
    double *row;        /* one row, in original units */
    ow_pixels *picture; /* the whole */
} strip_drawing;

static void find_range(strip_drawing *d)
{
    d->low = INFINITY;
    d->high = -INFINITY;
    for (size_t j = 0; j < d->n_columns; j++) {
        const ow_column *column = ow_schema_column(ow_model_schema(d->model), j);
        d->low = fmin(d->low, column->low);
        d->high = fmax(d->high, column->high);
    }
    if (!(d->high > d->low)) d->high = d->low + 1.0;
}

static unsigned char shade(double share)
{
    return (unsigned char)lrint(255.0 * fmin(1.0, fmax(0.0, share)));
}

/* The numbers of a pixel: one for each colour, or their mean three times. */
static void pixel_of(const strip_drawing *d, const double *row, size_t pixel,
                     double value[colours])
{
    const size_t channels = d->layout.channels;
    const double *cells = row + pixel * channels;
    double sum = 0.0;
    for (size_t c = 0; c < channels; c++) sum += cells[c];
    for (size_t c = 0; c < colours; c++)
        value[c] = channels == colours ? cells[c] : sum / (double)channels;
}

static void bright(const strip_drawing *d, const double value[colours],
                   unsigned char colour[colours])
{
    for (size_t c = 0; c < colours; c++)
        colour[c] = shade((value[c] - d->low) / (d->high - d->low));
}

/* White to red for more, white to blue for less. */
static void signed_colour(const strip_drawing *d, const double from[colours],
                          const double to[colours], unsigned char colour[colours])
{
    double difference = 0.0;
    for (size_t c = 0; c < colours; c++) difference += (to[c] - from[c]) / colours;
    const double share = difference / (d->high - d->low);
    const unsigned char rest = shade(1.0 - fabs(share));
    colour[0] = share >= 0.0 ? 255 : rest;
    colour[1] = rest;
    colour[2] = share <= 0.0 ? 255 : rest;
}

static void fill(const strip_drawing *d, size_t x, size_t y,
                 const unsigned char colour[colours])
{
    for (size_t i = 0; i < d->zoom * d->zoom; i++) {
        const size_t at = (y + i / d->zoom) * d->picture->width + x + i % d->zoom;
        memcpy(d->picture->pixels + at * colours, colour, colours);
    }
}

/* One panel with its upper left corner at (x, y): a row, or (from given) how it differs
 * from another. */
static void draw_panel(const strip_drawing *d, size_t x, size_t y, const double *row,
                       const double *from)
{
    for (size_t p = 0; p < d->layout.height * d->layout.width; p++) {
        double value[colours], old[colours] = {0};
        unsigned char colour[colours];
        pixel_of(d, row, p, value);
        if (from != NULL) pixel_of(d, from, p, old);
        if (isnan(value[0] + value[1] + value[2] + old[0] + old[1] + old[2]))
            memcpy(colour, missing_colour, colours);
        else if (from != NULL)
            signed_colour(d, old, value, colour);
        else
            bright(d, value, colour);
        fill(d, x + p % d->layout.width * d->zoom, y + p / d->layout.width * d->zoom,
             colour);
    }
}

static void draw_strip(strip_drawing *d, size_t index, const ow_strip *strip)
{
    const size_t step = d->layout.width * d->zoom + gap;
    const size_t y = gap + index * (d->layout.height * d->zoom + gap);
    size_t x = gap;
    draw_panel(d, x, y, strip->query, NULL);
    if (strip->intermediate != NULL) {
        ow_model_harden(d->model, 1, strip->intermediate, d->row);
        draw_panel(d, x + step, y, d->row, NULL);
    }
    x += d->has_intermediate ? 2 * step : step;
    if (strip->values == NULL) return;
    draw_panel(d, x, y, strip->values, NULL);
    draw_panel(d, x + step, y, strip->values, strip->query);
}

/* Sizes and room for the whole picture, blank. */
static ow_status make_room(strip_drawing *d, size_t n_strips)
{
    ow_pixels *picture = d->picture;
    const size_t h = d->layout.height, w = d->layout.width;
    const size_t longer = owi_larger(h, w);
    d->zoom = owi_smaller(most_zoom, longer < least_panel ? least_panel / longer : 1);
    size_t height, n_pixels, size;
    picture->width = gap + d->n_panels * (w * d->zoom + gap);
    if (!owi_size_multiply(n_strips, h * d->zoom + gap, &height) ||
        !owi_size_multiply(height + gap, picture->width, &n_pixels) ||
        !owi_size_multiply(n_pixels, colours, &size))
        return owi_report_fail(OW_ERR_ARGUMENT, "%zu images are too many for one picture",
                               n_strips);
    picture->height = height + gap;
    picture->channels = colours;
    picture->pixels = owi_report_alloc(ow_model_context(d->model), 1, size);
    if (picture->pixels == NULL) return OW_ERR_MEMORY;
    memset(picture->pixels, paper, size);
    return OW_OK;
}

ow_status ow_report_strips(const ow_model *model, size_t n_strips, const ow_strip *strips,
                           ow_pixels *picture)
{
    OWI_REQUIRE(model != NULL && strips != NULL && n_strips > 0 && picture != NULL);
    *picture = (ow_pixels){0};
    strip_drawing d = {.model = model,
                       .layout = ow_schema_layout(ow_model_schema(model)),
                       .n_columns = ow_schema_n_columns(ow_model_schema(model)),
                       .picture = picture};
    if (d.layout.kind == OW_LAYOUT_TABLE)
        return owi_report_fail(
            OW_ERR_ARGUMENT,
            "the rows of this model are a table; only images and maps can be drawn");
    for (size_t i = 0; i < n_strips; i++)
        if (strips[i].intermediate != NULL) d.has_intermediate = true;
    d.n_panels = d.has_intermediate ? 4 : 3;
    d.row = owi_report_alloc(ow_model_context(model), d.n_columns, sizeof *d.row);
    if (d.row == NULL) return OW_ERR_MEMORY;
    find_range(&d);
    const ow_status status = make_room(&d, n_strips);
    for (size_t i = 0; status == OW_OK && i < n_strips; i++) draw_strip(&d, i, &strips[i]);
    ow_bytes_free(d.row);
    return status;
}

void ow_pixels_clear(ow_pixels *picture)
{
    ow_bytes_free(picture->pixels);
    *picture = (ow_pixels){0};
}
