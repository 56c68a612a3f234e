/* SPDX-License-Identifier: MIT */
/* cmocka, and the assertions that numeric code needs on top of it. */
#ifndef OW_TEST_H
#define OW_TEST_H

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "otherwise/otherwise.h"

/* The tests of a folder are one program (tests/unit/main.c.in): main is then called after
 * its file. */
#ifdef OW_TEST_MAIN
int OW_TEST_MAIN(void);
#define main OW_TEST_MAIN
#endif

/* got[i] equals want[i] within tolerance * max(1, |want[i]|), for all n; infinities
 * and NaN equal themselves. */
#define assert_close(got, want, n, tolerance)                                              \
    ow_test_close((got), (want), (n), (tolerance), __FILE__, __LINE__)
void ow_test_close(const double *got, const double *want, size_t n, double tolerance,
                   const char *file, int line);

/* The call returned this status; prints ow_error_message() where it did not. */
#define assert_status(call, want) ow_test_status((call), (want), #call, __FILE__, __LINE__)
#define assert_ok(call)           assert_status(call, OW_OK)
void ow_test_status(ow_status got, ow_status want, const char *call, const char *file,
                    int line);

/* The call failed with this status and a message that contains this text. */
#define assert_fails(call, want, text)                                                     \
    ow_test_fails((call), (want), (text), #call, __FILE__, __LINE__)
void ow_test_fails(ow_status got, ow_status want, const char *text, const char *call,
                   const char *file, int line);

/* A call with so many threads, or with this seed, and all else by default; for one call. */
#define ow_test_threads(n) (&(ow_call){.size = sizeof(ow_call), .threads = (n)})
#define ow_test_seed(s)    (&(ow_call){.size = sizeof(ow_call), .seed = (s)})

/* A context that counts: how many blocks live, and after how many allocations (resizing
 * included) the next one fails.  Thread-safe. */
typedef struct {
    ow_context *ctx;
    size_t n_live;
    size_t n_allowed; /* SIZE_MAX: never fails */
} ow_test_heap;

/* A context on this heap; ow_test_heap_end frees it and asserts that nothing lives. */
void ow_test_heap_begin(ow_test_heap *heap);
void ow_test_heap_end(ow_test_heap *heap);

/* The same as cmocka's set-up and tear-down, of a test or of a group: *state is the
 * heap. */
int ow_test_set_up_heap(void **state);
int ow_test_tear_down_heap(void **state);
#define ow_test_on_heap(test)                                                              \
    cmocka_unit_test_setup_teardown(test, ow_test_set_up_heap, ow_test_tear_down_heap)
static inline ow_context *ow_test_context(void **state)
{
    return ((ow_test_heap *)*state)->ctx;
}

/* The allocation sweep: calls body with 0, 1, 2, ... allocations allowed until it
 * succeeds; every failure before must be OW_ERR_MEMORY, and after every call no block
 * may live but the context's own. */
void ow_test_sweep(ow_status (*body)(ow_context *ctx, void *user), void *user);

/* What the log said since the collector was attached, one message a line. */
typedef struct {
    char text[8192];
    size_t n_messages;
} ow_test_log;
void ow_test_log_attach(ow_test_log *log, ow_context *ctx, ow_log_level level);

/* A path in a folder of this test run alone, made on first use and removed at exit;
 * lent until the next call with the same slot (0 to 7). */
const char *ow_test_path(const char *name, int slot);
void ow_test_write_file(const char *path, const void *bytes, size_t size);
/* Caller frees with free(). */
char *ow_test_read_file(const char *path, size_t *size);

/* The bytes as one gzip member; caller frees with free(). */
unsigned char *ow_test_gzip(const void *bytes, size_t size, size_t *packed_size);

/* The path of a file in $OTHERWISE_DATA, or NULL after skipping with a sentence where it
 * is not there:  const char *path = ow_test_data_file("adult/adult.data"); */
const char *ow_test_data_file(const char *name);

/* OW_TEST_SCALE from the environment, 1 without it: multiplies the work of randomized
 * tests. */
size_t ow_test_scale(void);

/* The defaults as values, for initialisers. */
ow_explain_options ow_test_explain_defaults(void);
ow_train_options ow_test_train_defaults(void);
ow_learn_options ow_test_learn_defaults(void);
ow_experiment ow_test_experiment_defaults(void);

#endif
