/* SPDX-License-Identifier: MIT */
/* Rows of a reader as a stream: the same answers as in one call, the wanted rows only, and
 * what was finished when the call is stopped. */
#include "otherwise/explain_stream.h"
#include "support/explain_fixture.h"

#include "data/schema/schema_private.h"
#include "model/model_private.h"

typedef struct {
    ow_test_model m;
    ow_reader *reader;
    ow_explainer *explainer;
    ow_explain_options options;
    ow_explain_source source;
} asked;

static void ask(asked *a, ow_context *ctx)
{
    *a = (asked){.m = ow_test_applicants(ctx, OW_LEAVES_AUTO)};
    const ow_schema *schema = ow_model_schema(a->m.model);
    ow_explain_options_init(&a->options, sizeof a->options);
    a->explainer = ow_test_explainer(&a->m, "nearest");
    assert_ok(ow_reader_open_table(ctx, a->m.table, schema, "applicants", &a->reader));
    assert_ok(ow_reader_bind(a->reader, schema, false));
    a->source = (ow_explain_source){.size = sizeof a->source,
                                    .explainer = a->explainer,
                                    .options = &a->options,
                                    .reader = a->reader};
}

static void clear(asked *a)
{
    ow_reader_free(a->reader);
    ow_explainer_free(a->explainer);
    ow_test_model_free(&a->m);
}

static void assert_same(const asked *a, const ow_outcome *got, const ow_outcome *want)
{
    assert_int_equal(got->kind, want->kind);
    assert_int_equal(got->n_answers, want->n_answers);
    for (size_t k = 0; k < want->n_answers; k++)
        assert_memory_equal(got->answers[k]->values, want->answers[k]->values,
                            a->m.n_columns * sizeof(double));
}

/* The schema's carried columns come along, as the reader has them. */
static void carried_columns_come_with_the_rows(void **state)
{
    asked a;
    ow_explain_stream *stream;
    const ow_explained_row *row;
    const size_t some[] = {1, 3};
    ask(&a, ow_test_context(state));
    ow_schema *schema = a.m.model->schema;
    const char *names[2000] = {"p\n1", "", "p 3"};
    assert_true(a.m.n_rows <= 2000);
    assert_ok(owi_schema_add_carried(schema, "person", 6, true));
    assert_ok(owi_schema_add_carried(schema, "gone", 4, false));
    ow_reader_free(a.reader);
    a.reader = NULL;
    assert_ok(ow_reader_open_table(schema->ctx, a.m.table, schema, "people", &a.reader));
    assert_ok(ow_reader_add_texts(a.reader, "person", a.m.n_rows, names));
    assert_ok(ow_reader_bind(a.reader, schema, false));
    a.source.reader = a.reader;
    a.source.carried = true;
    a.source.wanted = some;
    a.source.n_wanted = 2;
    assert_ok(ow_explain_stream_new(&a.source, NULL, &stream));
    for (size_t i = 0; i < 2; i++) {
        assert_ok(ow_explain_stream_next(stream, &row));
        assert_int_equal(row->number, some[i]);
        assert_string_equal(row->carried[0], names[some[i] - 1]);
        assert_null(row->carried[1]);
    }
    ow_explain_stream_free(stream);
    clear(&a);
}

static void all_rows_come_in_order_with_the_answers_of_one_call(void **state)
{
    asked a;
    ow_explanation *want;
    ow_explain_stream *stream;
    const ow_explained_row *row;
    size_t n = 0;
    ask(&a, ow_test_context(state));
    assert_ok(ow_explainer_explain(a.explainer, NULL, &a.options, a.m.n_rows, a.m.values,
                                   NULL, &want));
    assert_ok(ow_explain_stream_new(&a.source, NULL, &stream));
    for (;; n++) {
        assert_ok(ow_explain_stream_next(stream, &row));
        if (row == NULL) break;
        assert_int_equal(row->number, n + 1);
        assert_null(row->id);
        assert_null(row->carried);
        assert_memory_equal(row->query, a.m.values + n * a.m.n_columns,
                            a.m.n_columns * sizeof(double));
        assert_same(&a, row->outcome, ow_explanation_outcome(want, n));
        assert_int_equal(ow_explain_stream_summary(stream)->n_rows, n + 1);
    }
    assert_int_equal(n, a.m.n_rows);
    assert_int_equal(ow_explain_stream_n_read(stream), a.m.n_rows);
    assert_int_equal(ow_explain_stream_missing(stream), 0);
    assert_true(ow_explain_stream_seconds(stream) >= 0.0);
    ow_explain_stream_free(stream);
    ow_explanation_free(want);
    clear(&a);
}

static void only_wanted_rows_come_and_one_that_is_not_there_is_told(void **state)
{
    static const size_t wanted[] = {2, 3, 4, 70, 599, 5000};
    asked a;
    ow_explain_stream *stream;
    const ow_explained_row *row;
    ask(&a, ow_test_context(state));
    a.source.wanted = wanted;
    a.source.n_wanted = 6;
    assert_ok(ow_explain_stream_new(&a.source, NULL, &stream));
    for (size_t i = 0; i < 5; i++) {
        ow_explanation *want;
        assert_ok(ow_explain_stream_next(stream, &row));
        assert_int_equal(row->number, wanted[i]);
        a.options.first_row = wanted[i] - 1;
        const double *query = a.m.values + (wanted[i] - 1) * a.m.n_columns;
        assert_ok(
            ow_explainer_explain(a.explainer, NULL, &a.options, 1, query, NULL, &want));
        assert_same(&a, row->outcome, ow_explanation_outcome(want, 0));
        ow_explanation_free(want);
    }
    assert_ok(ow_explain_stream_next(stream, &row));
    assert_null(row);
    assert_int_equal(ow_explain_stream_missing(stream), 5000);
    ow_explain_stream_free(stream);
    clear(&a);
}

/* ---- Stopping ---- */

static bool stop_when_asked(void *user, const ow_progress *progress)
{
    (void)progress;
    return !*(const bool *)user;
}

static void a_stopped_stream_gives_what_was_finished_and_then_says_so(void **state)
{
    asked a;
    ow_explain_stream *stream;
    const ow_explained_row *row;
    bool stop = false;
    ask(&a, ow_test_context(state));
    const ow_call call = {.size = sizeof call,
                          .progress = stop_when_asked,
                          .progress_user = &stop};
    assert_ok(ow_explain_stream_new(&a.source, &call, &stream));
    assert_ok(ow_explain_stream_next(stream, &row)); /* the first of a block of 64 */
    stop = true;
    size_t n = 1;
    ow_status status;
    while ((status = ow_explain_stream_next(stream, &row)) == OW_OK && row != NULL) n++;
    assert_int_equal(status, OW_ERR_CANCELLED);
    assert_true(n >= 64 && n < a.m.n_rows);
    assert_null(row);
    assert_int_equal(ow_explain_stream_summary(stream)->n_rows, n);
    assert_int_equal(ow_explain_stream_next(stream, &row), OW_ERR_CANCELLED);
    ow_explain_stream_free(stream);
    clear(&a);
}

/* Nothing was finished, so nothing was kept that would say so. */
static void a_stream_stopped_at_once_stays_stopped(void **state)
{
    asked a;
    ow_explain_stream *stream;
    const ow_explained_row *row;
    bool stop = true;
    ask(&a, ow_test_context(state));
    const ow_call call = {.size = sizeof call,
                          .progress = stop_when_asked,
                          .progress_user = &stop};
    assert_ok(ow_explain_stream_new(&a.source, &call, &stream));
    assert_int_equal(ow_explain_stream_next(stream, &row), OW_ERR_CANCELLED);
    stop = false;
    assert_fails(ow_explain_stream_next(stream, &row), OW_ERR_CANCELLED, "stopped while");
    assert_null(row);
    assert_int_equal(ow_explain_stream_summary(stream)->n_rows, 0);
    ow_explain_stream_free(stream);

    const ow_call wrong = {.size = sizeof wrong, .time_limit = -1.0};
    assert_fails(ow_explain_stream_new(&a.source, &wrong, &stream), OW_ERR_ARGUMENT,
                 "a time limit of -1 seconds");
    assert_null(stream);
    clear(&a);
}

/* ---- Memory ---- */

typedef struct {
    char *bytes;
    size_t size;
    const ow_table *table;
} saved;

static ow_status stream_rows(ow_context *ctx, void *user)
{
    static const size_t wanted[] = {1, 5};
    const saved *s = user;
    const ow_call one = {.size = sizeof one, .threads = 1};
    ow_model *model = NULL;
    ow_reader *reader = NULL;
    ow_explainer *explainer = NULL;
    ow_explain_stream *stream = NULL;
    const ow_explained_row *row = NULL;
    ow_status status = ow_model_parse(ctx, s->bytes, s->size, "applicants.ow", &model);
    const ow_explain_model what = {.size = sizeof what, .model = model};
    if (status == OW_OK) status = ow_explainer_new(&what, "two-step", &explainer);
    if (status == OW_OK)
        status =
            ow_reader_open_table(ctx, s->table, ow_model_schema(model), "rows", &reader);
    if (status == OW_OK) status = ow_reader_bind(reader, ow_model_schema(model), false);
    const ow_explain_source source = {.size = sizeof source,
                                      .carried = true,
                                      .explainer = explainer,
                                      .reader = reader,
                                      .wanted = wanted,
                                      .n_wanted = 2};
    if (status == OW_OK) status = ow_explain_stream_new(&source, &one, &stream);
    if (status == OW_OK) status = ow_explain_stream_next(stream, &row);
    if (status == OW_OK) status = ow_explain_stream_next(stream, &row);
    ow_explain_stream_free(stream);
    ow_reader_free(reader);
    ow_explainer_free(explainer);
    ow_model_free(model);
    return status;
}

static void memory_may_run_out_anywhere(void **state)
{
    ow_test_model m = ow_test_applicants(ow_test_context(state), OW_LEAVES_AUTO);
    saved s = {.table = m.table};
    assert_ok(ow_model_format(m.model, &s.bytes, &s.size));
    ow_test_sweep(stream_rows, &s);
    ow_bytes_free(s.bytes);
    ow_test_model_free(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        ow_test_on_heap(carried_columns_come_with_the_rows),
        ow_test_on_heap(all_rows_come_in_order_with_the_answers_of_one_call),
        ow_test_on_heap(only_wanted_rows_come_and_one_that_is_not_there_is_told),
        ow_test_on_heap(a_stopped_stream_gives_what_was_finished_and_then_says_so),
        ow_test_on_heap(a_stream_stopped_at_once_stays_stopped),
        ow_test_on_heap(memory_may_run_out_anywhere),
    };
    return cmocka_run_group_tests_name("explain/stream", tests, NULL, NULL);
}
