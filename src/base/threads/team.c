/* SPDX-License-Identifier: MIT */
#include "base/threads/team.h"

#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/memory/alloc.h"
#include "base/memory/sizes.h"

size_t owi_team_size(const owi_call *call)
{
    return call->team != NULL ? call->team->n : 1;
}

owi_share owi_team_share(const owi_call *call, size_t rank, size_t n_items)
{
    const size_t n = owi_team_size(call), each = n_items / n, more = n_items % n;
    const size_t first = rank * each + owi_smaller(rank, more);
    return (owi_share){first, first + each + (rank < more)};
}

owi_share owi_team_own_share(const owi_call *call, size_t n_items)
{
    return owi_team_share(call, call->team != NULL ? call->team->rank : 0, n_items);
}

ow_status owi_team_gather(const owi_call *call, const void *own, const size_t *sizes,
                          void *all)
{
    const ow_team *team = call->team;
    const char *failed = team->gather(team->user, own, sizes, all);
    return failed == NULL ? OW_OK : owi_fail(OW_ERR_IO, "%s", failed);
}

/* What a process says of its part. */
typedef struct {
    ow_status status;
    char message[owi_message_size];
} verdict;

/* The sentences, once it is known that there is one.  What one process has found alone is
 * told with its number. */
static ow_status tell_failure(const owi_call *call, ow_status status)
{
    const size_t n = owi_team_size(call);
    verdict own = {.status = status};
    if (status != OW_OK)
        snprintf(own.message, sizeof own.message, "%s", ow_error_message());
    size_t *sizes = owi_alloc_array(call->ctx, n, sizeof *sizes);
    verdict *all = owi_alloc_array(call->ctx, n, sizeof *all);
    ow_status told = sizes != NULL && all != NULL ? OW_OK : OW_ERR_MEMORY;
    for (size_t i = 0; told == OW_OK && i < n; i++) sizes[i] = sizeof *all;
    if (told == OW_OK) told = owi_team_gather(call, &own, sizes, all);
    size_t n_failed = 0;
    for (size_t i = 0; told == OW_OK && i < n; i++) n_failed += all[i].status != OW_OK;
    for (size_t i = 0; told == OW_OK && i < n; i++) {
        if (all[i].status == OW_OK) continue;
        if (n_failed == n)
            told = owi_fail(all[i].status, "%s", all[i].message);
        else
            told = owi_fail(all[i].status, "process %zu of %zu: %s", i, n, all[i].message);
    }
    owi_free(call->ctx, sizes);
    owi_free(call->ctx, all);
    return told;
}

/* One message: how it went, and what was made.  Where it failed, what was made is left
 * alone: it may not even be there. */
typedef struct {
    size_t *sizes;      /* (processes) of the messages */
    unsigned char *own; /* this process's message      */
    unsigned char *all; /* those of all                */
} letters;

static void clear(ow_context *ctx, letters *mail)
{
    owi_free(ctx, mail->sizes);
    owi_free(ctx, mail->own);
    owi_free(ctx, mail->all);
}

static ow_status make_room(const owi_call *call, const size_t *sizes, letters *mail)
{
    const size_t n = owi_team_size(call), head = sizeof(ow_status);
    size_t total = 0;
    for (size_t i = 0; i < n; i++) total += head + sizes[i];
    *mail = (letters){.sizes = owi_alloc_array(call->ctx, n, sizeof *mail->sizes),
                      .own = owi_alloc(call->ctx, head + sizes[call->team->rank]),
                      .all = owi_alloc(call->ctx, total)};
    if (mail->sizes == NULL || mail->own == NULL || mail->all == NULL) return OW_ERR_MEMORY;
    for (size_t i = 0; i < n; i++) mail->sizes[i] = head + sizes[i];
    return OW_OK;
}

/* Opens the messages; *failed where one tells of a failure. */
static void read_letters(const owi_call *call, const letters *mail, unsigned char *all,
                         bool *failed)
{
    const unsigned char *at = mail->all;
    *failed = false;
    for (size_t i = 0; i < owi_team_size(call); at += mail->sizes[i], i++) {
        ow_status theirs;
        memcpy(&theirs, at, sizeof theirs);
        *failed |= theirs != OW_OK;
    }
    at = mail->all;
    for (size_t i = 0; i < owi_team_size(call) && !*failed; i++) {
        const size_t n = mail->sizes[i] - sizeof(ow_status);
        if (n > 0) memcpy(all, at + sizeof(ow_status), n);
        if (n > 0) all += n;
        at += mail->sizes[i];
    }
}

ow_status owi_team_collect(const owi_call *call, ow_status status, const size_t *sizes,
                           const void *own, void *all)
{
    letters mail;
    bool failed = false;
    const size_t n = sizes[call->team->rank];
    ow_status sent = make_room(call, sizes, &mail);
    if (sent == OW_OK) {
        memcpy(mail.own, &status, sizeof status);
        if (status != OW_OK)
            memset(mail.own + sizeof status, 0, n);
        else if (n > 0)
            memcpy(mail.own + sizeof status, own, n);
        sent = owi_team_gather(call, mail.own, mail.sizes, mail.all);
    }
    if (sent == OW_OK) read_letters(call, &mail, all, &failed);
    clear(call->ctx, &mail);
    OWI_TRY(sent);
    return failed ? tell_failure(call, status) : OW_OK;
}

static ow_status exchange(const owi_call *call, ow_status status, const void *own,
                          size_t size, size_t *sizes, owi_team_letters *all)
{
    const size_t n = owi_team_size(call);
    size_t total = 0;
    for (size_t i = 0; i < n; i++) sizes[i] = sizeof size;
    OWI_TRY(owi_team_collect(call, status, sizes, &size, all->starts));
    for (size_t i = 0; i < n; i++) {
        sizes[i] = all->starts[i];
        all->starts[i] = total;
        total += sizes[i];
    }
    all->starts[n] = total;
    status = owi_grow(call->ctx, &all->bytes, &all->capacity, total + 1, 1);
    return owi_team_collect(call, status, sizes, own, all->bytes);
}

ow_status owi_team_exchange(const owi_call *call, ow_status status, const void *own,
                            size_t size, owi_team_letters *all)
{
    const size_t n = owi_team_size(call);
    size_t *sizes = owi_alloc_array(call->ctx, n, sizeof *sizes);
    if (all->starts == NULL)
        all->starts = owi_alloc_array(call->ctx, n + 1, sizeof *all->starts);
    if (sizes == NULL || all->starts == NULL) {
        owi_free(call->ctx, sizes);
        return OW_ERR_MEMORY;
    }
    status = exchange(call, status, own, size, sizes, all);
    owi_free(call->ctx, sizes);
    return status;
}

void owi_team_letters_clear(owi_team_letters *all)
{
    owi_free(all->ctx, all->bytes);
    owi_free(all->ctx, all->starts);
    *all = (owi_team_letters){.ctx = all->ctx};
}

ow_status owi_team_complete(const owi_call *call, ow_status status, size_t n_items,
                            size_t item_size, void *items)
{
    if (call->team == NULL) return status;
    const size_t n = owi_team_size(call), first = owi_team_own_share(call, n_items).first;
    size_t *sizes = owi_alloc_array(call->ctx, n, sizeof *sizes);
    if (sizes == NULL) return OW_ERR_MEMORY;
    for (size_t i = 0; i < n; i++) {
        const owi_share share = owi_team_share(call, i, n_items);
        sizes[i] = (share.end - share.first) * item_size;
    }
    const unsigned char *own =
        items != NULL ? (unsigned char *)items + first * item_size : NULL;
    status = owi_team_collect(call, status, sizes, own, items);
    owi_free(call->ctx, sizes);
    return status;
}

ow_status owi_team_agree(const owi_call *call, ow_status status)
{
    return owi_team_complete(call, status, 0, 0, NULL);
}

ow_status owi_team_compare(const owi_call *call, const char *what, uint64_t number)
{
    const size_t n = owi_team_size(call);
    if (call->team == NULL) return OW_OK;
    size_t *sizes = owi_alloc_array(call->ctx, n, sizeof *sizes);
    uint64_t *all = owi_alloc_array(call->ctx, n, sizeof *all);
    ow_status status = sizes != NULL && all != NULL ? OW_OK : OW_ERR_MEMORY;
    for (size_t i = 0; status == OW_OK && i < n; i++) sizes[i] = sizeof number;
    if (status == OW_OK) status = owi_team_gather(call, &number, sizes, all);
    for (size_t i = 1; status == OW_OK && i < n; i++)
        if (all[i] != all[0])
            status = owi_fail(OW_ERR_FORMAT, "process %zu has %s than process 0", i, what);
    owi_free(call->ctx, sizes);
    owi_free(call->ctx, all);
    return status;
}
