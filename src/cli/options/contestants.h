/* SPDX-License-Identifier: MIT */
/* The methods of a comparison, as they are named on the command line. */
#ifndef CLI_CONTESTANTS_H
#define CLI_CONTESTANTS_H

#include "options/args.h"
#include "otherwise/evaluate.h"

typedef struct {
    size_t n;
    ow_contestant *methods;
    ow_setting **settings; /* of each; the contestants lend them              */
    text_list names;       /* what they lend                                  */
} contestants;

/* methods: "two-step", or "two-step:paper" with a preset, "all" or "all:paper" for every
 * one there is; preset, which may be NULL, is that of all others; set: "name=value" for
 * every method that has such a parameter, or "method.name=value" for one; with_background:
 * there are known rows, which some need.  False after a complaint with the nearest
 * spelling; either way contestants_clear. */
bool contestants_make(const text_list *methods, const char *preset, const text_list *set,
                      bool with_background, contestants *out);
void contestants_clear(contestants *all);

#endif
