/* SPDX-License-Identifier: MIT */
#include "serve/http/connection.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { most_in = http_most_head + http_most_body };

connection *connection_new(int fd)
{
    connection *c = calloc(1, sizeof *c);
    if (c != NULL) c->fd = fd;
    return c;
}

void connection_free(connection *c)
{
    if (c == NULL) return;
    close(c->fd);
    free(c->in);
    free(c->out);
    free(c);
}

bool connection_wants_bytes(const connection *c)
{
    if (c->state == CONNECTION_LEAVING) return true;
    /* While a reply is made or sent, one further request may come. */
    const size_t most = c->state == CONNECTION_READING ? most_in : http_most_head;
    return !c->has_left && c->n_in < most;
}

/* Room for more, as much as has come already: memory follows what clients send, not what
 * they announce. */
static bool grow(connection *c)
{
    if (c->n_in < c->in_room) return true;
    size_t room = c->in_room > 0 ? 2 * c->in_room : 2048;
    if (room > most_in) room = most_in;
    char *larger = realloc(c->in, room);
    if (larger == NULL) return false;
    c->in = larger;
    c->in_room = room;
    return true;
}

/* Without this the system would answer unread bytes with a reset, and a client that has
 * sent too much might not see why it was refused. */
static void throw_away(connection *c)
{
    char bytes[4096];
    ssize_t n;
    do n = recv(c->fd, bytes, sizeof bytes, 0);
    while (n > 0);
    if (n == 0 || (errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR))
        c->state = CONNECTION_CLOSED;
}

void connection_receive(connection *c)
{
    if (c->state == CONNECTION_LEAVING) {
        throw_away(c);
        return;
    }
    if (!connection_wants_bytes(c)) return;
    if (!grow(c)) {
        c->state = CONNECTION_CLOSED;
        return;
    }
    const ssize_t n = recv(c->fd, c->in + c->n_in, c->in_room - c->n_in, 0);
    if (n > 0)
        c->n_in += (size_t)n;
    else if (n == 0)
        c->has_left = true;
    else if (errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR)
        c->state = CONNECTION_CLOSED;
}

int connection_find_request(connection *c)
{
    /* Empty lines before a request are allowed, and some clients send one. */
    while (c->n_in >= 2 && c->in[0] == '\r' && c->in[1] == '\n') {
        c->n_in -= 2;
        memmove(c->in, c->in + 2, c->n_in);
    }
    if (c->n_in == 0) return HTTP_NEEDS_MORE;
    const int status = http_request_parse(c->in, c->n_in, &c->request);
    if (status != HTTP_PARSED) return status;
    const size_t whole = c->request.head_size + c->request.body_size;
    return c->n_in < whole ? HTTP_NEEDS_MORE : HTTP_PARSED;
}

/* The request's texts point to where its bytes are now. */
static void move_texts(http_request *r, const char *from, const char *to)
{
    http_text *const texts[] = {&r->path,   &r->query,         &r->host,        &r->origin,
                                &r->cookie, &r->authorization, &r->content_type};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        if (texts[i]->at != NULL) texts[i]->at = to + (texts[i]->at - from);
}

char *connection_take_request(connection *c)
{
    const size_t whole = c->request.head_size + c->request.body_size;
    char *bytes = malloc(whole);
    if (bytes == NULL) return NULL;
    memcpy(bytes, c->in, whole);
    move_texts(&c->request, c->in, bytes);
    c->n_in -= whole;
    memmove(c->in, c->in + whole, c->n_in);
    c->keep_alive = c->request.keep_alive;
    return bytes;
}

void connection_reply(connection *c, http_reply *reply)
{
    const bool without_body = c->request.method == HTTP_HEAD;
    c->out_done = 0;
    c->out = http_reply_format(reply, c->keep_alive, without_body, &c->n_out);
    c->state = c->out != NULL ? CONNECTION_WRITING : CONNECTION_CLOSED;
    http_reply_clear(reply);
}

void connection_send(connection *c)
{
    while (c->out_done < c->n_out) {
        const ssize_t n =
            send(c->fd, c->out + c->out_done, c->n_out - c->out_done, MSG_NOSIGNAL);
        if (n < 0 && errno == EINTR) continue;
        if (n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) return;
        if (n < 0) {
            c->state = CONNECTION_CLOSED;
            return;
        }
        c->out_done += (size_t)n;
    }
    free(c->out);
    c->out = NULL;
    if (c->keep_alive && !c->has_left) {
        c->state = CONNECTION_READING;
        return;
    }
    shutdown(c->fd, SHUT_WR);
    c->state = CONNECTION_LEAVING;
}
