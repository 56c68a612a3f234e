/* SPDX-License-Identifier: MIT */
/* otherwise serve: a page on this machine where rows are looked at, edited and explained
 * under what is possible for somebody. */
#include <stdlib.h>
#include <string.h>

#include "models/model_rows.h"
#include "models/row_names.h"
#include "output/output.h"
#include "serve/api.h"
#include "serve/http/server.h"
#include "terminal/exit_codes.h"
#include "terminal/interrupt.h"
#include "terminal/memory.h"
#include "terminal/message.h"

typedef struct {
    uint64_t port, queue;
    double timeout;
    const char *id, *state;
    bool read_only;
    read_settings read;
    compute_settings compute;
    foreign_run_settings foreign;
} settings;

/* Connections beyond these are closed.  With the largest request each they take 136 MB. */
enum { most_connections = 512, n_workers = 2 };

static bool is_over(void)
{
    return interrupt_signal() != 0;
}

static void log_refusal(int status, const char *request, const char *why)
{
    message(OW_LOG_WARN, "%d %s: %s", status, request, why);
}

static const char *file_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash != NULL ? slash + 1 : path;
}

static int run_server(const invocation *call, const api *a, void *const *workers)
{
    const settings *set = call->settings;
    const char *error = NULL;
    const server_settings how = {.ctx = call->ctx,
                                 .port = (uint16_t)set->port,
                                 .n_workers = n_workers,
                                 .workers = workers,
                                 .answer = api_answer,
                                 .most_waiting = (size_t)set->queue,
                                 .most_connections = most_connections,
                                 .request_seconds = set->timeout,
                                 .is_over = is_over,
                                 .log = log_refusal};
    server *s = server_new(&how, &error);
    if (s == NULL) {
        message(OW_LOG_ERROR, "cannot serve at port %u: %s", (unsigned)set->port, error);
        return EXIT_RESOURCES;
    }
    output_print(stdout, "http://127.0.0.1:%u/?token=%s\n", (unsigned)server_port(s),
                 server_gate(s)->token);
    output_flush();
    message(OW_LOG_INFO, "serving %zu rows of %s; Ctrl-C ends it", a->rows->n_rows,
            a->table_name);
    const bool well = server_run(s, &error);
    if (!well) message(OW_LOG_ERROR, "cannot go on: %s", error);
    server_free(s);
    return well ? EXIT_DONE : EXIT_RESOURCES;
}

/* With the rows read: each worker has an explainer and a predictor of its own. */
static int serve_rows(const invocation *call, const ow_model *model, const row_store *rows,
                      state_store *state)
{
    const settings *set = call->settings;
    const ow_explain_model what = {.size = sizeof what,
                                   .model = model,
                                   .backend = set->compute.backend};
    api a = {.model = model,
             .schema = ow_model_schema(model),
             .rows = rows,
             .table_name = file_name(call->operands[1]),
             .state = state,
             .read_only = set->read_only,
             .how = {.size = sizeof(ow_call),
                     .seed = call->how.seed,
                     .threads = call->how.threads}};
    api_worker own[n_workers] = {{0}};
    void *workers[n_workers];
    ow_status status = api_init(&a) ? OW_OK : OW_ERR_MEMORY;
    for (size_t i = 0; i < n_workers; i++) {
        own[i].api = &a;
        workers[i] = &own[i];
        if (status == OW_OK)
            status = ow_explainer_new(&what, ow_method_get(0)->name, &own[i].explainer);
        if (status == OW_OK)
            status = ow_predictor_new(model, set->compute.backend, &own[i].predictor);
    }
    const int code =
        status == OW_OK ? run_server(call, &a, workers) : command_failed(status, false);
    for (size_t i = 0; i < n_workers; i++) {
        ow_explainer_free(own[i].explainer);
        ow_predictor_free(own[i].predictor);
    }
    api_clear(&a);
    return code;
}

static int serve_with_state(const invocation *call, const ow_model *model,
                            const row_store *rows)
{
    const settings *set = call->settings;
    char *error = NULL;
    state_store *state =
        state_store_open(call->ctx, ow_model_schema(model), set->state, &error);
    if (state == NULL) {
        message(OW_LOG_ERROR, "--state %s: %s", set->state, error);
        free(error);
        return EXIT_DATA;
    }
    const int code = serve_rows(call, model, rows, state);
    state_store_free(state);
    return code;
}

static int serve(const invocation *call, const ow_model *model, ow_reader *reader)
{
    const settings *set = call->settings;
    const ow_schema *schema = ow_model_schema(model);
    row_store rows = {0};
    if (ow_schema_layout(schema).kind != OW_LAYOUT_TABLE) {
        message(OW_LOG_ERROR, "serve is for models of tables; %s is one of images or maps",
                call->operands[0]);
        return EXIT_USAGE;
    }
    const char *id = set->id != NULL ? set->id : row_names_column(schema, reader);
    int code =
        id != NULL ? command_check_option("--id", ow_reader_set_id(reader, id)) : EXIT_DONE;
    if (code != EXIT_DONE) return code;
    ow_reader_keep_texts(reader);
    ow_status status = ow_reader_bind(reader, schema, false);
    if (status == OW_OK)
        status = row_store_load(model, reader, id, set->compute.backend, &call->how, &rows);
    if (interrupt_signal() != 0)
        code = interrupt_end();
    else
        code = status == OW_OK ? serve_with_state(call, model, &rows)
                               : command_failed(status, false);
    row_store_clear(&rows);
    return code;
}

static int run(const invocation *call)
{
    const settings *set = call->settings;
    const model_rows_settings opened = {.read = &set->read,
                                        .compute = &set->compute,
                                        .foreign = &set->foreign,
                                        .written = set->state};
    return model_rows_open(call, &opened, serve);
}

static const option_spec options[] = {
    {.name = "port",
     .word = "N",
     .help = "listen there; 0, the default, takes a port that is free",
     .kind = OPTION_INTEGER,
     .least = 0,
     .most = 65535,
     .at = offsetof(settings, port)},
    {.name = "id",
     .word = "COLUMN",
     .help = "the column that names the rows, which need not be one of the model's; by "
             "default the identifier that training found",
     .kind = OPTION_TEXT,
     .at = offsetof(settings, id)},
    {.name = "state",
     .word = "FILE",
     .help = "keep stars and preferences there, so that they are back the next time; the "
             "file is replaced whole or not at all",
     .kind = OPTION_TEXT,
     .at = offsetof(settings, state)},
    {.name = "read-only",
     .help = "keep no stars and preferences",
     .kind = OPTION_FLAG,
     .at = offsetof(settings, read_only)},
    {.name = "queue",
     .word = "N",
     .help = "how many requests may wait; further ones are told to try again; 256 by "
             "default",
     .kind = OPTION_INTEGER,
     .least = 0,
     .most = 100000,
     .at = offsetof(settings, queue)},
    {.name = "timeout",
     .word = "S",
     .help = "seconds in which a client has to send a request, and to take its reply; 20 "
             "by default",
     .kind = OPTION_NUMBER,
     .low = 0.1,
     .high = 86400.0,
     .at = offsetof(settings, timeout)},
};
static const option_group group = {"Options", options, sizeof options / sizeof *options};
static const option_use uses[] = {{&group, 0},
                                  {&foreign_run_options, offsetof(settings, foreign)},
                                  {&read_options, offsetof(settings, read)},
                                  {&compute_options, offsetof(settings, compute)}};

static const operand_spec operands[] = {
    {"MODEL", "a model of a table that train has written"},
    {"TABLE", "the rows, a CSV or NPY file, gzipped or not; - is standard input"},
};

static const char *const examples[] = {
    "otherwise serve credit.ow applicants.csv",
    "otherwise serve credit.ow applicants.csv --port 8080 --state credit.state.json",
    NULL,
};

const command_spec cmd_serve = {
    .name = "serve",
    .summary = "show rows on a local page, edit them, and explain them at once",
    .about =
        "Prints the address of a page and serves it until Ctrl-C: a list of the rows with "
        "what the model says of each; a row as a form, in which class, probability and "
        "typicality follow every edit; and beside it the answers, under what is possible "
        "for somebody: locked columns, ranges, levels, directions, costs.\n\n"
        "It listens on 127.0.0.1 only. The address holds a token without which nothing is "
        "answered; do not pass it on. The page asks for nothing from anywhere else.\n\n"
        "Programs can use the same addresses: JSON over HTTP, specified in doc/serve.md. "
        "What is refused is told on standard error.",
    .operands = operands,
    .n_operands = 2,
    .n_required = 2,
    .uses = uses,
    .n_uses = sizeof uses / sizeof *uses,
    .examples = examples,
    .settings_size = sizeof(settings),
    .defaults = &(const settings){.queue = 256, .timeout = 20.0},
    .run = run,
};
