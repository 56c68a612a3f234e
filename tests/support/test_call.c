/* SPDX-License-Identifier: MIT */
#include "support/test_call.h"

#include "support/ow_test.h"

const owi_call *ow_test_call(ow_context *ctx, const ow_call *how)
{
    enum { n_kept = 64 };
    static _Thread_local owi_call kept[n_kept];
    static _Thread_local size_t next;
    owi_call *call = &kept[next++ % n_kept];
    assert_ok(owi_call_begin(call, ctx, how));
    return call;
}
