/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <string.h>

#include "backend/backend_list.h"
#include "backend/cuda/device_open.h"
#include "base/error.h"
#include "base/threads/processor.h"

/* The list, fastest first; `ref`, which is not meant for speed, last. */
typedef struct {
    const owi_backend *backend;
    bool (*runs_here)(void);
} entry;

static bool everywhere(void)
{
    return true;
}

static const entry entries[] = {
#if defined(__x86_64__)
    {&owi_backend_cpu_avx512, owi_processor_has_avx512},
    {&owi_backend_cpu_avx2, owi_processor_has_avx2},
#endif
    {&owi_backend_cpu_plain, everywhere},
    {&owi_backend_ref, everywhere},
};

const owi_backend *owi_backend_get(size_t index)
{
    for (size_t i = 0; i < sizeof entries / sizeof *entries; i++)
        if (entries[i].runs_here() && index-- == 0) return entries[i].backend;
    return NULL;
}

const owi_backend *owi_backend_find(const char *name)
{
    if (strcmp(name, "cpu") == 0) return owi_backend_get(0);
    for (size_t i = 0; owi_backend_get(i) != NULL; i++)
        if (strcmp(owi_backend_get(i)->name, name) == 0) return owi_backend_get(i);
    return NULL;
}

/* "cpu, cpu-avx512, ..., ref" */
static void list_backends(char *text, size_t size)
{
    size_t used = (size_t)snprintf(text, size, "cpu");
    for (size_t i = 0; owi_backend_get(i) != NULL && used < size; i++)
        used +=
            (size_t)snprintf(text + used, size - used, ", %s", owi_backend_get(i)->name);
}

ow_status owi_backend_choose(const char *name, const owi_backend **out)
{
    char names[256];
    *out = owi_backend_find(name != NULL && !owi_device_is_named(name) ? name : "cpu");
    if (*out != NULL) return OW_OK;
    list_backends(names, sizeof names);
    return owi_fail(OW_ERR_UNSUPPORTED,
                    "no backend %s on this machine; there are %s; and cuda "
                    "and auto for a GPU",
                    name, names);
}
