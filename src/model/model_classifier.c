/* SPDX-License-Identifier: MIT */
/* Who decides for a model. */
#include "base/error.h"
#include "model/model_private.h"

ow_status ow_model_classifier_new(const ow_model *model, const char *backend,
                                  ow_classifier **out)
{
    OWI_REQUIRE(model != NULL && out != NULL);
    return ow_classifier_from_circuit(model->circuit, backend, out);
}
