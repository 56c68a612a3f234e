/* SPDX-License-Identifier: MIT */
/* Rows in lanes at the ends of a network: what the same rows give as rows. */
#include "support/ow_test.h"
#include "support/tiny_networks.h"

#include "network/mlp_lanes.h"
#include "network/mlp_pass.h"

enum { L = owi_tile_lanes, width = 11 };

typedef struct {
    float *rows, *out;
    float lanes[L * width], out_lanes[L * width], out_tile[L * width];
} fixture;

/* x with gaps, and other numbers for what the network gave. */
static void init(fixture *f)
{
    f->rows = ow_random_floats(L * width, 0.2, 1);
    f->out = ow_random_floats(L * width, 0.0, 2);
    f->rows[5] = -3e38f;
    for (size_t i = 0; i < L; i++)
        for (size_t j = 0; j < width; j++) {
            f->lanes[owi_mlp_in_lanes(width, j, i)] = f->rows[i * width + j];
            f->out_lanes[owi_mlp_in_lanes(width, j, i)] = f->out[i * width + j];
            f->out_tile[j * L + i] = f->out[i * width + j];
        }
}

static void clear(fixture *f)
{
    free(f->rows);
    free(f->out);
}

static void lanes_are_chunks_of_rows(void **state)
{
    (void)state;
    fixture f;
    float chunks[L * width];
    init(&f);
    for (size_t i = 0; i < L; i += owi_row_lanes)
        owi_rows_to_lanes(owi_row_lanes, width, f.rows + i * width, chunks + i * width);
    assert_memory_equal(chunks, f.lanes, sizeof chunks);
    clear(&f);
}

static void inputs_are_those_of_rows_and_an_infinity_is_seen(void **state)
{
    fixture f;
    float tile[L * width];
    const size_t hidden = 3;
    const owi_batch one = {1, L, 0};
    owi_mlp *mlp = ow_random_network(ow_test_context(state), OWI_MLP_NUMBERS, width, 1,
                                     &hidden, width, 5);
    owi_mlp_pass pass;
    init(&f);
    assert_ok(owi_mlp_pass_init(&pass, mlp, owi_backend_get(0), L, false));
    assert_ok(owi_mlp_pass_fill(&pass, one, L, f.rows, 0));
    assert_true(owi_mlp_fill_lanes(mlp, f.lanes, tile));
    assert_memory_equal(tile, pass.value[0], sizeof tile);
    /* Nothing to mend; then one that is far out. */
    for (int far = 0; far < 2; far++) {
        if (far) f.out_lanes[owi_mlp_in_lanes(width, 7, 33)] = f.out[33 * width + 7] = 1e9f;
        assert_ok(owi_mlp_pass_fill(&pass, one, L, f.out, 0));
        assert_true(owi_mlp_fill_lanes(mlp, f.out_lanes, tile));
        assert_memory_equal(tile, pass.value[0], sizeof tile);
    }
    for (size_t i = 0; i < L * width; i += 97)
        for (int sign = -1; sign <= 1; sign += 2) {
            const float x = f.lanes[i];
            f.lanes[i] = (float)sign * INFINITY;
            assert_false(owi_mlp_fill_lanes(mlp, f.lanes, tile));
            f.lanes[i] = x;
        }
    owi_mlp_pass_clear(&pass);
    owi_mlp_free(mlp);
    clear(&f);
}

static void losses_flows_and_gradients_are_those_of_the_definition(void **state)
{
    fixture f;
    float flow[L * width], gradient[L * width];
    double losses[L];
    const size_t hidden = 3;
    owi_mlp *mlp = ow_random_network(ow_test_context(state), OWI_MLP_NUMBERS, width, 1,
                                     &hidden, width, 5);
    init(&f);
    f.lanes[owi_mlp_in_lanes(width, 5, 0)] = f.rows[5] = 1.0f;
    owi_mlp_compare_lanes(width, f.lanes, f.out_tile, flow);
    owi_mlp_square_losses(width, flow, losses);
    owi_mlp_gradient_lanes(mlp, f.lanes, flow, f.out_tile, gradient);
    for (size_t i = 0; i < L; i++) {
        double loss = 0.0;
        for (size_t j = 0; j < width; j++) {
            const float x = f.rows[i * width + j], out = f.out[i * width + j];
            const float error = isnan(x) ? 0.0f : out - x;
            const float slope = isnan(x) ? 0.0f : -(2.0f * error) + out * mlp->scale[j];
            loss += (double)error * (double)error;
            assert_true(flow[j * L + i] == 2.0f * error);
            assert_true(gradient[owi_mlp_in_lanes(width, j, i)] == slope);
        }
        assert_true(losses[i] == loss);
    }
    owi_mlp_free(mlp);
    clear(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lanes_are_chunks_of_rows),
        ow_test_on_heap(inputs_are_those_of_rows_and_an_infinity_is_seen),
        ow_test_on_heap(losses_flows_and_gradients_are_those_of_the_definition),
    };
    return cmocka_run_group_tests_name("classifier/mlp_lanes", tests, NULL, NULL);
}
