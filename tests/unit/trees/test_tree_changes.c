/* SPDX-License-Identifier: MIT */
/* All changes of one and two features, against the trees walked again for each of them. */
#include "random_forest.h"
#include "trees/tree_changes.h"

enum { most_candidates = 24, most_groups = 3 };

typedef struct {
    size_t start[n_features + 1];
    double values[n_features * most_candidates];
} candidates;

/* Numbers ascend, codes are as they come; some features have none, some can be missing. */
static void draw_candidates(owi_rng *rng, const habits *h, candidates *c)
{
    c->start[0] = 0;
    for (size_t f = 0; f < n_features; f++) {
        const size_t n = owi_rng_below(rng, most_candidates);
        double x = -24.0;
        for (size_t i = 0; i < n; i++) {
            double *value = &c->values[c->start[f] + i];
            x +=
                (double)owi_rng_below(rng, 2 * h->n_thresholds / most_candidates + 3) / 2.0;
            *value = f < 4 ? x : (double)owi_rng_below(rng, h->most_code + 40);
            if (i + 1 == n && owi_rng_below(rng, 3) == 0) *value = NAN;
        }
        c->start[f + 1] = c->start[f] + n;
    }
}

static void walk(const owi_forest *forest, const double *row, double *scores)
{
    memset(scores, 0, forest->n_groups * sizeof *scores);
    owi_forest_walk(forest, 0, forest->n_trees, 1, row, scores);
}

static void expect_scores(const owi_forest *forest, const double *row, const double *told)
{
    double want[most_groups];
    walk(forest, row, want);
    assert_close(told, want, forest->n_groups, 1e-12);
}

static void check_pairs(const owi_forest *forest, const candidates *c,
                        const owi_tree_changes *changes, double *row, size_t f, size_t g)
{
    const size_t G = forest->n_groups;
    const double *own = owi_tree_changes_own(changes);
    const double *single = owi_tree_changes_single(changes);
    const owi_tree_table table = owi_tree_changes_both(changes, f, g);
    const double of_f = row[f], of_g = row[g];
    for (size_t i = c->start[f]; i < c->start[f + 1]; i++)
        for (size_t j = c->start[g]; j < c->start[g + 1]; j++) {
            const size_t at = (i - c->start[f]) * table.stride + j - c->start[g];
            double told[most_groups];
            for (size_t k = 0; k < G; k++)
                told[k] = own[k] + single[i * G + k] + single[j * G + k] +
                          (table.values != NULL ? table.values[at * G + k] : 0.0);
            row[f] = c->values[i];
            row[g] = c->values[j];
            expect_scores(forest, row, told);
        }
    row[f] = of_f;
    row[g] = of_g;
}

static void check_singles(const owi_forest *forest, const candidates *c,
                          const owi_tree_changes *changes, double *row)
{
    const size_t G = forest->n_groups;
    const double *own = owi_tree_changes_own(changes);
    const double *single = owi_tree_changes_single(changes);
    expect_scores(forest, row, own);
    for (size_t f = 0; f < n_features; f++) {
        const double of_row = row[f];
        for (size_t i = c->start[f]; i < c->start[f + 1]; i++) {
            double told[most_groups];
            for (size_t k = 0; k < G; k++) told[k] = own[k] + single[i * G + k];
            row[f] = c->values[i];
            expect_scores(forest, row, told);
        }
        row[f] = of_row;
    }
}

static void draw_row(owi_rng *rng, const habits *h, double *row)
{
    for (size_t f = 0; f < n_features; f++)
        row[f] = owi_rng_below(rng, 6) == 0 ? (double)NAN
                 : f < 4 ? (double)owi_rng_below(rng, 2 * h->n_thresholds) / 2.0 - 20.0
                         : (double)owi_rng_below(rng, h->most_code);
}

static void compare_changes(ow_context *ctx, const habits *h, uint64_t seed)
{
    owi_forest forest = {.ctx = ctx,
                         .n_features = n_features,
                         .n_groups = h->n_groups,
                         .is_float = h->is_float,
                         .has_zero = h->has_zero};
    owi_tree_changes *changes = NULL;
    candidates c;
    owi_rng rng;
    owi_rng_init(&rng, seed, 1);
    for (size_t t = 0; t < h->n_trees; t++) add_tree(&forest, &rng, h);
    draw_candidates(&rng, h, &c);
    assert_ok(owi_tree_changes_new(
        &forest, &(owi_tree_candidates){.start = c.start, .values = c.values}, false,
        &changes));
    for (size_t i = 0; i < 4; i++) {
        double row[n_features];
        draw_row(&rng, h, row);
        owi_tree_changes_of_row(changes, row, false);
        check_singles(&forest, &c, changes, row);
        owi_tree_changes_of_row(changes, row, true);
        check_singles(&forest, &c, changes, row);
        for (size_t f = 0; f < n_features; f++)
            for (size_t g = f + 1; g < n_features; g++)
                check_pairs(&forest, &c, changes, row, f, g);
    }
    owi_tree_changes_free(changes);
    owi_forest_clear(&forest);
}

static void changes_are_those_of_changed_rows(void **state)
{
    static const habits all[] = {
        {20, 2, 20, 1, false, false, 3}, /* stumps: nothing in common      */
        {20, 16, 40, 1, false, true, 10},
        {10, 40, 60, 3, false, true, 60},
        {3, 300, 400, 2, false, false, 50}, /* deep: features again and again */
    };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        for (uint64_t seed = 0; seed < 2 * ow_test_scale(); seed++)
            compare_changes(ow_test_context(state), &all[i], seed);
}

static ow_status make_one(ow_context *ctx, void *user)
{
    const candidates *c = user;
    owi_forest forest = {.ctx = ctx, .n_features = n_features, .n_groups = 1};
    owi_tree_changes *changes = NULL;
    owi_split split = {.feature = 2, .threshold = 1.0};
    const owi_file_node nodes[] = {{.split = split, .left = 1, .right = 2},
                                   {.is_leaf = true, .value = 1.0},
                                   {.is_leaf = true, .value = 2.0}};
    ow_status status = owi_forest_add(&forest, 3, nodes, 0);
    if (status == OW_OK)
        status = owi_tree_changes_new(
            &forest, &(owi_tree_candidates){.start = c->start, .values = c->values}, false,
            &changes);
    owi_tree_changes_free(changes);
    owi_forest_clear(&forest);
    return status;
}

static void any_failing_allocation_is_survived(void **state)
{
    const habits h = {3, 8, 20, 1, false, false, 5};
    candidates c;
    owi_rng rng;
    (void)state;
    owi_rng_init(&rng, 5, 1);
    draw_candidates(&rng, &h, &c);
    ow_test_sweep(make_one, &c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        ow_test_on_heap(changes_are_those_of_changed_rows),
        ow_test_on_heap(any_failing_allocation_is_survived),
    };
    return cmocka_run_group_tests_name("trees/tree_changes", tests, NULL, NULL);
}
