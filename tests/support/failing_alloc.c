/* SPDX-License-Identifier: MIT */
/* A heap that counts its blocks and fails on request (see ow_test.h). */
#include "support/ow_test.h"

#include <pthread.h>

static pthread_mutex_t heap_lock = PTHREAD_MUTEX_INITIALIZER;

static bool may_allocate(ow_test_heap *heap)
{
    pthread_mutex_lock(&heap_lock);
    const bool allowed = heap->n_allowed > 0;
    if (allowed && heap->n_allowed != SIZE_MAX) heap->n_allowed--;
    pthread_mutex_unlock(&heap_lock);
    return allowed;
}

static void count(ow_test_heap *heap, int change)
{
    pthread_mutex_lock(&heap_lock);
    heap->n_live = change > 0 ? heap->n_live + 1 : heap->n_live - 1;
    pthread_mutex_unlock(&heap_lock);
}

static void *allocate(void *user, size_t size)
{
    if (size == 0 || !may_allocate(user)) return NULL; /* as an allocator may */
    void *block = malloc(size);
    if (block != NULL) count(user, 1);
    return block;
}

static void *resize(void *user, void *block, size_t size)
{
    if (size == 0 || !may_allocate(user)) return NULL;
    return realloc(block, size);
}

static void release(void *user, void *block)
{
    if (block != NULL) count(user, -1);
    free(block);
}

void ow_test_heap_begin(ow_test_heap *heap)
{
    *heap = (ow_test_heap){.n_allowed = SIZE_MAX};
    const ow_allocator allocator = {heap, allocate, resize, release};
    assert_ok(ow_context_new(&allocator, &heap->ctx));
}

void ow_test_heap_end(ow_test_heap *heap)
{
    ow_context_free(heap->ctx);
    assert_int_equal(heap->n_live, 0);
}

int ow_test_set_up_heap(void **state)
{
    static ow_test_heap heap;
    ow_test_heap_begin(&heap);
    *state = &heap;
    return 0;
}

int ow_test_tear_down_heap(void **state)
{
    ow_test_heap_end(*state);
    return 0;
}

void ow_test_sweep(ow_status (*body)(ow_context *ctx, void *user), void *user)
{
    ow_status status = OW_ERR_MEMORY;
    for (size_t n = 0; status != OW_OK; n++) {
        ow_test_heap heap;
        ow_test_heap_begin(&heap);
        heap.n_allowed = n;
        status = body(heap.ctx, user);
        if (status != OW_OK) assert_status(status, OW_ERR_MEMORY);
        assert_int_equal(heap.n_live, 1); /* the context */
        ow_test_heap_end(&heap);
    }
}
