/* SPDX-License-Identifier: MIT */
/* Ctrl-C: the first one asks the work to stop where it can do so cleanly, a second one ends
 * the program at once.  SIGTERM and SIGHUP are treated alike.  A closed pipe sends no
 * signal but shows as a failed write (output.h). */
#ifndef CLI_INTERRUPT_H
#define CLI_INTERRUPT_H

#include <stddef.h>

#include "otherwise/call.h"

/* Signals that the caller had ignored (nohup, a shell's background job) stay ignored. */
void interrupt_start(void);

/* The flag that a signal sets; NULL: none. */
void interrupt_set_cancel(ow_cancel *cancel);

/* The signal that asked to stop; 0: none has. */
int interrupt_signal(void);

/* Says that the program was interrupted and returns its exit code: 128 and the signal's
 * number, EXIT_INTERRUPTED for Ctrl-C. */
int interrupt_end(void);
/* The same for a stream of rows, after so many that are printed and whole. */
int interrupt_end_after(size_t n_rows);

#endif
