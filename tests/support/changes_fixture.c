/* SPDX-License-Identifier: MIT */
#include "support/changes_fixture.h"

#include "backend/backend.h"
#include "support/ow_test.h"
#include "support/random_circuits.h"
#include "support/tiny_circuits.h"

const float ow_change_values[] = {
    -2.0f, 0.3f,  50.0f, -400.0f, NAN, /* a number                    */
    1.5f,  -2.5f,                      /* another one                 */
    0.0f,  1.0f,  2.0f,  NAN,          /* a category                  */
    0.0f,  1.0f,                       /* a bit                       */
    0.0f,  1.0f,  3.5f,  -60.0f,       /* a number with point masses  */
    2.0f,                              /* a whole number              */
};                                     /* and no candidates at all    */
const size_t ow_change_start[] = {0, 5, 7, 11, 13, 17, 18, 18};
const ow_candidates ow_change_candidates = {ow_change_start, ow_change_values};

void ow_changes_set_up(ow_changes_fixture *f, const char *backend)
{
    assert_ok(ow_evaluator_new(f->circuit, backend, &f->evaluator));
    assert_ok(ow_evaluator_new(f->circuit, "ref", &f->oracle));
    assert_ok(ow_changes_new(f->evaluator, &ow_change_candidates, &f->changes));
}

void ow_changes_tear_down(ow_changes_fixture *f)
{
    ow_changes_free(f->changes);
    ow_evaluator_free(f->oracle);
    ow_evaluator_free(f->evaluator);
    ow_circuit_free(f->circuit);
    ow_context_free(f->ctx);
}

void ow_changes_every_circuit(ow_changes_check check)
{
    for (size_t b = 0; owi_backend_get(b) != NULL; b++)
        for (size_t depth = 0; depth <= ow_tree_depth; depth = ow_next_depth(depth, 2))
            for (int shared = 0; shared < 2; shared++) {
                ow_changes_fixture f = {0};
                assert_ok(ow_context_new(NULL, &f.ctx));
                ow_tiny_rows rows = ow_tiny_rows_new(70, 3, 0.1, 21);
                ow_circuit_spec spec =
                    ow_tiny_spec(shared ? OW_STRUCTURE_SHARED : OW_STRUCTURE_PER_CLASS,
                                 depth, 3);
                if (shared) spec.leaves = ow_tiny_tails;
                f.circuit = ow_tiny_circuit(f.ctx, &spec, &rows);
                ow_changes_set_up(&f, owi_backend_get(b)->name);
                check(&f, rows.rows);
                ow_changes_tear_down(&f);
                ow_tiny_rows_free(&rows);
            }
}

void ow_changes_fixed_variances(ow_changes_check check)
{
    ow_leaf leaves[ow_tiny_columns];
    memcpy(leaves, ow_tiny_leaves, sizeof leaves);
    leaves[4] = (ow_leaf){.kind = OW_LEAF_GAUSSIAN, .log_cell = 0.5, .group = 4};
    for (size_t depth = 0; depth <= ow_tree_depth; depth = ow_next_depth(depth, 2)) {
        ow_changes_fixture f = {0};
        assert_ok(ow_context_new(NULL, &f.ctx));
        ow_tiny_rows rows = ow_tiny_rows_new(40, 2, 0.1, 21);
        ow_circuit_spec spec = ow_tiny_spec(OW_STRUCTURE_SHARED, depth, 2);
        spec.leaves = leaves;
        spec.variance = 0.7;
        f.circuit = ow_tiny_circuit(f.ctx, &spec, &rows);
        ow_changes_set_up(&f, NULL);
        check(&f, rows.rows);
        ow_changes_tear_down(&f);
        ow_tiny_rows_free(&rows);
    }
}

void ow_changes_sheets(ow_changes_check check)
{
    for (size_t depth = 0; depth <= ow_tree_depth; depth = ow_next_depth(depth, 2)) {
        ow_changes_fixture f = {0};
        assert_ok(ow_context_new(NULL, &f.ctx));
        ow_tiny_rows rows = ow_tiny_rows_new(70, 3, 0.1, 21);
        ow_circuit_spec spec = ow_tiny_spec(OW_STRUCTURE_PER_CLASS, depth, 3);
        spec.leaves = ow_tiny_followers;
        spec.n_sheets = ow_n_tiny_sheets;
        spec.sheets = ow_tiny_sheets;
        f.circuit = ow_tiny_circuit(f.ctx, &spec, &rows);
        ow_changes_set_up(&f, NULL);
        check(&f, rows.rows);
        ow_changes_tear_down(&f);
        ow_tiny_rows_free(&rows);
    }
}
