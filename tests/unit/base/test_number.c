/* SPDX-License-Identifier: MIT */
/* Text to number: always what strtod says in the C locale, and nothing that is no
 * number. */
#include <locale.h>

#include "base/text/number.h"
#include "support/ow_test.h"

static uint64_t random_state;

static uint64_t random_bits(void)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return random_state;
}

static int start_random(void **state)
{
    (void)state;
    random_state = 88172645463325252u;
    return 0;
}

static double from_bits(uint64_t bits)
{
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static bool same_bits(double a, double b)
{
    return memcmp(&a, &b, sizeof a) == 0;
}

static void assert_like_strtod(const char *text)
{
    double got = -1.0;
    char *end;
    const double want = strtod(text, &end);
    assert_int_equal(*end, '\0');
    const bool ok = owi_parse_number(text, strlen(text), &got, NULL);
    if (ok == (bool)isfinite(want) && (!ok || same_bits(got, want))) return;
    print_error("%s: got %s %a, want %a\n", text, ok ? "number" : "nothing", got, want);
    fail();
}

static void
random_doubles_printed_with_any_precision_read_as_strtod_reads_them(void **state)
{
    (void)state;
    char text[64];
    for (size_t i = 0; i < 20000 * ow_test_scale(); i++) {
        const double value = from_bits(random_bits());
        if (!isfinite(value)) continue;
        snprintf(text, sizeof text, "%.*e", (int)(random_bits() % 25), value);
        assert_like_strtod(text);
        const double middle = (double)(int64_t)random_bits() * 1e-12;
        snprintf(text, sizeof text, "%.*f", (int)(random_bits() % 20), middle);
        assert_like_strtod(text);
        snprintf(text, sizeof text, "%.17g", ldexp((double)(random_bits() >> 11), -53));
        assert_like_strtod(text);
    }
}

static void random_digits_with_any_exponent_read_as_strtod_reads_them(void **state)
{
    (void)state;
    for (size_t i = 0; i < 50000 * ow_test_scale(); i++) {
        char text[80];
        size_t n = 0;
        const size_t n_digits = 1 + random_bits() % 40, point = random_bits() % 44;
        if (random_bits() % 2) text[n++] = "+-"[random_bits() % 2];
        for (size_t j = 0; j < n_digits; j++) {
            if (j == point) text[n++] = '.';
            text[n++] = (char)('0' + random_bits() % 10);
        }
        text[n] = '\0';
        if (random_bits() % 2)
            snprintf(text + n, sizeof text - n, "%c%d", "eE"[random_bits() % 2],
                     (int)(random_bits() % 800) - 400);
        assert_like_strtod(text);
    }
}

/* Halfway between two doubles, and a hair to either side. */
static void ties_and_their_neighbours_read_as_strtod_reads_them(void **state)
{
    (void)state;
    for (size_t i = 0; i < 20000 * ow_test_scale(); i++) {
        char text[64];
        const uint64_t odd = (random_bits() >> 10) | UINT64_C(1) << 53 | 1; /* 54 bits */
        snprintf(text, sizeof text, "%llu", (unsigned long long)odd);
        assert_like_strtod(text);
        for (int digit = -1; digit <= 1; digit++) {
            snprintf(text, sizeof text, "%lld.%d", (long long)odd - (digit < 0), digit & 9);
            assert_like_strtod(text);
        }
        /* an odd number of halves of an ulp, in decimals: exact with three of them */
        const uint64_t eighths = (random_bits() >> 10) | UINT64_C(1) << 53 | 1;
        snprintf(text, sizeof text, "%llu.%03u", (unsigned long long)(eighths / 8),
                 (unsigned)(eighths % 8 * 125));
        assert_like_strtod(text);
    }
}

static void edges_read_as_strtod_reads_them(void **state)
{
    (void)state;
    const char *texts[] = {"0",
                           "-0",
                           "+0",
                           "0.0",
                           "00000000000000000000000001",
                           "1.",
                           ".5",
                           "-.5e-3",
                           "1e5",
                           "1E+5",
                           "9007199254740992",
                           "9007199254740993",
                           "9007199254740994.9999",
                           "18446744073709551615",
                           "18446744073709551616",
                           "9999999999999999999",
                           "99999999999999999999",
                           "1e22",
                           "1e23",
                           "1e-22",
                           "1e-23",
                           "123456789012345678e22",
                           "1.7976931348623157e308",
                           "1.7976931348623158e308",
                           "1.7976931348623159e308",
                           "1e308",
                           "1e309",
                           "-1e400",
                           "2.2250738585072014e-308",
                           "2.2250738585072011e-308",
                           "4.9406564584124654e-324",
                           "2.4703282292062327e-324",
                           "2.4703282292062328e-324",
                           "1e-400",
                           "0e999999999999999999999",
                           "1e-999999999999999999999",
                           "0.000000000000000000000000000000000000000000001e45",
                           "1000000000000000000000000000000000000000000000e-45",
                           "0.1",
                           "0.30000000000000004",
                           "7615179805283463659e19",
                           "6210056721543868907e19",
                           "8309548477098610197e19",
                           "7.2057594037927933e16"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) assert_like_strtod(texts[i]);
}

/* The middle between 1 and the next double has 53 decimals; what decides stands behind. */
static void a_digit_far_behind_decides_a_tie(void **state)
{
    (void)state;
    const char *middle = "1.00000000000000011102230246251565404236316680908203125";
    for (size_t n_zeros = 0; n_zeros < 3000; n_zeros += 250) {
        char text[4000];
        double value;
        strcpy(text, middle);
        memset(text + strlen(middle), '0', n_zeros);
        const size_t length = strlen(middle) + n_zeros;
        assert_true(owi_parse_number(text, length, &value, NULL));
        assert_true(value == 1.0);
        text[length] = '1';
        assert_true(owi_parse_number(text, length + 1, &value, NULL));
        assert_true(value == nextafter(1.0, 2.0));
        text[length + 1] = '\0';
        assert_like_strtod(text);
    }
}

static void what_is_no_decimal_number_is_refused(void **state)
{
    (void)state;
    const char *texts[] = {"",     "+",   "-",    ".",   "+.",    "e5",
                           ".e5",  "1e",  "1e+",  "1e-", "1e5.0", "1 ",
                           " 1",   "1 2", "--1",  "+-1", "1.2.3", "1,5",
                           "0x10", "inf", "-inf", "nan", "NaN",   "infinity",
                           "1f",   "1:",  "/1",   ":",   "1/2",   "1e5x",
                           "\t1",  "1\n", "1_0",  "１",  "-",     "1e 5"};
    double value;
    int decimals;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        if (!owi_parse_number(texts[i], strlen(texts[i]), &value, &decimals)) continue;
        print_error("\"%s\" was read as %g\n", texts[i], value);
        fail();
    }
    assert_false(owi_parse_number("1\0", 2, &value, NULL));
    assert_false(owi_parse_number("\0", 1, &value, NULL));
}

/* Every text of up to five of these characters: strtod decides, but takes leading
 * spaces. */
static void all_short_texts_are_numbers_exactly_if_strtod_says_so(void **state)
{
    (void)state;
    const char alphabet[] = "-+.e019 ";
    for (size_t code = 0; code < 1 << 15; code++) {
        char text[6];
        for (size_t length = 0; length <= 5; length++) {
            for (size_t i = 0; i < length; i++) text[i] = alphabet[code >> 3 * i & 7];
            text[length] = '\0';
            char *end;
            double got;
            const double want = strtod(text, &end);
            const bool is_number =
                length > 0 && *end == '\0' && text[0] != ' ' && isfinite(want);
            if (owi_parse_number(text, length, &got, NULL) != is_number ||
                (is_number && !same_bits(got, want))) {
                print_error("\"%s\" is %s\n", text, is_number ? "a number" : "no number");
                fail();
            }
        }
    }
}

/* Zeros in front lead another way to the same number. */
static void short_and_long_forms_have_the_same_value_and_decimals(void **state)
{
    (void)state;
    for (size_t i = 0; i < 50000 * ow_test_scale(); i++) {
        char text[16], longer[32];
        const int n_decimals = (int)(random_bits() % 8);
        snprintf(text, sizeof text, "%.*f", n_decimals,
                 (double)(random_bits() % 100000000) / 1e4);
        text[1 + random_bits() % 9] = '\0';
        snprintf(longer, sizeof longer, "000000000%s", text);
        double a, b;
        int decimals_a, decimals_b;
        assert_true(owi_parse_number(text, strlen(text), &a, &decimals_a));
        assert_true(owi_parse_number(longer, strlen(longer), &b, &decimals_b));
        assert_true(same_bits(a, b));
        assert_int_equal(decimals_a, decimals_b);
        assert_like_strtod(text);
    }
}

static void only_the_given_length_is_read(void **state)
{
    (void)state;
    double value;
    assert_true(owi_parse_number("123456", 3, &value, NULL));
    assert_true(value == 123.0);
    assert_true(owi_parse_number("1.5e3,", 5, &value, NULL));
    assert_true(value == 1500.0);
}

static void decimals_are_counted_as_written(void **state)
{
    (void)state;
    const struct {
        const char *text;
        int want;
    } cases[] = {{"1", 0},
                 {"1.", 0},
                 {"1.5", 1},
                 {"1.50", 2},
                 {"-0.00", 2},
                 {"15e-1", 1},
                 {"1.50e1", 1},
                 {"1.50e-1", 3},
                 {"1e5", 0},
                 {"123456789012345", 0},
                 {"1234567890123456", -1},
                 {"0.123456789012345", 15},
                 {"0.1234567890123456", -1},
                 {"0000000000000000000001.25", 2},
                 {"0.00000000000000001", 17},
                 {"0.000000000000000001", -1},
                 {"1e-300", -1}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        double value;
        int got = -2;
        assert_true(owi_parse_number(cases[i].text, strlen(cases[i].text), &value, &got));
        if (got == cases[i].want) continue;
        print_error("%s: got %d, want %d\n", cases[i].text, got, cases[i].want);
        fail();
    }
}

static void rounding_gives_the_number_that_printing_and_reading_gives(void **state)
{
    (void)state;
    for (size_t i = 0; i < 50000 * ow_test_scale(); i++) {
        const int decimals = (int)(random_bits() % (owi_max_decimals + 1));
        const double spread = pow(10.0, (double)(random_bits() % 24) - 8.0);
        double value = ((double)random_bits() * 0x1p-63 - 1.0) * spread;
        if (i % 4 == 0) value = floor(value * 64.0) / 64.0; /* real halves among them */
        char text[owi_fixed_size];
        double want;
        const size_t length = owi_print_fixed(value, decimals, text);
        assert_true(owi_parse_number(text, length, &want, NULL));
        const double got = owi_round_decimals(value, decimals);
        if (same_bits(got, want)) continue;
        print_error("%.17g to %d decimals: got %.17g, want %.17g\n", value, decimals, got,
                    want);
        fail();
    }
}

static void rounding_leaves_alone_what_has_no_such_digits(void **state)
{
    (void)state;
    assert_true(owi_round_decimals(0.1 + 0.2, -1) == 0.1 + 0.2);
    assert_true(owi_round_decimals(0.1 + 0.2, 1) == 0.3);
    assert_true(owi_round_decimals(1e300, 2) == 1e300);
    assert_true(owi_round_decimals(-1.0 / 3.0, 40) == -1.0 / 3.0);
    assert_true(isnan(owi_round_decimals(NAN, 2)));
    assert_true(owi_round_decimals(-INFINITY, 2) == -INFINITY);
    assert_true(same_bits(owi_round_decimals(-0.001, 2), 0.0));
}

static void a_locale_with_a_decimal_comma_changes_nothing(void **state)
{
    (void)state;
    const char *names[] = {"de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8",
                           "fr_FR.utf8",  "de_DE",      "fr_FR"};
    bool found = false;
    for (size_t i = 0; i < sizeof names / sizeof *names && !found; i++)
        found = setlocale(LC_NUMERIC, names[i]) != NULL;
    if (!found) {
        print_message("skipped: this machine has no locale with a decimal comma\n");
        skip();
    }
    assert_int_equal(localeconv()->decimal_point[0], ',');
    double value;
    char text[owi_fixed_size];
    const char *many_digits = "1.2345678901234567890123e30";
    const bool is_number = owi_parse_number(many_digits, strlen(many_digits), &value, NULL);
    const bool takes_comma = owi_parse_number("1,5", 3, &value, NULL);
    const double back = is_number ? value : 0.0;
    char number[owi_number_size];
    owi_print_number(0.1, number);
    owi_print_fixed(2.5, 2, text);
    setlocale(LC_NUMERIC, "C");
    assert_true(is_number);
    assert_true(back == strtod(many_digits, NULL));
    assert_false(takes_comma);
    assert_string_equal(number, "0.1");
    assert_string_equal(text, "2.50");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(
            random_doubles_printed_with_any_precision_read_as_strtod_reads_them),
        cmocka_unit_test(random_digits_with_any_exponent_read_as_strtod_reads_them),
        cmocka_unit_test(ties_and_their_neighbours_read_as_strtod_reads_them),
        cmocka_unit_test(edges_read_as_strtod_reads_them),
        cmocka_unit_test(a_digit_far_behind_decides_a_tie),
        cmocka_unit_test(what_is_no_decimal_number_is_refused),
        cmocka_unit_test(all_short_texts_are_numbers_exactly_if_strtod_says_so),
        cmocka_unit_test(short_and_long_forms_have_the_same_value_and_decimals),
        cmocka_unit_test(only_the_given_length_is_read),
        cmocka_unit_test(decimals_are_counted_as_written),
        cmocka_unit_test(rounding_gives_the_number_that_printing_and_reading_gives),
        cmocka_unit_test(rounding_leaves_alone_what_has_no_such_digits),
        cmocka_unit_test(a_locale_with_a_decimal_comma_changes_nothing),
    };
    return cmocka_run_group_tests_name("base/number", tests, start_random, NULL);
}
