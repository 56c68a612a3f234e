/* SPDX-License-Identifier: MIT */
/* The rule itself, as an inline function, since both libraries need it. */
#ifndef OWI_OPTIONS_COPY_H
#define OWI_OPTIONS_COPY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "otherwise/status.h"

enum { owi_options_sentence_size = 320 };

/* Copies what both sides know of the struct.  False, with a sentence, where the size cannot
 * be, or the caller has set what this version does not know. */
static inline bool owi_options_copy(const char *type, const void *given, void *own,
                                    size_t own_size,
                                    char sentence[owi_options_sentence_size])
{
    enum { absurd_size = 1 << 16 }; /* no struct of options comes near this */
    const unsigned char *bytes = given;
    size_t size;
    memcpy(&size, given, sizeof size);
    if (size < sizeof size || size > absurd_size) {
        snprintf(sentence, owi_options_sentence_size,
                 "%s.size is %zu; it must be sizeof(%s), which is %zu in this version of "
                 "the library",
                 type, size, type, own_size);
        return false;
    }
    for (size_t i = own_size; i < size; i++) {
        if (bytes[i] == 0) continue;
        snprintf(sentence, owi_options_sentence_size,
                 "%s: an option is set that version %s of the library does not have (it "
                 "knows the first %zu of %zu bytes, and byte %zu is not 0)",
                 type, ow_version(), own_size, size, i);
        return false;
    }
    memcpy(own, given, size < own_size ? size : own_size);
    memcpy(own, &own_size, sizeof own_size);
    return true;
}

#endif
