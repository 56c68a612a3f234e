/* SPDX-License-Identifier: MIT */
#include "kernels/kernel_check.h"

#include <assert.h>
#include <dlfcn.h>
#include <float.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/compiler.h"
#include "kernels/device_backend.h"
#include "kernels/device_emulated.h"

/* Of the case at hand, for messages. */
static size_t case_number;
static const char *backend_name;

void kernel_assert_near(const char *what, size_t index, double got, double want,
                        double bound)
{
    if (got == want || fabs(got - want) <= bound) return;
    fail_msg("case %zu on %s: %s[%zu]: got %.9g, want %.9g (bound %g)", case_number,
             backend_name, what, index, got, want, bound);
}

void kernel_assert_close(const char *what, size_t n, const float *got, const float *want,
                         const float *scale, double relative, double absolute)
{
    for (size_t i = 0; i < n; i++) {
        const double size = scale != NULL ? scale[i] : want[i];
        kernel_assert_near(what, i, got[i], want[i], relative * fabs(size) + absolute);
    }
}

/* --- Shapes --- */

#define pick(rng, ...) pick_from((rng), (const size_t[]){__VA_ARGS__, end_of_list})
enum { end_of_list = 1 << 30 };

/* One of the numbers of a list. */
static size_t pick_from(owi_rng *rng, const size_t *numbers)
{
    size_t n = 0;
    while (numbers[n] != end_of_list) n++;
    return numbers[owi_rng_below(rng, n)];
}

static kernel_kind pick_kind(owi_rng *rng)
{
    return owi_rng_below(rng, 2) == 0 ? kernel_mild : kernel_extreme;
}

static owi_batch pick_batch(owi_rng *rng)
{
    owi_batch batch = {pick(rng, 0, 1, 1, 1, 2, 3), pick(rng, 1, owi_tile_lanes), 0};
    if (batch.lanes > 1 && batch.n_tiles > 0) batch.spare = pick(rng, 0, 0, 16, 32, 48);
    return batch;
}

static void pick_leaf(kernel_case *c, owi_rng *rng, owi_batch batch)
{
    size_t R = pick(rng, 1, 2, 5), K = pick(rng, 1, 2, 3, 4, 7, 20, 33);
    /* Wide scopes of one row are done in pieces; and, of tiles, sums of very many terms:
     * features on the way up, components down. */
    size_t width = batch.lanes == 1 ? pick(rng, 0, 1, 3, 16, 64, 131, 1100)
                                    : pick(rng, 0, 1, 3, 16, 64, 131);
    if (batch.lanes > 1 && owi_rng_below(rng, 10) == 0) {
        const bool wide = owi_rng_below(rng, 2) == 0;
        const size_t many = pick(rng, 2560, 2561, 5200);
        R = pick(rng, 1, 2);
        K = wide ? 3 : many;
        width = wide ? many : 3;
    } else if (owi_rng_below(rng, 5) == 0) { /* features are in more than 32 regions */
        R = pick(rng, 64, 90);
        K = pick(rng, 1, 4, 20);
        width = pick(rng, 8, 16);
    }
    kernel_case_leaf(c, rng, batch, R, K, width + 5, width, owi_rng_below(rng, 2) == 0,
                     owi_rng_below(rng, 2) == 0);
}

void kernel_pick_leaf(kernel_case *c, owi_rng *rng)
{
    pick_leaf(c, rng, pick_batch(rng));
}

void kernel_pick_leaf_tiles(kernel_case *c, owi_rng *rng)
{
    owi_batch batch = pick_batch(rng);
    batch.lanes = owi_tile_lanes;
    pick_leaf(c, rng, batch);
}

void kernel_pick_sum(kernel_case *c, owi_rng *rng)
{
    const owi_batch batch = pick_batch(rng);
    owi_sum_shape shape = {pick(rng, 1, 2, 3), pick(rng, 1, 2, 5),
                           pick(rng, 1, 2, 3, 4, 7, 11, 20, 33)};
    if (shape.n_components > 11) shape.n_regions = 1; /* ref takes long */
    kernel_case_sum(c, rng, batch, shape, pick_kind(rng));
}

void kernel_pick_root(kernel_case *c, owi_rng *rng)
{
    const owi_batch batch = pick_batch(rng);
    owi_root_shape shape = {.n_classes = pick(rng, 1, 2, 3),
                            .n_partitions = pick(rng, 1, 2, 5),
                            .n_components = pick(rng, 1, 2, 3, 4, 7, 11, 20, 33),
                            .single = owi_rng_below(rng, 3) == 0};
    if (shape.n_components > 11) shape.n_classes = 1; /* ref takes long */
    shape.class_stride = owi_rng_below(rng, 2) == 0 ? 0 : shape.n_partitions;
    kernel_case_root(c, rng, batch, shape, pick_kind(rng));
}

void kernel_pick_tree(kernel_case *c, owi_rng *rng)
{
    const owi_batch batch = pick_batch(rng);
    const owi_tree_shape shape = {.n_trees = pick(rng, 1, 2, 3),
                                  .n_nodes = pick(rng, 1, 2, 3, 6, 13),
                                  .n_components = pick(rng, 1, 2, 3, 4, 7, 16, 33)};
    kernel_case_tree(c, rng, batch, shape, pick_kind(rng));
}

/* --- Checking --- */

/* Under AddressSanitizer, which looks for other faults and takes several times as long, a
 * third of the cases. */
#if defined(OWI_ASAN)
enum { cases_divided_by = 3 };
#else
enum { cases_divided_by = 1 };
#endif

enum { most_backends = 8 };

typedef struct {
    const kernel_check *check;
    const owi_backend *backends[most_backends];
    size_t shares[most_backends]; /* one of so many cases: an emulated device is slow */
    size_t n_backends;
    size_t n_cases; /* 0: as many as a check has */
} check_state;

static void make_case(kernel_case *c, const kernel_check *check, size_t number)
{
    owi_rng rng;
    owi_rng_init(&rng, 20, number);
    *c = (kernel_case){0};
    check->make(c, &rng);
}

/* What `ref` makes of a case is computed once, for all backends: of large cases it takes
 * longest. */
static void agree_with_ref(void **state)
{
    const check_state *s = *state;
    const kernel_entry *kernel = kernel_find(s->check->kernel);
    const owi_backend *ref = owi_backend_find("ref");
    const size_t n_cases = s->n_cases > 0 ? s->n_cases
                                          : (s->check->are_large ? 60 : 120) *
                                                ow_test_scale() / cases_divided_by;

    for (case_number = 0; case_number < n_cases; case_number++) {
        kernel_case got, want, scale; /* the same case again and again */
        backend_name = "ref";
        make_case(&want, s->check, case_number);
        make_case(&scale, s->check, case_number);
        kernel_case_absolute(&scale);
        kernel->run(ref, &want);
        kernel->run(ref, &scale);
        const size_t n_kept = kernel_n_buffers();
        for (size_t i = 0; i < s->n_backends; i++) {
            if (case_number % s->shares[i] != 0) continue;
            backend_name = s->backends[i]->name;
            make_case(&got, s->check, case_number);
            kernel->run(s->backends[i], &got);
            if (device_backend_error() != NULL)
                fail_msg("case %zu: %s", case_number, device_backend_error());
            s->check->compare(&got, &want, &scale);
            if (!kernel_release(n_kept))
                fail_msg("case %zu: %s wrote past an end", case_number, backend_name);
        }
        if (!kernel_release(0)) fail_msg("case %zu: ref wrote past an end", case_number);
    }
}

static int release(void **state)
{
    (void)state;
    (void)kernel_release(0); /* what a failed case has left */
    return 0;
}

/* --- Timing --- */

/* The least time of several calls, which other programs disturb least. */
static double seconds_of(const kernel_entry *kernel, const owi_backend *backend,
                         const kernel_case *c)
{
    double least = DBL_MAX;
    const double end = owi_clock_seconds() + 0.2;
    do {
        const double start = owi_clock_seconds();
        kernel->run(backend, c);
        least = fmin(least, owi_clock_seconds() - start);
    } while (owi_clock_seconds() < end);
    return least;
}

static void time_backends(const kernel_entry *kernel, owi_batch batch)
{
    kernel_case c = {0};
    kernel->mnist(&c, batch);
    const double operations = kernel->n_operations(&c);
    const double ref = seconds_of(kernel, owi_backend_find("ref"), &c);

    for (size_t i = 0; owi_backend_get(i) != NULL; i++) {
        const owi_backend *backend = owi_backend_get(i);
        const double seconds = seconds_of(kernel, backend, &c);
        print_message("%-16s %-11s %4zu rows %10.1f us %8.2f GFLOP/s %7.1f x ref\n",
                      kernel->name, backend->name, kernel_n_rows(&c), 1e6 * seconds,
                      1e-9 * operations / seconds, ref / seconds);
    }
    kernel_release(0);
}

/* --- Devices --- */

/* The emulated device runs every sixth case. */
enum { emulated_share = 6 };

/* What a test that has nothing to run on ends with, for ctest. */
enum { is_skipped = 77 };

/* The runtime of a GPU from a plugin; NULL, and prints why, where there is none, with the
 * exit code: a machine without a GPU has nothing to check. */
static const owi_device_api *load_device(const char *file, int *code)
{
    void *library = dlopen(file, RTLD_NOW | RTLD_LOCAL);
    const owi_device_api *api = library != NULL ? dlsym(library, OWI_DEVICE_SYMBOL) : NULL;
    *code = 1;
    if (api == NULL) {
        print_message("%s\n", dlerror());
        return NULL;
    }
    uint32_t n = 0;
    const bool is_same = api->version == owi_device_version;
    int error = is_same ? api->count(&n) : -1;
    if (error == 0 && n > 0) error = api->start(0);
    if (error == 0 && n > 0) return api;
    if (is_same && n == 0) *code = is_skipped;
    print_message("%s: %s\n", file,
                  error < 0   ? "another version"
                  : error > 0 ? api->explain(error)
                              : "no GPU");
    return NULL;
}

static void add_backend(check_state *s, const owi_backend *backend, size_t share)
{
    assert(s->n_backends < most_backends);
    s->backends[s->n_backends] = backend;
    s->shares[s->n_backends++] = share;
}

/* The backends of the processor, but for `ref`. */
static void add_processor(check_state *s)
{
    for (size_t i = 0; owi_backend_get(i) != NULL; i++)
        if (owi_backend_get(i) != owi_backend_find("ref"))
            add_backend(s, owi_backend_get(i), 1);
}

int kernel_check_main(int argc, char **argv, const kernel_check *check)
{
    check_state all = {.check = check};
    owi_backend device;
    const bool is_real = argc > 2 && strcmp(argv[1], "--device") == 0;
    if (!is_real) add_processor(&all);
    if (argc > 4 && strcmp(argv[3], "--cases") == 0)
        all.n_cases = strtoul(argv[4], NULL, 10);
    /* The kernels of the CUDA engine: emulated; or, with --device FILE [--cases N], on a
     * GPU, which is compared alone.  leaf_change has none. */
    if (strcmp(check->kernel, "leaf_change") != 0) {
        int code = 0;
        const owi_device_api *api =
            is_real ? load_device(argv[2], &code) : &device_emulated;
        if (api == NULL) return code;
        device = device_backend(api);
        add_backend(&all, &device, is_real ? 1 : emulated_share);
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_prestate_setup_teardown(agree_with_ref, NULL, release, &all),
    };
    char name[64];
    snprintf(name, sizeof name, "kernels/%s", check->kernel);
    const int failed = cmocka_run_group_tests_name(name, tests, NULL, NULL);
    if (failed == 0 && argc > 1 && strcmp(argv[1], "--bench") == 0) {
        time_backends(kernel_find(check->kernel), (owi_batch){4, owi_tile_lanes, 0});
        time_backends(kernel_find(check->kernel), (owi_batch){1, 1, 0});
    }
    return failed;
}
