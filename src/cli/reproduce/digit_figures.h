/* SPDX-License-Identifier: MIT */
/* The paper's two figures of digits: queries against methods, and the two steps of a 1 that
 * becomes a 7. */
#ifndef CLI_DIGIT_FIGURES_H
#define CLI_DIGIT_FIGURES_H

#include "reproduce/study.h"

/* On the page, and as methods.png and steps.png.  The rows are images of 28 x 28 pixels. */
ow_status digit_figures_show(reproduction *r, const study_seed *s);

#endif
