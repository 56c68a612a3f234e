/* SPDX-License-Identifier: MIT */
/* Stars and preferences that the page keeps: {"stars": [...], "preferences": {...}}.  With
 * a file they are there again after the server, written whole or not at all.  Any thread
 * may call these functions. */
#ifndef SERVE_STATE_STORE_H
#define SERVE_STATE_STORE_H

#include <stdbool.h>
#include <stddef.h>

#include "otherwise/explain.h"

typedef struct state_store state_store;

/* path NULL: kept in memory only.  A file that is not there yet is an empty state.  NULL
 * with a sentence to be freed. */
state_store *state_store_open(ow_context *ctx, const ow_schema *schema, const char *path,
                              char **error);
void state_store_free(state_store *store);

/* A copy of the state's text, to be freed; NULL without memory. */
char *state_store_text(state_store *store);
/* Takes a new state, if it is one, and writes it.  On failure the old one stays, *status is
 * for the reply and *error is a sentence to be freed. */
bool state_store_set(state_store *store, const char *text, size_t size, int *status,
                     char **error);

#endif
