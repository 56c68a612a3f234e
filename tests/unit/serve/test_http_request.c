/* SPDX-License-Identifier: MIT */
/* Heads of HTTP requests. */
#include "support/ow_test.h"

#include "serve/http/http_request.h"

static int parse(const char *text, http_request *request)
{
    return http_request_parse(text, strlen(text), request);
}

static void a_request_has_its_parts(void **state)
{
    static const char text[] = "POST /api/explain?x=1 HTTP/1.1\r\nHost: 127.0.0.1:80\r\n"
                               "ORIGIN:  http://a \t\r\nContent-Length: 12\r\n"
                               "Cookie: a=1; b=22\r\nX-Other: y\r\n\r\n{}";
    http_request r;
    (void)state;
    assert_int_equal(parse(text, &r), HTTP_PARSED);
    assert_int_equal(r.method, HTTP_POST);
    assert_true(http_text_equals(r.path, "/api/explain"));
    assert_true(http_text_equals(r.query, "x=1"));
    assert_true(http_text_equals(r.host, "127.0.0.1:80"));
    assert_true(http_text_equals(r.origin, "http://a"));
    assert_null(r.authorization.at);
    assert_int_equal(r.body_size, 12);
    assert_string_equal(text + r.head_size, "{}");
    assert_true(r.keep_alive);
    assert_true(http_text_equals(http_cookie_get(r.cookie, "b"), "22"));
    assert_null(http_cookie_get(r.cookie, "c").at);
}

/* Cut off anywhere, a request is not whole, and not wrong either. */
static void every_beginning_needs_more(void **state)
{
    static const char text[] = "GET /x HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n";
    http_request r;
    (void)state;
    for (size_t n = 0; n + 1 < sizeof text; n++)
        assert_int_equal(http_request_parse(text, n, &r), HTTP_NEEDS_MORE);
    assert_int_equal(http_request_parse(text, sizeof text - 1, &r), HTTP_PARSED);
    assert_false(r.keep_alive);
}

static void what_is_no_request_has_its_status(void **state)
{
    static const struct {
        int status;
        const char *text;
    } cases[] = {
        {400, "GET /\r\n\r\n"},
        {400, "GET  / HTTP/1.1\r\nHost: h\r\n\r\n"},
        {400, "GET http://h/ HTTP/1.1\r\nHost: h\r\n\r\n"},
        {400, "GET * HTTP/1.1\r\nHost: h\r\n\r\n"},
        {400, "GET /\x01 HTTP/1.1\r\nHost: h\r\n\r\n"},
        {400, "GET /\xc3\xa4 HTTP/1.1\r\nHost: h\r\n\r\n"},
        {400, "GET / HTTP/1.1\nHost: h\n\n"},
        {400, "GET / HTTP/1.1\r\n\r\n"},
        {400, "GET / HTTP/1.1\r\nHost: h\r\nHost: i\r\n\r\n"},
        {400, "GET / HTTP/1.1\r\nHost : h\r\n\r\n"},
        {400, "GET / HTTP/1.1\r\nHost: h\r\n folded\r\n\r\n"},
        {400, "GET / HTTP/1.1\r\nHost: h\r\nno colon\r\n\r\n"},
        {400, "GET / HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\n\r\n"},
        {400, "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: -1\r\n\r\n"},
        {400,
         "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n"},
        {400, "POST / HTTP/1.1\r\nHost: h\r\nContent-Length:\r\n\r\n"},
        {400, "\x16\x03\x01 a TLS client\r\n\r\n"},
        {411, "POST / HTTP/1.1\r\nHost: h\r\n\r\n"},
        {413, "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 1073741824\r\n\r\n"},
        {413, "POST / HTTP/1.1\r\nHost: h\r\n"
              "Content-Length: 99999999999999999999999999999999\r\n\r\n"},
        {417, "POST / HTTP/1.1\r\nHost: h\r\nExpect: 100-continue\r\n"
              "Content-Length: 1\r\n\r\n"},
        {501, "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n"},
        {501, "DELETE / HTTP/1.1\r\nHost: h\r\n\r\n"},
        {505, "GET / HTTP/2.0\r\nHost: h\r\n\r\n"},
    };
    http_request r;
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const int status = parse(cases[i].text, &r);
        if (status != cases[i].status) print_error("%s: %d\n", cases[i].text, status);
        assert_int_equal(status, cases[i].status);
    }
}

/* Lines and heads that do not end are refused before they take memory. */
static void what_is_too_long_has_its_status(void **state)
{
    static char text[2 * http_most_head];
    http_request r;
    (void)state;
    memset(text, 'a', sizeof text);
    memcpy(text, "GET /", 5);
    assert_int_equal(http_request_parse(text, http_most_target, &r), HTTP_NEEDS_MORE);
    assert_int_equal(http_request_parse(text, http_most_target + 100, &r), 414);
    static const char line[] = "GET / HTTP/1.1\r\nHost: h\r\nX: ";
    memcpy(text, line, sizeof line - 1);
    assert_int_equal(http_request_parse(text, http_most_head - 1, &r), HTTP_NEEDS_MORE);
    assert_int_equal(http_request_parse(text, http_most_head, &r), 431);
    size_t at = 0;
    at += (size_t)sprintf(text, "GET / HTTP/1.1\r\n");
    for (int i = 0; i <= http_most_headers; i++)
        at += (size_t)sprintf(text + at, "X: y\r\n");
    sprintf(text + at, "\r\n");
    assert_int_equal(parse(text, &r), 431);
}

static void parameters_are_decoded(void **state)
{
    static const char text[] = "a=1&name=J%C3%BCrg+%26+Co&bad=%4&nul=%00&end=%7e";
    const http_text query = {text, sizeof text - 1};
    (void)state;
    char *name = http_query_get(query, "name"), *end = http_query_get(query, "end");
    assert_string_equal(name, "J\xc3\xbcrg & Co");
    assert_string_equal(end, "~");
    assert_null(http_query_get(query, "bad"));
    assert_null(http_query_get(query, "nul"));
    assert_null(http_query_get(query, "ame"));
    assert_null(http_query_get((http_text){NULL, 0}, "a"));
    free(name);
    free(end);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_request_has_its_parts),
        cmocka_unit_test(every_beginning_needs_more),
        cmocka_unit_test(what_is_no_request_has_its_status),
        cmocka_unit_test(what_is_too_long_has_its_status),
        cmocka_unit_test(parameters_are_decoded),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
