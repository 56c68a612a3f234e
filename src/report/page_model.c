/* SPDX-License-Identifier: MIT */
/* The model's card: what it was learned from, what it is, how good it is. */
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "report/page.h"

/* ---- Facts ---- */

static void begin_facts(ow_page *page)
{
    owi_markup_add(&page->body, "<table><tbody>\n");
}

static void end_facts(ow_page *page)
{
    owi_markup_add(&page->body, "</tbody></table>\n");
}

static void add_fact(ow_page *page, const char *name, const char *value)
{
    owi_markup_add(&page->body, "<tr>");
    owi_page_cell(page, "th scope=\"row\"", "", name);
    owi_page_cell(page, "td", "", value);
    owi_markup_add(&page->body, "</tr>\n");
}

static void add_data(ow_page *page, const ow_model *model)
{
    const ow_schema *schema = ow_model_schema(model);
    char text[200];
    snprintf(text, sizeof text, "%zu rows, %zu columns%s%.80s", ow_schema_n_rows(schema),
             ow_schema_n_columns(schema), ow_schema_label(schema) != NULL ? ", label " : "",
             ow_schema_label(schema) != NULL ? ow_schema_label(schema) : "");
    add_fact(page, "Data", text);
}

static void add_density(ow_page *page, const char *name, const ow_score *score)
{
    char text[200];
    if (score->n_rows == 0) return;
    snprintf(text, sizeof text,
             "%zu rows: accuracy %.1f %%, log-loss %.3f, mean log S(x) %.2f", score->n_rows,
             100.0 * score->accuracy, score->log_loss, score->log_density);
    add_fact(page, name, text);
}

/* For those who know circuits. */
static void add_circuit(ow_page *page, const ow_model *model)
{
    const ow_train_report *report = ow_model_report(model);
    const ow_circuit *circuit = ow_model_circuit(model);
    const ow_circuit_spec *spec = ow_circuit_get_spec(circuit);
    const char *whose = spec->structure == OW_STRUCTURE_PER_CLASS
                            ? "a sub-circuit for each class"
                            : "one circuit for all classes";
    const char *plural = spec->repetitions == 1 ? "" : "s";
    char text[200];
    if (spec->parents != NULL)
        snprintf(text, sizeof text,
                 "%s, %zu tree%s of dependences between columns with %zu states", whose,
                 spec->repetitions, plural, spec->inputs);
    else
        snprintf(text, sizeof text, "%s, depth %zu, %zu repetition%s, %zu inputs", whose,
                 spec->depth, spec->repetitions, plural, spec->inputs);
    add_fact(page, "Circuit", text);
    snprintf(text, sizeof text, "%zu of leaves, %zu weights",
             ow_circuit_n_leaf_parameters(circuit), ow_circuit_n_weights(circuit));
    add_fact(page, "Parameters", text);
    add_density(page, "Training rows", &report->train);
    add_density(page, "Rows held out", &report->test);
}

static void add_quality(ow_page *page, const ow_model *model)
{
    const ow_train_report *report = ow_model_report(model);
    const ow_quality *unseen = report->unseen;
    char text[240];
    if (unseen->n_rows == 0) return;
    snprintf(
        text, sizeof text,
        "%.1f %% (%.1f to %.1f %% with 95 %% confidence); always saying %.80s: %.1f %%",
        100.0 * unseen->accuracy, 100.0 * unseen->accuracy_low,
        100.0 * unseen->accuracy_high,
        ow_schema_class_name(ow_model_schema(model), (size_t)unseen->majority_class),
        100.0 * unseen->majority);
    add_fact(page, "Accuracy", text);
    if (!isnan(unseen->auc)) {
        snprintf(text, sizeof text, "%.3f (Gini %.3f); by chance 0.500", unseen->auc,
                 2.0 * unseen->auc - 1.0);
        add_fact(page, "AUC", text);
    }
    snprintf(text, sizeof text, "%.3f", unseen->log_loss);
    add_fact(page, "Log-loss", text);
    snprintf(text, sizeof text,
             "probabilities are %.1f percentage points off (expected calibration error)",
             100.0 * ow_calibration_error(report->calibration));
    add_fact(page, "Calibration", text);
    if (unseen->n_folds > 0)
        snprintf(text, sizeof text,
                 "%zu rows, each by a model that had not learned from it (cross-validation "
                 "in %zu parts%s)",
                 unseen->n_rows, unseen->n_folds,
                 report->test.n_rows > 0 ? ", and the rows held out" : "");
    else
        snprintf(text, sizeof text, "%zu rows held out, which it had not learned from",
                 unseen->n_rows);
    add_fact(page, "Measured on", text);
}

/* ---- Confusion ---- */

static void add_confusion(ow_page *page, const ow_model *model, const size_t *confusion)
{
    const ow_schema *schema = ow_model_schema(model);
    const size_t C = ow_schema_n_classes(schema);
    owi_markup *body = &page->body;

    owi_markup_add(body, "<div class=\"scroll\" tabindex=\"0\" role=\"group\" "
                         "aria-label=\"confusion\"><table><caption class=\"caption\">What "
                         "these rows are, line by line, and what they are taken for"
                         "</caption><thead><tr><th scope=\"col\">is</th>");
    for (size_t c = 0; c < C; c++)
        owi_page_cell(page, "th scope=\"col\" class=\"number\"", "",
                      ow_schema_class_name(schema, c));
    owi_markup_add(body, "</tr></thead><tbody>\n");
    for (size_t y = 0; y < C; y++) {
        owi_markup_add(body, "<tr>");
        owi_page_cell(page, "th scope=\"row\"", "", ow_schema_class_name(schema, y));
        for (size_t c = 0; c < C; c++)
            owi_markup_add(body, "<td class=\"number%s\">%zu</td>", c == y ? " best" : "",
                           confusion[y * C + c]);
        owi_markup_add(body, "</tr>\n");
    }
    owi_markup_add(body, "</tbody></table></div>\n");
}

/* ---- Densities ---- */

enum { n_bins = 40, chart_width = 640, chart_height = 160, axis_room = 24 };

/* How often each bin between low and high is hit. */
static size_t count_bins(const float *sorted, size_t n, double low, double high,
                         size_t counts[n_bins])
{
    size_t most = 0;
    memset(counts, 0, n_bins * sizeof *counts);
    for (size_t i = 0; i < n; i++) {
        const double share = ((double)sorted[i] - low) / (high - low);
        if (!(share >= 0.0)) continue; /* the far tail, and -infinity */
        const size_t bin = share < 1.0 ? (size_t)(share * n_bins) : n_bins - 1;
        if (++counts[bin] > most) most = counts[bin];
    }
    return most;
}

static void add_histogram(ow_page *page, const char *class_name, const float *sorted,
                          size_t n)
{
    owi_markup *body = &page->body;
    size_t counts[n_bins];
    /* From the first percentile on: a few strange rows would squeeze all others
     * together. */
    const double low = (double)sorted[n / 100], high = (double)sorted[n - 1];
    if (!(high > low) || !isfinite(low)) return;
    const size_t most = count_bins(sorted, n, low, high, counts);
    const int bar = chart_width / n_bins;

    owi_markup_add(
        body,
        "<figure><svg class=\"wide\" viewBox=\"0 0 %d %d\" role=\"img\" width=\"%d\" "
        "aria-label=\"Histogram of log densities\">",
        chart_width, chart_height + axis_room, chart_width);
    for (int b = 0; b < n_bins; b++) {
        const int height = (int)((double)chart_height * (double)counts[b] / (double)most);
        owi_markup_add(body,
                       "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" "
                       "fill=\"var(--accent)\"/>",
                       b * bar, chart_height - height, bar - 1, height);
    }
    owi_markup_add(body, "<path class=\"axis\" d=\"M0 %dH%d\"/><text x=\"0\" y=\"%d\">",
                   chart_height, chart_width, chart_height + 16);
    owi_markup_number(body, low, 1);
    owi_markup_add(body, "</text><text x=\"%d\" y=\"%d\" text-anchor=\"end\">", chart_width,
                   chart_height + 16);
    owi_markup_number(body, high, 1);
    owi_markup_add(body,
                   "</text></svg><figcaption class=\"caption\">%zu real rows "
                   "of class ",
                   n);
    owi_markup_text(body, class_name, 60);
    owi_markup_add(body, " by log S(x given ");
    owi_markup_text(body, class_name, 60);
    owi_markup_add(body, "), the logarithm of their density in the model: the farther "
                         "right, the more typical.</figcaption></figure>\n");
}

static void add_densities(ow_page *page, const ow_model *model)
{
    const ow_schema *schema = ow_model_schema(model);
    ow_page_begin_details(page, "How typical real rows are");
    for (size_t c = 0; c < ow_schema_n_classes(schema); c++) {
        size_t n;
        const float *sorted = ow_model_log_densities(model, c, &n);
        if (n >= 10) add_histogram(page, ow_schema_class_name(schema, c), sorted, n);
    }
    ow_page_end_details(page);
}

/* ---- Settings ---- */

/* The training record's plain values, name by name; what is nested is told elsewhere. */
static void add_settings(ow_page *page, const ow_model *model)
{
    const char *text = ow_model_training(model), *name;
    json_t *training = NULL, *value;
    if (text != NULL) training = json_loads(text, 0, NULL);
    ow_page_begin_details(page, "The circuit, and how it was trained");
    begin_facts(page);
    add_circuit(page, model);
    json_object_foreach(training, name, value)
    {
        char number[64];
        if (json_is_number(value)) {
            snprintf(number, sizeof number, "%.6g", json_number_value(value));
            add_fact(page, name, number);
        } else if (json_is_string(value)) {
            add_fact(page, name, json_string_value(value));
        } else if (json_is_boolean(value)) {
            add_fact(page, name, json_is_true(value) ? "yes" : "no");
        }
    }
    end_facts(page);
    ow_page_end_details(page);
    json_decref(training);
}

void ow_page_model(ow_page *page, const ow_model *model)
{
    const ow_train_report report = *ow_model_report(model);
    begin_facts(page);
    add_data(page, model);
    add_quality(page, model);
    add_fact(page, "Version", ow_version());
    end_facts(page);
    if (report.unseen->n_rows > 0 && report.confusion != NULL &&
        ow_schema_n_classes(ow_model_schema(model)) <= 20)
        add_confusion(page, model, report.confusion);
    owi_page_calibration(page, report.calibration);
    owi_page_schema(page, ow_model_schema(model));
    add_densities(page, model);
    add_settings(page, model);
}
