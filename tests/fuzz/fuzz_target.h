/* SPDX-License-Identifier: MIT */
/* What a fuzz target defines, under the name that libFuzzer calls. */
#ifndef FUZZ_TARGET_H
#define FUZZ_TARGET_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

/* Must not crash, leak, or break a promise that it can check itself (then: expect). */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define expect(truth)                                                                      \
    do {                                                                                   \
        if (!(truth)) {                                                                    \
            fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #truth);            \
            abort();                                                                       \
        }                                                                                  \
    } while (0)

#endif
