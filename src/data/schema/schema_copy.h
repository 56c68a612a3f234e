/* SPDX-License-Identifier: MIT */
/* Schemas copied. */
#ifndef OWI_SCHEMA_COPY_H
#define OWI_SCHEMA_COPY_H

#include "otherwise/schema.h"

/* The same schema, in memory of this context. */
ow_status owi_schema_copy(ow_context *ctx, const ow_schema *schema, ow_schema **out);

#endif
