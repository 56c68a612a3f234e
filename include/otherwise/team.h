/* SPDX-License-Identifier: MIT */
/* Several processes that train one model together, on one machine or many.
 *
 * Every one of them makes the same calls with the same data, options and seed.  What takes
 * long, reading rows from text files, the sums over chunks of rows and the densities of
 * rows, is divided among them, and the results are gathered; each process does everything
 * else by itself.  All of them end with the same model, byte for byte that of a single
 * process.
 *
 *     const char *gather(void *user, const void *own, const size_t *sizes, void *all);
 *     const ow_team team = {
 *         .size = sizeof(ow_team), .rank = 0, .n = 4, .gather = gather};
 *     ow_train_options options;
 *     ow_train_options_init(&options, sizeof options);
 *     options.team = &team;
 *     ow_reader *reader = NULL;
 *     ow_model *trained = NULL;
 *     ow_status st = ow_reader_open(ctx, "rows.csv", NULL, NULL, &reader);
 *     if (st == OW_OK) st = ow_model_train(reader, schema, &options, NULL, &trained);
 *     ow_model_free(trained);
 *     ow_reader_free(reader);
 *
 * How bytes get from one process to the others is up to the caller: with MPI, gather is one
 * call of MPI_Allgatherv. */
#ifndef OTHERWISE_TEAM_H
#define OTHERWISE_TEAM_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    size_t size; /* sizeof(ow_team) */
    size_t rank; /* this process, from 0 */
    size_t n;    /* how many there are */
    void *user;  /* passed to gather */
    /* Every process gives its own sizes[rank] bytes, and gets those of all, one behind the
     * other by rank, sizes[0] + ... + sizes[n - 1] in all.  sizes are the same everywhere.
     * Called on the thread that trains.  NULL on success; else a sentence that says what
     * happened, valid until the next call. */
    const char *(*gather)(void *user, const void *own, const size_t *sizes, void *all);
} ow_team;

#ifdef __cplusplus
}
#endif
#endif
