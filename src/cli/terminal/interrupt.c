/* SPDX-License-Identifier: MIT */
#include "terminal/interrupt.h"

#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>

#include "output/unfinished.h"
#include "terminal/message.h"

static volatile sig_atomic_t requested;
static ow_cancel *_Atomic flag; /* pointers are lock-free wherever signals are */

/* The second one does what signals do, but for the file that would be left behind. */
static void request(int signal_number)
{
    struct sigaction usual = {.sa_handler = SIG_DFL};
    if (requested == 0) {
        ow_cancel *cancel = atomic_load(&flag);
        requested = signal_number;
        if (cancel != NULL) ow_cancel_request(cancel);
        return;
    }
    unfinished_remove();
    sigemptyset(&usual.sa_mask);
    (void)sigaction(signal_number, &usual, NULL);
    (void)raise(signal_number); /* when this handler is left */
}

void interrupt_start(void)
{
    static const int signals[] = {SIGINT, SIGTERM, SIGHUP};
    /* Without SA_RESTART, so that a read that waits for a pipe wakes up. */
    struct sigaction stop = {.sa_handler = request}, old;
    sigemptyset(&stop.sa_mask);
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
        if (sigaction(signals[i], NULL, &old) == 0 && old.sa_handler != SIG_IGN)
            sigaction(signals[i], &stop, NULL);

    struct sigaction ignore = {.sa_handler = SIG_IGN};
    sigemptyset(&ignore.sa_mask);
    sigaction(SIGPIPE, &ignore, NULL);
}

void interrupt_set_cancel(ow_cancel *cancel)
{
    atomic_store(&flag, cancel);
    if (cancel != NULL && requested != 0) ow_cancel_request(cancel);
}

int interrupt_signal(void)
{
    return requested;
}

int interrupt_end_after(size_t n_rows)
{
    message(OW_LOG_ERROR, "interrupted; the %zu row%s before that %s complete", n_rows,
            n_rows == 1 ? "" : "s", n_rows == 1 ? "is" : "are");
    return 128 + requested;
}

int interrupt_end(void)
{
    message(OW_LOG_ERROR, "interrupted");
    return 128 + requested;
}
