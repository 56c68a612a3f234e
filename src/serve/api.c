/* SPDX-License-Identifier: MIT */
#include "serve/api.h"

#include <stdlib.h>
#include <string.h>

#include "serve/page_files.h"

bool api_init(api *a)
{
    reason_groups_make(a->schema, &a->groups);
    a->about = api_about_text(a);
    return a->about != NULL;
}

void api_clear(api *a)
{
    reason_groups_clear(&a->groups);
    free(a->about);
    a->about = NULL;
}

static http_reply copy_about(const api *a)
{
    const size_t size = strlen(a->about);
    char *text = malloc(size + 1);
    if (text != NULL) memcpy(text, a->about, size + 1);
    return http_reply_json(200, text, size);
}

static http_reply wrong_method(void)
{
    return http_reply_error(405, "wrong method", "This address takes another method.");
}

/* What answers a question at this address; NULL: none is asked there. */
static http_reply (*find_question(http_text path))(api_worker *, const work_item *)
{
    static const struct {
        const char *path;
        http_reply (*answer)(api_worker *worker, const work_item *item);
    } questions[] = {{"/api/predict", api_predict},
                     {"/api/explain", api_explain},
                     {"/api/reasons", api_reasons}};
    for (size_t i = 0; i < sizeof questions / sizeof *questions; i++)
        if (http_text_equals(path, questions[i].path)) return questions[i].answer;
    return NULL;
}

/* Requests that read. */
static http_reply answer_get(const api *a, const http_request *request)
{
    static const char one_row[] = "/api/rows/";
    const size_t n = sizeof one_row - 1;
    const http_text path = request->path;
    const page_file *file = page_file_find(path);
    if (file != NULL) return http_reply_constant(file->type, file->bytes, *file->size);
    if (http_text_equals(path, "/api/about")) return copy_about(a);
    if (http_text_equals(path, "/api/state")) {
        char *text = state_store_text(a->state);
        return http_reply_json(200, text, text != NULL ? strlen(text) : 0);
    }
    if (http_text_equals(path, "/api/rows")) return api_list_rows(a, request->query);
    if (path.length > n && memcmp(path.at, one_row, n) == 0)
        return api_show_row(a, (http_text){path.at + n, path.length - n});
    if (find_question(path) != NULL) return wrong_method();
    return http_reply_error(404, "no such address", "There is nothing at this address.");
}

/* A form of another site cannot send this type without asking first. */
static bool is_json(const http_request *request)
{
    return http_text_matches(request->content_type, "application/json") ||
           http_text_matches(request->content_type, "application/json; charset=utf-8");
}

static http_reply not_json(void)
{
    return http_reply_error(415, "not JSON", "Content-Type has to be application/json.");
}

/* The one thing that can be changed. */
static http_reply answer_put(const api *a, const work_item *item)
{
    int status = 500;
    char *error = NULL;
    if (!http_text_equals(item->request.path, "/api/state")) return wrong_method();
    if (!is_json(&item->request)) return not_json();
    if (a->read_only)
        return http_reply_error(403, "read-only",
                                "The server was started with --read-only.");
    if (state_store_set(a->state, item->body, item->request.body_size, &status, &error)) {
        char *text = state_store_text(a->state);
        return http_reply_json(200, text, text != NULL ? strlen(text) : 0);
    }
    http_reply reply = http_reply_error(status, "wrong state", error);
    free(error);
    return reply;
}

/* Requests that ask with a document. */
static http_reply answer_post(api_worker *worker, const work_item *item)
{
    const http_request *request = &item->request;
    http_reply (*answer)(api_worker *, const work_item *) = find_question(request->path);
    if (answer == NULL) {
        http_reply get = answer_get(worker->api, request);
        const bool exists = get.status == 200;
        http_reply_clear(&get);
        return exists ? wrong_method()
                      : http_reply_error(404, "no such address",
                                         "There is nothing at this address.");
    }
    return is_json(request) ? answer(worker, item) : not_json();
}

void api_answer(void *given, work_item *item)
{
    api_worker *worker = given;
    switch (item->request.method) {
    case HTTP_GET:
    case HTTP_HEAD:
        item->reply = answer_get(worker->api, &item->request);
        return;
    case HTTP_POST:
        item->reply = answer_post(worker, item);
        return;
    case HTTP_PUT:
        item->reply = answer_put(worker->api, item);
        return;
    }
}
