/* SPDX-License-Identifier: MIT */
/* Scratch memory: pieces, marks, the failure that sticks, and what ASan sees of it. */
#include "support/ow_test.h"

#include "base/compiler.h"
#include "base/memory/workspace.h"

static owi_workspace *new_workspace(const ow_test_heap *heap, size_t size)
{
    owi_workspace *ws = NULL;
    assert_ok(owi_workspace_new(heap->ctx, size, &ws));
    return ws;
}

static void what_the_sizes_add_up_to_is_just_enough(void **state)
{
    (void)state;
    ow_test_heap heap;
    ow_test_heap_begin(&heap);
    size_t size = owi_workspace_piece(10, sizeof(double));
    size = owi_workspace_add(size, owi_workspace_piece(3, 1));
    size = owi_workspace_add(size, owi_workspace_piece(64, 1));

    owi_workspace *ws = new_workspace(&heap, size);
    assert_non_null(owi_workspace_take(ws, 10, sizeof(double)));
    assert_non_null(owi_workspace_take(ws, 3, 1));
    assert_non_null(owi_workspace_take(ws, 64, 1));
    assert_ok(owi_workspace_status(ws));
    owi_workspace_free(ws);

    ws = new_workspace(&heap, size - 1);
    assert_non_null(owi_workspace_take(ws, 10, sizeof(double)));
    assert_non_null(owi_workspace_take(ws, 3, 1));
    assert_null(owi_workspace_take(ws, 64, 1));
    owi_workspace_free(ws);
    ow_test_heap_end(&heap);
}

static void what_carving_counts_is_what_carving_takes(void **state)
{
    (void)state;
    ow_test_heap heap;
    ow_test_heap_begin(&heap);
    owi_carver count = {0};
    assert_null(owi_carve(&count, 10, sizeof(double)));
    assert_null(owi_carve(&count, 3, 1));

    for (size_t less = 0; less < 2; less++) {
        owi_carver carver = {.workspace = new_workspace(&heap, count.size - less)};
        assert_non_null(owi_carve(&carver, 10, sizeof(double)));
        assert_true((owi_carve(&carver, 3, 1) != NULL) == (less == 0));
        assert_int_equal(carver.size, count.size);
        owi_workspace_free(carver.workspace);
    }
    ow_test_heap_end(&heap);
}

static void pieces_are_aligned_and_apart(void **state)
{
    (void)state;
    enum { n_pieces = 50 };
    ow_test_heap heap;
    ow_test_heap_begin(&heap);
    size_t size = 0;
    for (size_t i = 0; i < n_pieces; i++)
        size = owi_workspace_add(size, owi_workspace_piece(i, 7));

    owi_workspace *ws = new_workspace(&heap, size);
    unsigned char *pieces[n_pieces];
    for (size_t i = 0; i < n_pieces; i++) {
        pieces[i] = owi_workspace_take(ws, i, 7);
        assert_int_equal((uintptr_t)pieces[i] % 64, 0);
        memset(pieces[i], (int)i, 7 * i);
    }
    for (size_t i = 0; i < n_pieces; i++)
        for (size_t k = 0; k < 7 * i; k++) assert_int_equal(pieces[i][k], i);
    owi_workspace_free(ws);
    ow_test_heap_end(&heap);
}

static void releasing_a_mark_gives_back_what_came_after_it(void **state)
{
    (void)state;
    ow_test_heap heap;
    ow_test_heap_begin(&heap);
    owi_workspace *ws = new_workspace(&heap, 2 * owi_workspace_piece(100, 1));
    char *kept = owi_workspace_take(ws, 100, 1);
    memset(kept, 'k', 100);
    const size_t mark = owi_workspace_mark(ws);
    char *first = owi_workspace_take(ws, 100, 1);
    memset(first, 'f', 100);
    owi_workspace_release(ws, mark);
    assert_ptr_equal(owi_workspace_take(ws, 50, 2), first);
    for (int i = 0; i < 100; i++) assert_int_equal(kept[i], 'k');
    owi_workspace_reset(ws);
    assert_ptr_equal(owi_workspace_take(ws, 1, 1), kept);
    assert_ok(owi_workspace_status(ws));
    owi_workspace_free(ws);
    ow_test_heap_end(&heap);
}

static void a_failure_sticks_until_reset_and_names_the_piece(void **state)
{
    (void)state;
    ow_test_heap heap;
    ow_test_heap_begin(&heap);
    owi_workspace *ws = new_workspace(&heap, owi_workspace_piece(64, 1));
    assert_null(owi_workspace_take(ws, 1000, 8));
    assert_null(owi_workspace_take(ws, SIZE_MAX, 2));
    assert_non_null(owi_workspace_take(ws, 64, 1)); /* what fits is still given */
    assert_fails(owi_workspace_status(ws), OW_ERR_MEMORY, "1000 times 8 bytes");
    owi_workspace_release(ws, 0);
    assert_fails(owi_workspace_status(ws), OW_ERR_MEMORY, "1000 times 8 bytes");
    owi_workspace_reset(ws);
    assert_ok(owi_workspace_status(ws));
    assert_null(owi_workspace_take(ws, SIZE_MAX, 2));
    assert_status(owi_workspace_status(ws), OW_ERR_MEMORY);
    owi_workspace_free(ws);
    ow_test_heap_end(&heap);
}

static void sizes_beyond_any_machine_stay_so(void **state)
{
    (void)state;
    assert_true(owi_workspace_piece(SIZE_MAX / 8 + 1, 8) == SIZE_MAX);
    assert_true(owi_workspace_piece(SIZE_MAX - 3, 1) == SIZE_MAX);
    assert_true(owi_workspace_add(SIZE_MAX, 0) == SIZE_MAX);
    assert_true(owi_workspace_add(SIZE_MAX, 1) == SIZE_MAX);
    assert_true(owi_workspace_add(1, SIZE_MAX) == SIZE_MAX);
    assert_true(owi_workspace_add(SIZE_MAX / 2 + 1, SIZE_MAX / 2 + 1) == SIZE_MAX);
    assert_true(owi_workspace_add(SIZE_MAX / 2, SIZE_MAX / 2 + 1) == SIZE_MAX);
    assert_true(owi_workspace_add(2, 3) == 5);

    ow_test_heap heap;
    ow_test_heap_begin(&heap);
    owi_workspace *ws = (owi_workspace *)&heap;
    assert_status(owi_workspace_new(heap.ctx, SIZE_MAX, &ws), OW_ERR_MEMORY);
    assert_null(ws);
    ow_test_heap_end(&heap);
}

static void an_empty_workspace_has_room_for_nothing(void **state)
{
    (void)state;
    ow_test_heap heap;
    ow_test_heap_begin(&heap);
    owi_workspace *ws = new_workspace(&heap, 0);
    assert_null(owi_workspace_take(ws, 1, 1));
    owi_workspace_free(ws);
    owi_workspace_free(NULL);
    ow_test_heap_end(&heap);
}

static ow_status make_one(ow_context *ctx, void *user)
{
    (void)user;
    owi_workspace *ws = NULL;
    const ow_status status = owi_workspace_new(ctx, 1000, &ws);
    assert_true((ws == NULL) == (status != OW_OK));
    owi_workspace_free(ws);
    return status;
}

static void making_one_survives_any_failing_allocation(void **state)
{
    (void)state;
    ow_test_sweep(make_one, NULL);
}

/* A table of pieces: zeroed, aligned, apart, of different types; all NULL on failure. */
static ow_status take_pieces(ow_context *ctx, void *user)
{
    (void)user;
    double *numbers;
    char *bytes;
    int32_t *none;
    owi_workspace *ws;
    const owi_piece pieces[] = {OWI_PIECE(numbers, 5), OWI_PIECE(bytes, 65),
                                OWI_PIECE(none, 0)};
    const ow_status status = owi_pieces_new(ctx, OWI_PIECES(pieces), &ws);
    assert_true((ws == NULL) == (status != OW_OK));
    assert_true((numbers == NULL) == (status != OW_OK));
    assert_true((bytes == NULL) == (status != OW_OK));
    if (status != OW_OK) return status;
    for (size_t i = 0; i < 5; i++) assert_true(numbers[i] == 0.0);
    for (size_t i = 0; i < 65; i++) assert_int_equal(bytes[i], 0);
    memset(numbers, 'n', 5 * sizeof *numbers);
    memset(bytes, 'b', 65);
    for (size_t i = 0; i < 5 * sizeof *numbers; i++)
        assert_int_equal(((char *)numbers)[i], 'n');
    assert_int_equal((uintptr_t)numbers % 64, 0);
    assert_int_equal((uintptr_t)bytes % 64, 0);
    owi_workspace_free(ws);
    return OW_OK;
}

static void a_table_of_pieces_survives_any_failing_allocation(void **state)
{
    (void)state;
    ow_test_sweep(take_pieces, NULL);
}

static void pieces_that_no_machine_holds_are_refused(void **state)
{
    (void)state;
    ow_test_heap heap;
    ow_test_heap_begin(&heap);
    double *few = (double *)&heap, *many = (double *)&heap;
    owi_workspace *ws = (owi_workspace *)&heap;
    const owi_piece pieces[] = {OWI_PIECE(few, 3), OWI_PIECE(many, SIZE_MAX / 4)};
    assert_status(owi_pieces_new(heap.ctx, OWI_PIECES(pieces), &ws), OW_ERR_MEMORY);
    assert_null(ws);
    assert_null(few);
    assert_null(many);
    ow_test_heap_end(&heap);
}

/* Without AddressSanitizer there is nothing to see. */
static void asan_guards_what_is_behind_a_piece_and_what_is_free(void **state)
{
    (void)state;
#if defined(OWI_ASAN)
    ow_test_heap heap;
    ow_test_heap_begin(&heap);
    const size_t size = 3 * owi_workspace_piece(100, 1);
    owi_workspace *ws = new_workspace(&heap, size);
    char *first = owi_workspace_take(ws, 100, 1);
    const size_t mark = owi_workspace_mark(ws);
    char *second = owi_workspace_take(ws, 64, 1); /* fills whole lines: the zone is extra */

    for (size_t i = 0; i < size; i++) {
        const bool in_first = i < 100;
        const bool in_second = first + i >= second && first + i < second + 64;
        assert_int_equal(__asan_address_is_poisoned(first + i), !in_first && !in_second);
    }
    assert_true(second - first >= 100 + 64);

    owi_workspace_release(ws, mark);
    assert_true(__asan_address_is_poisoned(second));
    assert_false(__asan_address_is_poisoned(first + 99));
    owi_workspace_reset(ws);
    assert_true(__asan_address_is_poisoned(first));
    owi_workspace_free(ws);
    ow_test_heap_end(&heap);
#else
    skip();
#endif
}

/* An allocator that keeps its blocks for the next customer, as pools do. */
static _Alignas(max_align_t) char pool[4096];
static size_t pool_used;

static void *pool_allocate(void *user, size_t size)
{
    (void)user;
    void *block = pool + pool_used;
    pool_used += (size + 15) / 16 * 16;
    assert_true(pool_used <= sizeof pool);
    return block;
}

static void *pool_resize(void *user, void *block, size_t size)
{
    (void)user, (void)block, (void)size;
    return NULL;
}

static void pool_release(void *user, void *block)
{
    (void)user, (void)block;
}

static void memory_given_back_to_a_pool_may_be_touched_again(void **state)
{
    (void)state;
    const ow_allocator allocator = {NULL, pool_allocate, pool_resize, pool_release};
    ow_context *ctx = NULL;
    owi_workspace *ws = NULL;
    assert_ok(ow_context_new(&allocator, &ctx));
    assert_ok(owi_workspace_new(ctx, 1000, &ws));
    (void)owi_workspace_take(ws, 10, 1);
    owi_workspace_free(ws);
    ow_context_free(ctx);
    memset(pool, 'p', sizeof pool);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_the_sizes_add_up_to_is_just_enough),
        cmocka_unit_test(what_carving_counts_is_what_carving_takes),
        cmocka_unit_test(pieces_are_aligned_and_apart),
        cmocka_unit_test(releasing_a_mark_gives_back_what_came_after_it),
        cmocka_unit_test(a_failure_sticks_until_reset_and_names_the_piece),
        cmocka_unit_test(sizes_beyond_any_machine_stay_so),
        cmocka_unit_test(an_empty_workspace_has_room_for_nothing),
        cmocka_unit_test(making_one_survives_any_failing_allocation),
        cmocka_unit_test(a_table_of_pieces_survives_any_failing_allocation),
        cmocka_unit_test(pieces_that_no_machine_holds_are_refused),
        cmocka_unit_test(asan_guards_what_is_behind_a_piece_and_what_is_free),
        cmocka_unit_test(memory_given_back_to_a_pool_may_be_touched_again),
    };
    return cmocka_run_group_tests_name("base/workspace", tests, NULL, NULL);
}
