/* SPDX-License-Identifier: MIT */
/* When the program itself is at fault: memory that is not its own, a library that calls
 * abort().  A sentence and exit code 70 instead of the shell's word for a signal, so that a
 * script can tell a mistake of ours from one in its data. */
#ifndef CLI_CRASH_H
#define CLI_CRASH_H

void crash_start(void);

#endif
