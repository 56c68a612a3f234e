/* SPDX-License-Identifier: MIT */
#include "explain/face/face_density.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/memory/sizes.h"
#include "base/memory/workspace.h"

/* Edges whose middles are evaluated together; always whole tiles, because few rows go
 * through other sums than many, and what an edge costs must not depend on the others. */
enum { edge_block = 4 * owi_tile_lanes };
/* Those that take a few operations each. */
enum { edges_per_tick = 8192 };

static const double pi = 3.14159265358979323846;

void owi_face_density_begin(owi_face_density *density)
{
    const owi_near_rows *rows = density->neighbours;
    density->densest = 0.0;
    if (density->kind != OWI_FACE_KDE || !isnan(density->bandwidth)) return;
    /* The rows are centred: their mean square is their variance. */
    double sum = 0.0;
    for (size_t i = 0; i < rows->n_rows; i++) sum += -2.0 * (double)rows->bias[i];
    const double width = (double)rows->width, n = (double)rows->n_rows;
    const double deviation = sqrt(sum / (n * width));
    density->bandwidth = pow(n, -1.0 / (width + 4.0)) * (deviation > 0.0 ? deviation : 1.0);
}

double owi_face_weight(const owi_face_density *density, double length, double log_rho)
{
    if (density->kind == OWI_FACE_DISTANCE || length == 0.0) return length;
    /* An edge of a query may be denser than all edges of the graph. */
    return length * (1.0 + fmax(0.0, density->densest - log_rho));
}

/* ---- Nearest neighbours ---- */

static double knn_log_density(const owi_face_density *density, double length)
{
    const double width = (double)density->neighbours->width;
    const double log_volume = 0.5 * width * log(pi) - lgamma(0.5 * width + 1.0);
    return log((double)density->k) - log((double)density->neighbours->n_rows) - log_volume -
           width * log(length);
}

/* ---- At the middle of an edge ---- */

static void find_middle(const owi_near_rows *rows, const owi_face_edge *edge, float *middle)
{
    for (size_t j = 0; j < rows->width; j++) {
        const float a = isnan(edge->from[j]) ? rows->centre[j] : edge->from[j];
        const float b = isnan(edge->to[j]) ? rows->centre[j] : edge->to[j];
        middle[j] = 0.5f * (a + b);
    }
}

typedef struct {
    const owi_face_density *density;
    double *log_rho;
} kernel_sum;

/* log 1/N sum_b exp(-|m - b|^2 / (2 h^2)) - w log(h sqrt(2 pi)) */
static ow_status add_kernels(void *user, const owi_point *point)
{
    const kernel_sum *work = user;
    const owi_near_rows *rows = point->known;
    const double h = work->density->bandwidth, scale = -0.5 / (h * h);
    double top = -INFINITY, sum = 0.0;
    for (size_t b = 0; b < rows->n_rows; b++)
        top = fmax(top, scale * fmax(0.0, owi_point_square(point, b)));
    for (size_t b = 0; b < rows->n_rows; b++)
        sum += exp(scale * fmax(0.0, owi_point_square(point, b)) - top);
    work->log_rho[point->index] = top + log(sum) - log((double)rows->n_rows) -
                                  (double)rows->width * log(h * sqrt(2.0 * pi));
    return OW_OK;
}

/* What a block of edges is worked out in. */
typedef struct {
    float *middles;    /* edge_block x width   */
    double *log_class; /* edge_block x classes */
    double *log_rho;   /* edge_block           */
} block_scratch;

/* n <= edge_block; the last edge stands in for those that are missing in its tile. */
static ow_status block_densities(const owi_call *call, const owi_face_density *density,
                                 size_t n, const owi_face_edge *edges,
                                 const block_scratch *scratch)
{
    const owi_near_rows *rows = density->neighbours;
    const size_t n_filled = (n + owi_tile_lanes - 1) / owi_tile_lanes * owi_tile_lanes;
    for (size_t i = 0; i < n_filled; i++)
        find_middle(rows, &edges[owi_smaller(i, n - 1)],
                    scratch->middles + i * rows->width);
    if (density->kind == OWI_FACE_KDE)
        return owi_near_rows_visit(call, rows, n_filled, scratch->middles, add_kernels,
                                   &(kernel_sum){density, scratch->log_rho});
    OWI_TRY(owi_evaluate_soft(call, density->evaluator, n_filled, scratch->middles,
                              scratch->log_class));
    ow_circuit_posterior(density->circuit, n_filled, scratch->log_class, scratch->log_rho,
                         NULL);
    return OW_OK;
}

static ow_status middle_densities(const owi_call *call, const owi_face_density *density,
                                  size_t n_edges, const owi_face_edge *edges,
                                  double *log_rho)
{
    const size_t width = density->neighbours->width;
    const size_t n_classes = ow_circuit_get_spec(density->circuit)->n_classes;
    block_scratch scratch;
    owi_workspace *workspace;
    const owi_piece pieces[] = {OWI_PIECE(scratch.middles, edge_block * width),
                                OWI_PIECE(scratch.log_class, edge_block * n_classes),
                                OWI_PIECE(scratch.log_rho, edge_block)};
    ow_status status = owi_pieces_new(density->ctx, OWI_PIECES(pieces), &workspace);
    for (size_t e = 0; e < n_edges && status == OW_OK; e += edge_block) {
        const size_t n = owi_smaller(edge_block, n_edges - e);
        status = block_densities(call, density, n, edges + e, &scratch);
        if (status == OW_OK) memcpy(log_rho + e, scratch.log_rho, n * sizeof *log_rho);
    }
    owi_workspace_free(workspace);
    return status;
}

ow_status owi_face_log_densities(const owi_call *call, const owi_face_density *density,
                                 size_t n_edges, const owi_face_edge *edges,
                                 double *log_rho)
{
    switch (density->kind) {
    case OWI_FACE_DISTANCE:
        for (size_t e = 0; e < n_edges; e++) log_rho[e] = 0.0;
        return OW_OK;
    case OWI_FACE_KNN:
        for (size_t e = 0; e < n_edges; e++) {
            if (e % edges_per_tick == 0) OWI_TRY(owi_call_tick(call));
            log_rho[e] = knn_log_density(density, edges[e].length);
        }
        return OW_OK;
    case OWI_FACE_KDE:
    case OWI_FACE_CIRCUIT:
        break;
    }
    return middle_densities(call, density, n_edges, edges, log_rho);
}
