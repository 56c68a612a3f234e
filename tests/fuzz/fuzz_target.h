/* SPDX-License-Identifier: MIT */
/* What a fuzz target defines, under the name that libFuzzer calls. */
#ifndef FUZZ_TARGET_H
#define FUZZ_TARGET_H

#include <stddef.h>
#include <stdint.h>

/* Must not crash, leak, or break a promise that it can check itself (then: abort). */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#endif
