/* SPDX-License-Identifier: MIT */
/* How a model was trained, as the JSON text that its file carries: settings, seed, scores.
 * No date, no time, no number of threads: the same training gives the same bytes. */
#ifndef OWI_TRAINING_TEXT_H
#define OWI_TRAINING_TEXT_H

#include "model/train/train_rules.h"

/* Sets model->training from the rules that it was trained by and its report. */
ow_status owi_training_text_write(ow_model *model, const owi_train_rules *rules,
                                  uint64_t seed, bool interrupted);

/* The scores of model->training back into its report; the text of an imported model has
 * none.  where names it in errors. */
ow_status owi_training_text_read(ow_model *model, const char *where);

#endif
