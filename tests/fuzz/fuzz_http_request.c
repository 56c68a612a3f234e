/* SPDX-License-Identifier: MIT */
/* Heads of HTTP requests: every text lies within the head, and what is parsed stays so
 * whatever stands behind it. */
#include <string.h>

#include "fuzz_target.h"
#include "serve/http/gate.h"

static void check_text(const char *bytes, const http_request *r, http_text text)
{
    if (text.at == NULL) return;
    expect(text.at >= bytes && text.length <= r->head_size);
    expect(text.at + text.length <= bytes + r->head_size);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *bytes = (const char *)data;
    http_request r, again;
    const int status = http_request_parse(bytes, size, &r);
    expect(status == HTTP_PARSED || status == HTTP_NEEDS_MORE ||
           (status >= 400 && status <= 505));
    if (status != HTTP_PARSED) return 0;
    expect(r.head_size <= size && r.head_size <= http_most_head);
    expect(r.body_size <= http_most_body);
    check_text(bytes, &r, r.path);
    check_text(bytes, &r, r.query);
    check_text(bytes, &r, r.host);
    check_text(bytes, &r, r.origin);
    check_text(bytes, &r, r.cookie);
    check_text(bytes, &r, r.authorization);
    check_text(bytes, &r, r.content_type);
    expect(http_request_parse(bytes, r.head_size, &again) == HTTP_PARSED);
    expect(http_request_parse(bytes, r.head_size - 1, &again) == HTTP_NEEDS_MORE);
    free(http_query_get(r.query, "search"));
    (void)http_cookie_get(r.cookie, "otherwise_80");
    static gate g;
    if (g.token[0] == '\0') expect(gate_init(&g, 80));
    http_reply reply = {0};
    expect(!gate_check(&g, &r, &reply)); /* nobody guesses the token */
    expect(reply.status == 401 || reply.status == 403);
    http_reply_clear(&reply);
    return 0;
}
