/* SPDX-License-Identifier: MIT */
#include "serve/http/gate.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool gate_init(gate *g, uint16_t port)
{
    unsigned char random[gate_token_length / 2];
    FILE *file = fopen("/dev/urandom", "rb");
    if (file == NULL) return false;
    const bool drawn = fread(random, sizeof random, 1, file) == 1;
    fclose(file);
    for (size_t i = 0; i < sizeof random; i++)
        snprintf(g->token + 2 * i, 3, "%02x", (unsigned)random[i]);
    snprintf(g->cookie_name, sizeof g->cookie_name, "otherwise_%u", (unsigned)port);
    snprintf(g->hosts[0], sizeof g->hosts[0], "127.0.0.1:%u", (unsigned)port);
    snprintf(g->hosts[1], sizeof g->hosts[1], "localhost:%u", (unsigned)port);
    return drawn;
}

static bool is_own_host(const gate *g, http_text host)
{
    return http_text_matches(host, g->hosts[0]) || http_text_matches(host, g->hosts[1]);
}

static bool is_own_origin(const gate *g, http_text origin)
{
    static const char scheme[] = "http://";
    const size_t n = sizeof scheme - 1;
    if (origin.length <= n || memcmp(origin.at, scheme, n) != 0) return false;
    return is_own_host(g, (http_text){origin.at + n, origin.length - n});
}

/* In a time that does not depend on how much of it is right. */
static bool is_token(const gate *g, http_text text)
{
    unsigned char difference = 0;
    if (text.at == NULL || text.length != gate_token_length) return false;
    for (size_t i = 0; i < gate_token_length; i++)
        difference |= (unsigned char)(text.at[i] ^ g->token[i]);
    return difference == 0;
}

static bool has_token(const gate *g, const http_request *request)
{
    static const char bearer[] = "Bearer ";
    const size_t n = sizeof bearer - 1;
    const http_text said = request->authorization;
    if (said.length > n && memcmp(said.at, bearer, n) == 0 &&
        is_token(g, (http_text){said.at + n, said.length - n}))
        return true;
    return is_token(g, http_cookie_get(request->cookie, g->cookie_name));
}

/* GET /?token=...: the address that was printed. */
static bool is_address(const gate *g, const http_request *request)
{
    static const char before[] = "token=";
    const size_t n = sizeof before - 1;
    const http_text query = request->query;
    return request->method == HTTP_GET && http_text_equals(request->path, "/") &&
           query.length > n && memcmp(query.at, before, n) == 0 &&
           is_token(g, (http_text){query.at + n, query.length - n});
}

static http_reply give_cookie(const gate *g)
{
    http_reply reply = {.status = 303, .type = "text/plain", .body = ""};
    const size_t room = strlen(g->cookie_name) + gate_token_length + 64;
    reply.cookie = malloc(room);
    if (reply.cookie != NULL)
        snprintf(reply.cookie, room, "%s=%s; Path=/; HttpOnly; SameSite=Strict",
                 g->cookie_name, g->token);
    return reply;
}

bool gate_check(const gate *g, const http_request *request, http_reply *reply)
{
    if (!is_own_host(g, request->host)) {
        *reply = http_reply_error(403, "foreign Host",
                                  "This server answers at 127.0.0.1 and localhost only.");
        return false;
    }
    if (request->origin.at != NULL && !is_own_origin(g, request->origin)) {
        *reply = http_reply_error(403, "foreign Origin",
                                  "This server answers its own page only.");
        return false;
    }
    if (is_address(g, request)) {
        *reply = give_cookie(g);
        return false;
    }
    if (has_token(g, request)) return true;
    *reply = http_reply_error(401, "no token",
                              "Open the address that otherwise serve has printed: it holds "
                              "the token that this page needs.");
    return false;
}
