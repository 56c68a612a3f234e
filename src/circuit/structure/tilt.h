/* SPDX-License-Identifier: MIT */
/* Exponential tilting: a density times exp(beta . features), normalised, is a circuit of
 * the same shape. */
#ifndef OWI_TILT_H
#define OWI_TILT_H

#include "circuit/structure/circuit.h"

/* Turns S(x given c) into S(x given c) exp(sum_f beta[f] phi_f(x)) / Z for the class c of a
 * circuit that is per class, and returns log Z in *log_norm.  beta has one entry for each
 * feature; those of squares are taken as 0.  The caller calls owi_circuit_prepare once all
 * classes are done. */
ow_status owi_circuit_tilt(ow_circuit *circuit, size_t class_index, const double *beta,
                           double *log_norm);

/* E[phi_f(x) given c] for each feature f; squares 0. */
ow_status owi_circuit_expected_features(const ow_circuit *circuit, size_t class_index,
                                        double *expected);

#endif
