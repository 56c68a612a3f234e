/* SPDX-License-Identifier: MIT */
/* How much of the machine each kernel of the circuit uses: useful arithmetic
 * (doc/method.md) a second over what the matrix product of OpenBLAS reaches in the same
 * run, and over `ref`; for 256 rows and for one.  Sizes are those of the paper's circuit
 * for MNIST, shared; of trees two with 112 nodes of 16 states.
 *
 * The kernels of trees read or write more than they multiply: "of memory" is the time that
 * memcpy takes to read and write the same buffers once, over the kernel's.  The larger of
 * the two shares is the one that bounds a kernel.  tree_forward has an exponential and a
 * logarithm of every state beside its products; the last line says what share it has of a
 * bound that counts them, at the rate of `normalize`.
 *
 *     bench_kernels [BACKEND]      every one that runs here */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "kernels/kernel_list.h"
#include "sgemm_peak.h"
#include "stopwatch.h"

enum { n_runs = 25, most_kernels = 5 };

/* The buffers that a kernel of trees goes through once. */
typedef struct {
    const float *read[2];
    float *written[3];
    size_t n_floats; /* of each */
} traffic;

/* A line of the report: kernels run one after the other, with or without statistics, and
 * how often the useful work of one leaf product, one pass through the roots, one through
 * inner sums and one along the edges of trees is in them. */
typedef struct {
    const char *name;
    const char *kernels[most_kernels];
    bool statistics;
    double n_leaf, n_root, n_sum, n_tree;
} line;

static const line lines[] = {
    {"leaf_forward", {"leaf_forward"}, false, 1, 0, 0, 0},
    {"leaf_backward", {"leaf_backward"}, false, 1, 0, 0, 0},
    {"leaf_statistics", {"leaf_statistics"}, true, 1, 0, 0, 0},
    {"normalize", {"normalize"}, false, 0, 0, 0, 0},
    {"root_forward", {"root_forward"}, false, 0, 1, 0, 0},
    {"root_backward", {"root_backward"}, false, 0, 1, 0, 0},
    {"root_backward, statistics", {"root_backward"}, true, 0, 2, 0, 0},
    {"sum_forward", {"sum_forward"}, false, 0, 0, 1, 0},
    {"sum_backward", {"sum_backward"}, false, 0, 0, 1, 0},
    {"sum_backward, statistics", {"sum_backward"}, true, 0, 0, 2, 0},
    {"tree_forward", {"tree_forward"}, false, 0, 0, 0, 1},
    {"tree_backward", {"tree_backward"}, false, 0, 0, 0, 1},
    {"tree_backward, statistics", {"tree_backward"}, true, 0, 0, 0, 2},
    {"up and down",
     {"leaf_forward", "normalize", "root_forward", "root_backward", "leaf_backward"},
     false,
     2,
     2,
     0,
     0},
    {"up, down, statistics",
     {"leaf_forward", "normalize", "root_forward", "root_backward", "leaf_statistics"},
     true,
     2,
     3,
     0,
     0},
};
enum { n_lines = sizeof lines / sizeof *lines };

/* What a line runs on. */
typedef struct {
    const owi_backend *backend;
    const kernel_entry *kernels[most_kernels];
    kernel_case cases[most_kernels];
    size_t n_kernels, n_calls;
    double work;
} task;

static void run(void *user)
{
    const task *t = user;
    for (size_t call = 0; call < t->n_calls; call++)
        for (size_t k = 0; k < t->n_kernels; k++)
            t->kernels[k]->run(t->backend, &t->cases[k]);
}

static void prepare(task *t, const line *l, const owi_backend *backend, owi_batch batch)
{
    kernel_case leaf = {0}, root = {0}, sum = {0}, tree = {0};
    kernel_find("leaf_forward")->mnist(&leaf, batch);
    kernel_find("root_forward")->mnist(&root, batch);
    kernel_find("sum_forward")->mnist(&sum, batch);
    kernel_find("tree_forward")->mnist(&tree, batch);
    kernel_find("root_forward")
        ->run(backend, &root); /* backward wants to know what came out */
    kernel_find("sum_forward")->run(backend, &sum);

    *t = (task){.backend = backend};
    for (; t->n_kernels < most_kernels && l->kernels[t->n_kernels] != NULL;
         t->n_kernels++) {
        const char *name = l->kernels[t->n_kernels];
        kernel_case *c = &t->cases[t->n_kernels];
        t->kernels[t->n_kernels] = kernel_find(name);
        *c = strncmp(name, "leaf", 4) == 0   ? leaf
             : strncmp(name, "sum", 3) == 0  ? sum
             : strncmp(name, "tree", 4) == 0 ? tree
                                             : root;
        if (!l->statistics) c->statistic = NULL;
    }
    t->work = l->n_leaf * kernel_find("leaf_forward")->n_operations(&leaf) +
              l->n_root * kernel_find("root_forward")->n_operations(&root) +
              l->n_sum * kernel_find("sum_forward")->n_operations(&sum) +
              l->n_tree * kernel_find("tree_forward")->n_operations(&tree);
}

static traffic traffic_of(const task *t)
{
    const kernel_case *c = &t->cases[0];
    traffic of = {.n_floats = kernel_n_rows(c) * c->n_in * c->tree.n_components};
    if (strcmp(t->kernels[0]->name, "tree_forward") == 0) {
        of.read[0] = c->in.log_value;
        of.written[0] = c->nodes.log_value;
        of.written[1] = c->nodes.value;
        of.written[2] = c->nodes.sum;
    } else {
        of.read[0] = c->nodes.sum;
        of.read[1] = c->nodes.value;
        of.written[0] = c->flow_in;
    }
    return of;
}

/* The first buffer read goes to all that are written, in pieces that stay in the
 * first-level cache; of others nothing is kept. */
static void move(void *user)
{
    enum { piece = 1024 };
    static float unused[piece];
    const traffic *of = user;
    for (size_t i = 0; i < of->n_floats; i += piece) {
        const size_t rest = of->n_floats - i;
        const size_t size = (rest < piece ? rest : piece) * sizeof(float);
        for (size_t w = 0; w < 3 && of->written[w] != NULL; w++)
            memcpy(of->written[w] + i, of->read[0] + i, size);
        if (of->read[1] != NULL) memcpy(unused, of->read[1] + i, size);
    }
}

/* Seconds that memory takes for a kernel of trees. */
static double memory_seconds(const line *l, const owi_backend *backend, owi_batch batch)
{
    task t;
    prepare(&t, l, backend, batch);
    traffic of = traffic_of(&t);
    const double seconds = stopwatch_best(n_runs, move, &of);
    (void)kernel_release(0);
    return seconds;
}

/* Seconds of one call. */
static double seconds_of(const line *l, const owi_backend *backend, owi_batch batch,
                         int times, double *work)
{
    task t;
    prepare(&t, l, backend, batch);
    *work = t.work;
    t.n_calls = batch.lanes == 1 ? 100 : 1; /* the clock counts microseconds */
    const double seconds = stopwatch_best(times, run, &t) / (double)t.n_calls;
    (void)kernel_release(0);
    return seconds;
}

/* Seconds that ref takes for one row, by line. */
static double ref_seconds[n_lines];

/* Seconds of one exponential, where `normalize` takes so long for a row of its case. */
static double exponential_seconds(double seconds)
{
    kernel_case c = {0};
    kernel_find("normalize")->mnist(&c, (owi_batch){1, 1, 0});
    const double n = kernel_find("normalize")->n_operations(&c);
    (void)kernel_release(0);
    return seconds / n;
}

/* The share of a bound that tree_forward reaches, for a row. */
static void report_tree_bound(double seconds, double peak, double exponential)
{
    kernel_case c = {0};
    kernel_find("tree_forward")->mnist(&c, (owi_batch){1, 1, 0});
    const double products = 1e-9 * kernel_find("tree_forward")->n_operations(&c) / peak;
    const double states = (double)(c.n_in * c.tree.n_components);
    (void)kernel_release(0);
    printf(
        "tree_forward: %.2f us of products by SGEMM, %.2f us of exponentials, as much of "
        "logarithms: %.0f %% of their sum\n",
        1e6 * products, 1e6 * states * exponential,
        100.0 * (products + 2.0 * states * exponential) / seconds);
}

static void report(const owi_backend *backend)
{
    const owi_batch rows = {4, owi_tile_lanes, 0}, row = {1, 1, 0};
    const double n_rows = (double)(rows.n_tiles * rows.lanes);
    const double peak = sgemm_peak(1);
    printf("\n%s; SGEMM (%s): %.1f GFLOP/s\n", backend->name, sgemm_name(), peak);
    printf("%-27s %9s %8s %9s %10s %9s | %9s %10s\n", "", "us a row", "GFLOP/s", "of SGEMM",
           "of memory", "over ref", "one row", "its share");
    double exponential = 0.0, tree = 0.0;
    for (size_t i = 0; i < n_lines; i++) {
        double work, single_work;
        const double batch = seconds_of(&lines[i], backend, rows, n_runs, &work) / n_rows;
        const double single = seconds_of(&lines[i], backend, row, n_runs, &single_work);
        const double rate = 1e-9 * work / n_rows / batch;
        if (strcmp(lines[i].name, "normalize") == 0)
            exponential = exponential_seconds(batch);
        if (strcmp(lines[i].name, "tree_forward") == 0) tree = batch;
        printf("%-27s %9.3f ", lines[i].name, 1e6 * batch);
        if (work > 0.0)
            printf("%8.1f %7.0f %%", rate, 100.0 * rate / peak);
        else
            printf("%8s %9s", "-", "-"); /* exponentials only */
        if (lines[i].n_tree > 0.0)
            printf(" %8.0f %%",
                   100.0 * memory_seconds(&lines[i], backend, rows) / n_rows / batch);
        else
            printf(" %10s", "-");
        printf(" %9.1f | %6.2f us %8.2f x\n", ref_seconds[i] / batch, 1e6 * single,
               single / batch);
    }
    report_tree_bound(tree, peak, exponential);
}

int main(int argc, char **argv)
{
    const owi_backend *ref = owi_backend_find("ref");
    const owi_batch tile = {1, owi_tile_lanes, 0};
    if (argc > 1 && owi_backend_find(argv[1]) == NULL) {
        fprintf(stderr, "bench_kernels: there is no backend %s\n", argv[1]);
        return 2;
    }
    for (size_t i = 0; i < n_lines; i++) {
        double work;
        ref_seconds[i] = seconds_of(&lines[i], ref, tile, 1, &work) / owi_tile_lanes;
    }
    if (argc > 1) report(owi_backend_find(argv[1]));
    for (size_t i = 0; argc == 1 && owi_backend_get(i) != ref; i++)
        report(owi_backend_get(i));
    return 0;
}
