/* SPDX-License-Identifier: MIT */
/* Explanations as JSON, read back by an independent reader and compared with the outcomes.
 * */
#include <jansson.h>

#include "otherwise/json.h"
#include "support/explain_fixture.h"

enum { n_rows = 30 };
static const ow_call how = {.size = sizeof how, .seed = UINT64_MAX, .threads = 3};

typedef struct {
    ow_test_model m;
    ow_explainer *explainer;
    ow_constraints *rules;
    ow_explain_options options;
    ow_explanation *explanation;
    ow_explain_about about;
} asked;

static void ask(asked *a, ow_context *ctx, const char *method, const char *rules)
{
    *a = (asked){
        .m = ow_test_applicants(ctx, OW_LEAVES_AUTO),
    };
    ow_explain_options_init(&a->options, sizeof a->options);
    a->options.n_answers = 2;
    a->options.surer_proba = 0.8;
    a->explainer = ow_test_explainer(&a->m, method);
    a->rules = ow_test_rules(&a->m, rules);
    assert_ok(ow_explainer_explain(a->explainer, a->rules, &a->options, n_rows, a->m.values,
                                   NULL, &a->explanation));
    a->about = (ow_explain_about){.size = sizeof a->about,
                                  .explainer = a->explainer,
                                  .constraints = a->rules,
                                  .options = &a->options,
                                  .call = &how,
                                  .seconds = 0.25};
}

static void clear(asked *a)
{
    ow_explanation_free(a->explanation);
    ow_explainer_free(a->explainer);
    ow_constraints_free(a->rules);
    ow_test_model_free(&a->m);
}

static json_t *parse(const char *text, size_t size)
{
    json_error_t error;
    assert_int_equal(strlen(text), size);
    json_t *document = json_loads(text, JSON_REJECT_DUPLICATES, &error);
    if (document == NULL) fail_msg("%s: %.200s", error.text, text + error.position);
    return document;
}

static json_t *make(const asked *a)
{
    char *text;
    size_t size;
    assert_ok(ow_explanation_json(&a->about, a->explanation, a->m.values, &text, &size));
    json_t *document = parse(text, size);
    ow_bytes_free(text);
    return document;
}

static void assert_number(const json_t *object, const char *key, double want)
{
    const json_t *value = json_object_get(object, key);
    if (!isfinite(want)) {
        assert_true(json_is_null(value));
        return;
    }
    const double got = json_number_value(value);
    assert_true(json_is_number(value));
    assert_true(fabs(got - want) <= 1e-14 * fabs(want));
}

static void assert_text(const json_t *object, const char *key, const char *want)
{
    const json_t *value = json_object_get(object, key);
    if (want == NULL)
        assert_true(json_is_null(value));
    else
        assert_string_equal(json_string_value(value), want);
}

static void assert_row(const json_t *object, const ow_schema *schema, const double *want)
{
    assert_int_equal(json_object_size(object), ow_schema_n_columns(schema));
    for (size_t j = 0; j < ow_schema_n_columns(schema); j++) {
        const ow_column *column = ow_schema_column(schema, j);
        if (column->n_levels > 0 && !isnan(want[j]))
            assert_text(object, column->name, column->levels[(size_t)want[j]]);
        else
            assert_number(object, column->name, want[j]);
    }
}

static void assert_answer(const json_t *got, const asked *a, const double *query,
                          const ow_counterfactual *want)
{
    const ow_schema *schema = ow_model_schema(a->m.model);
    assert_row(json_object_get(got, "values"), schema, want->values);
    assert_text(got, "class", ow_schema_class_name(schema, (size_t)want->predicted));
    assert_number(got, "log_density", want->log_density);
    assert_number(got, "density_percentile", want->percentile);
    assert_number(json_object_get(got, "distance"), "gower", want->distance.gower);
    assert_number(json_object_get(got, "proba"), ow_schema_class_name(schema, 0),
                  want->proba[0]);
    assert_int_equal(json_is_true(json_object_get(got, "valid")), want->valid);
    size_t n_changes = 0;
    for (size_t j = 0; j < ow_schema_n_columns(schema); j++)
        n_changes +=
            !(isnan(query[j]) && isnan(want->values[j])) && query[j] != want->values[j];
    assert_int_equal(json_array_size(json_object_get(got, "changes")), n_changes);
    assert_int_equal(json_array_size(json_object_get(got, "encoded")),
                     ow_model_soft_width(a->m.model));
}

static void every_row_is_as_its_outcome(void **state)
{
    asked a;
    ask(&a, ow_test_context(state), "nearest", "immutable town");
    json_t *document = make(&a), *results = json_object_get(document, "results");
    size_t n_surer = 0, n_found = 0;
    assert_text(document, "schema_version", "2.0");
    assert_int_equal(json_array_size(results), n_rows);
    for (size_t i = 0; i < n_rows; i++) {
        const ow_outcome *want = ow_explanation_outcome(a.explanation, i);
        const json_t *got = json_array_get(results, i);
        const json_t *answers = json_object_get(got, "counterfactuals");
        const double *query = a.m.values + i * a.m.n_columns;
        assert_number(got, "row", (double)i + 1.0);
        assert_null(json_object_get(got, "id"));
        assert_text(got, "status", ow_outcome_kind_name(want->kind));
        assert_text(got, "reason", ow_reason_name(want->reason));
        assert_text(got, "blocking", want->blocking);
        assert_row(json_object_get(json_object_get(got, "query"), "values"),
                   ow_model_schema(a.m.model), query);
        assert_int_equal(json_array_size(answers), want->n_answers);
        for (size_t k = 0; k < want->n_answers; k++)
            assert_answer(json_array_get(answers, k), &a, query, want->answers[k]);
        const json_t *surer = json_object_get(got, "surer");
        assert_int_equal(json_is_null(surer), want->surer == NULL);
        n_found += want->kind == OW_OUTCOME_FOUND;
        if (want->surer == NULL) continue;
        n_surer++;
        assert_text(surer, "status", ow_outcome_kind_name(want->surer->kind));
        if (want->surer->n_answers > 0)
            assert_answer(json_object_get(surer, "counterfactual"), &a, query,
                          want->surer->answers[0]);
    }
    assert_true(n_surer > 0);
    assert_number(json_object_get(document, "summary"), "found", (double)n_found);
    json_decref(document);
    clear(&a);
}

static void the_end_says_what_was_asked(void **state)
{
    asked a;
    ask(&a, ow_test_context(state), "two-step",
        "immutable age; range income=:20; allow town=Bonn|Celle; monotone debt=down; "
        "max-changes 3");
    a.about.incomplete = true;
    json_t *document = make(&a), *meta = json_object_get(document, "meta");
    const json_t *rules = json_object_get(meta, "constraints");
    char sha256[OW_SHA256_SIZE];
    assert_ok(ow_model_sha256(a.m.model, sha256));
    assert_text(meta, "model_sha256", sha256);
    assert_text(meta, "method", "two-step");
    assert_text(meta, "seed", "18446744073709551615");
    assert_number(meta, "threads", 3.0);
    assert_number(meta, "time_ms", 250.0);
    assert_number(meta, "surer_proba", 0.8);
    assert_true(json_is_true(json_object_get(meta, "incomplete")));
    char *text = json_dumps(rules, JSON_COMPACT);
    assert_string_equal(
        text, "{\"immutable\":[\"age\"],\"vary\":[],\"range\":{\"income\":[null,20.0]},"
              "\"allow\":{\"town\":[\"Bonn\",\"Celle\"]},\"monotone\":{\"debt\":\"down\"},"
              "\"max_changes\":3,\"min_density\":{\"quantile\":0.25,\"required\":false},"
              "\"prob\":[0.0,1.0]}");
    free(text);
    json_t *columns = json_object_get(document, "columns"), *column;
    size_t j;
    json_array_foreach(columns, j, column)
    {
        const char *name = json_string_value(json_object_get(column, "name"));
        assert_int_equal(json_is_true(json_object_get(column, "immutable")),
                         strcmp(name, "age") == 0);
        assert_text(column, "monotone", strcmp(name, "debt") == 0 ? "down" : "none");
    }
    assert_int_equal(j, a.m.n_columns);
    json_decref(document);
    clear(&a);
}

/* An older program's ow_call ends before its seed: what lies there is not the library's. */
static void a_shorter_call_is_not_read_beyond_its_end(void **state)
{
    asked a;
    const ow_call older = {.size = offsetof(ow_call, seed), .seed = 9, .threads = 3};
    ask(&a, ow_test_context(state), "nearest", "");
    a.about.call = &older;
    json_t *document = make(&a);
    const json_t *meta = json_object_get(document, "meta");
    assert_number(meta, "seed", 0.0);
    assert_number(meta, "threads", (double)ow_call_threads(NULL));
    json_decref(document);

    char *text = NULL;
    const ow_call wrong = {.size = 0};
    a.about.call = &wrong;
    assert_fails(ow_explanation_json(&a.about, a.explanation, a.m.values, &text, NULL),
                 OW_ERR_ARGUMENT, "ow_call.size is 0");
    assert_null(text);
    clear(&a);
}

/* The pieces of the writer, one behind the other, are the whole document. */
static void row_by_row_gives_the_same_bytes(void **state)
{
    asked a;
    ask(&a, ow_test_context(state), "nearest", NULL);
    a.options.first_row = 6;
    ow_explain_writer *writer;
    const char *piece;
    char *whole, *joined = NULL;
    size_t size, n, length = 0;
    FILE *file = open_memstream(&joined, &length);
    assert_ok(ow_explain_writer_new(&a.about, &writer));
    assert_ok(ow_explain_writer_begin(writer, &piece, &n));
    fwrite(piece, 1, n, file);
    for (size_t i = 0; i < n_rows; i++) {
        assert_ok(
            ow_explain_writer_row(writer, i + 7, NULL, NULL, a.m.values + i * a.m.n_columns,
                                  ow_explanation_outcome(a.explanation, i), &piece, &n));
        fwrite(piece, 1, n, file);
    }
    assert_ok(ow_explain_writer_end(writer, 0.25, false, &piece, &n));
    fwrite(piece, 1, n, file);
    fclose(file);
    assert_ok(ow_explanation_json(&a.about, a.explanation, a.m.values, &whole, &size));
    assert_int_equal(size, length);
    assert_memory_equal(whole, joined, size);
    ow_bytes_free(whole);
    free(joined);
    ow_explain_writer_free(writer);
    clear(&a);
}

/* Names that JSON cannot hold as they are; only those of rows may be no UTF-8. */
static void names_are_escaped_and_numbers_that_json_lacks_are_null(void **state)
{
    static const char head[] = "\"a\"\"b\",\"tab\there\",caf\xC3\xA9,y\n";
    static const char lines[] =
        "1,2,p\"q,yes\\\n3,-4,r,no\x01\n5,6,r,yes\\\n7,,p\"q,no\x01\n";
    char csv[4096];
    size_t at = (size_t)snprintf(csv, sizeof csv, "%s", head);
    for (int i = 0; i < 12; i++)
        at += (size_t)snprintf(csv + at, sizeof csv - at, "%s", lines);
    ow_train_options train;
    ow_train_options_init(&train, sizeof train);
    train.passes = 1;
    train.towards_rows = 1;
    train.repetitions = train.inputs = 1;
    asked a = {.m = ow_test_model_from_csv(ow_test_context(state), csv, "y", NULL, &train)};
    ow_explain_options_init(&a.options, sizeof a.options);
    a.explainer = ow_test_explainer(&a.m, "nearest");
    a.about = (ow_explain_about){.size = sizeof a.about,
                                 .explainer = a.explainer,
                                 .options = &a.options};
    const double nothing[] = {NAN, INFINITY, -INFINITY, 0.0};
    const double proba[] = {NAN, INFINITY};
    const ow_counterfactual answer = {.values = nothing,
                                      .proba = proba,
                                      .log_density = -INFINITY,
                                      .percentile = NAN,
                                      .distance = {.l1 = INFINITY}};
    const ow_counterfactual *const list = &answer;
    const ow_outcome outcome = {.kind = OW_OUTCOME_NOT_FOUND,
                                .target = 1,
                                .proba = proba,
                                .log_density = NAN,
                                .n_answers = 1,
                                .answers = &list};
    const char *text;
    size_t size;
    ow_explain_writer *writer;
    assert_ok(ow_explain_writer_new(&a.about, &writer));
    assert_ok(ow_explain_writer_begin(writer, &text, &size));
    assert_non_null(strstr(text, "\"a\\\"b\""));
    assert_non_null(strstr(text, "\"tab\\there\""));
    assert_non_null(strstr(text, "\"caf\xC3\xA9\""));
    assert_ok(ow_explain_writer_row(writer, 1, "id\n\"\x80", NULL, nothing, &outcome, &text,
                                    &size));
    json_t *row = parse(text + strspn(text, "\n "), size - strspn(text, "\n "));
    const json_t *made = json_array_get(json_object_get(row, "counterfactuals"), 0);
    assert_text(row, "id", "id\n\"\xEF\xBF\xBD");
    assert_true(json_is_null(json_object_get(made, "log_density")));
    assert_true(json_is_null(json_object_get(made, "density_percentile")));
    assert_true(json_is_null(json_object_get(made, "encoded")));
    assert_true(json_is_null(json_object_get(json_object_get(made, "distance"), "l1")));
    assert_true(json_is_null(json_object_get(json_object_get(made, "values"), "a\"b")));
    assert_true(
        json_is_null(json_object_get(json_object_get(made, "values"), "tab\there")));
    assert_true(json_is_null(json_object_get(json_object_get(made, "proba"), "yes\\")));
    json_decref(row);
    ow_explain_writer_free(writer);
    clear(&a);
}

/* ---- Memory ---- */

typedef struct {
    char *bytes;
    size_t size;
    const double *values;
} saved;

static ow_status explain_and_write(ow_context *ctx, void *user)
{
    const saved *s = user;
    ow_model *model = NULL;
    ow_explainer *explainer = NULL;
    ow_explanation *explanation = NULL;
    ow_explain_writer *writer = NULL;
    char *text = NULL;
    const char *piece = NULL;
    size_t size;
    ow_explain_options options;
    ow_explain_options_init(&options, sizeof options);
    const ow_call one = {.size = sizeof one, .threads = 1};
    ow_status status = ow_model_parse(ctx, s->bytes, s->size, "applicants.ow", &model);
    if (status == OW_OK)
        status = ow_explainer_new(&(ow_explain_model){.size = sizeof(ow_explain_model),
                                                      .model = model},
                                  "two-step", &explainer);
    if (status == OW_OK)
        status = ow_explainer_explain(explainer, NULL, &options, 2, s->values, &one,
                                      &explanation);
    const ow_explain_about about = {.size = sizeof about,
                                    .explainer = explainer,
                                    .options = &options};
    if (status == OW_OK)
        status = ow_explanation_json(&about, explanation, s->values, &text, &size);
    assert_true(status == OW_OK || text == NULL);
    if (status == OW_OK) status = ow_explain_writer_new(&about, &writer);
    if (status == OW_OK) status = ow_explain_writer_begin(writer, &piece, &size);
    if (status == OW_OK)
        status =
            ow_explain_writer_row(writer, 1, "a", NULL, s->values,
                                  ow_explanation_outcome(explanation, 0), &piece, &size);
    if (status == OW_OK) status = ow_explain_writer_end(writer, 0.0, false, &piece, &size);
    assert_true(status == OW_OK || piece == NULL || *piece != '\0');
    ow_explain_writer_free(writer);
    ow_bytes_free(text);
    ow_explanation_free(explanation);
    ow_explainer_free(explainer);
    ow_model_free(model);
    return status;
}

static void memory_may_run_out_anywhere(void **state)
{
    ow_test_model m = ow_test_applicants(ow_test_context(state), OW_LEAVES_AUTO);
    saved s = {.values = m.values};
    assert_ok(ow_model_format(m.model, &s.bytes, &s.size));
    ow_test_sweep(explain_and_write, &s);
    ow_bytes_free(s.bytes);
    ow_test_model_free(&m);
}

static void the_form_of_dice_has_queries_and_answers_in_step(void **state)
{
    asked a;
    char *whole;
    const char *piece;
    size_t size, n_answers = 0, at;
    ow_explain_writer *writer = NULL;
    ask(&a, ow_test_context(state), "nearest", NULL);
    a.about.form = OW_FORM_DICE;
    assert_ok(ow_explanation_json(&a.about, a.explanation, a.m.values, &whole, &size));
    json_t *document = parse(whole, size);
    const json_t *queries = json_object_get(document, "test_data");
    const json_t *answers = json_object_get(document, "cfs_list");
    assert_int_equal(json_array_size(queries), n_rows);
    assert_int_equal(json_array_size(answers), n_rows);
    for (size_t i = 0; i < n_rows; i++) {
        const ow_outcome *outcome = ow_explanation_outcome(a.explanation, i);
        const json_t *query = json_array_get(json_array_get(queries, i), 0);
        const bool found = outcome->kind == OW_OUTCOME_FOUND;
        assert_int_equal(json_array_size(query), a.m.n_columns + 1);
        assert_string_equal(json_string_value(json_array_get(query, a.m.n_columns)),
                            ow_schema_class_name(ow_model_schema(a.m.model),
                                                 (size_t)outcome->predicted));
        assert_int_equal(json_array_size(json_array_get(answers, i)),
                         found ? outcome->n_answers : 0);
        n_answers += found ? outcome->n_answers : 0;
    }
    assert_true(n_answers > 0);
    json_decref(document);

    /* Row by row: the same bytes. */
    assert_ok(ow_explain_writer_new(&a.about, &writer));
    assert_ok(ow_explain_writer_begin(writer, &piece, &at));
    assert_memory_equal(whole, piece, at);
    for (size_t i = 0; i < n_rows; i++, at += size) {
        assert_ok(
            ow_explain_writer_row(writer, i + 1, NULL, NULL, a.m.values + i * a.m.n_columns,
                                  ow_explanation_outcome(a.explanation, i), &piece, &size));
        assert_memory_equal(whole + at, piece, size);
    }
    assert_ok(ow_explain_writer_end(writer, 0.0, false, &piece, &size));
    assert_string_equal(whole + at, piece);
    ow_explain_writer_free(writer);

    /* One that is not ended leaves nothing behind. */
    assert_ok(ow_explain_writer_new(&a.about, &writer));
    assert_ok(ow_explain_writer_begin(writer, &piece, &size));
    assert_ok(ow_explain_writer_row(writer, 1, NULL, NULL, a.m.values,
                                    ow_explanation_outcome(a.explanation, 0), &piece,
                                    &size));
    ow_explain_writer_free(writer);

    a.about.form = (ow_explain_form)2;
    assert_fails(ow_explain_writer_new(&a.about, &writer), OW_ERR_ARGUMENT,
                 "there is no form 2 of explanations");
    ow_bytes_free(whole);
    clear(&a);
}

static void constraints_of_another_table_are_refused(void **state)
{
    asked a;
    ow_test_model other = ow_test_credit_model(ow_test_context(state), OW_LEAVES_AUTO);
    ow_explain_writer *writer;
    char *text;
    size_t size;
    ask(&a, ow_test_context(state), "nearest", NULL);
    ow_constraints *theirs = ow_test_rules(&other, "immutable age");
    a.about.constraints = theirs;
    assert_fails(ow_explanation_json(&a.about, a.explanation, a.m.values, &text, &size),
                 OW_ERR_SCHEMA, "the constraints are for");
    assert_null(text);
    assert_fails(ow_explain_writer_new(&a.about, &writer), OW_ERR_SCHEMA,
                 "the constraints are for");
    assert_null(writer);
    ow_constraints_free(theirs);
    ow_test_model_free(&other);
    clear(&a);
}

static bool stop_behind_the_rows(void *user, const ow_progress *progress)
{
    return strcmp(progress->stage, user) != 0;
}

/* null is not "none" where the call was stopped before it had looked. */
static void what_was_not_looked_for_to_the_end_is_named(void **state)
{
    static const char *const stages[] = {"finding what stands in the way",
                                         "looking for surer answers"};
    for (size_t k = 0; k < 2; k++) {
        asked a;
        size_t n_blocking = 0, n_surer = 0;
        ask(&a, ow_test_context(state), "nearest",
            k == 0 ? "vary income; range income=-4:-3" : NULL);
        const ow_call stopping = {.size = sizeof stopping,
                                  .progress = stop_behind_the_rows,
                                  .progress_user = (void *)stages[k],
                                  .threads = 1};
        ow_explanation_free(a.explanation);
        assert_int_equal(ow_explainer_explain(a.explainer, a.rules, &a.options, n_rows,
                                              a.m.values, &stopping, &a.explanation),
                         OW_ERR_CANCELLED);
        assert_int_equal(ow_explanation_n_rows(a.explanation), n_rows);
        json_t *document = make(&a);
        for (size_t i = 0; i < n_rows; i++) {
            const ow_outcome *outcome = ow_explanation_outcome(a.explanation, i);
            const json_t *row = json_array_get(json_object_get(document, "results"), i);
            const json_t *list = json_object_get(row, "unfinished");
            n_blocking += outcome->blocking_unfinished;
            n_surer += outcome->surer_unfinished;
            assert_int_equal(json_array_size(list),
                             outcome->blocking_unfinished + outcome->surer_unfinished);
            if (outcome->blocking_unfinished) {
                assert_null(outcome->blocking);
                assert_string_equal(json_string_value(json_array_get(list, 0)), "blocking");
            }
            if (outcome->surer_unfinished) assert_null(outcome->surer);
        }
        assert_true(k == 0 ? n_blocking > 0 : n_surer > 0);
        json_decref(document);
        clear(&a);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        ow_test_on_heap(every_row_is_as_its_outcome),
        ow_test_on_heap(the_end_says_what_was_asked),
        ow_test_on_heap(a_shorter_call_is_not_read_beyond_its_end),
        ow_test_on_heap(row_by_row_gives_the_same_bytes),
        ow_test_on_heap(names_are_escaped_and_numbers_that_json_lacks_are_null),
        ow_test_on_heap(the_form_of_dice_has_queries_and_answers_in_step),
        ow_test_on_heap(constraints_of_another_table_are_refused),
        ow_test_on_heap(what_was_not_looked_for_to_the_end_is_named),
        ow_test_on_heap(memory_may_run_out_anywhere),
    };
    return cmocka_run_group_tests_name("json/explanation", tests, NULL, NULL);
}
