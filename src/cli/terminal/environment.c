/* SPDX-License-Identifier: MIT */
#include "terminal/environment.h"

#include <stdlib.h>

const char *environment_text(const char *name)
{
    const char *value = getenv(name);
    return value != NULL && *value != '\0' ? value : NULL;
}
