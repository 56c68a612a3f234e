/* SPDX-License-Identifier: MIT */
/* Who may ask the server. */
#include "support/ow_test.h"

#include "serve/http/gate.h"

/* The status that a request is refused with; 0: it may be answered. */
static int refusal(const gate *g, const char *target, const char *headers)
{
    char text[1024];
    http_request request;
    http_reply reply = {0};
    snprintf(text, sizeof text, "GET %s HTTP/1.1\r\n%s\r\n", target, headers);
    assert_int_equal(http_request_parse(text, strlen(text), &request), HTTP_PARSED);
    if (gate_check(g, &request, &reply)) return 0;
    const int status = reply.status;
    http_reply_clear(&reply);
    return status;
}

static void only_who_knows_the_token_passes(void **state)
{
    gate g, other;
    char target[128], right[256], wrong[256];
    (void)state;
    assert_true(gate_init(&g, 1234));
    assert_true(gate_init(&other, 1234));
    assert_int_equal(strlen(g.token), gate_token_length);
    assert_string_not_equal(g.token, other.token);
    snprintf(right, sizeof right,
             "Host: localhost:1234\r\nCookie: x=1; otherwise_1234=%s\r\n", g.token);
    snprintf(wrong, sizeof wrong, "Host: 127.0.0.1:1234\r\nCookie: otherwise_1234=%s\r\n",
             other.token);
    assert_int_equal(refusal(&g, "/", right), 0);
    assert_int_equal(refusal(&g, "/", wrong), 401);
    assert_int_equal(refusal(&g, "/", "Host: 127.0.0.1:1234\r\n"), 401);
    snprintf(right, sizeof right, "Host: 127.0.0.1:1234\r\nAuthorization: Bearer %s\r\n",
             g.token);
    assert_int_equal(refusal(&g, "/api/about", right), 0);
    snprintf(target, sizeof target, "/?token=%s", g.token);
    assert_int_equal(refusal(&g, target, "Host: 127.0.0.1:1234\r\n"), 303);
    snprintf(target, sizeof target, "/?token=%s", other.token);
    assert_int_equal(refusal(&g, target, "Host: 127.0.0.1:1234\r\n"), 401);
}

/* With the right token, too. */
static void foreign_hosts_and_origins_are_refused(void **state)
{
    static const struct {
        const char *host, *origin;
        int status;
    } cases[] = {{"127.0.0.1:1234", "http://127.0.0.1:1234", 0},
                 {"LOCALHOST:1234", "http://localhost:1234", 0},
                 {"example.org", NULL, 403},
                 {"127.0.0.1", NULL, 403},
                 {"127.0.0.1:1235", NULL, 403},
                 {"127.0.0.1:1234.example.org", NULL, 403},
                 {"127.0.0.1:1234", "http://example.org", 403},
                 {"127.0.0.1:1234", "https://127.0.0.1:1234", 403},
                 {"127.0.0.1:1234", "http://127.0.0.1:80", 403},
                 {"127.0.0.1:1234", "null", 403}};
    gate g;
    (void)state;
    assert_true(gate_init(&g, 1234));
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char headers[512];
        const char *origin = cases[i].origin;
        snprintf(headers, sizeof headers, "Host: %s\r\n%s%s%sAuthorization: Bearer %s\r\n",
                 cases[i].host, origin != NULL ? "Origin: " : "",
                 origin != NULL ? origin : "", origin != NULL ? "\r\n" : "", g.token);
        assert_int_equal(refusal(&g, "/", headers), cases[i].status);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(only_who_knows_the_token_passes),
        cmocka_unit_test(foreign_hosts_and_origins_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
