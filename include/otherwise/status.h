/* SPDX-License-Identifier: MIT */
/* Whether a call worked, and if not, why.
 *
 *     ow_status st = ow_schema_load(ctx, "credit.schema.json", &schema);
 *     if (st != OW_OK) fprintf(stderr, "%s\n", ow_error_message());
 *
 * Every function that can fail returns a status; on failure every object it
 * would have made is NULL and nothing leaks.  The sentence that goes with the
 * status is kept per thread. */
#ifndef OTHERWISE_STATUS_H
#define OTHERWISE_STATUS_H

#include <stddef.h>

#if defined(__GNUC__)
#define OW_API        __attribute__((visibility("default")))
#define OW_MUST_CHECK __attribute__((warn_unused_result))
#else
#define OW_API
#define OW_MUST_CHECK
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* A number, once released, keeps its meaning. */
typedef enum {
    OW_OK = 0,
    OW_ERR_ARGUMENT = 1,    /* the caller broke a documented rule           */
    OW_ERR_MEMORY = 2,      /* an allocation failed                         */
    OW_ERR_IO = 3,          /* the file system said no                      */
    OW_ERR_FORMAT = 4,      /* the file was read, but is not what it claims */
    OW_ERR_SCHEMA = 5,      /* data and schema disagree about the columns   */
    OW_ERR_NUMERIC = 6,     /* NaN or infinity where a number was needed    */
    OW_ERR_UNSUPPORTED = 7, /* not in this build, or not on this backend    */
    OW_ERR_CANCELLED = 8    /* the progress callback asked to stop          */
} ow_status;

/* The status in words, e.g. "bad format"; never NULL. */
OW_API const char *ow_status_text(ow_status status);

/* Why this thread's last failing call failed, in one sentence without a final
 * newline ("credit.csv:17: 9 fields, expected 21"); "" if none has failed.
 * Lent: valid until this thread's next failing call. */
OW_API const char *ow_error_message(void);

/* Records the sentence for this thread and returns the status: for callbacks that fail, and
 * for libraries built on this one.  The sentence is copied; one longer than 1023 bytes is
 * cut. */
OW_API ow_status ow_error_set(ow_status status, const char *sentence);

/* The library's version, "MAJOR.MINOR.PATCH". */
OW_API const char *ow_version(void);

/* Which of the n names is most likely meant by a misspelt word: the index of
 * the one with the fewest edits, if they are few enough to be a slip; n
 * otherwise. */
OW_API size_t ow_nearest_name(const char *word, const char *const *names, size_t n);

#ifdef __cplusplus
}
#endif
#endif
