/* SPDX-License-Identifier: MIT */
/* A pass on a device says what the reference says.  The device is the emulated one: the
 * GPU's kernels compiled for the processor (kernels/device_emulated.h), as a plugin; or the
 * plugin that OTHERWISE_GPU_PLUGIN names, on a GPU. */
#include "support/ow_test.h"
#include "support/random_circuits.h"
#include "support/tiny_circuits.h"

#include <dlfcn.h>

#include "circuit/device/device_steps.h"
#include "circuit/learn/learn.h"
#include "kernels/device_emulated.h"
#include "support/test_call.h"

static ow_call how = {.size = sizeof how};

enum { d = ow_tiny_columns, C = 3, n_rows = 100 };

static const char *backend = "cuda:" OW_DEVICE_PLUGIN;

/* ---- Circuits and rows ---- */

typedef enum { mixed, plain, tailed, with_sheets, n_kinds } leaf_kind;

typedef struct {
    ow_context *ctx;
    ow_circuit *circuit;
    ow_tiny_rows rows;
    ow_evaluator *device, *ref;
    size_t width;
    float *soft; /* n_rows x width */
    double *factor;
} fixture;

static ow_circuit_spec spec_of(ow_structure structure, size_t depth, leaf_kind kind)
{
    static ow_leaf numbers[ow_tiny_columns];
    ow_circuit_spec spec = ow_tiny_spec(structure, depth, C);
    if (kind == tailed) spec.leaves = ow_tiny_tails;
    if (kind == with_sheets) {
        spec.leaves = ow_tiny_followers;
        spec.sheets = ow_tiny_sheets;
        spec.n_sheets = ow_n_tiny_sheets;
    }
    if (kind == plain) {
        for (size_t j = 0; j < d; j++)
            numbers[j] = (ow_leaf){.kind = OW_LEAF_GAUSSIAN, .group = j};
        spec.leaves = numbers;
        spec.variance = 0.5;
    }
    return spec;
}

static void init(fixture *f, ow_structure structure, size_t depth, leaf_kind kind,
                 double missing)
{
    const ow_circuit_spec spec = spec_of(structure, depth, kind);
    *f = (fixture){.rows = ow_tiny_rows_new(n_rows, C, missing, 5)};
    assert_ok(ow_context_new(NULL, &f->ctx));
    f->circuit = ow_random_circuit(f->ctx, &spec, 17);
    assert_ok(ow_evaluator_new(f->circuit, backend, &f->device));
    assert_ok(ow_evaluator_new(f->circuit, "ref", &f->ref));
    f->width = ow_circuit_soft_width(f->circuit);
    f->soft = calloc(n_rows * f->width, sizeof *f->soft);
    f->factor = calloc(n_rows * C, sizeof *f->factor);
    ow_circuit_soften(f->circuit, n_rows, f->rows.rows, f->soft);
    for (size_t i = 0; i < n_rows; i++) {
        f->factor[i * C + i % C] = -1.0;
        if (i % 7 != 3) f->factor[i * C + (i + 1) % C] = 1.5;
    }
}

static void clear(fixture *f)
{
    ow_evaluator_free(f->device);
    ow_evaluator_free(f->ref);
    ow_circuit_free(f->circuit);
    ow_context_free(f->ctx);
    ow_tiny_rows_free(&f->rows);
    free(f->soft);
    free(f->factor);
}

/* ---- Densities and gradients ---- */

/* The same rows as the evaluator's chunks, so that they go to the device however few they
 * are. */
static owi_row_request all_rows(const fixture *f)
{
    return (owi_row_request){.n_rows = n_rows,
                             .rows = f->soft,
                             .soft = f->circuit->has_levels,
                             .in_tiles = true};
}

static void assert_near(const fixture *f, const float *got, const float *want)
{
    for (size_t i = 0; i < n_rows; i++) {
        double largest = 1e-2;
        for (size_t e = 0; e < f->width; e++)
            largest = fmax(largest, fabs((double)want[i * f->width + e]));
        for (size_t e = 0; e < f->width; e++)
            assert_true(fabs((double)(got[i * f->width + e] - want[i * f->width + e])) <=
                        3e-5 * largest);
    }
}

static void agrees(ow_structure structure, size_t depth, leaf_kind kind, double missing)
{
    fixture f;
    init(&f, structure, depth, kind, missing);
    const owi_call *call = ow_test_call(f.ctx, &how);
    const ow_mix mixes[] = {{.class_factor = f.factor}, {.density_factor = 1.0}};
    double got_log[n_rows * C], want_log[n_rows * C];
    float *got = calloc(2 * n_rows * f.width, sizeof *got);
    float *want = calloc(2 * n_rows * f.width, sizeof *want);
    assert_ok(owi_evaluate_rows(call, f.device, all_rows(&f), got_log));
    assert_ok(owi_evaluate_rows(call, f.ref, all_rows(&f), want_log));
    assert_close(got_log, want_log, n_rows * C, 2e-5);
    memset(got_log, 0, sizeof got_log);
    assert_ok(owi_differentiate_rows(call, f.device, all_rows(&f), 2, mixes, got_log, got));
    assert_ok(owi_differentiate_rows(call, f.ref, all_rows(&f), 2, mixes, want_log, want));
    assert_close(got_log, want_log, n_rows * C, 2e-5);
    for (size_t m = 0; m < 2; m++)
        assert_near(&f, got + m * n_rows * f.width, want + m * n_rows * f.width);
    free(got);
    free(want);
    clear(&f);
}

static void densities_and_gradients_are_those_of_the_reference(void **state)
{
    (void)state;
    for (int structure = OW_STRUCTURE_PER_CLASS; structure <= OW_STRUCTURE_SHARED;
         structure++)
        for (size_t depth = 0; depth <= ow_tree_depth; depth = ow_next_depth(depth, 2))
            for (int kind = 0; kind < n_kinds; kind++)
                for (int gaps = 0; gaps < 2; gaps++) {
                    /* What is the host's does not depend on the layers above. */
                    if (kind > plain && depth != 1) continue;
                    agrees((ow_structure)structure, depth, (leaf_kind)kind, 0.1 * gaps);
                }
}

static void values_that_cannot_be_are_named(void **state)
{
    (void)state;
    for (int kind = mixed; kind <= plain; kind++) {
        fixture f;
        double log_class[n_rows * C];
        init(&f, OW_STRUCTURE_SHARED, 1, (leaf_kind)kind, 0.0);
        f.soft[70 * f.width + 1] = INFINITY;
        assert_int_equal(owi_evaluate_rows(ow_test_call(f.ctx, &how), f.device,
                                           all_rows(&f), log_class),
                         OW_ERR_NUMERIC);
        assert_non_null(strstr(ow_error_message(), "row 71, column 1"));
        clear(&f);
    }
}

/* ---- Steps that stay there ---- */

static void take_step(const fixture *f, const float *moves, const ow_mix *mix, double step,
                      const float *from, float *to)
{
    float gradient[n_rows * d];
    assert_ok(
        ow_evaluator_differentiate(f->ref, n_rows, from, 1, mix, &how, NULL, gradient));
    for (size_t i = 0; i < n_rows * d; i++)
        to[i] = moves[i % d] != 0.0f ? (float)((double)from[i] + step * (double)gradient[i])
                                     : from[i];
}

static void two_steps_are_those_of_two_gradients(void **state)
{
    (void)state;
    for (int structure = OW_STRUCTURE_PER_CLASS; structure <= OW_STRUCTURE_SHARED;
         structure++) {
        fixture f;
        float between[n_rows * d], after[n_rows * d], want[n_rows * d], end[n_rows * d];
        int32_t origin[n_rows], target[n_rows];
        const float moves[d] = {1.0f, 1.0f, 0.0f, 1.0f, 1.0f, 1.0f, 1.0f};
        bool done;
        init(&f, (ow_structure)structure, 1, plain, 0.0);
        memset(f.factor, 0, n_rows * C * sizeof *f.factor);
        for (size_t i = 0; i < n_rows; i++) {
            origin[i] = (int32_t)(i % C);
            target[i] = (int32_t)((i + 1) % C);
            f.factor[i * C + i % C] = -1.0;
            f.factor[i * C + (i + 1) % C] = 1.0;
        }
        owi_two_steps steps = {n_rows, f.soft, origin,  target, moves,
                               0.4,    0.2,    between, after};
        /* Once as it is, once captured, and once replayed, of rows that have changed. */
        for (int again = 0; again < 3; again++) {
            f.soft[0] += 0.01f;
            assert_ok(owi_device_take_steps(ow_test_call(f.ctx, &how), f.device->device,
                                            &steps, &done));
            assert_true(done);
        }
        take_step(&f, moves, &(ow_mix){.class_factor = f.factor}, 0.4, f.soft, want);
        take_step(&f, moves, &(ow_mix){.density_factor = 1.0}, 0.2, want, end);
        for (size_t i = 0; i < n_rows * d; i++) {
            assert_true(fabs((double)(between[i] - want[i])) <= 1e-4);
            assert_true(fabs((double)(after[i] - end[i])) <= 2e-4);
        }
        /* Missing values are the host's. */
        f.soft[3] = NAN;
        assert_ok(owi_device_take_steps(ow_test_call(f.ctx, &how), f.device->device, &steps,
                                        &done));
        assert_false(done);
        clear(&f);
    }
}

/* So many rows that they go chunk by chunk give what each of them gives alone with others.
 * */
static void chunks_of_rows_give_what_few_rows_give(void **state)
{
    (void)state;
    enum { n_many = 9500 };
    fixture f;
    init(&f, OW_STRUCTURE_SHARED, 1, plain, 0.0);
    const float moves[d] = {1.0f, 0.0f, 1.0f, 1.0f, 1.0f, 1.0f, 1.0f};
    float *block = calloc((size_t)5 * n_many * d, sizeof *block);
    int32_t *origin = calloc(2 * n_many, sizeof *origin), *target = origin + n_many;
    float *rows = block, *between = block + n_many * d, *after = between + n_many * d;
    bool done;
    for (size_t i = 0; i < n_many; i++) {
        memcpy(rows + i * d, f.soft + i * 7 % n_rows * d, d * sizeof *rows);
        origin[i] = (int32_t)(i % C);
        target[i] = (int32_t)((i + 1 + i / C % 2) % C);
    }
    owi_two_steps steps = {n_many, rows, origin, target, moves, 0.4, 0.2, between, after};
    const owi_call *call = ow_test_call(f.ctx, &how);
    for (int again = 0; again < 2; again++) {
        assert_ok(owi_device_take_steps(call, f.device->device, &steps, &done));
        assert_true(done);
    }
    float *few_between = after + n_many * d, *few_after = few_between + n_many * d;
    for (size_t first = 0, n; first < n_many; first += n) {
        n = n_many - first < 1900 ? n_many - first : 1900;
        const owi_two_steps few = {
            n,   rows + first * d,        origin + first,       target + first, moves, 0.4,
            0.2, few_between + first * d, few_after + first * d};
        assert_ok(owi_device_take_steps(call, f.device->device, &few, &done));
        assert_true(done);
    }
    for (size_t i = 0; i < n_many * d; i++) {
        assert_true(fabsf(between[i] - few_between[i]) <= 1e-5f);
        assert_true(fabsf(after[i] - few_after[i]) <= 1e-5f);
    }
    /* What is odd is told, in whichever chunk it is. */
    for (size_t at = 5; at < n_many; at += 4600) {
        const float was = rows[at * d + 2];
        rows[at * d + 2] = INFINITY;
        assert_ok(owi_device_take_steps(call, f.device->device, &steps, &done));
        assert_false(done);
        rows[at * d + 2] = was;
    }
    assert_ok(owi_device_take_steps(call, f.device->device, &steps, &done));
    assert_true(done);
    free(block);
    free(origin);
    clear(&f);
}

/* ---- Learning ---- */

static float *learned(const char *name, ow_structure structure, size_t depth,
                      leaf_kind kind, double missing, ow_learner learner, size_t *n)
{
    ow_context *ctx = NULL;
    ow_score score;
    const ow_circuit_spec spec = spec_of(structure, depth, kind);
    ow_tiny_rows rows = ow_tiny_rows_new(n_rows, C, missing, 8);
    assert_ok(ow_context_new(NULL, &ctx));
    ow_circuit *circuit = ow_tiny_circuit(ctx, &spec, &rows);
    const ow_row_source source = ow_row_source_of_array(&rows.array);
    ow_learn_options options = ow_test_learn_defaults();
    options.backend = name;
    options.learner = learner;
    options.passes = 2;
    options.discriminative = learner == OW_LEARN_ADAM ? 0.3 : 0.0;
    assert_ok(ow_circuit_learn(circuit, &options, &source, NULL, &how, &score));
    *n = circuit->n_leaf + circuit->n_weights;
    float *block = malloc(*n * sizeof *block);
    memcpy(block, circuit->block, *n * sizeof *block);
    for (size_t i = 0; i < circuit->n_weights; i++)
        block[circuit->n_leaf + i] = expf(circuit->log_weight[i]);
    ow_circuit_free(circuit);
    ow_tiny_rows_free(&rows);
    ow_context_free(ctx);
    return block;
}

static void learning_leads_to_the_parameters_of_the_reference(void **state)
{
    (void)state;
    for (int structure = OW_STRUCTURE_PER_CLASS; structure <= OW_STRUCTURE_SHARED;
         structure++)
        for (size_t depth = 0; depth <= ow_tree_depth; depth = ow_next_depth(depth, 2))
            for (int i = 0; i < 4; i++) {
                size_t n;
                const leaf_kind kind = i % 2 == 0 ? mixed : plain;
                const double missing = i < 2 ? 0.0 : 0.1;
                const ow_learner learner = i == 3 ? OW_LEARN_ADAM : OW_LEARN_EM;
                float *got = learned(backend, (ow_structure)structure, depth, kind, missing,
                                     learner, &n);
                float *want = learned("ref", (ow_structure)structure, depth, kind, missing,
                                      learner, &n);
                for (size_t p = 0; p < n; p++)
                    assert_true(fabs((double)(got[p] - want[p])) <=
                                1e-3 * fmax(1.0, fabs((double)want[p])));
                free(got);
                free(want);
            }
}

/* ---- Faults ---- */

/* Faults are the emulated device's to have: a GPU cannot be asked for one. */
static void needs_faults(void)
{
    if (strcmp(backend, "cuda:" OW_DEVICE_PLUGIN) != 0) skip();
}

/* What a plugin that is loaded already says beside its table. */
static void *plugin_symbol(const char *name)
{
    void *library = dlopen(OW_DEVICE_PLUGIN, RTLD_NOW | RTLD_LOCAL);
    assert_non_null(library);
    void *symbol = dlsym(library, name);
    assert_non_null(symbol);
    return symbol;
}

#define PLUGIN_FUNCTION(pointer, name)                                                     \
    do {                                                                                   \
        void *const symbol = plugin_symbol(name);                                          \
        memcpy(&(pointer), &symbol, sizeof symbol);                                        \
    } while (0)

static void a_batch_shrinks_to_the_memory_there_is(void **state)
{
    (void)state;
    void (*limit)(size_t bytes);
    fixture f;
    double got[n_rows * C], want[n_rows * C];
    needs_faults();
    PLUGIN_FUNCTION(limit, "device_emulated_limit");
    init(&f, OW_STRUCTURE_PER_CLASS, 2, mixed, 0.0);
    const owi_call *call = ow_test_call(f.ctx, &how);
    assert_ok(owi_evaluate_rows(call, f.ref, all_rows(&f), want));
    size_t bytes = 1 << 14;
    for (;; bytes += bytes / 64) {
        limit(bytes);
        const ow_status status = owi_evaluate_rows(call, f.device, all_rows(&f), got);
        if (status == OW_OK) break;
        assert_int_equal(status, OW_ERR_MEMORY);
        assert_non_null(strstr(ow_error_message(), "memory for 64 rows"));
    }
    assert_int_equal(f.device->device->room_rows, 64);
    assert_close(got, want, n_rows * C, 2e-5);
    limit(SIZE_MAX);
    clear(&f);
}

/* Whichever call fails, there is a sentence, and nothing is left behind. */
static void a_device_that_disappears_is_told(void **state)
{
    (void)state;
    void (*break_at)(device_call kind, size_t at);
    size_t (*n_blocks)(void);
    needs_faults();
    PLUGIN_FUNCTION(break_at, "device_emulated_fail");
    PLUGIN_FUNCTION(n_blocks, "device_emulated_n_blocks");
    const size_t before = n_blocks();
    for (int kind = device_copy; kind <= device_launch; kind++)
        for (size_t at = 0;; at++) {
            fixture f;
            float gradient[n_rows * d];
            init(&f, OW_STRUCTURE_SHARED, 1, plain, 0.0);
            const ow_mix mix = {.density_factor = 1.0};
            break_at((device_call)kind, at);
            const ow_status status =
                owi_differentiate_rows(ow_test_call(f.ctx, &how), f.device, all_rows(&f), 1,
                                       &mix, NULL, gradient);
            break_at((device_call)kind, SIZE_MAX);
            if (status != OW_OK) {
                assert_int_equal(status, OW_ERR_IO);
                assert_non_null(strstr(ow_error_message(), "the GPU has disappeared"));
            }
            clear(&f);
            assert_int_equal(n_blocks(), before);
            if (status == OW_OK) break;
        }
}

static void what_is_missing_is_told(void **state)
{
    (void)state;
    fixture f;
    ow_evaluator *evaluator = NULL;
    needs_faults(); /* nothing is missing where a GPU is */
    init(&f, OW_STRUCTURE_SHARED, 1, plain, 0.0);
    assert_int_equal(ow_evaluator_new(f.circuit, "cuda:/nowhere/lib.so", &evaluator),
                     OW_ERR_UNSUPPORTED);
    assert_non_null(strstr(ow_error_message(), "cannot load /nowhere/lib.so"));
    assert_int_equal(ow_evaluator_new(f.circuit, "cuda", &evaluator), OW_ERR_UNSUPPORTED);
    assert_non_null(strstr(ow_error_message(), "backend cuda: "));
    assert_ok(ow_evaluator_new(f.circuit, "auto", &evaluator));
    assert_null(evaluator->device);
    ow_evaluator_free(evaluator);
    clear(&f);
}

static void a_call_that_is_cancelled_ends(void **state)
{
    (void)state;
    fixture f;
    ow_cancel *cancel = NULL;
    double log_class[n_rows * C];
    init(&f, OW_STRUCTURE_SHARED, 1, plain, 0.0);
    assert_ok(ow_cancel_new(f.ctx, &cancel));
    ow_cancel_request(cancel);
    const ow_call stopped = {.size = sizeof stopped, .cancel = cancel};
    assert_int_equal(owi_evaluate_rows(ow_test_call(f.ctx, &stopped), f.device,
                                       all_rows(&f), log_class),
                     OW_ERR_CANCELLED);
    ow_cancel_free(cancel);
    clear(&f);
}

int main(void)
{
    static char named[4096];
    const char *plugin = getenv("OTHERWISE_GPU_PLUGIN");
    if (plugin != NULL) {
        snprintf(named, sizeof named, "cuda:%s", plugin);
        backend = named;
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(densities_and_gradients_are_those_of_the_reference),
        cmocka_unit_test(values_that_cannot_be_are_named),
        cmocka_unit_test(two_steps_are_those_of_two_gradients),
        cmocka_unit_test(chunks_of_rows_give_what_few_rows_give),
        cmocka_unit_test(learning_leads_to_the_parameters_of_the_reference),
        cmocka_unit_test(a_batch_shrinks_to_the_memory_there_is),
        cmocka_unit_test(a_device_that_disappears_is_told),
        cmocka_unit_test(what_is_missing_is_told),
        cmocka_unit_test(a_call_that_is_cancelled_ends),
    };
    return cmocka_run_group_tests_name("circuit/device_pass", tests, NULL, NULL);
}
