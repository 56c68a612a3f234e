/* SPDX-License-Identifier: MIT */
/* The head of an HTTP/1.1 request: a subset that browsers and programs need, and nothing
 * that is open to interpretation (doc/serve.md).  What is outside of it is refused with a
 * status; doc/decisions/0023-http-of-our-own.md has the reasons. */
#ifndef SERVE_HTTP_REQUEST_H
#define SERVE_HTTP_REQUEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A part of the bytes that were parsed; no NUL behind it.  at is NULL where a header is
 * absent. */
typedef struct {
    const char *at;
    size_t length;
} http_text;

typedef enum { HTTP_GET, HTTP_HEAD, HTTP_POST, HTTP_PUT } http_method;

enum {
    http_most_head = 16384, /* bytes of the request line and all headers */
    http_most_target = 4096,
    http_most_headers = 100,
    http_most_body = 262144
};

typedef struct {
    http_method method;
    http_text path, query; /* of the target, before and behind the "?", as they came */
    http_text host, origin, cookie, authorization, content_type;
    size_t head_size; /* bytes up to the body */
    size_t body_size; /* at most http_most_body */
    bool keep_alive;  /* the client wants to send another request */
} http_request;

/* What parsing came to, besides the status of an error. */
enum { HTTP_PARSED = 0, HTTP_NEEDS_MORE = 1 };

/* Parses the head at the beginning of bytes.  HTTP_PARSED; HTTP_NEEDS_MORE if it is not
 * whole yet; or the status of the refusal, 400 to 505, after which the connection cannot be
 * used any more. */
int http_request_parse(const char *bytes, size_t size, http_request *request);

bool http_text_equals(http_text text, const char *other);
/* The same, letters in either case. */
bool http_text_matches(http_text text, const char *other);

/* The value of a query's parameter with its %XX and + decoded, with a NUL behind it, to be
 * freed; NULL if there is none, if it has a wrong %XX or decodes to a NUL, or without
 * memory. */
char *http_query_get(http_text query, const char *name);
/* The value of a cookie; at is NULL if there is none. */
http_text http_cookie_get(http_text cookies, const char *name);

#endif
