/* SPDX-License-Identifier: MIT */
/* One client: bytes come in until they are a request, its reply goes out, and then the next
 * request may come.  Nothing here waits. */
#ifndef SERVE_CONNECTION_H
#define SERVE_CONNECTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "serve/http/http_reply.h"
#include "serve/http/http_request.h"
#include "serve/work.h"

typedef enum {
    CONNECTION_READING, /* of a request */
    CONNECTION_WAITING, /* for a worker */
    CONNECTION_WRITING, /* of a reply */
    CONNECTION_LEAVING, /* the last reply is out; what still comes is thrown away */
    CONNECTION_CLOSED
} connection_state;

typedef struct {
    int fd;
    connection_state state;
    char *in; /* bytes that have come and belong to no request that was taken */
    size_t n_in, in_room;
    char *out;
    size_t n_out, out_done;
    http_request request; /* the last one that was whole */
    bool keep_alive;      /* behind the reply */
    bool has_left;        /* the client sends no more */
    work_item *item;      /* while WAITING */
    int64_t deadline;     /* ms; by then it has to be in another state */
} connection;

connection *connection_new(int fd);
void connection_free(connection *c);

/* Reads what has come. */
void connection_receive(connection *c);
/* Looks whether a whole request has come: HTTP_PARSED, HTTP_NEEDS_MORE, or the status of a
 * refusal. */
int connection_find_request(connection *c);
/* A copy of the request's bytes, which are then gone from the connection; NULL without
 * memory. */
char *connection_take_request(connection *c);

/* Begins a reply; the reply is cleared. */
void connection_reply(connection *c, http_reply *reply);
/* Writes what the client takes; READING or LEAVING behind the last byte. */
void connection_send(connection *c);

/* Whether it reads in its state: always, but for a buffer that is full. */
bool connection_wants_bytes(const connection *c);

#endif
