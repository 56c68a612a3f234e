/* SPDX-License-Identifier: MIT */
/* A batch of rows through a network and back, in tiles as the backend has them. */
#ifndef OWI_MLP_PASS_H
#define OWI_MLP_PASS_H

#include "base/memory/workspace.h"
#include "network/mlp.h"

/* Inputs farther out than this are taken as this far, so that no sum of a layer
 * overflows. */
enum { owi_mlp_farthest = 1048576 };

/* All buffers are (T, units of the layer, L). */
typedef struct {
    const owi_mlp *mlp;
    const owi_backend *backend;
    owi_workspace *workspace;
    float *value[owi_mlp_most_layers + 1]; /* z_0, z_1, ..., out                       */
    float *flow[owi_mlp_most_layers + 1];  /* d objective / d of those, before the ReLU */
} owi_mlp_pass;

/* Room for so many rows, spare lanes included; with_flow: to go back, too. */
ow_status owi_mlp_pass_init(owi_mlp_pass *pass, const owi_mlp *mlp,
                            const owi_backend *backend, size_t most_rows, bool with_flow);
void owi_mlp_pass_clear(owi_mlp_pass *pass);

/* One tile of a pass, as a pass of its own that owns nothing. */
owi_mlp_pass owi_mlp_pass_tile(const owi_mlp_pass *pass, size_t tile);

/* n_rows x inputs to z_0; rows are numbered from first_row + 1 on in the sentence for an
 * infinity. */
ow_status owi_mlp_pass_fill(owi_mlp_pass *pass, owi_batch batch, size_t n_rows,
                            const float *rows, size_t first_row);
/* The sentence for the first one among rows where there is one. */
ow_status owi_mlp_name_infinity(size_t n_rows, size_t width, const float *rows,
                                size_t first_row);
void owi_mlp_pass_forward(owi_mlp_pass *pass, owi_batch batch);
/* From flow[n_layers] down to flow[1], or to flow[0], the inputs. */
void owi_mlp_pass_backward(owi_mlp_pass *pass, owi_batch batch, bool to_inputs);

/* The outputs as rows, n_rows x outputs; and rows as their flow, 0 in spare lanes. */
void owi_mlp_pass_outputs(const owi_mlp_pass *pass, owi_batch batch, size_t n_rows,
                          float *rows);
void owi_mlp_pass_set_flow(owi_mlp_pass *pass, owi_batch batch, size_t n_rows,
                           const float *rows);
/* 0 in the lanes of the last tile of (T, width, L) that hold no row. */
void owi_mlp_clear_spare_lanes(owi_batch batch, size_t n_rows, size_t width, float *tiles);
/* The gradient by rows (n_rows x inputs) from the flow to the inputs; 0 where a value is
 * missing. */
void owi_mlp_pass_gradient(const owi_mlp_pass *pass, owi_batch batch, size_t n_rows,
                           const float *rows, float *gradient);

/* Calls run for every tile of n_tiles with a pass that has room for it, on all threads. */
typedef ow_status (*owi_mlp_tile_fn)(void *user, owi_mlp_pass *pass, size_t tile);
ow_status owi_mlp_run_tiles(const owi_call *call, owi_mlp_runner *runner, size_t n_tiles,
                            owi_mlp_tile_fn run, void *user);

#endif
