/* SPDX-License-Identifier: MIT */
/* Pictures for people.
 *
 *     ow_model *model = NULL;
 *     ow_status st = ow_model_load(ctx, "credit.ow", &model);
 *     if (st == OW_OK) st = ow_report_structure_save(model, "credit.svg");
 *     ow_model_free(model);
 *
 * Threads: a model may be drawn by several threads at once. */
#ifndef OTHERWISE_REPORT_H
#define OTHERWISE_REPORT_H

#include <stddef.h>

#include "otherwise/context.h"
#include "otherwise/model.h"
#include "otherwise/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The structure of a model's circuit as an SVG picture: the mixture of the classes, the roots, partitions, inner sums, and
 * the leaf regions with their columns.  Of many classes and repetitions the first few are drawn and the rest is
 * counted.  The text is NUL-terminated and the caller's: give it to ow_text_free. */
OW_API OW_MUST_CHECK ow_status ow_report_structure(const ow_model *model, char **svg);
/* The same to a file, whole or not at all. */
OW_API OW_MUST_CHECK ow_status ow_report_structure_save(const ow_model *model,
                                                        const char *path);

<<<<<<< HEAD
/* ---- Pictures of pixels ---- */

/* From the upper left corner, line by line, 8 bits for each channel: 1 is grey, 3 are red, green and blue. */
typedef struct {
    size_t width, height, channels;
    unsigned char *pixels; /* height x width x channels */
} ow_pixels;

/* As a PNG file; the bytes are the caller's, who gives them to ow_text_free. */
OW_API OW_MUST_CHECK ow_status ow_png_format(ow_context *ctx, const ow_pixels *picture,
                                             char **bytes, size_t *size);
/* The same to a file, whole or not at all. */
OW_API OW_MUST_CHECK ow_status ow_png_save(ow_context *ctx, const ow_pixels *picture,
                                           const char *path);

/* A row of an image or map, and what became of it; all borrowed. */
typedef struct {
    const double *query;       /* schema columns                                   */
    const float *intermediate; /* two-step's u, a soft row; NULL: none             */
    const double *values;      /* x'; NULL: none was found                         */
} ow_strip;

/* One line for each of them: query, u, x', and the signed difference x' - query, red where it is more and blue where
 * less.  Small images are enlarged.  Fails with OW_ERR_ARGUMENT for the rows of tables. */
OW_API OW_MUST_CHECK ow_status ow_report_strips(const ow_model *model, size_t n_strips,
                                                const ow_strip *strips, ow_pixels *picture);
/* Frees the pixels. */
OW_API void ow_pixels_clear(ow_context *ctx, ow_pixels *picture);
=======
/* ---- Pages ---- */

/* One HTML file that needs no other and no network: light and dark, readable on a phone and on paper.  It is put together
 * piece by piece, from top to bottom; the first failure sticks and ow_page_save returns it.
 *
 *     ow_page_new(ctx, "Refused applicants", "Why, and what would change it.", &page);
 *     ow_page_section(page, "Row by row");
 *     ow_page_answers(page, &answers);
 *     st = ow_page_save(page, "report/index.html"); */
typedef struct ow_page ow_page;

/* lead, a sentence below the title, may be NULL. */
OW_API OW_MUST_CHECK ow_status ow_page_new(ow_context *ctx, const char *title,
                                           const char *lead, ow_page **out);
/* Does nothing for NULL. */
OW_API void ow_page_free(ow_page *page);

/* A heading, with its line in the page's list of contents. */
OW_API void ow_page_section(ow_page *page, const char *heading);
OW_API void ow_page_text(ow_page *page, const char *paragraph);
/* In small print. */
OW_API void ow_page_note(ow_page *page, const char *paragraph);

typedef struct {
    const char *title;
    bool is_number; /* right-aligned */
} ow_page_column;
typedef struct {
    const char *caption; /* NULL: none                                       */
    size_t n_columns, n_rows;
    const ow_page_column *columns;
    const char *const *cells; /* n_rows x n_columns; NULL: empty             */
    const bool *bold;         /* of each cell; NULL: none                    */
} ow_page_table_content;
OW_API void ow_page_table(ow_page *page, const ow_page_table_content *table);

/* A picture as SVG text, or as the bytes of a PNG file; words are what somebody hears who cannot see it.  pixels: drawn larger without
 * smoothing, as data are. */
OW_API void ow_page_svg(ow_page *page, const char *caption, const char *svg);
OW_API void ow_page_png(ow_page *page, const char *caption, const char *words,
                        const void *bytes, size_t size, bool pixels);

/* A card for each row: what the model says of it, what would have to be different, how probable and how typical that
 * would be; or why there is no answer. */
typedef struct {
    const ow_model *model;
    const ow_explanation *explanation;
    const double *values;     /* the queries, rows x schema columns         */
    const char *const *names; /* of the rows; NULL: "Row 17"                */
    const uint64_t *numbers;  /* of the rows, from 1; NULL: 1, 2, 3, ...    */
} ow_page_answers_content;
OW_API void ow_page_answers(ow_page *page, const ow_page_answers_content *answers);

/* What the model is: data, structure, accuracy with the confusion of the held-out rows, how dense the training rows are, settings. */
OW_API void ow_page_model(ow_page *page, const ow_model *model);

/* Whole or not at all.  What could not be added is the failure returned. */
OW_API OW_MUST_CHECK ow_status ow_page_save(ow_page *page, const char *path);
/* The same to memory, for ow_text_free. */
OW_API OW_MUST_CHECK ow_status ow_page_format(ow_page *page, char **text, size_t *size);
>>>>>>> 2a73cde (Pages: one HTML file with sections, tables, pictures, cards for rows and the model's card)

#ifdef __cplusplus
}
#endif
#endif
