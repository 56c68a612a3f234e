/* SPDX-License-Identifier: MIT */
/* Requests as the handlers of `otherwise serve` get them, behind the parser of HTTP: a line
 * with the address, then the body.  Every reply is JSON; a refusal has a sentence, and
 * nothing is an error of the server's. */
#include <jansson.h>

#include "loans_target.h"
#include "serve/api.h"

static ow_context *ctx;
static row_store rows;
static api handlers;
static api_worker worker;

static void prepare(void)
{
    const ow_call how = {.size = sizeof how, .threads = 1};
    ow_train_options train;
    ow_model *model;
    char *error = NULL;
    expect(ow_context_new(NULL, &ctx) == OW_OK);
    ow_schema *schema = loans_schema(ctx);
    ow_reader *reader = loans_open(ctx);
    ow_train_options_init(&train, sizeof train);
    train.structure = OW_STRUCTURE_SHARED;
    train.passes = 4;
    train.repetitions = train.inputs = 2;
    train.towards_rows = 50;
    train.test_share = 0.0;
    expect(ow_model_train(reader, schema, &train, &how, &model) == OW_OK);
    ow_reader_free(reader);
    reader = loans_open(ctx);
    ow_reader_keep_texts(reader);
    expect(ow_reader_set_id(reader, "name") == OW_OK);
    expect(ow_reader_bind(reader, ow_model_schema(model), false) == OW_OK);
    expect(row_store_load(model, reader, "name", NULL, &how, &rows) == OW_OK);
    ow_reader_free(reader);
    ow_schema_free(schema);
    handlers = (api){.model = model,
                     .schema = ow_model_schema(model),
                     .rows = &rows,
                     .table_name = "loans.csv",
                     .how = how};
    handlers.state = state_store_open(ctx, handlers.schema, NULL, &error);
    expect(api_init(&handlers));
    const ow_explain_model what = {.size = sizeof what, .model = model};
    worker.api = &handlers;
    expect(ow_explainer_new(&what, ow_method_get(0)->name, &worker.explainer) == OW_OK);
    expect(ow_predictor_new(model, NULL, &worker.predictor) == OW_OK);
}

static void check_reply(const http_reply *reply)
{
    json_t *document = json_loadb(reply->body, reply->size, 0, NULL);
    expect(document != NULL);
    if (reply->status != 200)
        expect(json_string_length(json_object_get(document, "error")) > 0);
    expect(reply->status == 200 || (reply->status >= 400 && reply->status < 500));
    json_decref(document);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (ctx == NULL) prepare();
    const uint8_t *end = size > 0 ? memchr(data, '\n', size) : NULL;
    if (end == NULL) return 0;
    const http_text line = {(const char *)data, (size_t)(end - data)};
    const char *mark = memchr(line.at, '?', line.length);
    http_request request = {.path = line,
                            .content_type = {"application/json", 16},
                            .method = HTTP_POST};
    if (mark != NULL) {
        request.path.length = (size_t)(mark - line.at);
        request.query = (http_text){mark + 1, line.length - request.path.length - 1};
    }
    request.body_size = size - line.length - 1;
    if (request.body_size == 0)
        request.method = HTTP_GET;
    else if (http_text_equals(request.path, "/api/state"))
        request.method = HTTP_PUT;
    /* The page's own files are no JSON. */
    if (line.length < 5 || memcmp(line.at, "/api/", 5) != 0) return 0;
    char *bytes = malloc(request.body_size + 1);
    expect(bytes != NULL);
    memcpy(bytes, end + 1, request.body_size);
    work_item *item = work_item_new(ctx, bytes, &request);
    expect(item != NULL);
    api_answer(&worker, item);
    check_reply(&item->reply);
    work_item_free(item);
    return 0;
}
