/* SPDX-License-Identifier: MIT */
/* Work divided among the processes of a call's team (otherwise/team.h).  All of them run
 * the same program on the same data; so whether something is divided, and how, may depend
 * on nothing but that.  On the caller's thread only. */
#ifndef OWI_TEAM_H
#define OWI_TEAM_H

#include "base/call.h"

/* Items [first, end) are one process's of so many. */
typedef struct {
    size_t first, end;
} owi_share;

/* How many processes work for the call: 1 without a team. */
size_t owi_team_size(const owi_call *call);
/* In the order of the processes, none with more than one item above another; without a
 * team, all. */
owi_share owi_team_share(const owi_call *call, size_t rank, size_t n_items);
owi_share owi_team_own_share(const owi_call *call, size_t n_items);

/* ow_team.gather, with a failure in our words. */
ow_status owi_team_gather(const owi_call *call, const void *own, const size_t *sizes,
                          void *all);

/* Every process says how its part went.  OW_OK if all went well; else the failure of the
 * first that failed, with its sentence, on all of them; its number stands before it unless
 * all have failed. */
ow_status owi_team_agree(const owi_call *call, ow_status status);

/* Every process gives sizes[its rank] bytes and gets those of all, one behind the other;
 * sizes are the same everywhere.  status is how making them went, and is agreed upon: where
 * one has failed nothing is copied.  For a call with a team. */
ow_status owi_team_collect(const owi_call *call, ow_status status, const size_t *sizes,
                           const void *own, void *all);

/* The same where only the giver knows how many bytes it has: those of process i lie from
 * starts[i] to starts[i + 1] of all->bytes.  All zero but for ctx before the first; what it
 * holds is written over by the next. */
typedef struct {
    ow_context *ctx;
    unsigned char *bytes;
    size_t capacity;
    size_t *starts; /* (processes + 1) */
} owi_team_letters;

ow_status owi_team_exchange(const owi_call *call, ow_status status, const void *own,
                            size_t size, owi_team_letters *all);
void owi_team_letters_clear(owi_team_letters *all);

/* A block of n items of so many bytes, of which every process has made its own share: on
 * return all of them are there.  status is how that went, and is agreed upon. */
ow_status owi_team_complete(const owi_call *call, ow_status status, size_t n_items,
                            size_t item_size, void *items);

/* Fails unless all processes give the same number; what is told in the sentence. */
ow_status owi_team_compare(const owi_call *call, const char *what, uint64_t number);

#endif
