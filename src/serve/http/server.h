/* SPDX-License-Identifier: MIT */
/* The server: one thread that reads requests and writes replies, and workers that answer.
 * It listens on 127.0.0.1 only. */
#ifndef SERVE_SERVER_H
#define SERVE_SERVER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "otherwise/context.h"
#include "serve/http/gate.h"
#include "serve/work.h"

typedef struct {
    ow_context *ctx;
    uint16_t port; /* 0: one that is free */
    size_t n_workers;
    void *const *workers; /* what each of them is given */
    work_fn answer;
    size_t most_waiting;     /* requests; further ones get 503 */
    size_t most_connections; /* further ones are closed */
    double request_seconds;  /* in which a request has to be whole, and a reply taken */
    /* Asked about once a second and after signals: true ends the server. */
    bool (*is_over)(void);
    /* A refusal: the request line as far as it is known, and why. */
    void (*log)(int status, const char *request, const char *why);
} server_settings;

typedef struct server server;

/* Listens.  NULL with a sentence in *error, a constant. */
server *server_new(const server_settings *settings, const char **error);
void server_free(server *s);

/* Where it listens, and who may ask. */
uint16_t server_port(const server *s);
const gate *server_gate(const server *s);

/* Answers until is_over.  False with a sentence if that cannot go on. */
bool server_run(server *s, const char **error);

#endif
