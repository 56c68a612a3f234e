/* SPDX-License-Identifier: MIT */
/* What pages and pictures need besides the public headers.  They are a library of their own
 * (libotherwise-report) that links against the core and sees nothing of its inside:
 * failures go through ow_error_set, and all memory is blocks of ow_bytes_new, so that
 * whatever is handed out can be freed with ow_bytes_free. */
#ifndef OWI_REPORT_SUPPORT_H
#define OWI_REPORT_SUPPORT_H

#include <stddef.h>

#include "base/compiler.h"
#include "base/memory/sizes.h"
#include "otherwise/context.h"
#include "otherwise/status.h"

/* Records the sentence and returns the status. */
ow_status owi_report_fail(ow_status status, const char *format, ...) OWI_PRINTF(2, 3);

/* count * size bytes, all zero; NULL with the sentence for OW_ERR_MEMORY, also where the
 * product overflows. */
void *owi_report_alloc(ow_context *ctx, size_t count, size_t size);
/* Room for at least wanted bytes, at least doubled; unchanged on failure. */
ow_status owi_report_grow(ow_context *ctx, char **bytes, size_t *capacity, size_t wanted);
/* What printf would print, however long it is. */
char *owi_report_text(ow_context *ctx, const char *format, ...) OWI_PRINTF(2, 3);

/* As owi_options_take in the core (base/options.h): a caller's struct that begins with its
 * size into one of this version, which holds the defaults. */
ow_status owi_report_take(const char *type, const void *given, void *own, size_t own_size);
#define OWI_REPORT_TAKE(type, given, own) owi_report_take(#type, given, own, sizeof(type))

/* A duty of the caller; its failure says the rule itself. */
#define OWI_REQUIRE(rule)                                                                  \
    do {                                                                                   \
        if (!(rule))                                                                       \
            return owi_report_fail(OW_ERR_ARGUMENT, "%s: the caller must ensure %s",       \
                                   __func__, #rule);                                       \
    } while (0)

/* Passes a failure on; only where nothing is owned yet. */
#define OWI_TRY(call)                                                                      \
    do {                                                                                   \
        ow_status owi_try_status = (call);                                                 \
        if (owi_try_status != OW_OK) return owi_try_status;                                \
    } while (0)

#endif
