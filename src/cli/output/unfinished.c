/* SPDX-License-Identifier: MIT */
#include "output/unfinished.h"

#include <signal.h>
#include <string.h>
#include <unistd.h>

/* is_set is 1 only while path is whole; a longer one is not remembered. */
static char remembered[4096];
static volatile sig_atomic_t is_set;

void unfinished_set(const char *path)
{
    is_set = 0;
    if (path == NULL || strlen(path) >= sizeof remembered) return;
    memcpy(remembered, path, strlen(path) + 1);
    is_set = 1;
}

void unfinished_remove(void)
{
    if (is_set) (void)unlink(remembered);
}
