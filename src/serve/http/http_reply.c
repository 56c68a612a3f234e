/* SPDX-License-Identifier: MIT */
#include "serve/http/http_reply.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *http_status_words(int status)
{
    static const struct {
        int status;
        const char *words;
    } known[] = {{200, "OK"},
                 {303, "See Other"},
                 {400, "Bad Request"},
                 {401, "Unauthorized"},
                 {403, "Forbidden"},
                 {404, "Not Found"},
                 {405, "Method Not Allowed"},
                 {408, "Request Timeout"},
                 {409, "Conflict"},
                 {411, "Length Required"},
                 {413, "Content Too Large"},
                 {414, "URI Too Long"},
                 {415, "Unsupported Media Type"},
                 {417, "Expectation Failed"},
                 {422, "Unprocessable Content"},
                 {431, "Request Header Fields Too Large"},
                 {500, "Internal Server Error"},
                 {501, "Not Implemented"},
                 {503, "Service Unavailable"},
                 {505, "HTTP Version Not Supported"}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (known[i].status == status) return known[i].words;
    return "Unknown";
}

void http_reply_clear(http_reply *reply)
{
    free(reply->owned);
    free(reply->cookie);
    *reply = (http_reply){0};
}

http_reply http_reply_json(int status, char *text, size_t size)
{
    if (text == NULL)
        return (http_reply){.status = 500, .type = "text/plain", .why = "no memory"};
    return (http_reply){.status = status,
                        .type = "application/json",
                        .body = text,
                        .owned = text,
                        .size = size};
}

http_reply http_reply_error(int status, const char *why, const char *sentence)
{
    json_t *object = json_pack("{s:s}", "error", sentence);
    if (object == NULL) object = json_pack("{s:s}", "error", http_status_words(status));
    char *text = object != NULL ? json_dumps(object, JSON_COMPACT) : NULL;
    json_decref(object);
    http_reply reply = http_reply_json(status, text, text != NULL ? strlen(text) : 0);
    reply.why = why;
    return reply;
}

http_reply http_reply_constant(const char *type, const void *bytes, size_t size)
{
    return (http_reply){.status = 200, .type = type, .body = bytes, .size = size};
}

/* What keeps the page to itself: no script, style or picture but the server's own files, no
 * frame around it, no guessing of types, nothing kept by the browser. */
static const char fixed_headers[] =
    "Content-Security-Policy: default-src 'none'; script-src 'self'; style-src 'self'; "
    "img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'\r\n"
    "X-Content-Type-Options: nosniff\r\n"
    "Referrer-Policy: no-referrer\r\n"
    "Cross-Origin-Resource-Policy: same-origin\r\n"
    "Cross-Origin-Opener-Policy: same-origin\r\n"
    "Cache-Control: no-store\r\n";

char *http_reply_format(const http_reply *reply, bool keep_alive, bool without_body,
                        size_t *size)
{
    const char *cookie = reply->cookie != NULL ? reply->cookie : "";
    const size_t room = sizeof fixed_headers + strlen(cookie) + 512;
    char *bytes = malloc(room + reply->size);
    if (bytes == NULL) return NULL;
    const int n = snprintf(bytes, room,
                           "HTTP/1.1 %d %s\r\nContent-Type: %s%s\r\nContent-Length: %zu\r\n"
                           "Connection: %s\r\n%s%s%s%s%s%s\r\n",
                           reply->status, http_status_words(reply->status), reply->type,
                           strncmp(reply->type, "text/", 5) == 0 ? "; charset=utf-8" : "",
                           reply->size, keep_alive ? "keep-alive" : "close", fixed_headers,
                           reply->status == 503 ? "Retry-After: 1\r\n" : "",
                           reply->status == 303 ? "Location: /\r\n" : "",
                           *cookie != '\0' ? "Set-Cookie: " : "", cookie,
                           *cookie != '\0' ? "\r\n" : "");
    if (!without_body && reply->size > 0) memcpy(bytes + n, reply->body, reply->size);
    *size = (size_t)n + (without_body ? 0 : reply->size);
    return bytes;
}
