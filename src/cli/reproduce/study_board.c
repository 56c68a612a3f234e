/* SPDX-License-Identifier: MIT */
#include "reproduce/study_board.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "evaluating/metric_index.h"
#include "terminal/memory.h"
#include "terminal/text_build.h"

void study_board_add(study_board *board, const study_results *results)
{
    const size_t n_metrics = study_n_metrics();
    for (size_t i = 0; i < results->n; i++) {
        const study_result *result = &results->results[i];
        size_t at = 0;
        while (at < board->n && strcmp(board->lines[at].name, result->name) != 0) at++;
        if (at == study_most_lines) continue;
        study_line *line = &board->lines[at];
        if (at == board->n) {
            board->n++;
            *line = (study_line){.name = text_add(NULL, "%s", result->name)};
        }
        if (line->n_seeds == study_most_seeds) continue;
        double *figures = memory_new(n_metrics, sizeof *figures);
        memcpy(figures, result->figures, n_metrics * sizeof *figures);
        line->n_queries[line->n_seeds] = result->n_queries;
        line->figures[line->n_seeds++] = figures;
    }
}

void study_board_clear(study_board *board)
{
    for (size_t i = 0; i < board->n; i++) {
        free(board->lines[i].name);
        for (size_t k = 0; k < board->lines[i].n_seeds; k++)
            free(board->lines[i].figures[k]);
    }
    *board = (study_board){0};
}

void study_board_join(study_board *board, study_board *other)
{
    size_t n = 0;
    while (n < other->n && board->n < study_most_lines)
        board->lines[board->n++] = other->lines[n++];
    /* What has no room is cleared. */
    memmove(other->lines, other->lines + n, (other->n - n) * sizeof *other->lines);
    other->n -= n;
    study_board_clear(other);
}

double study_line_mean(const study_line *line, const char *metric, double *deviation)
{
    const size_t m = metric_index(metric);
    double sum = 0.0, squares = 0.0;
    if (deviation != NULL) *deviation = NAN;
    if (ow_metric_get(m) == NULL) return NAN;
    for (size_t k = 0; k < line->n_seeds; k++) sum += line->figures[k][m];
    const double mean = sum / (double)line->n_seeds;
    for (size_t k = 0; k < line->n_seeds; k++)
        squares += (line->figures[k][m] - mean) * (line->figures[k][m] - mean);
    if (deviation != NULL && line->n_seeds > 1)
        *deviation = sqrt(squares / (double)(line->n_seeds - 1));
    return mean;
}

char *study_line_text(const study_line *line, const char *metric)
{
    double deviation;
    const double mean = study_line_mean(line, metric, &deviation);
    if (isnan(mean)) return NULL;
    const int decimals = ow_metric_get(metric_index(metric))->decimals;
    char *text = text_add(NULL, "%.*f", decimals, mean);
    return isnan(deviation) ? text : text_add(text, " \xC2\xB1 %.*f", decimals, deviation);
}

char *study_line_queries(const study_line *line)
{
    double least = line->n_queries[0], most = least;
    for (size_t k = 1; k < line->n_seeds; k++) {
        least = fmin(least, line->n_queries[k]);
        most = fmax(most, line->n_queries[k]);
    }
    return least == most ? text_add(NULL, "%.0f", most)
                         : text_add(NULL, "%.0f to %.0f", least, most);
}

ow_status study_board_save(reproduction *r, const study_board *board)
{
    char *csv = text_add(NULL, "method,seed,queries");
    for (size_t m = 0; ow_metric_get(m) != NULL; m++)
        csv = text_add(csv, ",%s", ow_metric_get(m)->name);
    csv = text_add(csv, "\n");
    for (size_t i = 0; i < board->n; i++)
        for (size_t k = 0; k < board->lines[i].n_seeds; k++) {
            csv = text_add(csv, "%s,%zu,%.0f", board->lines[i].name, k,
                           board->lines[i].n_queries[k]);
            for (size_t m = 0; ow_metric_get(m) != NULL; m++) {
                const double figure = board->lines[i].figures[k][m];
                csv = isnan(figure) ? text_add(csv, ",") : text_add(csv, ",%.9g", figure);
            }
            csv = text_add(csv, "\n");
        }
    const ow_status status = reproduce_save(r, "results.csv", csv, strlen(csv));
    free(csv);
    return status;
}
