/* SPDX-License-Identifier: MIT */
#include "letters/letter_write.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "terminal/memory.h"
#include "terminal/message.h"
#include "terminal/text_build.h"

/* ---- Items ---- */

/* A list of lines: items of HTML, or lines with a dash. */
static char *add_line(const letter_style *style, char *list, char *line)
{
    char *escaped = style->html ? letter_escape(line) : NULL;
    list = escaped != NULL
               ? text_add(list, "%s<li>%s</li>", list != NULL ? "\n" : "", escaped)
               : text_add(list, "%s- %s", list != NULL ? "\n" : "", line);
    free(escaped);
    free(line);
    return list;
}

/* The list as a whole, or the sentence where it is empty. */
static char *end_list(const letter_style *style, char *list, const char *sentence)
{
    if (list == NULL)
        return style->html ? text_add(NULL, "<p>%s</p>", sentence)
                           : text_add(NULL, "%s", sentence);
    if (!style->html) return list;
    char *whole = text_add(NULL, "<ul>\n%s\n</ul>", list);
    free(list);
    return whole;
}

static char *value_text(const letter_style *style, const ow_schema *schema, size_t column,
                        double value)
{
    char text[256];
    ow_schema_print_value(schema, column, value, text, sizeof text);
    return text_add(NULL, "%s", text[0] != '\0' ? text : style->words->missing);
}

/* ---- Reasons ---- */

size_t letter_reasons(const reasons_about *about, size_t most, size_t *groups)
{
    size_t *order = memory_new(about->groups->n + 1, sizeof *order);
    size_t n = 0;
    reasons_order(about->groups, about->reasons, order);
    /* What is less than a tenth of the first is no principal reason. */
    while (n < most && n < about->groups->n && about->reasons->value[order[n]] < 0.0 &&
           about->reasons->value[order[n]] <= 0.1 * about->reasons->value[order[0]]) {
        groups[n] = order[n];
        n++;
    }
    free(order);
    return n;
}

/* "duration: 48", or the user's text of the column. */
static char *reason_line(const letter_style *style, const reasons_about *about,
                         size_t group)
{
    const char *text = reasons_text(about, group);
    char *line = NULL;
    if (text != NULL) return text_add(NULL, "%s", text);
    for (size_t j = 0; j < about->groups->n_columns; j++) {
        if (about->groups->of[j] != group) continue;
        char *value = value_text(style, about->schema, j, about->row[j]);
        line = text_add(line, "%s%s: %s", line != NULL ? ", " : "",
                        ow_schema_column(about->schema, j)->name, value);
        free(value);
    }
    return line;
}

static char *reasons_list(const letter_style *style, const reasons_about *about)
{
    size_t *groups = memory_new(style->most, sizeof *groups);
    const size_t n = letter_reasons(about, style->most, groups);
    char *list = NULL;
    for (size_t i = 0; i < n; i++)
        list = add_line(style, list, reason_line(style, about, groups[i]));
    free(groups);
    return end_list(style, list, style->words->no_reason);
}

/* ---- Advice ---- */

/* Two missing values are the same. */
static bool differs(double a, double b)
{
    return isnan(a) || isnan(b) ? isnan(a) != isnan(b) : a != b;
}

static char *advice_list(const letter_style *style, const reasons_about *about,
                         const ow_outcome *outcome)
{
    const double *to =
        outcome->kind == OW_OUTCOME_FOUND ? outcome->answers[0]->values : about->row;
    char *list = NULL;
    for (size_t j = 0; j < about->groups->n_columns; j++) {
        if (!differs(about->row[j], to[j])) continue;
        char *from = value_text(style, about->schema, j, about->row[j]);
        char *value = value_text(style, about->schema, j, to[j]);
        list = add_line(style, list,
                        text_add(NULL, "%s: %s %s %s",
                                 ow_schema_column(about->schema, j)->name, value,
                                 style->words->instead_of, from));
        free(from);
        free(value);
    }
    return end_list(style, list, style->words->no_advice);
}

/* ---- The letter ---- */

static char *own_text(const letter_style *style, const char *text)
{
    return style->html ? letter_escape(text) : text_add(NULL, "%s", text);
}

char *letter_write(const letter_style *style, const reasons_about *about,
                   const ow_outcome *outcome)
{
    const letter_wording *w = style->words;
    const bool found = outcome->kind == OW_OUTCOME_FOUND;
    char *title = about->id != NULL ? text_add(NULL, "%s", about->id)
                                    : text_add(NULL, "%s %zu", w->row, about->number);
    char *name = own_text(style, title), *date = own_text(style, style->date);
    char *decision =
        own_text(style, ow_schema_class_name(about->schema, (size_t)about->predicted));
    char *against = reasons_list(style, about),
         *advice = advice_list(style, about, outcome);
    const letter_place places[] = {{"language", w->code},
                                   {"subject", w->subject},
                                   {"date", date},
                                   {"name", name},
                                   {"decision_title", w->decision},
                                   {"decision", decision},
                                   {"reasons_title", w->reasons},
                                   {"reasons", against},
                                   {"advice_title", w->advice},
                                   {"advice", advice},
                                   {"remark", found ? w->remark : ""}};
    const char *template = style->template != NULL ? style->template
                           : style->html           ? letter_html
                                                   : letter_plain;
    char *unknown = NULL;
    char *letter = letter_fill(template, places, sizeof places / sizeof *places, &unknown);
    if (letter == NULL)
        message(
            OW_LOG_ERROR,
            "--template: there is no {{%s}}; there are language, subject, date, name, "
            "decision_title, decision, reasons_title, reasons, advice_title, advice and "
            "remark",
            unknown);
    free(unknown);
    free(title);
    free(name);
    free(date);
    free(decision);
    free(against);
    free(advice);
    return letter;
}
