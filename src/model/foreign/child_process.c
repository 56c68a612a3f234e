/* SPDX-License-Identifier: MIT */
#include "model/foreign/child_process.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/error.h"

extern char **environ;

enum {
    slice_ms = 50,  /* between two looks at the call                       */
    wait_steps = 50 /* of 10 ms, for a program to end by itself            */
};

/* ---- Starting ---- */

static void close_pipe(int pair[2])
{
    if (pair[0] >= 0) close(pair[0]);
    if (pair[1] >= 0) close(pair[1]);
}

/* Both ends are closed in programs that somebody else starts meanwhile. */
static bool open_pipe(int pair[2])
{
    if (pipe(pair) != 0) {
        pair[0] = pair[1] = -1;
        return false;
    }
    return fcntl(pair[0], F_SETFD, FD_CLOEXEC) == 0 &&
           fcntl(pair[1], F_SETFD, FD_CLOEXEC) == 0;
}

/* A process group of its own, so that what it starts ends with it, and no signal blocked or
 * ignored that this program blocks or ignores. */
static int set_attributes(posix_spawnattr_t *attributes)
{
    sigset_t none, usual;
    sigemptyset(&none);
    sigemptyset(&usual);
    sigaddset(&usual, SIGPIPE);
    sigaddset(&usual, SIGINT);
    sigaddset(&usual, SIGTERM);
    int failed = posix_spawnattr_setflags(attributes, POSIX_SPAWN_SETPGROUP |
                                                          POSIX_SPAWN_SETSIGMASK |
                                                          POSIX_SPAWN_SETSIGDEF);
    if (failed == 0) failed = posix_spawnattr_setpgroup(attributes, 0);
    if (failed == 0) failed = posix_spawnattr_setsigmask(attributes, &none);
    if (failed == 0) failed = posix_spawnattr_setsigdefault(attributes, &usual);
    return failed;
}

static int spawn(pid_t *pid, const char *command, int in, int out)
{
    char shell[] = "sh", option[] = "-c";
    char *arguments[] = {shell, option, (char *)(size_t)command, NULL};
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    if (posix_spawn_file_actions_init(&actions) != 0) return ENOMEM;
    if (posix_spawnattr_init(&attributes) != 0) {
        posix_spawn_file_actions_destroy(&actions);
        return ENOMEM;
    }
    int failed = set_attributes(&attributes);
    if (failed == 0) failed = posix_spawn_file_actions_adddup2(&actions, in, STDIN_FILENO);
    if (failed == 0)
        failed = posix_spawn_file_actions_adddup2(&actions, out, STDOUT_FILENO);
    if (failed == 0)
        failed = posix_spawn(pid, "/bin/sh", &actions, &attributes, arguments, environ);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    return failed;
}

ow_status owi_child_start(owi_child *child, const char *command)
{
    int in[2] = {-1, -1}, out[2] = {-1, -1};
    int failed = 0;
    pid_t pid = 0;
    *child = (owi_child){0};
    if (!open_pipe(in) || !open_pipe(out)) failed = errno;
    if (failed == 0) failed = spawn(&pid, command, in[0], out[1]);
    if (failed == 0 &&
        (fcntl(in[1], F_SETFL, O_NONBLOCK) != 0 || fcntl(out[0], F_SETFL, O_NONBLOCK) != 0))
        failed = errno;
    if (failed != 0) {
        if (pid > 0) kill(-pid, SIGKILL);
        if (pid > 0) waitpid(pid, NULL, 0);
        close_pipe(in);
        close_pipe(out);
        return owi_fail_errno("start", command, failed);
    }
    close(in[0]);
    close(out[1]);
    *child = (owi_child){.pid = pid, .to = in[1], .from = out[0]};
    return OW_OK;
}

/* ---- Talking ---- */

/* write(), without the signal that a closed pipe would send to this program. */
static ssize_t write_quietly(int file, const char *bytes, size_t n)
{
    sigset_t pipe_signal, before, pending;
    sigemptyset(&pipe_signal);
    sigaddset(&pipe_signal, SIGPIPE);
    sigpending(&pending);
    const bool was_pending = sigismember(&pending, SIGPIPE) == 1;
    pthread_sigmask(SIG_BLOCK, &pipe_signal, &before);
    const ssize_t written = write(file, bytes, n);
    const int error = errno;
    if (written < 0 && error == EPIPE && !was_pending)
        sigtimedwait(&pipe_signal, NULL, &(struct timespec){0});
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    errno = error;
    return written;
}

static bool is_for_later(int error)
{
    return error == EAGAIN || error == EWOULDBLOCK || error == EINTR;
}

typedef struct {
    owi_child *child;
    const char *text;
    size_t size;
    owi_take_fn take;
    void *user;
    bool is_answered, is_ended, has_moved;
} exchange;

static ow_status write_some(exchange *x)
{
    const ssize_t n = write_quietly(x->child->to, x->text, x->size);
    if (n > 0) {
        x->text += n;
        x->size -= (size_t)n;
        x->has_moved = true;
        return OW_OK;
    }
    if (n < 0 && is_for_later(errno)) return OW_OK;
    if (n < 0 && errno != EPIPE) return owi_fail_errno("write to", "the program", errno);
    x->size = 0; /* it reads no more; what it still prints is read */
    return OW_OK;
}

static ow_status read_some(exchange *x)
{
    char bytes[65536];
    const ssize_t n = read(x->child->from, bytes, sizeof bytes);
    if (n < 0 && is_for_later(errno)) return OW_OK;
    if (n < 0) return owi_fail_errno("read from", "the program", errno);
    x->has_moved = true;
    x->is_ended = n == 0;
    x->is_answered = x->take(x->user, bytes, (size_t)n);
    return OW_OK;
}

ow_status owi_child_exchange(const owi_call *call, owi_child *child, const char *text,
                             size_t size, double seconds, owi_take_fn take, void *user,
                             owi_child_event *event)
{
    exchange x = {.child = child, .text = text, .size = size, .take = take, .user = user};
    double since = owi_clock_seconds();
    for (;;) {
        struct pollfd files[] = {{.fd = child->from, .events = POLLIN},
                                 {.fd = x.size > 0 ? child->to : -1, .events = POLLOUT}};
        OWI_TRY(owi_call_tick(call));
        if (poll(files, 2, slice_ms) < 0 && errno != EINTR)
            return owi_fail_errno("wait for", "the program", errno);
        x.has_moved = false;
        if (files[1].revents != 0) OWI_TRY(write_some(&x));
        if (files[0].revents != 0) OWI_TRY(read_some(&x));
        if (x.is_answered || x.is_ended) break;
        if (x.has_moved) since = owi_clock_seconds();
        if (owi_clock_seconds() - since > seconds) break;
    }
    *event = x.is_answered ? OWI_CHILD_ANSWERED
             : x.is_ended  ? OWI_CHILD_ENDED
                           : OWI_CHILD_SILENT;
    return OW_OK;
}

bool owi_child_has_more(const owi_child *child)
{
    struct pollfd file = {.fd = child->from, .events = POLLIN};
    return poll(&file, 1, 0) > 0 && (file.revents & POLLIN) != 0;
}

/* ---- Ending ---- */

/* Whether it has ended, after at most so many waits. */
static bool wait_for(pid_t pid, int *how, int steps)
{
    for (int i = 0; i <= steps; i++) {
        const pid_t got = waitpid(pid, how, WNOHANG);
        if (got == pid || (got < 0 && errno == ECHILD)) return true;
        if (i < steps) nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL);
    }
    return false;
}

static void close_files(owi_child *child)
{
    close(child->to);
    close(child->from);
}

void owi_child_end(owi_child *child, bool at_once)
{
    int how;
    if (child->pid <= 0) return;
    close_files(child);
    bool has_ended = wait_for(child->pid, &how, at_once ? 0 : wait_steps);
    /* What it may have started and left behind ends, too. */
    kill(-child->pid, SIGTERM);
    if (!has_ended) has_ended = wait_for(child->pid, &how, wait_steps);
    if (!has_ended) {
        kill(-child->pid, SIGKILL);
        waitpid(child->pid, &how, 0);
    }
    *child = (owi_child){0};
}

const char *owi_child_how_it_ended(owi_child *child, char text[owi_child_end_size])
{
    int how = 0;
    snprintf(text, owi_child_end_size, "closed its output");
    if (!wait_for(child->pid, &how, 2 * wait_steps)) return text;
    if (WIFSIGNALED(how))
        snprintf(text, owi_child_end_size, "was ended by signal %d (%s)", WTERMSIG(how),
                 strsignal(WTERMSIG(how)));
    else
        snprintf(text, owi_child_end_size, "ended with code %d", WEXITSTATUS(how));
    close_files(child);
    kill(-child->pid, SIGTERM);
    *child = (owi_child){0};
    return text;
}
