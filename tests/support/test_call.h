/* SPDX-License-Identifier: MIT */
/* Calls for tests of what is inside the library. */
#ifndef OW_TEST_CALL_H
#define OW_TEST_CALL_H

#include "base/call.h"

/* A call that has begun, by these wishes or, with NULL, by default.  It lasts until 64 more
 * were asked for. */
const owi_call *ow_test_call(ow_context *ctx, const ow_call *how);

#endif
