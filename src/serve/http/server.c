/* SPDX-License-Identifier: MIT */
#include "serve/http/server.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "serve/http/connection.h"

enum {
    least_idle_ms = 60000,
    tick_ms = 1000,
    n_fixed = 2 /* polled besides connections: the listening socket and the pipe */
};

struct server {
    server_settings set;
    int listens, wake[2];
    uint16_t port;
    gate gate;
    work_queue *queue;
    connection **connections;
    size_t n_connections;
    struct pollfd *polled; /* n_fixed + most_connections */
    size_t n_turned_away;  /* since this was last told */
    int64_t told;          /* when it was */
};

static int64_t now_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static int64_t request_ms(const server *s)
{
    return (int64_t)(1e3 * s->set.request_seconds);
}

/* A connection without a request is closed after a minute, or after the time that a request
 * may take if that is longer. */
static int64_t idle_ms(const server *s)
{
    return request_ms(s) > least_idle_ms ? request_ms(s) : least_idle_ms;
}

/* ---- Beginning and end ---- */

static bool set_flags(int fd)
{
    const int flags = fcntl(fd, F_GETFL);
    return flags >= 0 && fcntl(fd, F_SETFL, flags | O_NONBLOCK) == 0 &&
           fcntl(fd, F_SETFD, FD_CLOEXEC) == 0;
}

static bool listen_local(server *s)
{
    struct sockaddr_in address = {.sin_family = AF_INET,
                                  .sin_port = htons(s->set.port),
                                  .sin_addr = {htonl(INADDR_LOOPBACK)}};
    socklen_t size = sizeof address;
    const int on = 1;
    s->listens = socket(AF_INET, SOCK_STREAM, 0);
    if (s->listens < 0 || !set_flags(s->listens)) return false;
    /* A port that a server has just left can be taken at once. */
    (void)setsockopt(s->listens, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    if (bind(s->listens, (const struct sockaddr *)&address, size) != 0 ||
        listen(s->listens, 512) != 0 ||
        getsockname(s->listens, (struct sockaddr *)&address, &size) != 0)
        return false;
    s->port = ntohs(address.sin_port);
    return true;
}

static const char *begin(server *s)
{
    const server_settings *set = &s->set;
    s->connections = calloc(set->most_connections, sizeof *s->connections);
    s->polled = calloc(n_fixed + set->most_connections, sizeof *s->polled);
    if (s->connections == NULL || s->polled == NULL) return "not enough memory";
    if (!listen_local(s)) return strerror(errno);
    if (!gate_init(&s->gate, s->port)) return "the system gives no random numbers";
    if (pipe(s->wake) != 0 || !set_flags(s->wake[0]) || !set_flags(s->wake[1]))
        return strerror(errno);
    s->queue = work_queue_new(set->n_workers, set->workers, set->answer, set->most_waiting,
                              s->wake[1]);
    return s->queue == NULL ? "cannot start threads" : NULL;
}

server *server_new(const server_settings *settings, const char **error)
{
    server *s = calloc(1, sizeof *s);
    *error = "not enough memory";
    if (s == NULL) return NULL;
    s->set = *settings;
    s->listens = s->wake[0] = s->wake[1] = -1;
    *error = begin(s);
    if (*error == NULL) return s;
    server_free(s);
    return NULL;
}

void server_free(server *s)
{
    if (s == NULL) return;
    work_queue_free(s->queue);
    for (size_t i = 0; i < s->n_connections; i++) connection_free(s->connections[i]);
    const int open[] = {s->listens, s->wake[0], s->wake[1]};
    for (size_t i = 0; i < sizeof open / sizeof *open; i++)
        if (open[i] >= 0) close(open[i]);
    free(s->connections);
    free(s->polled);
    free(s);
}

uint16_t server_port(const server *s)
{
    return s->port;
}

const gate *server_gate(const server *s)
{
    return &s->gate;
}

/* ---- Requests ---- */

static void begin_reply(server *s, connection *c, http_reply *reply, const char *line)
{
    const char *why = reply->why != NULL ? reply->why : http_status_words(reply->status);
    if (reply->status >= 400 && s->set.log != NULL) s->set.log(reply->status, line, why);
    connection_reply(c, reply);
    c->deadline = now_ms() + request_ms(s);
}

/* "POST /api/explain" of the last request, shortened. */
static void name_request(const http_request *r, char line[128])
{
    static const char *const names[] = {"GET", "HEAD", "POST", "PUT"};
    snprintf(line, 128, "%s %.*s", names[r->method],
             (int)(r->path.length < 100 ? r->path.length : 100), r->path.at);
}

/* A whole request has come. */
static void take_request(server *s, connection *c)
{
    char line[128];
    http_reply reply;
    char *bytes = connection_take_request(c);
    if (bytes == NULL) {
        c->state = CONNECTION_CLOSED;
        return;
    }
    name_request(&c->request, line);
    if (!gate_check(&s->gate, &c->request, &reply)) {
        begin_reply(s, c, &reply, line);
        free(bytes);
        return;
    }
    work_item *item = work_item_new(s->set.ctx, bytes, &c->request);
    if (item != NULL) item->owner = c;
    if (item == NULL || !work_queue_add(s->queue, item)) {
        reply = http_reply_error(503, "too many requests wait",
                                 "The server is busy; try again in a second.");
        begin_reply(s, c, &reply, line);
        work_item_free(item);
        return;
    }
    c->item = item;
    c->state = CONNECTION_WAITING;
}

/* A request that is none: the bytes behind it cannot be understood either. */
static void refuse_request(server *s, connection *c, int status)
{
    http_reply reply = http_reply_error(status, NULL, http_status_words(status));
    c->keep_alive = false;
    c->request = (http_request){0};
    begin_reply(s, c, &reply, "a request");
}

/* Takes or refuses the next request, if it is whole; whether it was. */
static bool look_for_request(server *s, connection *c)
{
    if (c->state != CONNECTION_READING) return false;
    const int status = connection_find_request(c);
    if (status == HTTP_PARSED)
        take_request(s, c);
    else if (status != HTTP_NEEDS_MORE)
        refuse_request(s, c, status);
    else if (c->has_left)
        c->state = CONNECTION_CLOSED;
    return status != HTTP_NEEDS_MORE;
}

/* ---- Connections ---- */

static void accept_one(server *s, int fd)
{
    const int on = 1;
    connection *c = NULL;
    if (s->n_connections == s->set.most_connections) {
        s->n_turned_away++;
    } else if (set_flags(fd)) {
        (void)setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
        c = connection_new(fd);
    }
    if (c == NULL) {
        close(fd);
        return;
    }
    c->deadline = now_ms() + idle_ms(s);
    s->connections[s->n_connections++] = c;
}

static void accept_all(server *s)
{
    for (int n = 0; n < 64; n++) {
        const int fd = accept(s->listens, NULL, NULL);
        if (fd < 0) return;
        accept_one(s, fd);
    }
}

static void tell_turned_away(server *s)
{
    const int64_t now = now_ms();
    char why[64];
    if (s->n_turned_away == 0 || now - s->told < tick_ms) return;
    snprintf(why, sizeof why, "%zu beyond the limit of %zu", s->n_turned_away,
             s->set.most_connections);
    if (s->set.log != NULL) s->set.log(503, "connections closed", why);
    s->n_turned_away = 0;
    s->told = now;
}

static void drop_left(server *s, connection *c)
{
    if (!c->has_left || c->state != CONNECTION_WAITING) return;
    work_queue_abandon(s->queue, c->item);
    c->item = NULL;
    c->state = CONNECTION_CLOSED;
}

static void serve_connection(server *s, connection *c, short events)
{
    const connection_state before = c->state;
    const bool was_idle = c->state == CONNECTION_READING && c->n_in == 0;
    bool taken;
    if ((events & ~POLLOUT) != 0) connection_receive(c);
    /* The first byte of a request starts its time; further ones do not prolong it. */
    if (was_idle && c->n_in > 0) c->deadline = now_ms() + request_ms(s);
    drop_left(s, c);
    do { /* further ones may stand behind it */
        if (c->state == CONNECTION_WRITING) connection_send(c);
        taken = look_for_request(s, c);
    } while (taken);
    if (c->state == CONNECTION_READING && before != CONNECTION_READING)
        c->deadline = now_ms() + (c->n_in > 0 ? request_ms(s) : idle_ms(s));
    if (c->state == CONNECTION_LEAVING && before != CONNECTION_LEAVING)
        c->deadline = now_ms() + request_ms(s); /* for what a refused client still sends */
}

/* A state that has lasted too long. */
static void check_deadline(server *s, connection *c, int64_t now)
{
    if (c->state == CONNECTION_WAITING || now < c->deadline) return;
    if (c->state == CONNECTION_READING && c->n_in > 0) {
        refuse_request(s, c, 408);
        connection_send(c);
        return;
    }
    if (c->state == CONNECTION_WRITING && s->set.log != NULL)
        s->set.log(408, "a reply", "the client does not take it");
    c->state = CONNECTION_CLOSED;
}

static void sweep(server *s)
{
    const int64_t now = now_ms();
    size_t kept = 0;
    for (size_t i = 0; i < s->n_connections; i++) {
        connection *c = s->connections[i];
        check_deadline(s, c, now);
        if (c->state != CONNECTION_CLOSED) {
            s->connections[kept++] = c;
            continue;
        }
        if (c->item != NULL) work_queue_abandon(s->queue, c->item);
        connection_free(c);
    }
    s->n_connections = kept;
}

/* Replies that the workers have made go to their connections. */
static void give_replies(server *s)
{
    char bytes[256];
    while (read(s->wake[0], bytes, sizeof bytes) > 0) {
    }
    for (work_item *item; (item = work_queue_take(s->queue)) != NULL;) {
        connection *c = item->owner;
        if (c != NULL) {
            char line[128];
            name_request(&item->request, line);
            c->item = NULL;
            begin_reply(s, c, &item->reply, line);
            serve_connection(s, c, 0);
        }
        work_item_free(item);
    }
}

/* ---- The loop ---- */

static nfds_t fill_polled(server *s)
{
    s->polled[0] = (struct pollfd){.fd = s->listens, .events = POLLIN};
    s->polled[1] = (struct pollfd){.fd = s->wake[0], .events = POLLIN};
    for (size_t i = 0; i < s->n_connections; i++) {
        const connection *c = s->connections[i];
        const int events = (connection_wants_bytes(c) ? POLLIN : 0) |
                           (c->state == CONNECTION_WRITING ? POLLOUT : 0);
        s->polled[n_fixed + i] = (struct pollfd){.fd = c->fd, .events = (short)events};
    }
    return (nfds_t)(n_fixed + s->n_connections);
}

bool server_run(server *s, const char **error)
{
    while (!s->set.is_over()) {
        const size_t n = s->n_connections;
        if (poll(s->polled, fill_polled(s), tick_ms) < 0) {
            if (errno == EINTR) continue;
            *error = strerror(errno);
            return false;
        }
        for (size_t i = 0; i < n; i++)
            if (s->polled[n_fixed + i].revents != 0)
                serve_connection(s, s->connections[i], s->polled[n_fixed + i].revents);
        if (s->polled[1].revents != 0) give_replies(s);
        if (s->polled[0].revents != 0) accept_all(s);
        tell_turned_away(s);
        sweep(s);
    }
    return true;
}
