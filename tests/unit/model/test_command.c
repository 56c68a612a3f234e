/* SPDX-License-Identifier: MIT */
/* Programs that decide: rows on a pipe, and whatever may go wrong with them. */
#include "support/ow_test.h"

#include <errno.h>
#include <signal.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/error.h"
#include "base/io/byte_source.h"
#include "base/memory/alloc.h"
#include "model/foreign/model_command.h"
#include "otherwise/schema_builder.h"

static ow_call how = {.size = sizeof how};

/* Prints P(second class) = 0.N for the number N in the first column.  The shell reads and
 * writes line by line. */
#define ANSWER                                                                             \
    "while read -r line; do case $line in n,*|'') ;; *) echo \"0.${line%%,*}\";; esac; "   \
    "done"

typedef struct {
    owi_call call;
    ow_schema *schema;
} setting;

/* n, a number; kind, a category with levels that CSV must quote. */
static void begin(setting *s, ow_context *ctx)
{
    static const char *const kinds[] = {"plain", "a,b", "say \"no\""};
    ow_schema_builder *builder = NULL;
    assert_ok(owi_call_begin(&s->call, ctx, &how));
    assert_ok(ow_schema_builder_new(ctx, NULL, &builder));
    assert_ok(
        ow_schema_builder_add_number(builder, "n", OW_TYPE_CONTINUOUS, -1, 100, NULL));
    assert_ok(ow_schema_builder_add_category(builder, "kind", OW_TYPE_CATEGORICAL, 3, kinds,
                                             NULL));
    assert_ok(ow_schema_builder_build(builder, &s->schema));
    ow_schema_builder_free(builder);
}

/* No process is left: neither running nor waiting to be asked how it ended. */
static void end(setting *s)
{
    assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
    assert_int_equal(errno, ECHILD);
    ow_schema_free(s->schema);
}

static void a_program_is_started_once_and_answers_in_blocks(void **state)
{
    enum { n = 9000 };
    setting s;
    owi_command *command = NULL;
    double *values = calloc(2 * n, sizeof *values), *scores = calloc(2 * n, sizeof *scores);
    begin(&s, ow_test_context(state));
    for (size_t i = 0; i < n; i++) values[2 * i] = (double)(10 + i % 90);
    /* A program that was started twice would complain. */
    assert_ok(owi_command_new(ow_test_context(state),
                              "test ! -e started || exit 9; : > started; " ANSWER, 20,
                              &command));
    for (int again = 0; again < 2; again++) {
        assert_ok(owi_command_ask(&s.call, command, s.schema, n, values, 2, true, scores));
        for (size_t i = 0; i < n; i++) {
            const double p = (double)(10 + i % 90) / 100.0, want[] = {1.0 - p, p};
            assert_close(&scores[2 * i], want, 2, 1e-12);
        }
    }
    owi_command_free(command);
    remove("started");
    free(values);
    free(scores);
    end(&s);
}

/* A number that the column's decimals would not show, quotes, a missing value. */
static void rows_are_csv_with_all_digits_and_names_of_levels(void **state)
{
    const double third = 1.0 / 3.0;
    const double values[] = {third, 1.0, NAN, 2.0, -2.5e-7, 0.0, 12.0, NAN};
    const char *path = ow_test_path("rows.csv", 0);
    char text[600], *bytes = NULL;
    size_t size = 0;
    double scores[8];
    setting s;
    owi_command *command = NULL;
    owi_byte_source *source = NULL;
    begin(&s, ow_test_context(state));
    snprintf(text, sizeof text,
             "while IFS= read -r line; do printf '%%s\\n' \"$line\"; test -n \"$line\" || "
             "break; done > '%s'; printf '0.5 0.5\\n.25;.75\\n1,0\\r\\n0\\t1\\n'; cat",
             path);
    assert_ok(owi_command_new(ow_test_context(state), text, 300, &command));
    assert_ok(owi_command_ask(&s.call, command, s.schema, 4, values, 2, true, scores));
    owi_command_free(command);
    assert_close(scores, ((const double[]){.5, .5, .25, .75, 1, 0, 0, 1}), 8, 1e-12);

    assert_ok(owi_byte_source_open(ow_test_context(state), path, NULL, &source));
    assert_ok(owi_byte_source_read_all(source, 10000, &bytes, &size));
    const char want[] = "n,kind\n0.3333333333333333,\"a,b\"\n,\"say \"\"no\"\"\"\n"
                        "-2.5e-7,plain\n12,\n\n";
    assert_int_equal(size, sizeof want - 1);
    assert_memory_equal(bytes, want, size);
    owi_byte_source_free(source);
    owi_free(ow_test_context(state), bytes);
    end(&s);
}

static ow_status ask_three(void **state, const char *text, double seconds, bool are_proba)
{
    const double values[] = {10, 0, 20, 1, 30, 2};
    double scores[6];
    setting s;
    owi_command *command = NULL;
    begin(&s, ow_test_context(state));
    assert_ok(owi_command_new(ow_test_context(state), text, seconds, &command));
    const ow_status status =
        owi_command_ask(&s.call, command, s.schema, 3, values, 2, are_proba, scores);
    owi_command_free(command);
    end(&s);
    return status;
}

static void expect(void **state, const char *text, double seconds, bool are_proba,
                   ow_status want, const char *sentence)
{
    assert_fails(ask_three(state, text, seconds, are_proba), want, sentence);
}

static void a_program_that_ends_is_told_with_its_code(void **state)
{
    expect(state, "exit 3", 300, true, OW_ERR_IO,
           "the model's program \"exit 3\" ended with code 3 after it had answered 0 of 3 "
           "rows");
    expect(state, "echo 0.5; echo 1; kill -SEGV $$", 300, true, OW_ERR_IO,
           "was ended by signal 11");
    expect(state, "no_such_program_anywhere 2>/dev/null", 300, true, OW_ERR_IO,
           "ended with code 127");
    expect(state, "echo 0.5; exec >&-; sleep 100", 300, true, OW_ERR_IO,
           "closed its output after it had answered 1 of 3 rows");
}

static void a_program_that_hangs_is_ended(void **state)
{
    /* Its answer comes within a time that grows until it does: a machine may be busy. */
    double seconds = 0.2;
    bool answered = false;
    for (; !answered && seconds < 1000.0; seconds *= 5.0) {
        answered = ask_three(state, "echo 0.5; sleep 1000", seconds, true) == OW_ERR_IO &&
                   strstr(ow_error_message(), "answered 1 of 3 rows") != NULL;
        assert_non_null(strstr(ow_error_message(), " of 3 rows and then nothing for "));
    }
    assert_true(answered);
    expect(state, "trap '' TERM; sleep 1000 & wait; wait", 0.2, true, OW_ERR_IO,
           "answered 0 of 3 rows and then nothing");
}

static void answers_of_another_form_are_refused(void **state)
{
    expect(state, "yes 0.5", 300, true, OW_ERR_NUMERIC,
           "it printed more than the 3 lines that 3 rows need: \"0.5\"");
    expect(state, "yes 0.5 0.2 0.3", 300, true, OW_ERR_NUMERIC,
           "line 1 of its answer has 3 numbers, expected 2: \"0.5 0.2 0.3\"");
    expect(state, "echo 0.5; echo; cat", 300, true, OW_ERR_NUMERIC,
           "line 2 of its answer has 0 numbers, expected 2");
    expect(state, "echo 0.5; echo nan; cat", 300, true, OW_ERR_NUMERIC,
           "line 2 of its answer is \"nan\": expected numbers");
    expect(state, "echo good; cat", 300, true, OW_ERR_NUMERIC,
           "is \"good\": expected numbers");
    expect(state, "yes 1.5", 300, true, OW_ERR_NUMERIC,
           "for a probability: expected 0 to 1");
    expect(state, "yes 0.5,0.2", 300, true, OW_ERR_NUMERIC,
           "the probabilities in line 1 of its answer sum to 0.7, expected 1");
    expect(state, "yes 5", 300, false, OW_ERR_NUMERIC, "has 1 numbers, expected 2");
    expect(state, "head -c 9000 /dev/zero | tr '\\0' x; cat", 300, true, OW_ERR_NUMERIC,
           "line 1 of its answer is longer than 4096 bytes");
}

/* What comes after the last line, and too late to be seen with it. */
static void lines_that_nobody_asked_for_are_seen_at_the_next_question(void **state)
{
    const double values[] = {10, 0};
    double scores[2];
    setting s;
    owi_command *command = NULL;
    begin(&s, ow_test_context(state));
    const char *go = ow_test_path("go", 0), *done = ow_test_path("done", 1);
    char text[600];
    remove(go);
    remove(done);
    snprintf(text, sizeof text,
             "echo 0.5; while test ! -e '%s'; do sleep 0.01; done; echo 1; : > '%s'; "
             "cat > /dev/null",
             go, done);
    assert_ok(owi_command_new(ow_test_context(state), text, 300, &command));
    assert_ok(owi_command_ask(&s.call, command, s.schema, 1, values, 2, true, scores));
    assert_ok(ow_file_write(ow_test_context(state), go, "", 0));
    while (access(done, F_OK) != 0) nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    assert_fails(owi_command_ask(&s.call, command, s.schema, 1, values, 2, true, scores),
                 OW_ERR_NUMERIC, "printed more lines than it had rows");
    owi_command_free(command);
    end(&s);
}

static void a_call_that_is_stopped_does_not_wait_for_the_program(void **state)
{
    const double values[] = {10, 0};
    double scores[2];
    setting s;
    owi_command *command = NULL;
    ow_cancel *cancel = NULL;
    begin(&s, ow_test_context(state));
    assert_ok(ow_cancel_new(ow_test_context(state), &cancel));
    ow_cancel_request(cancel);
    const ow_call stopped = {.size = sizeof stopped, .cancel = cancel};
    owi_call call;
    assert_ok(owi_call_begin(&call, ow_test_context(state), &stopped));
    assert_ok(owi_command_new(ow_test_context(state), "sleep 1000", 1000, &command));
    assert_int_equal(owi_command_ask(&call, command, s.schema, 1, values, 2, true, scores),
                     OW_ERR_CANCELLED);
    owi_command_free(command);
    ow_cancel_free(cancel);
    end(&s);
}

static ow_status ask_one(ow_context *ctx, void *user)
{
    const setting *s = user;
    const double values[] = {10, 0};
    double scores[2];
    owi_call call;
    owi_command *command = NULL;
    OWI_TRY(owi_call_begin(&call, ctx, &how));
    OWI_TRY(owi_command_new(ctx, ANSWER, 300, &command));
    const ow_status status =
        owi_command_ask(&call, command, s->schema, 1, values, 2, true, scores);
    owi_command_free(command);
    return status;
}

static void memory_may_run_out_anywhere(void **state)
{
    setting s;
    begin(&s, ow_test_context(state));
    ow_test_sweep(ask_one, &s);
    end(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        ow_test_on_heap(a_program_is_started_once_and_answers_in_blocks),
        ow_test_on_heap(rows_are_csv_with_all_digits_and_names_of_levels),
        ow_test_on_heap(a_program_that_ends_is_told_with_its_code),
        ow_test_on_heap(a_program_that_hangs_is_ended),
        ow_test_on_heap(answers_of_another_form_are_refused),
        ow_test_on_heap(lines_that_nobody_asked_for_are_seen_at_the_next_question),
        ow_test_on_heap(a_call_that_is_stopped_does_not_wait_for_the_program),
        ow_test_on_heap(memory_may_run_out_anywhere),
    };
    return cmocka_run_group_tests_name("model/command", tests, NULL, NULL);
}
