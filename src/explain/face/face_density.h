/* SPDX-License-Identifier: MIT */
/* What an edge of FACE's graph costs.  With d its length and rho a density at it,
 *
 *     weight = d (1 + max over edges of log rho - log rho)
 *
 * so that ways through dense regions are cheap, and no weight is negative.  log rho is
 *
 *     knn      log k - log N - log V_w - w log d, V_w the volume of a unit ball
 *     kde      a Gaussian kernel estimate over the rows, at the middle of the edge
 *     circuit  log S at the middle of the edge
 *
 * and without any of them weight = d. */
#ifndef OWI_FACE_DENSITY_H
#define OWI_FACE_DENSITY_H

#include "circuit/pass/evaluator.h"
#include "explain/face/near_rows.h"

typedef enum {
    OWI_FACE_DISTANCE,
    OWI_FACE_KNN,
    OWI_FACE_KDE,
    OWI_FACE_CIRCUIT
} owi_face_weights;

typedef struct {
    owi_face_weights kind;
    ow_context *ctx;
    const owi_near_rows *neighbours;
    const ow_circuit *circuit;
    ow_evaluator *evaluator;
    size_t k;
    /* kde: standard deviation of the kernel; NaN: Scott's rule, N^(-1/(w+4)) of the rows'
     * own */
    double bandwidth;
    double densest; /* largest log rho over the edges of the graph, set by who makes it */
} owi_face_density;

/* An edge by the soft rows that it joins. */
typedef struct {
    const float *from, *to;
    double length;
} owi_face_edge;

/* Works out what does not depend on the edge. */
void owi_face_density_begin(owi_face_density *density);
/* log rho of each edge. */
ow_status owi_face_log_densities(const owi_call *call, const owi_face_density *density,
                                 size_t n_edges, const owi_face_edge *edges,
                                 double *log_rho);
double owi_face_weight(const owi_face_density *density, double length, double log_rho);

#endif
