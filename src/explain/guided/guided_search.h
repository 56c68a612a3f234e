/* SPDX-License-Identifier: MIT */
/* The parts of a search, in the order in which they run; each takes a block of rows one
 * step further. */
#ifndef OWI_GUIDED_SEARCH_H
#define OWI_GUIDED_SEARCH_H

#include "explain/guided/guided.h"

/* From the query outwards; rows that have found something are done. */
ow_status owi_guided_beam(const owi_guided_block *block);

/* From typical rows of the target class back to the query, for rows that are not done. */
ow_status owi_guided_from_starts(const owi_guided_block *block);

/* Takes changes back and makes them smaller, as long as what was asked stays reached: each
 * state of the list until it can go no further.  Coarse or fine moves. */
typedef struct {
    owi_guided_row *row;
    owi_state *state;
    bool is_done;
    bool may_add; /* further changes where they pay                              */
    bool fine;    /* set by the call                                              */
} owi_polish;
ow_status owi_guided_polish(const owi_guided_block *block, bool fine, size_t n,
                            owi_polish *list);

/* Whole blocks: tables, and images or maps. */
ow_status owi_guided_explain_table(const owi_guided *guided, const owi_problem *problem,
                                   const owi_queries *queries, owi_answer *answers);
ow_status owi_guided_explain_image(const owi_guided_settings *settings,
                                   const owi_problem *problem, const owi_queries *queries,
                                   owi_answer *answers);

#endif
