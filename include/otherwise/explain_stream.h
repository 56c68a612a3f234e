/* SPDX-License-Identifier: MIT */
/* Explaining the rows of a reader one after the other, in memory that does not grow with
 * the number of rows.
 *
 *     const ow_explain_model what = {.size = sizeof what, .model = model};
 *     ow_explainer *explainer = NULL;
 *     ow_reader *reader = NULL;
 *     ow_explain_stream *stream = NULL;
 *     const ow_explained_row *row = NULL;
 *     ow_status st = ow_explainer_new(&what, "guided", &explainer);
 *     if (st == OW_OK) st = ow_reader_open(ctx, "rows.csv", NULL, NULL, &reader);
 *     if (st == OW_OK) st = ow_reader_bind(reader, ow_model_schema(model), false);
 *     const ow_explain_source source = {
 *         .size = sizeof source, .explainer = explainer, .reader = reader};
 *     if (st == OW_OK) st = ow_explain_stream_new(&source, NULL, &stream);
 *     if (st == OW_OK) st = ow_explain_stream_next(stream, &row);
 *     while (st == OW_OK && row != NULL) {
 *         ...
 *         st = ow_explain_stream_next(stream, &row);
 *     }
 *     ow_explain_stream_free(stream);
 *     ow_reader_free(reader);
 *     ow_explainer_free(explainer);
 *
 * Rows are read and explained in blocks: the first ones are small, so that the first
 * answers come soon, later ones are larger, which is faster.  The answers do not depend on
 * the sizes of the blocks. */
#ifndef OTHERWISE_EXPLAIN_STREAM_H
#define OTHERWISE_EXPLAIN_STREAM_H

#include <stdbool.h>
#include <stddef.h>

#include "otherwise/call.h"
#include "otherwise/data.h"
#include "otherwise/explain.h"
#include "otherwise/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What to explain.  The options are copied; everything else is borrowed and must outlive
 * the stream. */
typedef struct {
    size_t size; /* sizeof(ow_explain_source)                                      */
    ow_explainer *explainer;
    const ow_constraints *constraints; /* NULL: the schema's own                   */
    const ow_explain_options *options; /* without targets; NULL: the defaults      */
    ow_reader *reader;                 /* bound to the model's schema              */
    const size_t *wanted; /* numbers of the rows to explain, ascending; NULL: all  */
    size_t n_wanted;
    const char *id_column; /* holds the rows' names (ow_reader_set_id); NULL: no names */
    bool carried; /* give the schema's carried columns, too (ow_reader_keep_texts) */
} ow_explain_source;

/* One row and its outcome.  Valid until the next call of ow_explain_stream_next. */
typedef struct {
    size_t number;       /* of the row in the reader, from 1                       */
    const char *id;      /* the row's name; NULL: rows have no names               */
    const double *query; /* one value for each schema column                       */
    const ow_outcome *outcome;
    /* The text of each carried column of the schema (ow_schema_carried), NULL where the
     * reader has no such column.  NULL: not asked for. */
    const char *const *carried;
} ow_explained_row;

/* Counts and sums over outcomes.  A row is counted by its first answer; a row that is of
 * the target class already has no answer.  Owned by the stream; later versions may append
 * fields. */
typedef struct {
    size_t n_rows, n_found, n_not_found, n_already;
    size_t n_answered;   /* rows with an answer, valid or not                          */
    size_t n_target;     /* rows whose answer is valid */
    size_t n_target_raw; /* rows whose answer was valid before repair */
    size_t n_other;      /* rows whose answer is not of the query's class */
    size_t n_percentile; /* valid answers that have a percentile                       */
    /* sums over valid answers; of percentiles, over those that have one */
    double l0, l1, l2, linf, gower, log_density, log_density_target, percentile;
} ow_explain_summary;

typedef struct ow_explain_stream ow_explain_stream;

/* Makes a stream.  The call's settings are for the whole stream: the time limit begins now,
 * and progress is that over all rows.  The progress callback and the flag are borrowed. */
OW_API OW_MUST_CHECK ow_status ow_explain_stream_new(const ow_explain_source *source,
                                                     const ow_call *call,
                                                     ow_explain_stream **out);
/* Does nothing for NULL. */
OW_API void ow_explain_stream_free(ow_explain_stream *stream);

/* Gives the next row; *row is NULL after the last one.  If the call is stopped, the rows
 * that were finished are given first, then OW_ERR_CANCELLED.  After a failure every further
 * call fails in the same way. */
OW_API OW_MUST_CHECK ow_status ow_explain_stream_next(ow_explain_stream *stream,
                                                      const ow_explained_row **row);

/* The summary of all rows given so far; owned by the stream. */
OW_API const ow_explain_summary *ow_explain_stream_summary(const ow_explain_stream *stream);
/* The number of rows that were read. */
OW_API size_t ow_explain_stream_n_read(const ow_explain_stream *stream);
/* After the end: the number of the first wanted row that the reader does not have; 0 if it
 * has all of them. */
OW_API size_t ow_explain_stream_missing(const ow_explain_stream *stream);
/* The seconds since the stream was made. */
OW_API double ow_explain_stream_seconds(const ow_explain_stream *stream);

#ifdef __cplusplus
}
#endif
#endif
