/* SPDX-License-Identifier: MIT */
/* What a fuzz target is: one function that takes any bytes.  It must neither crash nor leak, and checks what it
 * can say about the outcome with `expect`. */
#ifndef OW_FUZZ_TARGET_H
#define OW_FUZZ_TARGET_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define expect(truth)                                                                      \
    do {                                                                                   \
        if (!(truth)) {                                                                    \
            fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #truth);            \
            abort();                                                                       \
        }                                                                                  \
    } while (0)

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

#endif
