/* SPDX-License-Identifier: MIT */
/* Processes over TCP, for tests and for a machine without MPI: OTHERWISE_SOCKETS is
 * ADDRESS:PORT of process 0, OTHERWISE_RANK and OTHERWISE_SIZE are as their names say.
 * Everybody talks to process 0, which sends what it got to everybody.
 *
 * Nothing is encrypted and nobody is asked who he is: for one machine, or a network that is
 * trusted as the file system is. */
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "cli/terminal/memory.h"
#include "comm/comm.h"

enum { kind_hello, kind_data, kind_abort };

typedef struct {
    char magic[4];
    uint32_t kind;
    uint64_t number; /* hello: the rank; data: how many gathers came before */
    uint64_t size;   /* of what follows */
} frame;

typedef struct {
    int *peers; /* of process 0: the others; of others: process 0 in peers[0] */
    size_t n_peers;
    uint64_t number;
    bool told; /* somebody has said why it ends */
} sockets;

static double now(void)
{
    struct timespec at;
    clock_gettime(CLOCK_MONOTONIC, &at);
    return (double)at.tv_sec + 1e-9 * (double)at.tv_nsec;
}

static size_t rank_of(const comm *c, size_t peer)
{
    return c->rank == 0 ? peer + 1 : 0;
}

/* Process 0, which all others wait for, may itself be waiting for a silent one, and is the
 * one that can name it: the others give it the time. */
static double patience(const comm *c)
{
    return c->rank == 0 ? c->wait : 2.0 * c->wait;
}

/* ---- Bytes ---- */

static bool send_all(int to, const void *bytes, size_t size)
{
    for (const char *at = bytes; size > 0;) {
        const ssize_t n = send(to, at, size, MSG_NOSIGNAL);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) return false;
        at += n;
        size -= (size_t)n;
    }
    return true;
}

static bool send_frame(int to, uint32_t kind, uint64_t number, const void *bytes,
                       size_t size)
{
    const frame head = {.magic = "OWS", .kind = kind, .number = number, .size = size};
    return send_all(to, &head, sizeof head) && send_all(to, bytes, size);
}

static const char *lost(comm *c, size_t peer)
{
    if (c->rank != 0) c->leads = c->rank == 1; /* nobody else is left to say it */
    return comm_say(c, "process %zu of %zu ended without a word", rank_of(c, peer), c->n);
}

/* A message from process 0 is what it said; one to it names the process. */
static const char *take_abort(comm *c, size_t peer, size_t size)
{
    sockets *s = c->state;
    char text[comm_sentence_size] = "";
    size = size < sizeof text ? size : sizeof text - 1;
    const ssize_t n = recv(s->peers[peer], text, size, MSG_WAITALL);
    s->told = true;
    if (n <= 0) return lost(c, peer);
    if (c->rank != 0) return comm_say(c, "%s", text);
    return comm_say(c, "process %zu of %zu: %s", rank_of(c, peer), c->n, text);
}

/* Whether another process than the one waited for has ended, or says that it does. */
static const char *look_at_others(comm *c, size_t waited)
{
    sockets *s = c->state;
    for (size_t i = 0; i < s->n_peers; i++) {
        frame head;
        if (i == waited) continue;
        const ssize_t n = recv(s->peers[i], &head, sizeof head, MSG_PEEK | MSG_DONTWAIT);
        if (n == 0) return lost(c, i);
        if (n < (ssize_t)sizeof head || head.kind != kind_abort) continue;
        (void)recv(s->peers[i], &head, sizeof head, MSG_WAITALL);
        return take_abort(c, i, head.size);
    }
    return NULL;
}

static const char *receive(comm *c, size_t peer, void *bytes, size_t size, double until)
{
    enum { look_every = 50 }; /* milliseconds */
    sockets *s = c->state;
    for (char *at = bytes; size > 0;) {
        struct pollfd one = {.fd = s->peers[peer], .events = POLLIN};
        const int ready = poll(&one, 1, look_every);
        if (ready == 0 || (ready < 0 && errno == EINTR)) {
            const char *other = look_at_others(c, peer);
            if (other != NULL) return other;
            if (now() < until) continue;
            if (c->rank != 0) c->leads = c->rank == 1;
            return comm_say(c, "process %zu of %zu has said nothing for %g seconds",
                            rank_of(c, peer), c->n, patience(c));
        }
        const ssize_t n = recv(s->peers[peer], at, size, 0);
        if (n < 0 && (errno == EINTR || errno == EAGAIN)) continue;
        if (n <= 0) return lost(c, peer);
        at += n;
        size -= (size_t)n;
    }
    return NULL;
}

/* The next message of data, of this size. */
static const char *receive_data(comm *c, size_t peer, void *bytes, size_t size)
{
    const sockets *s = c->state;
    const double until = now() + patience(c);
    frame head;
    const char *failed = receive(c, peer, &head, sizeof head, until);
    if (failed != NULL) return failed;
    if (head.kind == kind_abort) return take_abort(c, peer, head.size);
    if (head.number != s->number || head.size != size)
        return comm_say(c,
                        "process %zu of %zu is doing something else than process %zu: are "
                        "program and files the same?",
                        rank_of(c, peer), c->n, c->rank);
    return receive(c, peer, bytes, size, until);
}

static const char *gather(comm *c, const void *own, const size_t *sizes, void *all)
{
    sockets *s = c->state;
    size_t total = 0, before = 0;
    for (size_t i = 0; i < c->n; i++) {
        before += i < c->rank ? sizes[i] : 0;
        total += sizes[i];
    }
    s->number++;
    if (c->rank != 0) {
        if (!send_frame(s->peers[0], kind_data, s->number, own, sizes[c->rank])) {
            const char *said = look_at_others(c, SIZE_MAX);
            return said != NULL ? said : lost(c, 0);
        }
        return receive_data(c, 0, all, total);
    }
    memcpy((char *)all + before, own, sizes[0]);
    size_t at = sizes[0];
    for (size_t i = 1; i < c->n; at += sizes[i], i++) {
        const char *failed = receive_data(c, i - 1, (char *)all + at, sizes[i]);
        if (failed != NULL) return failed;
    }
    for (size_t i = 1; i < c->n; i++)
        if (!send_frame(s->peers[i - 1], kind_data, s->number, all, total))
            return lost(c, i - 1);
    return NULL;
}

/* ---- Beginning and ending ---- */

static void clear(comm *c)
{
    sockets *s = c->state;
    for (size_t i = 0; i < s->n_peers; i++) close(s->peers[i]);
    free(s->peers);
    free(s);
}

/* Others wait until process 0 has heard them: it tells the failure. */
static void abort_all(comm *c, int code, const char *sentence, bool said)
{
    sockets *s = c->state;
    (void)code;
    (void)said;
    const bool heard = s->told;
    for (size_t i = 0; i < s->n_peers; i++)
        (void)send_frame(s->peers[i], kind_abort, 0, sentence, strlen(sentence));
    if (c->rank != 0 && !heard && !c->leads) {
        enum { last_ms = 5000 };
        char byte;
        struct pollfd one = {.fd = s->peers[0], .events = POLLIN};
        (void)shutdown(s->peers[0], SHUT_WR);
        for (int i = 0; i < last_ms && poll(&one, 1, 1000) == 1; i += 1000)
            if (recv(s->peers[0], &byte, 1, 0) <= 0) break;
    }
    clear(c);
}

static void end(comm *c)
{
    clear(c);
}

static const comm_engine engine = {gather, abort_all, end};

static void set_up(const comm *c, int fd)
{
    const int yes = 1;
    const struct timeval limit = {.tv_sec = (time_t)c->wait + 1};
    (void)setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
    (void)setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof limit);
}

static bool wait_for_peers(comm *c, const struct sockaddr_in *at)
{
    sockets *s = c->state;
    const double until = now() + c->wait;
    const int yes = 1, door = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    for (size_t i = 0; i + 1 < c->n; i++) s->peers[i] = -1;
    (void)setsockopt(door, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    if (door < 0 || bind(door, (const struct sockaddr *)at, sizeof *at) != 0 ||
        listen(door, (int)c->n) != 0) {
        comm_say(c, "cannot wait for the other processes: %s", strerror(errno));
        if (door >= 0) close(door);
        return false;
    }
    while (s->n_peers + 1 < c->n && now() < until) {
        struct pollfd one = {.fd = door, .events = POLLIN};
        frame hello;
        if (poll(&one, 1, 100) != 1) continue;
        const int fd = accept(door, NULL, NULL);
        if (fd < 0) continue;
        set_up(c, fd);
        if (recv(fd, &hello, sizeof hello, MSG_WAITALL) != (ssize_t)sizeof hello ||
            memcmp(hello.magic, "OWS", 4) != 0 || hello.number == 0 ||
            hello.number >= c->n || s->peers[hello.number - 1] >= 0) {
            close(fd);
            continue;
        }
        s->peers[hello.number - 1] = fd;
        s->n_peers++;
    }
    close(door);
    if (s->n_peers + 1 == c->n) return true;
    comm_say(c, "%zu of %zu processes have come within %g seconds", s->n_peers + 1, c->n,
             c->wait);
    for (size_t i = 0; i + 1 < c->n; i++)
        if (s->peers[i] >= 0) close(s->peers[i]);
    return false;
}

static bool go_to_first(comm *c, const struct sockaddr_in *at)
{
    sockets *s = c->state;
    const double until = now() + c->wait;
    const struct timespec pause = {.tv_nsec = 20 * 1000 * 1000};
    do {
        const int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
        if (fd >= 0 && connect(fd, (const struct sockaddr *)at, sizeof *at) == 0) {
            set_up(c, fd);
            s->peers[0] = fd;
            s->n_peers = 1;
            return send_frame(fd, kind_hello, c->rank, NULL, 0);
        }
        if (fd >= 0) close(fd);
        nanosleep(&pause, NULL);
    } while (now() < until);
    comm_say(c, "process 0 of %zu was not there within %g seconds", c->n, c->wait);
    return false;
}

bool comm_sockets_open(comm *c, const char *where)
{
    struct sockaddr_in at = {.sin_family = AF_INET};
    const char *colon = where != NULL ? strrchr(where, ':') : NULL;
    char address[INET_ADDRSTRLEN] = "";
    const long port = colon != NULL ? strtol(colon + 1, NULL, 10) : 0;
    if (colon != NULL && (size_t)(colon - where) < sizeof address)
        memcpy(address, where, (size_t)(colon - where));
    if (inet_pton(AF_INET, address, &at.sin_addr) != 1 || port <= 0 || port > 65535) {
        comm_say(c, "OTHERWISE_SOCKETS must be ADDRESS:PORT, such as 127.0.0.1:7000");
        return false;
    }
    at.sin_port = htons((uint16_t)port);
    sockets *s = memory_new(1, sizeof *s);
    s->peers = memory_new(c->n, sizeof *s->peers);
    c->state = s;
    c->engine = &engine;
    if (c->rank == 0 ? wait_for_peers(c, &at) : go_to_first(c, &at)) return true;
    free(s->peers);
    free(s);
    return false;
}
