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
     .help = "what computes: cpu, the fastest there is, by default; cuda, a GPU; auto, a "
             "GPU if "
             "there is one; ref, slow and plain; or an instruction set by name, such as "
             "cpu-avx2",
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
    enum { most_names = 32, n_general = 3 };
    const char *names[most_names] = {"cpu", "cuda", "auto"};
    char *list = NULL;
    size_t n = n_general;
    for (const char *name;
         n < most_names && (name = ow_backend_name(n - n_general)) != NULL; n++)
        names[n] = name;
    bool known = settings->backend == NULL || strncmp(settings->backend, "cuda:", 5) == 0;
    for (size_t i = 0; i < n; i++) {
        list = text_add_item(list, i > 0 ? ", " : "", names[i]);
        known = known || strcmp(names[i], settings->backend) == 0;
    }
    if (!known)
        message(OW_LOG_ERROR, "--backend: there is no %s on this machine, only %s%s",
                settings->backend, list,
                args_did_you_mean(settings->backend, "", names, n));
    free(list);
    return known;
}
