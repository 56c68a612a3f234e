/* SPDX-License-Identifier: MIT */
/* Replies: a status, a body, and the headers that every reply of ours has. */
#ifndef SERVE_HTTP_REPLY_H
#define SERVE_HTTP_REPLY_H

#include <stdbool.h>
#include <stddef.h>

typedef struct {
    int status;
    const char *type; /* of the body; a constant */
    const char *body; /* size bytes */
    char *owned;      /* the body where the reply has to free it; else NULL */
    size_t size;
    char *cookie;    /* value of Set-Cookie, freed with the reply; NULL: none */
    const char *why; /* what to log for a refusal; a constant; NULL: nothing */
} http_reply;

/* Frees what the reply owns. */
void http_reply_clear(http_reply *reply);

/* A body that the reply takes over: JSON text, freed by free(). */
http_reply http_reply_json(int status, char *text, size_t size);
/* {"error": sentence}.  why is for the log, and is the sentence where that is NULL. */
http_reply http_reply_error(int status, const char *why, const char *sentence);
/* A constant, which is not copied. */
http_reply http_reply_constant(const char *type, const void *bytes, size_t size);

/* The whole reply as bytes, to be freed; NULL without memory.  without_body: for HEAD. */
char *http_reply_format(const http_reply *reply, bool keep_alive, bool without_body,
                        size_t *size);

/* "Not Found" for 404. */
const char *http_status_words(int status);

#endif
