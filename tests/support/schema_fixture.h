/* SPDX-License-Identifier: MIT */
/* Schemas written down in tests. */
#ifndef OW_SCHEMA_FIXTURE_H
#define OW_SCHEMA_FIXTURE_H

#include "support/ow_test.h"

/* A schema with these fields besides its version; asserts that it is good.  Texts may be
 * quoted with ' instead of ", which is easier to write in C:
 *
 *     ow_test_schema(ctx, "'columns': [{'name': 'age', 'type': 'integer', 'range': [18,
 * 75]}]") */
ow_schema *ow_test_schema(ow_context *ctx, const char *fields);

#endif
