/* SPDX-License-Identifier: MIT */
/* Who may ask: only a browser or program that was given the address.  A page of another
 * site that the same browser shows must not get at the rows: not by a request of its own
 * (Origin), and not by a name that it has resolved to this machine (Host). */
#ifndef SERVE_GATE_H
#define SERVE_GATE_H

#include <stdbool.h>
#include <stdint.h>

#include "serve/http/http_reply.h"
#include "serve/http/http_request.h"

enum { gate_token_length = 32 }; /* hexadecimal digits: 128 bits */

typedef struct {
    char token[gate_token_length + 1];
    char cookie_name[32]; /* has the port: browsers give cookies to all ports */
    char hosts[2][32];    /* "127.0.0.1:PORT", "localhost:PORT" */
} gate;

/* Draws a token.  False if the system gives no random bytes. */
bool gate_init(gate *g, uint16_t port);

/* True: the request may be answered.  False: *reply is the refusal, or for an address with
 * the token the reply that turns it into a cookie. */
bool gate_check(const gate *g, const http_request *request, http_reply *reply);

#endif
