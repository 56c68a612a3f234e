/* SPDX-License-Identifier: MIT */
/* Failing: record one sentence for this thread, return the status.
 *
 * The innermost sentence wins: who only passes a failure on does not fail again
 * with a vaguer one. */
#ifndef OWI_ERROR_H
#define OWI_ERROR_H

#include "base/compiler.h"
#include "otherwise/status.h"

/* Room for a path, a column name and both values; a longer sentence is cut. */
enum { owi_message_size = 1024 };

/* Records the sentence and returns status:  return owi_fail(OW_ERR_IO, "%s: ...", path); */
ow_status owi_fail(ow_status status, const char *format, ...) OWI_PRINTF(2, 3);

/* owi_fail(OW_ERR_IO, "cannot VERB PATH: reason"), the reason being errno's. */
ow_status owi_fail_errno(const char *verb, const char *path, int error_number);

/* A duty of the caller; its failure says the rule itself. */
#define OWI_REQUIRE(rule)                                                                  \
    do {                                                                                   \
        if (!(rule))                                                                       \
            return owi_fail(OW_ERR_ARGUMENT, "%s: the caller must ensure %s", __func__,    \
                            #rule);                                                        \
    } while (0)

/* Passes a failure on; only where nothing is owned yet. */
#define OWI_TRY(call)                                                                      \
    do {                                                                                   \
        ow_status owi_try_status = (call);                                                 \
        if (owi_try_status != OW_OK) return owi_try_status;                                \
    } while (0)

/* Puts a file's name before a sentence that does not have it yet: what the file holds is to
 * blame, OW_ERR_FORMAT.  Success and a lack of memory stay what they are. */
ow_status owi_blame_file(ow_status status, const char *file);

#endif
