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

/* Asserts that two schemas are written down alike. */
void ow_test_same_schema(const ow_schema *a, const ow_schema *b);

/* A file in memory and what inference makes of it; heap and log live as long. */
typedef struct {
    ow_test_heap heap;
    ow_test_log log;
    ow_reader *reader;
    ow_schema *schema;
} ow_test_inferred;
ow_status ow_test_infer(ow_test_inferred *in, const char *csv,
                        const ow_infer_options *options);
void ow_test_inferred_end(ow_test_inferred *in);

#endif
