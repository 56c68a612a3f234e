/* SPDX-License-Identifier: MIT */
/* A program that runs beside this one and is talked to through pipes.  Its errors go where
 * ours go. */
#ifndef OWI_CHILD_PROCESS_H
#define OWI_CHILD_PROCESS_H

#include <stdbool.h>
#include <sys/types.h>

#include "base/call.h"

/* {0} is none; pid is 0 while it does not run. */
typedef struct {
    pid_t pid;    /* leads a process group of its own, which ends with it */
    int to, from; /* its standard input and output, for us to write and read */
} owi_child;

/* Starts it with /bin/sh -c. */
ow_status owi_child_start(owi_child *child, const char *command);
/* Closes its input, gives it half a second to end by itself unless it is to end at once,
 * then ends it and all that it started.  Nothing is left of it afterwards.  Does nothing
 * for one that does not run. */
void owi_child_end(owi_child *child, bool at_once);

/* How an exchange went. */
typedef enum {
    OWI_CHILD_ANSWERED, /* `take` said that it has all                             */
    OWI_CHILD_ENDED,    /* the program closed its output, or ended                  */
    OWI_CHILD_SILENT    /* it neither read nor wrote anything for so many seconds   */
} owi_child_event;

/* What the program printed, as it comes; true: all is there.  At the end of the output it
 * is called with n = 0. */
typedef bool (*owi_take_fn)(void *user, const char *bytes, size_t n);

/* Writes `text` to the program and reads what it prints, both at once, so that neither
 * waits for the other.  Fails if the call is to stop, or with OW_ERR_IO. */
ow_status owi_child_exchange(const owi_call *call, owi_child *child, const char *text,
                             size_t size, double seconds, owi_take_fn take, void *user,
                             owi_child_event *event);
/* Whether it has printed something that nobody asked for. */
bool owi_child_has_more(const owi_child *child);

/* Waits for a program that has ended, up to a second, and says how: "ended with code 1",
 * "was ended by signal 11 (Segmentation fault)", or "closed its output" where it still
 * runs. */
enum { owi_child_end_size = 96 };
const char *owi_child_how_it_ended(owi_child *child, char text[owi_child_end_size]);

#endif
