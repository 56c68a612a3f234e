/* SPDX-License-Identifier: MIT */
#include "base/options.h"

#include <string.h>

#include "base/error.h"
#include "base/memory/sizes.h"

ow_status owi_options_take(const char *type, const void *given, void *own, size_t own_size)
{
    char sentence[owi_options_sentence_size];
    memcpy(own, &own_size, sizeof own_size);
    if (given == NULL || owi_options_copy(type, given, own, own_size, sentence))
        return OW_OK;
    return owi_fail(OW_ERR_ARGUMENT, "%s", sentence);
}

ow_status owi_options_reach(const char *type, const void *given, size_t own_size,
                            const char *option, size_t place, size_t length)
{
    size_t size;
    memcpy(&size, given, sizeof size);
    if (size < sizeof size)
        return owi_fail(OW_ERR_ARGUMENT, "%s.size is %zu; it must be sizeof(%s), %zu", type,
                        size, type, own_size);
    if (place <= size && length <= size - place) return OW_OK;
    return owi_fail(OW_ERR_ARGUMENT,
                    "option %s is newer than the program, whose %s ends before it", option,
                    type);
}

void owi_options_give(const void *defaults, size_t own_size, void *out, size_t size)
{
    if (out == NULL || size < sizeof size) return;
    const size_t common = owi_smaller(own_size, size);
    memcpy(out, defaults, common);
    memset((char *)out + common, 0, size - common);
    memcpy(out, &size, sizeof size);
}
