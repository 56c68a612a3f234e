/* SPDX-License-Identifier: MIT */
#include "model/foreign/command_answer.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/compiler.h"
#include "base/text/number.h"
#include "base/text/quote.h"

/* How far the probabilities of a row may be from 0 to 1, and their sum from 1. */
static const double most_excess = 1e-3;

static void complain(owi_command_answer *answer, const char *format, ...) OWI_PRINTF(2, 3);
static void complain(owi_command_answer *answer, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(answer->wrong, sizeof answer->wrong, format, arguments);
    va_end(arguments);
    answer->is_wrong = true;
}

static bool separates(char c)
{
    return c == ',' || c == ';' || c == ' ' || c == '\t' || c == '\r';
}

/* The numbers of a line, at most n_scores of them; their number, of all. */
static size_t read_numbers(owi_command_answer *answer, double *numbers)
{
    const char *at = answer->line, *end = answer->line + answer->n_line;
    char quoted[owi_quote_size];
    size_t n = 0;
    while (at < end) {
        const char *first = at;
        double number;
        while (at < end && !separates(*at)) at++;
        if (at == first) {
            at++;
            continue;
        }
        if (!owi_parse_number(first, (size_t)(at - first), &number, NULL) ||
            !isfinite(number)) {
            complain(answer, "line %zu of its answer is %s: expected numbers",
                     answer->n_done + 1, owi_quote_text(answer->line, quoted));
            return 0;
        }
        if (n < answer->n_scores) numbers[n] = number;
        n++;
    }
    return n;
}

static void check_proba(owi_command_answer *answer, const double *proba)
{
    double sum = 0.0;
    for (size_t c = 0; c < answer->n_scores; c++) {
        sum += proba[c];
        if (proba[c] >= -most_excess && proba[c] <= 1.0 + most_excess) continue;
        complain(answer, "line %zu of its answer has %g for a probability: expected 0 to 1",
                 answer->n_done + 1, proba[c]);
        return;
    }
    if (fabs(sum - 1.0) > most_excess)
        complain(answer,
                 "the probabilities in line %zu of its answer sum to %.6g, expected 1",
                 answer->n_done + 1, sum);
}

static void take_line(owi_command_answer *answer)
{
    double *scores = answer->scores + answer->n_done * answer->n_scores;
    char quoted[owi_quote_size];
    answer->line[answer->n_line] = '\0';
    if (answer->n_done == answer->n_rows) {
        complain(answer, "it printed more than the %zu lines that %zu rows need: %s",
                 answer->n_rows, answer->n_rows, owi_quote_text(answer->line, quoted));
        return;
    }
    const size_t n = read_numbers(answer, scores);
    if (answer->is_wrong) return;
    if (n == 1 && answer->n_scores == 2 && answer->are_proba) {
        scores[1] = scores[0];
        scores[0] = 1.0 - scores[1];
    } else if (n != answer->n_scores) {
        complain(answer, "line %zu of its answer has %zu numbers, expected %zu: %s",
                 answer->n_done + 1, n, answer->n_scores,
                 owi_quote_text(answer->line, quoted));
        return;
    }
    if (answer->are_proba) check_proba(answer, scores);
    answer->n_done++;
    answer->n_line = 0;
}

bool owi_command_answer_take(void *user, const char *bytes, size_t n)
{
    owi_command_answer *answer = user;
    for (size_t i = 0; i < n && !answer->is_wrong; i++) {
        if (bytes[i] == '\n')
            take_line(answer);
        else if (answer->n_line + 1 < owi_answer_line)
            answer->line[answer->n_line++] = bytes[i];
        else
            complain(answer, "line %zu of its answer is longer than %d bytes",
                     answer->n_done + 1, owi_answer_line);
    }
    if (answer->n_line > 0 && answer->n_done == answer->n_rows && !answer->is_wrong)
        take_line(answer);
    return answer->is_wrong || answer->n_done == answer->n_rows;
}
