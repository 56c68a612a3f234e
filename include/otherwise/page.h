/* SPDX-License-Identifier: MIT */
/* Pages for people: one HTML file that needs no other and no network, light and dark,
 * readable on a phone and on paper.
 *
 *     ow_page *page = NULL;
 *     ow_status st = ow_page_new(ctx, "Refused applicants",
 *                                "What would change the decision.", &page);
 *     if (st == OW_OK) {
 *         ow_page_section(page, "The model");
 *         ow_page_model(page, model);
 *         st = ow_page_save(page, "report/index.html");
 *     }
 *     ow_page_free(page);
 *
 * It is put together piece by piece, from top to bottom; the first failure sticks, and
 * ow_page_save returns it. Threads: one thread for each page. */
#ifndef OTHERWISE_PAGE_H
#define OTHERWISE_PAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "otherwise/evaluate.h"
#include "otherwise/explain.h"
#include "otherwise/model.h"
#include "otherwise/status.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ow_page ow_page;

/* lead, a sentence below the title, may be NULL. */
OW_API OW_MUST_CHECK ow_status ow_page_new(ow_context *ctx, const char *title,
                                           const char *lead, ow_page **out);
/* Does nothing for NULL. */
OW_API void ow_page_free(ow_page *page);

/* Another sentence below the title, behind those that stand there: for what is known only
 * at the end. */
OW_API void ow_page_add_lead(ow_page *page, const char *sentence);

/* A heading, with its line in the page's list of contents. */
OW_API void ow_page_section(ow_page *page, const char *heading);
OW_API void ow_page_text(ow_page *page, const char *paragraph);
/* In small print. */
OW_API void ow_page_note(ow_page *page, const char *paragraph);

/* What comes between is folded away, below a line that opens it. */
OW_API void ow_page_begin_details(ow_page *page, const char *summary);
OW_API void ow_page_end_details(ow_page *page);

typedef struct {
    const char *title;
    bool is_number; /* right-aligned */
} ow_page_column;
/* A coloured ground; colour alone must say nothing that the words do not. */
typedef enum { OW_TONE_NONE, OW_TONE_GOOD, OW_TONE_BAD } ow_page_tone;
typedef struct {
    size_t size;         /* sizeof(ow_page_table_content) */
    const char *caption; /* NULL: none                                       */
    size_t n_columns, n_rows;
    const ow_page_column *columns;
    const char *const *cells;  /* n_rows x n_columns; NULL: empty            */
    const bool *bold;          /* of each cell; NULL: none                   */
    const ow_page_tone *tones; /* of each cell; NULL: none                   */
} ow_page_table_content;
OW_API void ow_page_table(ow_page *page, const ow_page_table_content *table);

/* A picture as SVG text, or as the bytes of a PNG file; words are what somebody hears who
 * cannot see it.  pixels: drawn larger without smoothing, as data are. */
OW_API void ow_page_svg(ow_page *page, const char *caption, const char *svg);
OW_API void ow_page_png(ow_page *page, const char *caption, const char *words,
                        const void *bytes, size_t size, bool pixels);

/* Cards, one for each row: what the model says of it, what would have to be different, how
 * probable and how typical that would be; or why there is no answer.  They stand between
 * begin and end, as many as there are. */
typedef struct {
    size_t size; /* sizeof(ow_page_answer_content) */
    const ow_model *model;
    const ow_outcome *outcome;
    const double *query; /* schema columns                                   */
    const char *name;    /* of the row; NULL: "Row 17"                       */
    uint64_t number;     /* of the row, from 1                               */
} ow_page_answer_content;
OW_API void ow_page_begin_answers(ow_page *page);
OW_API void ow_page_answer(ow_page *page, const ow_page_answer_content *answer);
OW_API void ow_page_end_answers(ow_page *page);

/* A map of the answers: two number columns against each other with everything else left
 * open, or, on request and where there are no two (images), the two axes along which the
 * model's samples spread most.  Lines of equal density, the border between the target class
 * and the others, and for each row the query, the intermediate point if the method has one,
 * the answer and the path to it. */
typedef struct {
    const double *query;       /* schema columns                             */
    const double *answer;      /* likewise; NULL: none was found             */
    const float *intermediate; /* a soft row; NULL: none                     */
    const double *path;        /* n_path x schema columns                    */
    size_t n_path;
    const char *name; /* stands beside the answer; NULL: none                */
} ow_page_map_row;
typedef struct {
    size_t size; /* sizeof(ow_page_map_content) */
    const ow_model *model;
    int32_t target; /* whose border is drawn                                 */
    const ow_page_map_row *rows;
    size_t n_rows;
    const char *const *columns; /* two names; NULL: those that change most    */
    bool principal;             /* the two principal axes instead of columns */
    const char *backend;        /* as for ow_evaluator_new                   */
} ow_page_map_content;
OW_API void ow_page_map(ow_page *page, const ow_page_map_content *map);
/* Whether these two columns can be a map's axes: what else ow_page_save would tell at the
 * end. */
OW_API OW_MUST_CHECK ow_status ow_page_map_check(const ow_model *model,
                                                 const char *const columns[2]);

/* Several methods compared: for each a column, with the best figure of each line in bold,
 * and bars for the figures that matter most.  times: those that differ from run to run
 * too. */
OW_API void ow_page_evaluation(ow_page *page, const ow_evaluation *evaluation, bool times);

/* What the model is: data, structure, accuracy with the confusion and the calibration of
 * the held-out rows, how dense the training rows are, columns, settings. */
OW_API void ow_page_model(ow_page *page, const ow_model *model);

/* Whole or not at all.  What could not be added is the failure returned. */
OW_API OW_MUST_CHECK ow_status ow_page_save(ow_page *page, const char *path);
/* The same to memory, for ow_bytes_free. */
OW_API OW_MUST_CHECK ow_status ow_page_format(ow_page *page, char **text, size_t *size);

#ifdef __cplusplus
}
#endif
#endif
