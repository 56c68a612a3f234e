/* SPDX-License-Identifier: MIT */
#include "reproduce/birds/heat_boxes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "reproduce/sheet.h"
#include "terminal/text_build.h"

/* The part of place i of n, [i/n, (i+1)/n), that lies in [low, high). */
static double covered(size_t i, size_t n, double low, double high)
{
    const double first = fmax(low, (double)i / (double)n);
    const double last = fmin(high, (double)(i + 1) / (double)n);
    return last > first ? (last - first) * (double)n : 0.0;
}

double heat_inside(const photo *p, size_t rows, size_t columns, const double *heat)
{
    const double left = p->box[0] / p->width, right = (p->box[0] + p->box[2]) / p->width;
    const double top = p->box[1] / p->height;
    const double bottom = (p->box[1] + p->box[3]) / p->height;
    double inside = 0.0, all = 0.0;
    for (size_t i = 0; i < rows; i++)
        for (size_t j = 0; j < columns; j++) {
            const double here = heat[i * columns + j];
            inside +=
                here * covered(i, rows, top, bottom) * covered(j, columns, left, right);
            all += here;
        }
    return all > 0.0 ? inside / all : NAN;
}

void heat_tally_add(heat_tally *tally, const photo *p, size_t rows, size_t columns,
                    const double *heat)
{
    if (!p->has_box) return;
    const double share = heat_inside(p, rows, columns, heat);
    const double area = p->box[2] * p->box[3] / (p->width * p->height);
    if (isnan(share)) return;
    tally->n++;
    tally->n_on += share > area;
    tally->heat += share;
    tally->area += area;
}

ow_status heat_tallies_show(reproduction *r, size_t n, const char *const *names,
                            const heat_tally *tallies)
{
    static const ow_page_column columns[] = {{"method", false},
                                             {"queries", true},
                                             {"heat in the box", true},
                                             {"its share of the area", true},
                                             {"queries with more heat than area", true}};
    sheet s = {.n_columns = sizeof columns / sizeof *columns};
    char *csv = text_add(NULL, "method,queries,heat,area,on_the_bird\n");
    for (size_t m = 0; m < n; m++) {
        const heat_tally *t = &tallies[m];
        if (t->n == 0) continue;
        const double of = (double)t->n;
        sheet_add(&s, text_add(NULL, "%s", names[m]));
        sheet_add(&s, text_add(NULL, "%zu", t->n));
        sheet_add(&s, text_add(NULL, "%.3f", t->heat / of));
        sheet_add(&s, text_add(NULL, "%.3f", t->area / of));
        sheet_add(&s, text_add(NULL, "%zu of %zu", t->n_on, t->n));
        csv = text_add(csv, "%s,%zu,%.6f,%.6f,%zu\n", names[m], t->n, t->heat / of,
                       t->area / of, t->n_on);
    }
    ow_status status = OW_OK;
    if (s.n_cells > 0) {
        sheet_show(
            &s, r->page, columns,
            "Whether the heat lies on the bird: the share of what a method changes "
            "that lies inside the bird's box, and the box's share of the photograph, "
            "which changes all over the photograph alike would have");
        status = reproduce_save(r, "heat.csv", csv, strlen(csv));
    }
    free(csv);
    return status;
}
