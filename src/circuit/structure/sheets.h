/* SPDX-License-Identifier: MIT */
/* Numbers that follow from numbers (ow_sheet): what sheets add to a row's log-density, the
 * same in every class and component, as the row's constant. */
#ifndef OWI_SHEETS_H
#define OWI_SHEETS_H

#include "base/numeric/rng.h"
#include "circuit/structure/circuit.h"

enum { owi_most_sheets = 64 };

ow_status owi_sheets_check(const ow_circuit_spec *spec);
/* The sheets of the circuit's spec, which it only lent, and what is derived from them. */
ow_status owi_sheets_copy(ow_circuit *circuit);

/* log p(x_0 given the others), summed over the sheets of the bits; sheets with a missing
 * value add 0.  A level's unit in a soft row is the mean weighted with its shares. */
double owi_sheets_log(const ow_circuit *circuit, uint64_t bits, bool soft,
                      const float *row);

/* One or two columns of a row (no soft one) that have other values. */
typedef struct {
    size_t first, second; /* columns; SIZE_MAX: none */
    float v, w;
} owi_sheet_change;
double owi_sheets_log_changed(const ow_circuit *circuit, uint64_t bits, const float *row,
                              owi_sheet_change change);
/* What a change of the column adds to owi_sheets_log of the row. */
double owi_sheets_gain(const ow_circuit *circuit, const float *row, size_t column, float v);

/* Adds factor times the gradient of owi_sheets_log of all sheets to that of a row, or soft
 * row. */
void owi_sheets_add_gradient(const ow_circuit *circuit, bool soft, const float *row,
                             float factor, float *gradient);

/* What is missing (NaN) in `given` has been filled in by the circuit: moves these values
 * onto the sheets.  The first column of a sheet follows from the others; if it is given,
 * one of the missing numbers among the others follows from it.  rng draws the deviations e;
 * NULL: they are 0. */
void owi_sheets_complete(const ow_circuit *circuit, const float *given, owi_rng *rng,
                         float *row);

#endif
