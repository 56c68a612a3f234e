/* SPDX-License-Identifier: MIT */
/* How far the model's probabilities can be believed: the reliability diagram of rows
 * that were not learned from, and its figures. */
#include <stdio.h>

#include "report/page.h"

enum { side = 260, left = 44, top = 10, picture_width = 320, picture_height = 316 };

/* Where a share of 0 to 1 is drawn. */
static double across(double share)
{
    return left + side * share;
}

static double down(double share)
{
    return top + side * (1.0 - share);
}

static double share_right(const ow_calibration_bin *bin)
{
    return (double)bin->n_right / (double)bin->n_rows;
}

static void add_axes(owi_markup *body)
{
    for (int i = 0; i <= 4; i++) {
        const int at = i * side / 4;
        owi_markup_add(body,
                       "<text text-anchor=\"middle\" x=\"%d\" y=\"%d\">%d</text>"
                       "<text text-anchor=\"end\" x=\"%d\" y=\"%d\">%d</text>\n",
                       left + at, top + side + 17, 25 * i, left - 6, top + side - at + 4,
                       25 * i);
    }
    owi_markup_add(body,
                   "<path class=\"axis\" d=\"M%d %dV%dH%d\"/><path class=\"axis\" "
                   "stroke-dasharray=\"5 4\" d=\"M%d %dL%d %d\"/>\n",
                   left, top, top + side, left + side, left, top + side, left + side, top);
    owi_markup_add(
        body,
        "<text text-anchor=\"middle\" x=\"%d\" y=\"%d\">probability, in %%</text>"
        "<text text-anchor=\"middle\" transform=\"translate(12 %d) "
        "rotate(-90)\">right, in %%</text>\n",
        left + side / 2, picture_height - 8, top + side / 2);
}

/* A bar for each bin that has rows, and a dot where its mean probability is. */
static void add_bars(owi_markup *body, const ow_calibration_bin *bins)
{
    for (int b = 0; b < OW_CALIBRATION_BINS; b++) {
        if (bins[b].n_rows == 0) continue;
        const double right = share_right(&bins[b]);
        owi_markup_add(body, "<rect fill=\"var(--accent)\" opacity=\"0.45\" x=\"%d\" y=\"",
                       left + b * side / OW_CALIBRATION_BINS + 1);
        owi_markup_number(body, down(right), 1);
        owi_markup_add(body, "\" width=\"%d\" height=\"", side / OW_CALIBRATION_BINS - 2);
        owi_markup_number(body, side * right, 1);
        owi_markup_add(body, "\"/><circle r=\"4\" fill=\"var(--accent)\" cx=\"");
        owi_markup_number(body, across(bins[b].probability), 1);
        owi_markup_add(body, "\" cy=\"");
        owi_markup_number(body, down(right), 1);
        owi_markup_add(body, "\"/>\n");
    }
}

static void add_picture(ow_page *page, const ow_calibration_bin *bins)
{
    owi_markup *body = &page->body;
    owi_markup_add(body,
                   "<figure><svg viewBox=\"0 0 %d %d\" width=\"%d\" role=\"img\" "
                   "aria-label=\"Reliability diagram: share of right decisions against "
                   "probability; the table beside it has the figures\">\n",
                   picture_width, picture_height, picture_width);
    add_bars(body, bins);
    add_axes(body);
    owi_markup_add(body, "</svg><figcaption class=\"caption\">Rows by the "
                         "probability of the class that they are called: how many are "
                         "right. On the dashed line probabilities are what they "
                         "say.</figcaption></figure>\n");
}

static void add_table(ow_page *page, const ow_calibration_bin *bins)
{
    static const ow_page_column columns[] = {{"probability", false},
                                             {"rows", true},
                                             {"mean, in %", true},
                                             {"right, in %", true}};
    enum { n_columns = 4, cell_size = 24 };
    char text[OW_CALIBRATION_BINS * n_columns][cell_size];
    const char *cells[OW_CALIBRATION_BINS * n_columns];
    size_t n = 0;
    for (size_t b = 0; b < OW_CALIBRATION_BINS; b++) {
        if (bins[b].n_rows == 0) continue;
        char(*line)[cell_size] = text + n * n_columns;
        snprintf(line[0], cell_size, "%zu to %zu %%", 10 * b, 10 * (b + 1));
        snprintf(line[1], cell_size, "%zu", bins[b].n_rows);
        snprintf(line[2], cell_size, "%.0f", 100.0 * bins[b].probability);
        snprintf(line[3], cell_size, "%.0f", 100.0 * share_right(&bins[b]));
        for (size_t j = 0; j < n_columns; j++) cells[n * n_columns + j] = line[j];
        n++;
    }
    ow_page_table(page, &(ow_page_table_content){.size = sizeof(ow_page_table_content),
                                                 .n_columns = n_columns,
                                                 .n_rows = n,
                                                 .columns = columns,
                                                 .cells = cells});
}

void owi_page_calibration(ow_page *page, const ow_calibration_bin *bins)
{
    size_t n_rows = 0;
    char text[200];
    for (size_t b = 0; b < OW_CALIBRATION_BINS; b++) n_rows += bins[b].n_rows;
    if (n_rows == 0) return;
    ow_page_begin_details(page, "How far probabilities can be believed");
    snprintf(text, sizeof text,
             "Over %zu rows that were not learned from, the probability that the model "
             "gives its "
             "decision is %.1f percentage points off what is right (expected calibration "
             "error).",
             n_rows, 100.0 * ow_calibration_error(bins));
    ow_page_text(page, text);
    owi_markup_add(&page->body, "<div class=\"beside\">\n");
    add_picture(page, bins);
    add_table(page, bins);
    owi_markup_add(&page->body, "</div>\n");
    ow_page_end_details(page);
}
