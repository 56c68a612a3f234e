/* SPDX-License-Identifier: MIT */
/* The list of experiments: one line for each. */
#include "reproduce/reproduce.h"

extern const reproduce_spec reproduce_mnist, reproduce_credit, reproduce_adult,
    reproduce_cub, reproduce_toy;

const reproduce_spec *reproduce_get(size_t index)
{
    static const reproduce_spec *const list[] = {&reproduce_mnist, &reproduce_credit,
                                                 &reproduce_adult, &reproduce_cub,
                                                 &reproduce_toy};
    return index < sizeof list / sizeof *list ? list[index] : NULL;
}
