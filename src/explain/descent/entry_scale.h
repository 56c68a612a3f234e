/* SPDX-License-Identifier: MIT */
/* How much a change of a soft entry weighs: 1 / MAD, the median distance of the training
 * rows from their median.  Where that is 0 (most pixels), 1 over the training range; for
 * the shares of levels, and where nothing varies, 1. */
#ifndef OWI_ENTRY_SCALE_H
#define OWI_ENTRY_SCALE_H

#include "otherwise/model.h"

/* weight has ow_model_soft_width entries. */
ow_status owi_entry_scales(const ow_model *model, ow_context *ctx, float *weight);

#endif
