/* SPDX-License-Identifier: MIT */
#include "serve/http/http_request.h"

#include <stdlib.h>
#include <string.h>

/* ---- Texts ---- */

bool http_text_equals(http_text text, const char *other)
{
    return text.at != NULL && strlen(other) == text.length &&
           memcmp(text.at, other, text.length) == 0;
}

static char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

bool http_text_matches(http_text text, const char *other)
{
    if (text.at == NULL || strlen(other) != text.length) return false;
    for (size_t i = 0; i < text.length; i++)
        if (lower(text.at[i]) != lower(other[i])) return false;
    return true;
}

/* The characters of methods and header names (RFC 9110, "token"). */
static bool is_token(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           (c != '\0' && strchr("!#$%&'*+-.^_`|~", c) != NULL);
}

static http_text trim(const char *from, const char *to)
{
    while (from < to && (*from == ' ' || *from == '\t')) from++;
    while (to > from && (to[-1] == ' ' || to[-1] == '\t')) to--;
    return (http_text){from, (size_t)(to - from)};
}

/* Where the line that begins here ends, at its CR LF; NULL if it is not whole.  A CR or LF
 * that stands alone, and every other control character but a tab, ends it as well, and
 * *bad is set. */
static const char *line_end(const char *from, const char *to, bool *bad)
{
    for (const char *c = from; c < to; c++) {
        if (*c == '\r' && c + 1 == to) return NULL;
        if (*c == '\r' && c[1] == '\n') return c;
        if (((unsigned char)*c < ' ' && *c != '\t') || *c == 0x7f) {
            *bad = true;
            return c;
        }
    }
    return NULL;
}

/* ---- The request line ---- */

static int parse_method(http_text word, http_method *method)
{
    static const char *const names[] = {
        [HTTP_GET] = "GET", [HTTP_HEAD] = "HEAD", [HTTP_POST] = "POST", [HTTP_PUT] = "PUT"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (http_text_equals(word, names[i])) {
            *method = (http_method)i;
            return HTTP_PARSED;
        }
    for (size_t i = 0; i < word.length; i++)
        if (!is_token(word.at[i])) return 400;
    return word.length > 0 ? 501 : 400;
}

/* "/path?query": what a browser sends to a server that is no proxy. */
static int parse_target(http_text target, http_request *request)
{
    if (target.length > http_most_target) return 414;
    if (target.length == 0 || target.at[0] != '/') return 400;
    for (size_t i = 0; i < target.length; i++)
        if (target.at[i] <= ' ' || target.at[i] == '#' || target.at[i] > '~') return 400;
    const char *mark = memchr(target.at, '?', target.length);
    const size_t length = mark != NULL ? (size_t)(mark - target.at) : target.length;
    request->path = (http_text){target.at, length};
    if (mark != NULL) request->query = (http_text){mark + 1, target.length - length - 1};
    return HTTP_PARSED;
}

static int parse_request_line(const char *from, const char *to, http_request *request)
{
    const char *first = memchr(from, ' ', (size_t)(to - from));
    if (first == NULL) return 400;
    const char *second = memchr(first + 1, ' ', (size_t)(to - first - 1));
    if (second == NULL) return 400;
    const http_text word = {from, (size_t)(first - from)};
    const http_text target = {first + 1, (size_t)(second - first - 1)};
    const http_text version = {second + 1, (size_t)(to - second - 1)};
    const bool is_1_1 = http_text_equals(version, "HTTP/1.1");
    if (!is_1_1 && !http_text_equals(version, "HTTP/1.0")) {
        const bool other = version.length == 8 && memcmp(version.at, "HTTP/", 5) == 0;
        return other ? 505 : 400;
    }
    request->keep_alive = is_1_1;
    const int status = parse_method(word, &request->method);
    return status == HTTP_PARSED ? parse_target(target, request) : status;
}

/* ---- Headers ---- */

typedef struct {
    http_text length, connection, transfer_encoding, expect;
} framing;

/* Puts a header in its place; those that have none are ignored.  A second one of the same
 * name is refused: which of them counts is what attacks are made of. */
static int keep_header(http_text name, http_text value, http_request *request, framing *f)
{
    const struct {
        const char *name;
        http_text *place;
    } places[] = {{"host", &request->host},
                  {"origin", &request->origin},
                  {"cookie", &request->cookie},
                  {"authorization", &request->authorization},
                  {"content-type", &request->content_type},
                  {"content-length", &f->length},
                  {"connection", &f->connection},
                  {"transfer-encoding", &f->transfer_encoding},
                  {"expect", &f->expect}};
    for (size_t i = 0; i < sizeof places / sizeof *places; i++)
        if (http_text_matches(name, places[i].name)) {
            if (places[i].place->at != NULL) return 400;
            *places[i].place = value;
        }
    return HTTP_PARSED;
}

static int parse_header(const char *from, const char *to, http_request *request, framing *f)
{
    const char *colon = memchr(from, ':', (size_t)(to - from));
    if (colon == NULL || colon == from) return 400;
    /* This refuses a continued line, too, which begins with a space. */
    for (const char *c = from; c < colon; c++)
        if (!is_token(*c)) return 400;
    const http_text name = {from, (size_t)(colon - from)};
    return keep_header(name, trim(colon + 1, to), request, f);
}

/* The body's size, from what the headers say. */
static int parse_body_size(const framing *f, http_request *request)
{
    const bool has_body = request->method == HTTP_POST || request->method == HTTP_PUT;
    if (f->transfer_encoding.at != NULL) return 501;
    if (f->expect.at != NULL) return 417;
    if (f->length.at == NULL) return has_body ? 411 : HTTP_PARSED;
    if (f->length.length == 0) return 400;
    for (size_t i = 0; i < f->length.length; i++) {
        const char c = f->length.at[i];
        if (c < '0' || c > '9') return 400;
        if (request->body_size <= http_most_body)
            request->body_size = 10 * request->body_size + (size_t)(c - '0');
    }
    if (request->body_size > http_most_body) return 413;
    return !has_body && request->body_size > 0 ? 400 : HTTP_PARSED;
}

static int parse_lines(const char *bytes, const char *end, http_request *request)
{
    framing f = {0};
    const char *from = bytes;
    for (size_t n = 0;; n++) {
        bool bad = false;
        const char *to = line_end(from, end, &bad);
        if (bad) return 400;
        if (to == NULL)
            return n == 0 && end - from > http_most_target + 64 ? 414 : HTTP_NEEDS_MORE;
        if (n > 0 && to == from) {
            request->head_size = (size_t)(to - bytes) + 2;
            break;
        }
        if (n > http_most_headers) return 431;
        const int status = n == 0 ? parse_request_line(from, to, request)
                                  : parse_header(from, to, request, &f);
        if (status != HTTP_PARSED) return status;
        from = to + 2;
    }
    if (http_text_matches(f.connection, "close")) request->keep_alive = false;
    if (http_text_matches(f.connection, "keep-alive")) request->keep_alive = true;
    if (request->host.at == NULL) return 400;
    return parse_body_size(&f, request);
}

int http_request_parse(const char *bytes, size_t size, http_request *request)
{
    *request = (http_request){0};
    const size_t looked_at = size < http_most_head ? size : http_most_head;
    const int status = parse_lines(bytes, bytes + looked_at, request);
    return status == HTTP_NEEDS_MORE && looked_at == http_most_head ? 431 : status;
}

/* ---- Parts of headers ---- */

static int hex_digit(char c)
{
    if (c >= '0' && c <= '9') return c - '0';
    c = lower(c);
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

static char *decode(const char *from, size_t length)
{
    char *text = malloc(length + 1);
    size_t n = 0;
    for (size_t i = 0; text != NULL && i < length; i++) {
        char c = from[i] == '+' ? ' ' : from[i];
        if (c == '%') {
            const int high = i + 2 < length ? hex_digit(from[i + 1]) : -1;
            const int low = i + 2 < length ? hex_digit(from[i + 2]) : -1;
            c = high < 0 || low < 0 ? '\0' : (char)(16 * high + low);
            i += 2;
        }
        if (c == '\0') {
            free(text);
            return NULL;
        }
        text[n++] = c;
    }
    if (text != NULL) text[n] = '\0';
    return text;
}

char *http_query_get(http_text query, const char *name)
{
    const size_t name_length = strlen(name);
    for (size_t at = 0; query.at != NULL && at < query.length;) {
        const char *from = query.at + at;
        const char *mark = memchr(from, '&', query.length - at);
        const size_t length = mark != NULL ? (size_t)(mark - from) : query.length - at;
        if (length > name_length && memcmp(from, name, name_length) == 0 &&
            from[name_length] == '=')
            return decode(from + name_length + 1, length - name_length - 1);
        at += length + 1;
    }
    return NULL;
}

http_text http_cookie_get(http_text cookies, const char *name)
{
    const size_t name_length = strlen(name);
    for (size_t at = 0; cookies.at != NULL && at < cookies.length;) {
        const char *from = cookies.at + at;
        const char *mark = memchr(from, ';', cookies.length - at);
        const size_t length = mark != NULL ? (size_t)(mark - from) : cookies.length - at;
        const http_text pair = trim(from, from + length);
        if (pair.length > name_length && memcmp(pair.at, name, name_length) == 0 &&
            pair.at[name_length] == '=')
            return (http_text){pair.at + name_length + 1, pair.length - name_length - 1};
        at += length + 1;
    }
    return (http_text){NULL, 0};
}
