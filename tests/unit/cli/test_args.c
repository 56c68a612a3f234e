/* SPDX-License-Identifier: MIT */
/* Options and operands from the words of a command line. */
#include "support/ow_test.h"

#include <unistd.h>

#include "options/args.h"

typedef struct {
    bool flag, help;
    const char *text;
    uint64_t count;
    double share;
    int choice;
    text_list list, repeated;
} settings;

static const char *const choices[] = {"none", "minmax", "standard", NULL};

static const option_spec options[] = {
    {.name = "flag", .letter = 'f', .kind = OPTION_FLAG, .at = offsetof(settings, flag)},
    {.name = "text",
     .letter = 't',
     .word = "TEXT",
     .kind = OPTION_TEXT,
     .at = offsetof(settings, text)},
    {.name = "count",
     .word = "N",
     .kind = OPTION_INTEGER,
     .least = 1,
     .most = 20,
     .at = offsetof(settings, count)},
    {.name = "share",
     .word = "X",
     .kind = OPTION_NUMBER,
     .low = 0.0,
     .high = 0.5,
     .at = offsetof(settings, share)},
    {.name = "choice",
     .word = "C",
     .kind = OPTION_CHOICE,
     .choices = choices,
     .at = offsetof(settings, choice)},
    {.name = "list", .word = "A,B", .kind = OPTION_LIST, .at = offsetof(settings, list)},
    {.name = "repeated",
     .word = "A",
     .kind = OPTION_REPEATED,
     .at = offsetof(settings, repeated)},
    {.name = "help", .kind = OPTION_FLAG, .ends = true, .at = offsetof(settings, help)},
};
static const option_group group = {"Options", options, sizeof options / sizeof *options};

static settings set;
static parsed_args parsed;
static char complaint[1024];

/* Parses the words, NULL at the end, and keeps what is said on standard error. */
static bool parse_some(bool to_first_operand, const char *const *words)
{
    int n = 0;
    while (words[n] != NULL) n++;
    const option_set sets = {&group, &set};
    args_clear(&sets, 1, &parsed);
    set = (settings){.choice = -1};

    FILE *said = tmpfile();
    assert_non_null(said);
    const int usual = dup(STDERR_FILENO);
    fflush(stderr);
    dup2(fileno(said), STDERR_FILENO);
    const bool good =
        args_parse("cook", &sets, 1, to_first_operand, n, (char **)words, &parsed);
    fflush(stderr);
    dup2(usual, STDERR_FILENO);
    close(usual);
    rewind(said);
    const size_t length = fread(complaint, 1, sizeof complaint - 1, said);
    complaint[length] = '\0';
    fclose(said);
    return good;
}

#define PARSE(...) parse_some(false, (const char *[]){"otherwise", __VA_ARGS__, NULL})

static int forget(void **state)
{
    (void)state;
    const option_set sets = {&group, &set};
    args_clear(&sets, 1, &parsed);
    return 0;
}

static void every_kind_of_option_reaches_its_field(void **state)
{
    (void)state;
    assert_true(PARSE("-f", "--text", "a b", "--count=20", "--share", "0.25", "--choice",
                      "standard", "--list", "x,y", "--repeated", "u,v"));
    assert_true(set.flag);
    assert_string_equal(set.text, "a b");
    assert_int_equal(set.count, 20);
    assert_true(set.share == 0.25);
    assert_int_equal(set.choice, 2);
    assert_int_equal(set.list.n, 2);
    assert_string_equal(set.list.items[1], "y");
    assert_int_equal(set.repeated.n, 1);
    assert_string_equal(set.repeated.items[0], "u,v");
    assert_int_equal(parsed.n_operands, 0);
    assert_string_equal(complaint, "");
}

static void what_is_not_given_keeps_its_default(void **state)
{
    (void)state;
    assert_true(PARSE("word"));
    assert_false(set.flag);
    assert_null(set.text);
    assert_int_equal(set.choice, -1);
    assert_int_equal(set.list.n, 0);
}

static void options_may_follow_operands_whatever_posix_says(void **state)
{
    (void)state;
    setenv("POSIXLY_CORRECT", "1", 1);
    assert_true(PARSE("one", "--flag", "two", "-tx", "three"));
    unsetenv("POSIXLY_CORRECT");
    assert_true(set.flag);
    assert_string_equal(set.text, "x");
    assert_int_equal(parsed.n_operands, 3);
    assert_string_equal(parsed.operands[0], "one");
    assert_string_equal(parsed.operands[2], "three");
}

static void two_dashes_end_options_and_one_dash_is_an_operand(void **state)
{
    (void)state;
    assert_true(PARSE("-", "--", "--flag", "-"));
    assert_false(set.flag);
    assert_int_equal(parsed.n_operands, 3);
    assert_string_equal(parsed.operands[0], "-");
    assert_string_equal(parsed.operands[1], "--flag");
    assert_string_equal(parsed.operands[2], "-");
}

static void a_dash_is_also_a_value(void **state)
{
    (void)state;
    assert_true(PARSE("-t", "-", "--text", "--flag"));
    assert_string_equal(set.text, "--flag");
    assert_false(set.flag);
}

static void lists_add_up_and_keep_escaped_commas(void **state)
{
    (void)state;
    assert_true(
        PARSE("--list", "a\\,b,,c", "--list", "d", "--repeated", "1", "--repeated", "2"));
    assert_int_equal(set.list.n, 3);
    assert_string_equal(set.list.items[0], "a,b");
    assert_string_equal(set.list.items[1], "c");
    assert_string_equal(set.list.items[2], "d");
    assert_int_equal(set.repeated.n, 2);
    assert_string_equal(set.repeated.items[1], "2");
}

static void help_makes_the_rest_of_the_line_irrelevant(void **state)
{
    (void)state;
    assert_true(PARSE("--help", "--no-such-option", "word"));
    assert_true(set.help);
    assert_int_equal(parsed.n_operands, 0);
}

static void parsing_can_stop_before_the_first_operand(void **state)
{
    (void)state;
    const char *words[] = {"otherwise", "--text", "x", "schema", "--flag", NULL};
    assert_true(parse_some(true, words));
    assert_int_equal(parsed.n_taken, 3);
    assert_int_equal(parsed.n_operands, 0);
    assert_false(set.flag);
}

static void wrong_words_draw_one_sentence(void **state)
{
    (void)state;
    static const struct {
        const char *words[4];
        const char *sentence;
    } cases[] = {
        {{"x", "--flga"}, "otherwise: cook has no option --flga; did you mean --flag?\n"},
        {{"x", "--flga=3"}, "otherwise: cook has no option --flga; did you mean --flag?\n"},
        {{"x", "--sausages"}, "otherwise: cook has no option --sausages\n"},
        {{"x", "-z"}, "otherwise: cook has no option -z\n"},
        {{"x", "-fz"}, "otherwise: cook has no option -z\n"},
        {{"x", "--c", "1"},
         "otherwise: --c is short for several options: --count, --choice\n"},
        {{"x", "--flag=3"}, "otherwise: --flag takes no value, got \"3\"\n"},
        {{"x", "--count"}, "otherwise: --count needs a value: N\n"},
        {{"x", "-t"}, "otherwise: --text needs a value: TEXT\n"},
        {{"x", "--count", "0"},
         "otherwise: --count: expected a whole number from 1 to 20, got \"0\"\n"},
        {{"x", "--count", "21"},
         "otherwise: --count: expected a whole number from 1 to 20, got \"21\"\n"},
        {{"x", "--count", "-1"},
         "otherwise: --count: expected a whole number from 1 to 20, got \"-1\"\n"},
        {{"x", "--count", "3x"},
         "otherwise: --count: expected a whole number from 1 to 20, got \"3x\"\n"},
        {{"x", "--count", "99999999999999999999"},
         "otherwise: --count: expected a whole number from 1 to 20, got "
         "\"99999999999999999999\"\n"},
        {{"x", "--share", "0.6"},
         "otherwise: --share: expected a number from 0 to 0.5, got \"0.6\"\n"},
        {{"x", "--share", "nan"},
         "otherwise: --share: expected a number from 0 to 0.5, got \"nan\"\n"},
        {{"x", "--share", "0x0"},
         "otherwise: --share: expected a number from 0 to 0.5, got \"0x0\"\n"},
        {{"x", "--share", ""},
         "otherwise: --share: expected a number from 0 to 0.5, got \"\"\n"},
        {{"x", "--choice", "minimax"},
         "otherwise: --choice: expected none, minmax or standard, got \"minimax\"; did you "
         "mean minmax?\n"},
        {{"x", "--text\033[2J"}, "otherwise: cook has no option --text\\x1b[2J\n"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_false(parse_some(false, cases[i].words));
        assert_string_equal(complaint, cases[i].sentence);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(every_kind_of_option_reaches_its_field, forget),
        cmocka_unit_test_teardown(what_is_not_given_keeps_its_default, forget),
        cmocka_unit_test_teardown(options_may_follow_operands_whatever_posix_says, forget),
        cmocka_unit_test_teardown(two_dashes_end_options_and_one_dash_is_an_operand,
                                  forget),
        cmocka_unit_test_teardown(a_dash_is_also_a_value, forget),
        cmocka_unit_test_teardown(lists_add_up_and_keep_escaped_commas, forget),
        cmocka_unit_test_teardown(help_makes_the_rest_of_the_line_irrelevant, forget),
        cmocka_unit_test_teardown(parsing_can_stop_before_the_first_operand, forget),
        cmocka_unit_test_teardown(wrong_words_draw_one_sentence, forget),
    };
    return cmocka_run_group_tests_name("cli/args", tests, NULL, NULL);
}
