/* SPDX-License-Identifier: MIT */
/* The parts of a search, in the order in which they run; each takes a block of rows one
 * step further, those of them that are not done. */
#ifndef OWI_GUIDED_SEARCH_H
#define OWI_GUIDED_SEARCH_H

#include "explain/guided/guided.h"

/* All changes of one unit, and all of two; rows that find something are done. */
ow_status owi_guided_singles(const owi_guided_block *block);
ow_status owi_guided_all_pairs(const owi_guided_block *block);

/* Where a foreign classifier decides: pairs that are likely to pass, and the moves of a row
 * whose pairs are worth being shown all (best has room for owi_best_moves; their number is
 * returned). */
enum { owi_best_moves = 8 };
ow_status owi_guided_show_pairs(const owi_guided_block *block);
size_t owi_guided_best_moves(const owi_guided_block *block, const owi_guided_row *row,
                             size_t *best);

/* Everything, for rows of which so little may change that it can be enumerated: what is
 * found is proved, and where nothing is found nothing is there (is_whole). */
ow_status owi_guided_enumerate(const owi_guided_block *block);

/* Three changes and more, from the most promising pairs. */
ow_status owi_guided_beam(const owi_guided_block *block);

/* Pairs on top of the best single changes, for rows without an answer of three changes. */
ow_status owi_guided_triples(const owi_guided_block *block);

/* From typical rows of the target class back to the query. */
ow_status owi_guided_from_starts(const owi_guided_block *block);

/* For rows that found nothing: the densest pair of the class. */
ow_status owi_guided_densest_pairs(const owi_guided_block *block);

/* A state that passes, on its way back to its query. */
typedef struct {
    owi_guided_row *row;
    owi_state *state;
    bool is_done;
} owi_shrink;

/* Takes changes back, and makes others smaller, as long as the states pass: until none of
 * their changes can be taken back, nor any put to a nearer candidate value. */
ow_status owi_guided_shrink(const owi_guided_block *block, size_t n, owi_shrink *list);
/* Takes changes back alone; *any becomes true if some were. */
ow_status owi_guided_take_back(const owi_guided_block *block, size_t n, owi_shrink *list,
                               bool *any);

/* The found answers' numbers as near to the query as the digits allow that the column is
 * printed with, and round numbers beyond these; fills `enough`. */
ow_status owi_guided_tip(const owi_guided_block *block);
/* Where a number's next step towards the query misses the density alone, how far it has to
 * go for the class; fills `enough_for_class`. */
ow_status owi_guided_tip_class(const owi_guided_block *block);

/* The found answers changed further while that lowers owi_price: --prefer typical. */
ow_status owi_guided_make_typical(const owi_guided_block *block);

/* Whole blocks: tables, and images or maps. */
ow_status owi_guided_explain_table(owi_guided *guided, const owi_problem *problem,
                                   const owi_queries *queries, owi_answer *answers);
ow_status owi_guided_explain_image(const owi_guided_settings *settings,
                                   const owi_problem *problem, const owi_queries *queries,
                                   owi_answer *answers);

#endif
