/* SPDX-License-Identifier: MIT */
#include "serve/work.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct {
    work_item *first, *last;
} work_list;

typedef struct {
    pthread_t thread;
    void *given;
    struct work_queue *queue;
    work_item *item; /* that it is at; NULL: none */
} work_thread;

struct work_queue {
    pthread_mutex_t lock;
    pthread_cond_t changed; /* something waits, or it ends */
    work_list waiting, done;
    size_t n_waiting, most_waiting;
    bool ends;
    work_fn answer;
    int wake_fd;
    size_t n_threads;
    work_thread threads[];
};

/* ---- Items ---- */

work_item *work_item_new(ow_context *ctx, char *bytes, const http_request *request)
{
    work_item *item = calloc(1, sizeof *item);
    if (item != NULL && ow_cancel_new(ctx, &item->cancel) != OW_OK) {
        free(item);
        item = NULL;
    }
    if (item == NULL) {
        free(bytes);
        return NULL;
    }
    item->bytes = bytes;
    item->request = *request;
    item->body = bytes + request->head_size;
    return item;
}

void work_item_free(work_item *item)
{
    if (item == NULL) return;
    http_reply_clear(&item->reply);
    ow_cancel_free(item->cancel);
    free(item->bytes);
    free(item);
}

static void append(work_list *list, work_item *item)
{
    item->next = NULL;
    if (list->last != NULL)
        list->last->next = item;
    else
        list->first = item;
    list->last = item;
}

static work_item *take_first(work_list *list)
{
    work_item *item = list->first;
    if (item == NULL) return NULL;
    list->first = item->next;
    if (list->first == NULL) list->last = NULL;
    return item;
}

static void take_out(work_list *list, work_item *item)
{
    work_item *before = NULL;
    for (work_item *i = list->first; i != item; i = i->next) before = i;
    if (before != NULL)
        before->next = item->next;
    else
        list->first = item->next;
    if (list->last == item) list->last = before;
}

/* ---- Workers ---- */

static void finish(work_queue *queue, work_thread *self)
{
    self->item->state = WORK_DONE;
    append(&queue->done, self->item);
    self->item = NULL;
    /* A full pipe wakes the server as well. */
    const ssize_t written = write(queue->wake_fd, "", 1);
    (void)written;
}

static void *work(void *argument)
{
    work_thread *self = argument;
    work_queue *queue = self->queue;
    pthread_mutex_lock(&queue->lock);
    for (;;) {
        while (!queue->ends && queue->waiting.first == NULL)
            pthread_cond_wait(&queue->changed, &queue->lock);
        if (queue->ends) break;
        self->item = take_first(&queue->waiting);
        self->item->state = WORK_RUNNING;
        queue->n_waiting--;
        pthread_mutex_unlock(&queue->lock);
        queue->answer(self->given, self->item);
        pthread_mutex_lock(&queue->lock);
        finish(queue, self);
    }
    pthread_mutex_unlock(&queue->lock);
    return NULL;
}

work_queue *work_queue_new(size_t n_workers, void *const *workers, work_fn answer,
                           size_t most_waiting, int wake_fd)
{
    work_queue *queue = calloc(1, sizeof *queue + n_workers * sizeof *queue->threads);
    if (queue == NULL) return NULL;
    pthread_mutex_init(&queue->lock, NULL);
    pthread_cond_init(&queue->changed, NULL);
    queue->answer = answer;
    queue->most_waiting = most_waiting;
    queue->wake_fd = wake_fd;
    for (size_t i = 0; i < n_workers; i++) {
        work_thread *t = &queue->threads[i];
        *t = (work_thread){.given = workers[i], .queue = queue};
        if (pthread_create(&t->thread, NULL, work, t) != 0) {
            work_queue_free(queue);
            return NULL;
        }
        queue->n_threads++;
    }
    return queue;
}

void work_queue_free(work_queue *queue)
{
    if (queue == NULL) return;
    pthread_mutex_lock(&queue->lock);
    queue->ends = true;
    for (size_t i = 0; i < queue->n_threads; i++)
        if (queue->threads[i].item != NULL)
            ow_cancel_request(queue->threads[i].item->cancel);
    pthread_cond_broadcast(&queue->changed);
    pthread_mutex_unlock(&queue->lock);
    for (size_t i = 0; i < queue->n_threads; i++)
        pthread_join(queue->threads[i].thread, NULL);
    for (work_item *item; (item = take_first(&queue->waiting)) != NULL;)
        work_item_free(item);
    for (work_item *item; (item = take_first(&queue->done)) != NULL;) work_item_free(item);
    pthread_cond_destroy(&queue->changed);
    pthread_mutex_destroy(&queue->lock);
    free(queue);
}

/* ---- The server's side ---- */

bool work_queue_add(work_queue *queue, work_item *item)
{
    pthread_mutex_lock(&queue->lock);
    const bool fits = queue->n_waiting < queue->most_waiting;
    if (fits) {
        item->state = WORK_WAITING;
        append(&queue->waiting, item);
        queue->n_waiting++;
        pthread_cond_signal(&queue->changed);
    }
    pthread_mutex_unlock(&queue->lock);
    return fits;
}

void work_queue_abandon(work_queue *queue, work_item *item)
{
    bool waits = false;
    pthread_mutex_lock(&queue->lock);
    item->owner = NULL;
    if (item->state == WORK_WAITING) {
        take_out(&queue->waiting, item);
        queue->n_waiting--;
        waits = true;
    } else if (item->state == WORK_RUNNING) {
        ow_cancel_request(item->cancel);
    }
    pthread_mutex_unlock(&queue->lock);
    if (waits) work_item_free(item);
}

work_item *work_queue_take(work_queue *queue)
{
    pthread_mutex_lock(&queue->lock);
    work_item *item = take_first(&queue->done);
    pthread_mutex_unlock(&queue->lock);
    return item;
}
