/* SPDX-License-Identifier: MIT */
#include "terminal/crash.h"

#include <signal.h>
#include <stddef.h>
#include <string.h>
#include <unistd.h>

#include "output/unfinished.h"
#include "terminal/exit_codes.h"

static const struct {
    int number;
    const char *name;
} faults[] = {{SIGABRT, "SIGABRT"},
              {SIGSEGV, "SIGSEGV"},
              {SIGBUS, "SIGBUS"},
              {SIGFPE, "SIGFPE"},
              {SIGILL, "SIGILL"}};

static const size_t n_faults = sizeof faults / sizeof *faults;

static void say(const char *text)
{
    const ssize_t ignored = write(STDERR_FILENO, text, strlen(text));
    (void)ignored; /* there is nobody left to tell */
}

/* Only what a signal handler may call: write, isatty, unlink, _exit. */
static void give_up(int number)
{
    const char *name = "a signal";
    for (size_t i = 0; i < n_faults; i++)
        if (faults[i].number == number) name = faults[i].name;
    if (isatty(STDERR_FILENO)) say("\n"); /* past a line of progress */
    say("otherwise: a mistake of the program itself (");
    say(name);
    say("); please report it with the version and the command line; files named by -o are "
        "as they were\n");
    unfinished_remove();
    _exit(EXIT_OUR_BUG);
}

void crash_start(void)
{
    struct sigaction last = {.sa_handler = give_up}, old;
    sigemptyset(&last.sa_mask);
    /* A sanitizer that has taken a signal already has more to tell about it. */
    for (size_t i = 0; i < n_faults; i++)
        if (sigaction(faults[i].number, NULL, &old) == 0 && old.sa_handler == SIG_DFL)
            (void)sigaction(faults[i].number, &last, NULL);
}
