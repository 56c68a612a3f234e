/* SPDX-License-Identifier: MIT */
/* Perturbations by level: answer less query in the space the methods work in, where a
 * category is one number for each level and the changes of a category must sum to
 * nought. */
#include "reproduce/credit_changes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "reproduce/sheet.h"
#include "terminal/memory.h"
#include "terminal/text_build.h"

/* Attributes 10, 14 and 15 of the data's own description. */
static const char *const attributes[] = {"other_debtors", "other_plans", "housing"};
static const char *const attribute_numbers[] = {"10", "14", "15"};
static const ow_contestant methods[] = {{.method = "wachter", .preset = "paper"},
                                        {.method = "cem", .preset = "paper"},
                                        {.method = "face", .preset = "paper"},
                                        {.method = "two-step", .preset = "paper"},
                                        {.method = "guided"}};
enum {
    n_attributes = sizeof attributes / sizeof *attributes,
    n_methods = sizeof methods / sizeof *methods,
    n_applicants = 3,
    most_levels = 8
};
static const double near_nought = 0.005; /* what two decimals show as nought */

typedef struct {
    const ow_schema *schema;
    ow_encoding *encoding;
    size_t width;                 /* encoded columns                             */
    size_t columns[n_attributes]; /* of the schema                               */
    size_t numbers[n_applicants]; /* rows of the table, from 0                   */
    double *queries;              /* n_applicants x schema columns               */
    double *encoded;              /* n_applicants x width                        */
    double *answers[n_methods];   /* likewise, before repair; NaN: none          */
} changes;

/* ---- Three applicants ---- */

/* Whether an applicant chosen before has the same three levels. */
static bool is_like_another(const changes *c, size_t n_chosen, size_t d, const double *row)
{
    for (size_t i = 0; i < n_chosen; i++) {
        size_t n_same = 0;
        for (size_t a = 0; a < n_attributes; a++)
            n_same += c->queries[i * d + c->columns[a]] == row[c->columns[a]];
        if (n_same == n_attributes) return true;
    }
    return false;
}

/* The first test rows with one target, called something else by the model, that differ in
 * what the table shows. */
static ow_status choose(reproduction *r, const study_seed *s, changes *c, int32_t *target,
                        size_t *n_chosen)
{
    const size_t d = ow_schema_n_columns(c->schema);
    ow_predictor *predictor = NULL;
    ow_status status = ow_predictor_new(s->model, r->backend, &predictor);
    *target = s->targets[0];
    *n_chosen = 0;
    for (size_t i = 0; i < s->n_queries && *n_chosen < n_applicants && status == OW_OK;
         i++) {
        const double *row = s->queries + i * d;
        int32_t said;
        const ow_predictions wanted = {.size = sizeof wanted, .classes = &said};
        if (s->targets[i] != *target || is_like_another(c, *n_chosen, d, row)) continue;
        status = ow_predictor_predict(predictor, 1, row, &r->how, &wanted);
        if (status != OW_OK || said == *target) continue;
        memcpy(c->queries + *n_chosen * d, row, d * sizeof *row);
        c->numbers[(*n_chosen)++] = s->number[i];
    }
    ow_predictor_free(predictor);
    return status;
}

/* ---- Answers ---- */

static ow_status answer(reproduction *r, const study_seed *s, const ow_contestant *method,
                        int32_t target, size_t n, const changes *c, double *answers)
{
    ow_explainer *explainer = NULL;
    ow_explanation *explanation = NULL;
    ow_explain_options options;
    ow_explain_options_init(&options, sizeof options);
    options.target = target;
    options.explain_failure = false;
    ow_status status =
        ow_explainer_new(&(ow_explain_model){.size = sizeof(ow_explain_model),
                                             .model = s->model,
                                             .backend = r->backend},
                         method->method, &explainer);
    if (status == OW_OK && method->preset != NULL)
        status = ow_explainer_preset(explainer, method->preset);
    if (status == OW_OK)
        status = ow_explainer_set_background(explainer, s->n_known, s->known);
    if (status == OW_OK)
        status = ow_explainer_explain(explainer, NULL, &options, n, c->queries, &r->how,
                                      &explanation);
    for (size_t i = 0; i < n && status == OW_OK; i++) {
        const ow_outcome *outcome = ow_explanation_outcome(explanation, i);
        for (size_t j = 0; j < c->width; j++)
            answers[i * c->width + j] =
                outcome->n_answers > 0 ? (double)outcome->answers[0]->soft[j] : NAN;
    }
    ow_explanation_free(explanation);
    ow_explainer_free(explainer);
    return status;
}

/* Mean distance between two of n encoded rows. */
static double spread(const changes *c, size_t n, const double *rows)
{
    double sum = 0.0;
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < i; k++) {
            double squares = 0.0;
            for (size_t j = 0; j < c->width; j++) {
                const double apart = rows[i * c->width + j] - rows[k * c->width + j];
                squares += apart * apart;
            }
            sum += sqrt(squares);
        }
    return 2.0 * sum / ((double)n * (double)(n - 1));
}

/* ---- Table and file ---- */

/* To so many parts of one.  Adding nought makes of a minus nought a plain one. */
static double rounded(double change, double parts)
{
    return round(change * parts) / parts + 0.0;
}

/* One method, one applicant, one attribute: a cell for each level and one for their sum.
 * Green where changes make up for each other, red where they do not, as in the paper. */
static char *add_attribute(const changes *c, size_t applicant, size_t method,
                           size_t attribute, sheet *table, char *csv)
{
    const ow_column *column = ow_schema_column(c->schema, c->columns[attribute]);
    size_t first, width;
    double sum = 0.0, largest = 0.0;
    ow_encoding_span(c->encoding, c->columns[attribute], &first, &width);
    const double *query = c->encoded + applicant * c->width + first;
    const double *answer = c->answers[method] + applicant * c->width + first;
    for (size_t k = 0; k < width; k++) {
        sum += answer[k] - query[k];
        largest = fmax(largest, fabs(answer[k] - query[k]));
    }
    const bool wrong = fabs(sum) > near_nought;
    const ow_page_tone tone = wrong                   ? OW_TONE_BAD
                              : largest > near_nought ? OW_TONE_GOOD
                                                      : OW_TONE_NONE;
    for (size_t k = 0; k < width; k++) {
        const double change = rounded(answer[k] - query[k], 1e4);
        sheet_add_toned(table,
                        isnan(change) ? NULL : text_add(NULL, "%.2f", rounded(change, 1e2)),
                        tone);
        csv = text_add(csv, "%zu,%s,%s,%s,%.0f,", c->numbers[applicant] + 1,
                       methods[method].method, column->name, column->levels[k], query[k]);
        csv = isnan(change) ? text_add(csv, "\n") : text_add(csv, "%.4f\n", change);
    }
    char *words = isnan(sum) ? NULL : text_add(NULL, "%.2f", wrong ? sum : 0.0);
    sheet_add_toned(table, wrong ? text_add(words, " wrong") : words, tone);
    return csv;
}

/* The applicant's own levels. */
static void add_query(const changes *c, size_t applicant, sheet *table)
{
    sheet_add(table, text_add(NULL, "%zu", c->numbers[applicant] + 1));
    sheet_add(table, text_add(NULL, "query"));
    for (size_t a = 0; a < n_attributes; a++) {
        size_t first, width;
        ow_encoding_span(c->encoding, c->columns[a], &first, &width);
        for (size_t k = 0; k < width; k++)
            sheet_add(table,
                      text_add(NULL, "%.0f", c->encoded[applicant * c->width + first + k]));
        sheet_add(table, NULL);
    }
}

static ow_status show_table(reproduction *r, const changes *c, size_t n)
{
    ow_page_column columns[2 + n_attributes * (most_levels + 1)] = {{"applicant", false},
                                                                    {"method", false}};
    char *titles[n_attributes * most_levels];
    size_t n_columns = 2, n_titles = 0;
    char *csv = text_add(NULL, "applicant,method,column,level,query,change\n");
    for (size_t a = 0; a < n_attributes; a++) {
        const ow_column *column = ow_schema_column(c->schema, c->columns[a]);
        for (size_t k = 0; k < column->n_levels; k++) {
            titles[n_titles] =
                text_add(NULL, "%s: %s", attribute_numbers[a], column->levels[k]);
            columns[n_columns++] = (ow_page_column){titles[n_titles++], true};
        }
        columns[n_columns++] = (ow_page_column){"sum", true};
    }
    sheet table = {.n_columns = n_columns};
    for (size_t i = 0; i < n; i++) {
        add_query(c, i, &table);
        for (size_t m = 0; m < n_methods; m++) {
            sheet_add(&table, text_add(NULL, "%zu", c->numbers[i] + 1));
            sheet_add(&table, text_add(NULL, "%s", methods[m].method));
            for (size_t a = 0; a < n_attributes; a++)
                csv = add_attribute(c, i, m, a, &table, csv);
        }
    }
    sheet_show(
        &table, r->page, columns,
        "What each method adds to the levels of other_debtors (10), other_plans (14) "
        "and housing (15) of three applicants, before repair, in the paper's "
        "settings. A level that is gained must be lost by another: green where the changes "
        "of "
        "an attribute sum to nought, red and marked where they do not");
    const ow_status status = reproduce_save(r, "perturbations.csv", csv, strlen(csv));
    for (size_t i = 0; i < n_titles; i++) free(titles[i]);
    free(csv);
    return status;
}

/* The answers of two-step, whatever was asked, are one and the same. */
static void tell_collapse(reproduction *r, const changes *c, size_t n)
{
    char *text = text_add(
        NULL,
        "Query and perturbation together are the answer, and for two-step it is the same "
        "one whoever asks: with leaves of variance 1 and a second step of 1 the method "
        "ends at the mean of the leaves, a prototype that no applicant has asked for. The "
        "paper's table shows the same: its three queries and perturbations add up to one "
        "vector. A high density is what a prototype has. These %zu applicants are %.2f "
        "apart in the mean; their answers, by method: ",
        n, spread(c, n, c->encoded));
    for (size_t m = 0; m < n_methods; m++) {
        const double apart = spread(c, n, c->answers[m]);
        text = text_add(text, m == 0 ? "%s " : ", %s ", methods[m].method);
        text = isnan(apart) ? text_add(text, "not all answered")
                            : text_add(text, "%.3f", apart);
    }
    text = text_add(text, ". The column \"collapse\" above says it for all queries.");
    ow_page_text(r->page, text);
    free(text);
}

/* ---- The whole ---- */

static ow_status find_columns(changes *c)
{
    ow_status status = OW_OK;
    for (size_t a = 0; a < n_attributes && status == OW_OK; a++)
        status = ow_schema_find_column(c->schema, attributes[a], &c->columns[a]);
    return status;
}

ow_status credit_changes_show(reproduction *r, const study_seed *s)
{
    changes c = {.schema = s->rows->schema};
    int32_t target = -1;
    size_t n = 0;
    if (s->n_queries == 0) return OW_OK;
    ow_status status = ow_encoding_new(r->ctx, c.schema, OW_CATEGORY_ONE_HOT, &c.encoding);
    if (status == OW_OK) status = find_columns(&c);
    if (status != OW_OK) goto done;
    c.width = ow_encoding_width(c.encoding);
    c.queries = memory_new(n_applicants * ow_schema_n_columns(c.schema), sizeof(double));
    c.encoded = memory_new(n_applicants * c.width, sizeof(double));
    status = choose(r, s, &c, &target, &n);
    if (status != OW_OK || n < 2) goto done;
    ow_encoding_encode(c.encoding, n, c.queries, c.encoded);
    for (size_t m = 0; m < n_methods && status == OW_OK; m++) {
        c.answers[m] = memory_new(n * c.width, sizeof(double));
        status = answer(r, s, &methods[m], target, n, &c, c.answers[m]);
    }
    if (status != OW_OK) goto done;
    ow_page_section(r->page, "Perturbations, and the collapse of two-step");
    status = show_table(r, &c, n);
    tell_collapse(r, &c, n);
done:
    for (size_t m = 0; m < n_methods; m++) free(c.answers[m]);
    free(c.encoded);
    free(c.queries);
    ow_encoding_free(c.encoding);
    return status;
}
