/* SPDX-License-Identifier: MIT */
/* HTML reports.  A page is a single HTML file that needs no other files and no network.
 * It follows the reader's light or dark setting, and fits a phone's screen and a
 * printout.
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
 * A page is built piece by piece, from top to bottom.  The functions that add a piece
 * return nothing: after the first failure they do nothing, and ow_page_save or
 * ow_page_format returns that failure.  All texts and data are copied or used at once.
 * Threads: only one thread at a time may use a page. */
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

/* Starts a page.  lead is a sentence below the title; NULL: none. */
OW_API OW_MUST_CHECK ow_status ow_page_new(ow_context *ctx, const char *title,
                                           const char *lead, ow_page **out);
/* Does nothing for NULL. */
OW_API void ow_page_free(ow_page *page);

/* Appends a sentence to the lead below the title.  It may be called at any time, for
 * what is known only when the rest of the page is done. */
OW_API void ow_page_add_lead(ow_page *page, const char *sentence);

/* The pieces added between begin and end stand at the top, below the lead and before all
 * others: what a reader should see first and what is known only when the rest of the page
 * is done.  Sections cannot be among them.  May be called again; later pieces stand behind
 * earlier ones. */
OW_API void ow_page_begin_overview(ow_page *page);
OW_API void ow_page_end_overview(ow_page *page);

/* A section heading, which is also listed in the page's table of contents. */
OW_API void ow_page_section(ow_page *page, const char *heading);
/* A paragraph of text. */
OW_API void ow_page_text(ow_page *page, const char *paragraph);
/* A paragraph in small print. */
OW_API void ow_page_note(ow_page *page, const char *paragraph);

/* The pieces added between begin and end are collapsed: the reader sees the line `summary`
 * and opens them by clicking on it. */
OW_API void ow_page_begin_details(ow_page *page, const char *summary);
OW_API void ow_page_end_details(ow_page *page);

/* Key figures side by side: each a figure in large type with words below it. */
typedef struct {
    const char *figure, *words;
} ow_page_tile;
OW_API void ow_page_tiles(ow_page *page, const ow_page_tile *tiles, size_t n_tiles);

typedef struct {
    const char *title;
    bool is_number; /* right-aligned */
} ow_page_column;
/* The background colour of a cell.  Colour is decoration only: what it says must be in the
 * text too. */
typedef enum { OW_TONE_NONE, OW_TONE_GOOD, OW_TONE_BAD } ow_page_tone;
typedef struct {
    size_t size;         /* sizeof(ow_page_table_content) */
    const char *caption; /* NULL: none */
    size_t n_columns, n_rows;
    const ow_page_column *columns;
    const char *const *cells;  /* n_rows x n_columns texts; NULL entry: an empty cell */
    const bool *bold;          /* n_rows x n_columns; NULL: no cell is bold */
    const ow_page_tone *tones; /* n_rows x n_columns; NULL: no cell is coloured */
} ow_page_table_content;
/* Adds a table. */
OW_API void ow_page_table(ow_page *page, const ow_page_table_content *table);

/* Adds a picture, given as SVG text or as the bytes of a PNG file.  words is the
 * alternative text for readers who cannot see the picture.  pixels: enlarge the picture
 * without smoothing, so that each pixel of the data stays visible. */
OW_API void ow_page_svg(ow_page *page, const char *caption, const char *svg);
OW_API void ow_page_png(ow_page *page, const char *caption, const char *words,
                        const void *bytes, size_t size, bool pixels);

/* A picture, as bytes of a PNG file, of images in lines and columns of equal size, with
 * the names of lines beside it and of columns above it. */
typedef struct {
    size_t size;         /* sizeof(ow_page_grid_content) */
    const char *caption; /* NULL: none */
    const char *words;   /* the alternative text */
    const void *bytes;   /* n_bytes of a PNG file */
    size_t n_bytes;
    size_t width, height;     /* of the picture, in pixels */
    const char *const *lines; /* n_lines names; NULL: they have none */
    size_t n_lines;
    const char *const *columns; /* n_columns names; NULL: they have none */
    size_t n_columns;
} ow_page_grid_content;
OW_API void ow_page_grid(ow_page *page, const ow_page_grid_content *grid);

/* Cards, one for each explained row: the model's prediction, the changes of the
 * counterfactual, and how probable and how typical it is; or the reason why none was found.
 * Call begin_answers, then answer for any number of rows, then end_answers, which puts
 * them in order: fewest changes first, of these the least distance; rows without an answer
 * come last. */
typedef struct {
    size_t size; /* sizeof(ow_page_answer_content) */
    const ow_model *model;
    const ow_outcome *outcome;
    const double *query; /* the row, one value for each schema column */
    const char *name;    /* of the row; NULL: "Row " and the number */
    uint64_t number;     /* of the row, from 1 */
} ow_page_answer_content;
OW_API void ow_page_begin_answers(ow_page *page);
OW_API void ow_page_answer(ow_page *page, const ow_page_answer_content *answer);
OW_API void ow_page_end_answers(ow_page *page);

/* A map of answers in the plane of two number columns.  With `given`, a row, it shows what
 * the model decides when these two columns change and all others stay as they are in that
 * row, with dots where rows are common; an answer that changes other columns as well is an
 * open dot, since the picture is not its own.  Without `given` all other columns are
 * marginalised, and the map shows contours of the density.  On request, and for data
 * without two suitable columns (images), the axes are the first two principal components of
 * the model's samples instead.  For each row: the query, the intermediate point if the
 * method has one, the path, and an arrow to the answer; pointing at one
 * shows its values. */
typedef struct {
    const double *query;       /* one value for each schema column */
    const double *answer;      /* one value for each schema column; NULL: none was found */
    const float *intermediate; /* a soft row; NULL: none */
    const double *path;        /* n_path x schema columns */
    size_t n_path;             /* 0: no path */
    const char *name;          /* printed beside the answer; NULL: none */
} ow_page_map_row;
typedef struct {
    size_t size; /* sizeof(ow_page_map_content) */
    const ow_model *model;
    int32_t target; /* the class whose boundary is drawn */
    const ow_page_map_row *rows;
    size_t n_rows;
    const char *const *columns; /* two names; NULL: the two that change most */
    bool principal;             /* use the two principal axes instead of columns */
    const char *backend;        /* as for ow_evaluator_new */
    /* the row that the other columns' values are taken from, one value for each schema
     * column; NULL: they are marginalised.  Not with principal axes. */
    const double *given;
} ow_page_map_content;
OW_API void ow_page_map(ow_page *page, const ow_page_map_content *map);
/* Checks whether these two columns can be the axes of a map.  Without this check a mistake
 * is reported only by ow_page_save, after all other work. */
OW_API OW_MUST_CHECK ow_status ow_page_map_check(const ow_model *model,
                                                 const char *const columns[2]);

/* Adds a comparison of methods: a table with a column for each method and the best
 * figure of each line in bold, and bar charts of the most important metrics.  times:
 * include the metrics that measure time, which differ from run to run. */
OW_API void ow_page_evaluation(ow_page *page, const ow_evaluation *evaluation, bool times);

/* Adds a description of the model: data, structure, accuracy with confusion matrix and
 * calibration on the held-out rows, densities of the training rows, columns and
 * settings. */
OW_API void ow_page_model(ow_page *page, const ow_model *model);

/* Writes the page to a file.  The file appears complete or not at all.  If a piece could
 * not be added, returns that failure. */
OW_API OW_MUST_CHECK ow_status ow_page_save(ow_page *page, const char *path);
/* The same in memory: the caller frees *text with ow_bytes_free. */
OW_API OW_MUST_CHECK ow_status ow_page_format(ow_page *page, char **text, size_t *size);

#ifdef __cplusplus
}
#endif
#endif
