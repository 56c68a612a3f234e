/* SPDX-License-Identifier: MIT */
/* The options about processes that a launcher has started together. */
#ifndef CLI_TEAM_SETTINGS_H
#define CLI_TEAM_SETTINGS_H

#include "comm/comm.h"
#include "options/args.h"

typedef struct {
    const char *mpi;
    double wait; /* 0: as usual */
    bool counts;
} team_settings;

extern const option_group team_options;

/* *together is NULL for a process that stands alone.  False after a complaint. */
bool team_settings_begin(const team_settings *settings, comm **together);
/* Whether the rows can be read by all; else a complaint. */
bool team_settings_spare_input(const comm *together, const char *path);
/* After the work, whose exit code is given; returns that of the program. */
int team_settings_end(const team_settings *settings, comm *together, int code);

#endif
