/* SPDX-License-Identifier: MIT */
/* Candidates for changes of rows of tiny circuits, and circuits of every kind to try them
 * on. */
#ifndef CHANGES_FIXTURE_H
#define CHANGES_FIXTURE_H

#include "circuit/query/query_changes.h"
#include "circuit/structure/circuit.h"
#include "otherwise/circuit.h"

/* For each of the seven columns of ow_tiny_leaves: levels, numbers near and far, masses,
 * nothing.  Those of column j are from ow_change_start[j] on. */
enum { ow_n_change_values = 18 };
extern const float ow_change_values[ow_n_change_values];
extern const size_t ow_change_start[8];
extern const ow_candidates ow_change_candidates;

typedef struct {
    ow_context *ctx;
    ow_circuit *circuit;
    ow_evaluator *evaluator, *oracle; /* oracle: the plain backend */
    ow_changes *changes;
} ow_changes_fixture;

/* Evaluators and candidates for f->circuit; and the end of all of it. */
void ow_changes_set_up(ow_changes_fixture *f, const char *backend);
void ow_changes_tear_down(ow_changes_fixture *f);

/* Calls check with 70 rows of circuits of every backend, depth and structure; and with 40
 * rows of circuits with fixed variances, which have part of the density outside. */
typedef void (*ow_changes_check)(ow_changes_fixture *f, const float *rows);
void ow_changes_every_circuit(ow_changes_check check);
void ow_changes_fixed_variances(ow_changes_check check);
/* With 70 rows of circuits whose numbers follow from others. */
void ow_changes_sheets(ow_changes_check check);

#endif
