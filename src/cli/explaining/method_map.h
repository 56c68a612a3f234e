/* SPDX-License-Identifier: MIT */
/* One row and what several methods make of it, on one map: two-step's intermediate point
 * and face's way over real rows included. */
#ifndef CLI_METHOD_MAP_H
#define CLI_METHOD_MAP_H

#include "otherwise/page.h"

typedef struct {
    const ow_call *how;
    const ow_model *model;
    const ow_constraints *constraints;
    const ow_explain_options *options;
    const double *query;        /* schema columns                       */
    const char *const *methods; /* names                                */
    size_t n_methods;
    size_t n_known; /* rows that methods may end at and walk over        */
    const double *known;
} method_map_content;

/* A sentence with the methods that found nothing, if any, and the map of the others. */
ow_status method_map_add(ow_page *page, const method_map_content *what);

#endif
