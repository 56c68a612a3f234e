/* SPDX-License-Identifier: MIT */
#include "output/asked.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "otherwise/json.h"
#include "otherwise/otherwise.h"
#include "terminal/environment.h"
#include "terminal/text_build.h"

enum { most_lines = 24 };

static int n_command_words;
static char *const *command_words;

void asked_remember_command(int n_words, char *const *words)
{
    n_command_words = n_words;
    command_words = words;
}

/* The lines of the table; texts are freed at the end. */
typedef struct {
    const char *names[most_lines];
    char *texts[most_lines];
    size_t n;
} lines;

static void add_line(lines *l, const char *name, char *text)
{
    if (text == NULL || l->n == most_lines) {
        free(text);
        return;
    }
    l->names[l->n] = name;
    l->texts[l->n++] = text;
}

/* As a shell would take it: words with other than plain characters are quoted. */
static char *command_in_words(void)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                "0123456789_-+=./,:@%";
    char *text = text_add(NULL, "otherwise");
    for (int i = 1; i < n_command_words; i++) {
        const char *word = command_words[i];
        if (*word != '\0' && word[strspn(word, plain)] == '\0') {
            text = text_add(text, " %s", word);
            continue;
        }
        text = text_add(text, " '");
        for (; *word != '\0'; word++)
            text = *word == '\'' ? text_add(text, "'\\''") : text_add(text, "%c", *word);
        text = text_add(text, "'");
    }
    return text;
}

/* SOURCE_DATE_EPOCH, which makes builds reproducible, stands for the clock where it is
 * set. */
static char *date_in_words(void)
{
    const char *fixed = environment_text("SOURCE_DATE_EPOCH");
    const time_t now = fixed != NULL ? (time_t)strtoll(fixed, NULL, 10) : time(NULL);
    struct tm parts;
    char text[64];
    if (gmtime_r(&now, &parts) == NULL) return NULL;
    strftime(text, sizeof text, "%Y-%m-%d %H:%M UTC", &parts);
    return text_add(NULL, "%s", text);
}

/* ---- The model and its columns ---- */

static char *model_in_words(const asked *what)
{
    char sum[OW_SHA256_SIZE];
    char *text = what->model_path != NULL ? text_add(NULL, "%s, ", what->model_path) : NULL;
    if (ow_model_sha256(what->model, sum) != OW_OK) return text;
    return text_add(text, "SHA-256 %s", sum);
}

static char *locked_in_words(const ow_schema *schema)
{
    char *text = NULL;
    for (size_t j = 0; j < ow_schema_n_columns(schema); j++)
        if (ow_schema_column(schema, j)->immutable)
            text = text_add_item(text, text != NULL ? ", " : "",
                                 ow_schema_column(schema, j)->name);
    return text != NULL ? text : text_add(NULL, "no column");
}

/* ---- What the question adds: the JSON of constraints, in words ---- */

/* between: what stands between the entries of a list. */
static char *value_in_words(char *text, const json_t *value, const char *between)
{
    if (json_is_string(value)) return text_add(text, "%s", json_string_value(value));
    if (json_is_number(value)) return text_add(text, "%.10g", json_number_value(value));
    if (json_is_null(value)) return text_add(text, "any");
    if (json_is_array(value)) {
        size_t i;
        const json_t *entry;
        json_array_foreach(value, i, entry)
        {
            if (i > 0) text = text_add(text, "%s", between);
            text = value_in_words(text, entry, ", ");
        }
        return text;
    }
    const char *key;
    json_t *entry;
    bool first = true;
    json_object_foreach((json_t *)(uintptr_t)value, key, entry)
    {
        text = text_add(text, "%s%s ", first ? "" : ", ", key);
        text = value_in_words(text, entry, between);
        first = false;
    }
    return text;
}

/* "savings: below 100, 100 to 500; purpose: car", or "duration 6 to 24; amount any to
 * 5000". */
static char *by_column(const json_t *object, const char *behind_name, const char *between)
{
    const char *name;
    json_t *value;
    char *text = NULL;
    json_object_foreach((json_t *)(uintptr_t)object, name, value)
    {
        text = text_add(text, "%s%s%s", text != NULL ? "; " : "", name, behind_name);
        text = value_in_words(text, value, between);
    }
    return text;
}

static void add_constraints(lines *l, const json_t *given)
{
    static const struct {
        const char *key, *name;
        bool is_list;
    } parts[] = {{"immutable", "Locked in addition", true},
                 {"vary", "Only these may change", true},
                 {"allow", "Allowed values", false},
                 {"moves", "Allowed moves", false},
                 {"reach", "From the row's own value", false},
                 {"monotone", "Direction", false},
                 {"cost", "Costs", false},
                 {"derive", "Formulas", false},
                 {"rules", "Conditions", true}};
    const json_t *ranges = json_object_get(given, "range");
    if (json_object_size(ranges) > 0) add_line(l, "Ranges", by_column(ranges, " ", " to "));
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        const json_t *part = json_object_get(given, parts[i].key);
        if (parts[i].is_list && json_array_size(part) > 0)
            add_line(l, parts[i].name, value_in_words(NULL, part, ", "));
        if (!parts[i].is_list && json_object_size(part) > 0)
            add_line(l, parts[i].name, by_column(part, ": ", ", "));
    }
    const json_t *most = json_object_get(given, "max_changes");
    if (json_is_integer(most))
        add_line(l, "Changes at most", value_in_words(NULL, most, ""));
}

static void add_question(lines *l, const asked *what)
{
    const ow_schema *schema = ow_model_schema(what->model);
    const ow_explain_options *options = what->options;
    char *text = NULL;
    size_t size = 0;
    add_line(l, "Wanted decision",
             options->target >= 0
                 ? text_add(NULL, "%s",
                            ow_schema_class_name(schema, (size_t)options->target))
                 : text_add(NULL, "any other than the model's"));
    if (options->least_proba > 0.0)
        add_line(l, "Probability at least", text_add(NULL, "%.10g", options->least_proba));
    add_line(l, "Typical at least",
             text_add(NULL, "more typical than %.10g %% of the rows of the wanted class%s",
                      100.0 * options->density_quantile,
                      options->density_required ? ", or there is no answer"
                                                : ", where possible"));
    add_line(l, "Locked by the schema", locked_in_words(schema));
    if (ow_constraints_json(what->ctx, what->constraints, options, &text, &size) != OW_OK)
        return;
    json_t *given = json_loadb(text, size, 0, NULL);
    add_constraints(l, given);
    json_decref(given);
    ow_bytes_free(text);
}

/* ---- The whole ---- */

void asked_add(ow_page *page, const asked *what)
{
    static const ow_page_column columns[] = {{"", false}, {"", false}};
    lines l = {0};
    const char *cells[2 * most_lines];
    if (n_command_words > 1) add_line(&l, "Command", command_in_words());
    add_line(&l, "Made", date_in_words());
    add_line(&l, "By", text_add(NULL, "otherwise %s", ow_version()));
    if (what->rows != NULL) {
        char *rows = text_add(NULL, "%s", what->rows);
        if (what->n_rows > 0) {
            rows = text_add(rows, ", ");
            rows = text_add_count(rows, what->n_rows, "row");
        }
        add_line(&l, "Rows", rows);
    }
    if (what->model != NULL) add_line(&l, "Model", model_in_words(what));
    if (what->model != NULL && what->options != NULL) add_question(&l, what);
    for (size_t i = 0; i < l.n; i++) {
        cells[2 * i] = l.names[i];
        cells[2 * i + 1] = l.texts[i];
    }
    ow_page_begin_overview(page);
    ow_page_begin_details(page, "What was asked, of which file and model, and when");
    ow_page_table(page, &(ow_page_table_content){.size = sizeof(ow_page_table_content),
                                                 .n_columns = 2,
                                                 .n_rows = l.n,
                                                 .columns = columns,
                                                 .cells = cells});
    ow_page_end_details(page);
    ow_page_end_overview(page);
    for (size_t i = 0; i < l.n; i++) free(l.texts[i]);
}
