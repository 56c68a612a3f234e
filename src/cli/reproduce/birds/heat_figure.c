/* SPDX-License-Identifier: MIT */
/* A line of pictures for each query:
 *
 *     photograph | what each method changes | a photograph of the class it is to become
 *
 * The heat of a cell of the map is the sum over its channels of |x' - x|, in each picture
 * at full strength where it is largest. */
#include "reproduce/birds/heat_figure.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "reproduce/birds/heat_boxes.h"
#include "reproduce/birds/heat_map.h"
#include "terminal/memory.h"
#include "terminal/text_build.h"

enum { side = 160, gap = 4, colours = 3, most_lines = 12 };

/* The first four are fast enough to answer every query, and to be shown in a quick run. */
static const char *const names[] = {"two-step", "guided",  "FACE",
                                    "nearest",  "Wachter", "CEM"};
enum { n_fast = 4, n_methods = sizeof names / sizeof *names };

typedef struct {
    reproduction *r;
    const study_seed *s;
    const photo_list *photos;
    ow_layout layout;
    size_t n_columns;      /* of a row                                             */
    size_t n_lines;        /* queries shown                                        */
    size_t at[most_lines]; /* which of the study's queries                         */
    int32_t targets[most_lines];
    double *queries; /* n_lines x n_columns                            */
    double *heat;    /* rows x columns of the map                      */
    heat_tally tallies[n_methods];
    ow_pixels lines[most_lines]; /* the pictures; pixels freed with free()         */
} figure;

/* ---- Which queries ---- */

/* A query of a pair, from the middle of its own, that the model calls by its class, if
 * there is one.  n_queries if the pair has none. */
static size_t choose_query(const figure *f, int32_t from, int32_t to, const int32_t *said)
{
    const int32_t *classes = ow_table_classes(f->s->rows->table);
    size_t first = f->s->n_queries, n = 0;
    for (size_t q = 0; q < f->s->n_queries; q++) {
        if (classes[f->s->number[q]] != from || f->s->targets[q] != to) continue;
        if (n++ == 0) first = q; /* the list goes pair by pair */
    }
    for (size_t i = 0; i < n; i++) {
        const size_t q = first + (n / 2 + i) % n;
        if (said[q] == from) return q;
    }
    return first + n / 2;
}

/* One query of each pair. */
static ow_status choose_queries(figure *f, const study_plan *plan)
{
    const ow_schema *schema = f->s->rows->schema;
    int32_t *said = memory_new(f->s->n_queries + 1, sizeof *said);
    const ow_predictions wanted = {.size = sizeof wanted, .classes = said};
    ow_predictor *predictor = NULL;
    ow_status status = ow_predictor_new(f->s->model, f->r->backend, &predictor);
    if (status == OW_OK)
        status = ow_predictor_predict(predictor, f->s->n_queries, f->s->queries, &f->r->how,
                                      &wanted);
    for (size_t p = 0; p < plan->n_pairs && f->n_lines < most_lines && status == OW_OK;
         p++) {
        int32_t from, to;
        /* A run on few rows may lack a class: such a pair has no line. */
        if (ow_schema_find_class(schema, plan->pairs[p].from, &from) != OW_OK ||
            ow_schema_find_class(schema, plan->pairs[p].to, &to) != OW_OK)
            continue;
        const size_t chosen = choose_query(f, from, to, said);
        if (chosen == f->s->n_queries) continue;
        memcpy(f->queries + f->n_lines * f->n_columns,
               f->s->queries + chosen * f->n_columns, f->n_columns * sizeof *f->queries);
        f->targets[f->n_lines] = to;
        f->at[f->n_lines++] = chosen;
    }
    ow_predictor_free(predictor);
    free(said);
    return status;
}

/* A training row of a class; the table's length if there is none. */
static size_t example_of(const figure *f, int32_t class_index)
{
    const ow_table *table = f->s->rows->table;
    size_t i = 0;
    while (i < ow_table_n_rows(table) &&
           (f->s->held_out[i] || ow_table_classes(table)[i] != class_index))
        i++;
    return i;
}

/* ---- Pictures ---- */

static void begin_lines(figure *f, size_t n_cells)
{
    for (size_t i = 0; i < f->n_lines; i++) {
        ow_pixels *line = &f->lines[i];
        *line = (ow_pixels){.width = n_cells * (side + gap) - gap,
                            .height = side,
                            .channels = colours};
        line->pixels = memory_new(line->width * line->height, colours);
        memset(line->pixels, 255, line->width * line->height * colours);
    }
}

/* One photograph in the middle of its cell, with heat over it if there is any. */
static ow_status put_photo(figure *f, size_t line, size_t cell, size_t row,
                           const double *heat)
{
    const photo *p = &f->photos->photos[row];
    const heat_map map = {.photo = p->path,
                          .most_side = side,
                          .rows = f->layout.height,
                          .columns = f->layout.width,
                          .heat = heat,
                          .box = f->r->boxes && p->has_box ? p->box : NULL};
    ow_pixels picture = {0}, *to = &f->lines[line];
    const ow_status status = heat_map_draw(f->r->ctx, &map, &picture);
    if (status != OW_OK) return status;
    const size_t left = cell * (side + gap) + (side - picture.width) / 2;
    const size_t top = (side - picture.height) / 2;
    for (size_t y = 0; y < picture.height; y++)
        memcpy(to->pixels + ((top + y) * to->width + left) * colours,
               picture.pixels + y * picture.width * colours, picture.width * colours);
    ow_pixels_clear(&picture);
    return OW_OK;
}

static void heat_between(const figure *f, const double *query, const double *answer)
{
    const size_t channels = f->layout.channels;
    for (size_t i = 0; i < f->layout.height * f->layout.width; i++) {
        f->heat[i] = 0.0;
        for (size_t c = 0; c < channels; c++) {
            const double change = fabs(answer[i * channels + c] - query[i * channels + c]);
            if (!isnan(change)) f->heat[i] += change;
        }
    }
}

/* Which line shows a query of the study; n_lines: none. */
static size_t line_of(const figure *f, size_t query)
{
    size_t line = 0;
    while (line < f->n_lines && f->at[line] != query) line++;
    return line;
}

/* One method's cell of every line; where it found nothing the cell stays empty.  A fast
 * method answers all queries, of which most are only counted. */
static ow_status fill_cells(figure *f, const ow_contestant *method, size_t m, size_t cell)
{
    const bool all = m < n_fast;
    const size_t n = all ? f->s->n_queries : f->n_lines;
    const double *queries = all ? f->s->queries : f->queries;
    study_answers answers;
    ow_status status = study_answers_open(f->r, f->s, method, n, queries,
                                          all ? f->s->targets : f->targets, &answers);
    for (size_t i = 0; i < n && status == OW_OK; i++) {
        const double *answer = study_answer_values(&answers, i);
        const size_t line = all ? line_of(f, i) : i;
        const size_t row = f->s->number[all ? i : f->at[i]];
        if (answer == NULL) continue;
        heat_between(f, queries + i * f->n_columns, answer);
        heat_tally_add(&f->tallies[m], &f->photos->photos[row], f->layout.height,
                       f->layout.width, f->heat);
        if (line < f->n_lines) status = put_photo(f, line, cell, row, f->heat);
    }
    study_answers_close(&answers);
    return status;
}

/* All methods, from the second cell on; the titles of those shown are the caller's. */
static ow_status fill_all(figure *f, const study_plan *plan, size_t n_shown, char **titles)
{
    ow_contestant fast[4], slow[4];
    ow_setting settings[2];
    study_group_get(plan, STUDY_FAST, fast, settings);
    ow_status status = OW_OK;
    for (size_t m = 0; m < n_shown && status == OW_OK; m++) {
        *titles = text_add(*titles, "%s%s", *titles == NULL ? "" : ", ", names[m]);
        if (m >= n_fast)
            study_group_get(plan, m == n_fast ? STUDY_WACHTER_PAPER : STUDY_CEM_PAPER, slow,
                            settings);
        status = fill_cells(f, m < n_fast ? &fast[m] : &slow[0], m, m + 1);
    }
    return status;
}

static ow_status put_examples(figure *f, size_t last_cell)
{
    ow_status status = OW_OK;
    for (size_t i = 0; i < f->n_lines && status == OW_OK; i++) {
        const size_t example = example_of(f, f->targets[i]);
        status = put_photo(f, i, 0, f->s->number[f->at[i]], NULL);
        if (status == OW_OK && example < f->photos->n)
            status = put_photo(f, i, last_cell, example, NULL);
    }
    return status;
}

/* ---- On the page ---- */

static ow_status show_line(figure *f, size_t line, size_t n_shown, const char *titles,
                           const char *note)
{
    const ow_schema *schema = f->s->rows->schema;
    const int32_t from = ow_table_classes(f->s->rows->table)[f->s->number[f->at[line]]];
    const char *to_name = ow_schema_class_name(schema, (size_t)f->targets[line]);
    char *words =
        text_add(NULL, "%s to %s: the query, %s, a photograph of %s",
                 ow_schema_class_name(schema, (size_t)from), to_name, titles, to_name);
    char *caption = text_add(NULL, "%s. %s", words, note);
    char *path = reproduce_path(f->r, "heat-%zu.png", line + 1);
    char *bytes = NULL;
    size_t size = 0;
    ow_status status = ow_png_save(f->r->ctx, &f->lines[line], path);
    if (status == OW_OK) status = ow_png_format(f->r->ctx, &f->lines[line], &bytes, &size);
    const char *columns[n_methods + 2] = {"query"};
    for (size_t m = 0; m < n_shown; m++) columns[m + 1] = names[m];
    columns[n_shown + 1] = "photograph";
    if (status == OW_OK)
        ow_page_grid(f->r->page,
                     &(ow_page_grid_content){.size = sizeof(ow_page_grid_content),
                                             .caption = caption,
                                             .words = words,
                                             .bytes = bytes,
                                             .n_bytes = size,
                                             .width = f->lines[line].width,
                                             .height = f->lines[line].height,
                                             .columns = columns,
                                             .n_columns = n_shown + 2});
    ow_bytes_free(bytes);
    free(path);
    free(caption);
    free(words);
    return status;
}

static ow_status draw(figure *f, const study_plan *plan)
{
    const size_t n_shown = f->r->quick ? n_fast : n_methods;
    char *titles = NULL;
    begin_lines(f, n_shown + 2);
    ow_status status = fill_all(f, plan, n_shown, &titles);
    if (status == OW_OK) status = put_examples(f, n_shown + 1);
    ow_page_section(f->r->page, "What each method changes");
    ow_page_text(f->r->page,
                 "Over the photograph of the query: how much each place of its feature map "
                 "changes, summed over the channels, from blue (little) over yellow to red "
                 "(most); an empty place where a method found nothing.");
    for (size_t i = 0; i < f->n_lines && status == OW_OK; i++)
        status = show_line(f, i, n_shown, titles, plan->note);
    if (status == OW_OK) status = heat_tallies_show(f->r, n_shown, names, f->tallies);
    free(titles);
    return status;
}

ow_status heat_figure_show(reproduction *r, const study_seed *s, const study_plan *plan,
                           const photo_list *photos)
{
    figure f = {.r = r,
                .s = s,
                .photos = photos,
                .layout = ow_schema_layout(s->rows->schema),
                .n_columns = ow_table_n_columns(s->rows->table)};
    f.queries = memory_new(most_lines * f.n_columns, sizeof *f.queries);
    f.heat = memory_new(f.layout.height * f.layout.width, sizeof *f.heat);
    ow_status status = choose_queries(&f, plan);
    if (status == OW_OK && f.n_lines > 0) status = draw(&f, plan);
    for (size_t i = 0; i < f.n_lines; i++) free(f.lines[i].pixels);
    free(f.queries);
    free(f.heat);
    return status;
}
