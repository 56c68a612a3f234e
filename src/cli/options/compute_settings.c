/* SPDX-License-Identifier: MIT */
#include "options/compute_settings.h"

#include <stdlib.h>
#include <string.h>

#include "otherwise/circuit.h"
#include "terminal/message.h"
#include "terminal/text_build.h"

static const option_spec options[] = {
    {.name = "backend",
     .word = "NAME",
     .help =
         "what computes: cpu, the fastest there is, by default; ref, slow and plain; or an "
         "instruction set by name, such as cpu-avx2",
     .kind = OPTION_TEXT,
     .at = offsetof(compute_settings, backend)},
};

const option_group compute_options = {
    .title = "How it is computed",
    .options = options,
    .n_options = sizeof options / sizeof *options,
};

bool compute_settings_check(const compute_settings *settings)
{
    enum { most_names = 32 };
    const char *names[most_names] = {"cpu"};
    char *list = text_add(NULL, "%s", names[0]);
    size_t n = 1;
    for (const char *name; n < most_names && (name = ow_backend_name(n - 1)) != NULL; n++) {
        list = text_add_item(list, ", ", name);
        names[n] = name;
    }
    bool known = settings->backend == NULL;
    for (size_t i = 0; i < n && !known; i++)
        known = strcmp(names[i], settings->backend) == 0;
    if (!known)
        message(OW_LOG_ERROR, "--backend: there is no %s on this machine, only %s%s",
                settings->backend, list,
                args_did_you_mean(settings->backend, "", names, n));
    free(list);
    return known;
}
