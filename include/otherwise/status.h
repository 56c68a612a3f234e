/* SPDX-License-Identifier: MIT */
/* Whether a call worked, and if not, why.
 *
 *     ow_status st = ow_schema_load(ctx, "credit.schema.json", NULL, &schema);
 *     if (st != OW_OK) fprintf(stderr, "%s\n", ow_error_message());
 *
 * Every function that can fail returns a status.  On failure the objects that it would have
 * made are NULL, and nothing leaks.  A message that explains the failure is kept for each
 * thread. */
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

/* The numbers never change their meaning. */
typedef enum {
    OW_OK = 0,
    OW_ERR_ARGUMENT = 1,    /* an argument is not allowed                   */
    OW_ERR_MEMORY = 2,      /* an allocation failed                         */
    OW_ERR_IO = 3,          /* a file could not be opened, read or written  */
    OW_ERR_FORMAT = 4,      /* the contents of a file are not valid         */
    OW_ERR_SCHEMA = 5,      /* data do not fit the schema                   */
    OW_ERR_NUMERIC = 6,     /* NaN or infinity where a number was needed    */
    OW_ERR_UNSUPPORTED = 7, /* valid, but this library cannot do it         */
    OW_ERR_CANCELLED = 8    /* the call was stopped (call.h)                */
} ow_status;

/* The status in words, such as "bad format"; never NULL. */
OW_API const char *ow_status_text(ow_status status);

/* Why the last call that failed on this thread did so: a sentence without a final newline
 * ("credit.csv:17: 9 fields, expected 21"); "" if none has failed.  Valid until the next
 * call that fails on this thread. */
OW_API const char *ow_error_message(void);

/* Sets this thread's error message and returns the status.  For callbacks that fail and for
 * libraries built on this one.  The message is copied; at most 1023 bytes are kept. */
OW_API ow_status ow_error_set(ow_status status, const char *sentence);

/* The library's version, "MAJOR.MINOR.PATCH". */
OW_API const char *ow_version(void);

/* The index of the name that a misspelt word most probably means: the one with the smallest
 * edit distance, if that is small enough for a slip; else n.  For programs that read names
 * from people (options, commands) and want to suggest spellings as the library does. */
OW_API size_t ow_name_nearest(const char *word, const char *const *names, size_t n);

#ifdef __cplusplus
}
#endif
#endif
