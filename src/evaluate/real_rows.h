/* SPDX-License-Identifier: MIT */
/* A yardstick: what the rows that are of the target class already would get if they were
 * answers.  Real rows, mostly not those that the model was trained on; answers can hardly
 * be asked to be more plausible than these. */
#ifndef OWI_REAL_ROWS_H
#define OWI_REAL_ROWS_H

#include "evaluate/outside_view.h"

/* Densities, percentiles, and the outside view of these rows; all other figures stay
 * NaN. */
ow_status owi_real_row_figures(const owi_answers *answers, owi_neighbours *neighbours,
                               owi_judge *judge, double *figures);

#endif
