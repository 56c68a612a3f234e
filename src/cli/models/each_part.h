/* SPDX-License-Identifier: MIT */
/* A command over the parts of a table, each with an output of its own: rows 'part-*.csv',
 * output 'out-%d.csv'. */
#ifndef CLI_EACH_PART_H
#define CLI_EACH_PART_H

#include "commands/command.h"

/* Runs a command of the operands MODEL ROWS whose settings have the name of its output at
 * this offset.  Where that has %d in it, once for each file of rows, in the order of their
 * names, with its number from 0 in the place of %d; of processes that a launcher started
 * together each takes its share of the files.  Outputs that are there are kept, so that
 * what was broken off can be taken up again.  Else once, as it is.  last is NULL where the
 * output is a file; of a folder it names the file that is written last, which tells whether
 * the folder is complete. */
int each_part(const invocation *call, size_t settings_size, size_t output_at,
              const char *last, int (*run)(const invocation *call));

#endif
