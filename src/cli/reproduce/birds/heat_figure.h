/* SPDX-License-Identifier: MIT */
/* The paper's figure of birds: for each query its photograph, the same with the places that
 * each method changes, and a photograph of the class that it is to become. */
#ifndef CLI_HEAT_FIGURE_H
#define CLI_HEAT_FIGURE_H

#include "reproduce/birds/photo_list.h"
#include "reproduce/study.h"

/* On the page and as heat.png.  The photographs are in the order of the study's rows. */
ow_status heat_figure_show(reproduction *r, const study_seed *s, const study_plan *plan,
                           const photo_list *photos);

#endif
