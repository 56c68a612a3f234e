/* SPDX-License-Identifier: MIT */
/* Requests that wait for a worker thread, up to a bound, and those that are done.  All
 * functions but the workers' own part are called by the server's thread. */
#ifndef SERVE_WORK_H
#define SERVE_WORK_H

#include <stdbool.h>
#include <stddef.h>

#include "otherwise/call.h"
#include "serve/http/http_reply.h"
#include "serve/http/http_request.h"

typedef enum { WORK_WAITING, WORK_RUNNING, WORK_DONE } work_state;

/* A request on its way.  Owned by the queue from work_queue_add to work_queue_take. */
typedef struct work_item {
    char *bytes;          /* of the whole request; owned */
    http_request request; /* its texts point into bytes */
    const char *body;     /* request.body_size bytes of bytes */
    ow_cancel *cancel;    /* set when the client has left */
    http_reply reply;     /* once it is done */
    void *owner;          /* the connection; NULL: its client has left */
    work_state state;     /* guarded by the queue's lock */
    struct work_item *next;
} work_item;

/* Takes over bytes, also where it fails: NULL without memory. */
work_item *work_item_new(ow_context *ctx, char *bytes, const http_request *request);
void work_item_free(work_item *item);

/* Answers a request on a worker thread: fills item->reply. */
typedef void (*work_fn)(void *worker, work_item *item);

typedef struct work_queue work_queue;

/* Starts n_workers threads; workers has what each of them is given.  A byte is written to
 * wake_fd whenever an item is done.  NULL if a thread cannot be started. */
work_queue *work_queue_new(size_t n_workers, void *const *workers, work_fn answer,
                           size_t most_waiting, int wake_fd);
/* Cancels everything, waits for the workers, and frees all items. */
void work_queue_free(work_queue *queue);

/* False if as many items wait as may: the item is still the caller's. */
bool work_queue_add(work_queue *queue, work_item *item);
/* The client has left: an item that waits is dropped, one that runs is cancelled. */
void work_queue_abandon(work_queue *queue, work_item *item);
/* The next item that is done, which is the caller's now; NULL: none. */
work_item *work_queue_take(work_queue *queue);

#endif
