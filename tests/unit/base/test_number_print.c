/* SPDX-License-Identifier: MIT */
/* Number to text: the shortest that reads back, or a fixed number of decimals. */
#include <float.h>

#include "base/text/number.h"
#include "support/ow_test.h"

static void assert_prints(double value, const char *want)
{
    char text[owi_number_size];
    assert_int_equal(owi_print_number(value, text), strlen(want));
    assert_string_equal(text, want);
}

static size_t count_digits(const char *text)
{
    size_t n = 0, zeros = 0;
    for (; *text != '\0' && *text != 'e'; text++) {
        if (*text < '0' || *text > '9' || (n == 0 && *text == '0')) continue;
        n++;
        zeros = *text == '0' ? zeros + 1 : 0;
    }
    return n - zeros;
}

/* Reads back as the same bits, and no decimal with one digit less does: not the nearest
 * one, nor its neighbours (checked by stepping the last digit). */
static void assert_shortest(double value)
{
    char text[owi_number_size], shorter[64];
    const size_t length = owi_print_number(value, text);
    assert_int_equal(length, strlen(text));
    const double back = strtod(text, NULL);
    assert_memory_equal(&back, &value, sizeof value);
    const size_t n = count_digits(text);
    assert_in_range(n, 1, 17);
    if (n == 1) return;
    snprintf(shorter, sizeof shorter, "%.*e", (int)n - 2, value);
    assert_true(strtod(shorter, NULL) != value);
    const double step = pow(10.0, atoi(strchr(shorter, 'e') + 1) - ((int)n - 2));
    for (int sign = -1; sign <= 1; sign += 2) {
        snprintf(shorter, sizeof shorter, "%.*e", (int)n - 2,
                 strtod(shorter, NULL) + sign * step);
        assert_true(strtod(shorter, NULL) != value);
    }
}

static void random_doubles_read_back_and_are_shortest(void **state)
{
    (void)state;
    uint64_t bits = 88172645463325252u;
    for (size_t i = 0; i < 10000 * ow_test_scale(); i++) {
        bits ^= bits << 13;
        bits ^= bits >> 7;
        bits ^= bits << 17;
        double value;
        memcpy(&value, &bits, sizeof value);
        if (isfinite(value)) assert_shortest(value);
        assert_shortest((double)(bits % 1000000) / 1000.0 + 0.0005);
        assert_shortest((double)(bits >> 20) * DBL_TRUE_MIN); /* subnormal */
    }
}

static void powers_of_two_read_back_and_are_shortest(void **state)
{
    (void)state;
    for (int e = -1073; e < 1024; e++) {
        assert_shortest(ldexp(1.0, e));
        assert_shortest(-nextafter(ldexp(1.0, e), 0.0));
    }
    assert_prints(0x1p-24, "5.960464477539063e-8"); /* 5.960464477539062e-8 is another */
    assert_prints(0x1p-44, "5.684341886080802e-14");
}

static void numbers_look_as_people_write_them(void **state)
{
    (void)state;
    assert_prints(0.0, "0");
    assert_prints(-0.0, "-0");
    assert_prints(1.0, "1");
    assert_prints(-17.0, "-17");
    assert_prints(0.1, "0.1");
    assert_prints(0.1 + 0.2, "0.30000000000000004");
    assert_prints(1.0 / 3.0, "0.3333333333333333");
    assert_prints(123456.789, "123456.789");
    assert_prints(0.0001, "0.0001");
    assert_prints(0.00001, "1e-5");
    assert_prints(1.5e-5, "1.5e-5");
    assert_prints(999999999999999.0, "999999999999999");
    assert_prints(1e15, "1000000000000000");
    assert_prints(9007199254740993.0, "9007199254740992");
    assert_prints(1e16, "1e16");
    assert_prints(-1.25e100, "-1.25e100");
    assert_prints(5e-324, "5e-324");
    assert_prints(DBL_MAX, "1.7976931348623157e308");
    assert_prints(-DBL_MIN, "-2.2250738585072014e-308");
    assert_prints((double)NAN, "nan");
    assert_prints((double)INFINITY, "inf");
    assert_prints(-(double)INFINITY, "-inf");
}

static void assert_prints_fixed(double value, int decimals, const char *want)
{
    char text[owi_fixed_size];
    assert_int_equal(owi_print_fixed(value, decimals, text), strlen(want));
    assert_string_equal(text, want);
}

static void decimals_are_fixed_on_request(void **state)
{
    (void)state;
    assert_prints_fixed(2.5, 0, "2"); /* halves to even */
    assert_prints_fixed(3.5, 0, "4");
    assert_prints_fixed(1.0, 2, "1.00");
    assert_prints_fixed(-1.005, 2, "-1.00"); /* the double lies below the half */
    assert_prints_fixed(0.1, 17, "0.10000000000000001");
    assert_prints_fixed(1e22, 1, "10000000000000000000000.0");
    assert_prints_fixed(-0.0, 0, "0");
    assert_prints_fixed(-0.0, -1, "0");
    assert_prints_fixed(-0.004, 2, "0.00");
    assert_prints_fixed(-0.006, 2, "-0.01");
    assert_prints_fixed(0.1, -1, "0.1");
    assert_prints_fixed((double)NAN, 3, "nan");
    assert_prints_fixed(-(double)INFINITY, 3, "-inf");
    char longest[owi_fixed_size];
    assert_int_equal(owi_print_fixed(-DBL_MAX, owi_max_decimals, longest),
                     1 + 309 + 1 + 17);
    assert_int_equal(owi_print_fixed(-DBL_MAX, 1000, longest), 1 + 309 + 1 + 17);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_doubles_read_back_and_are_shortest),
        cmocka_unit_test(powers_of_two_read_back_and_are_shortest),
        cmocka_unit_test(numbers_look_as_people_write_them),
        cmocka_unit_test(decimals_are_fixed_on_request),
    };
    return cmocka_run_group_tests_name("base/number_print", tests, NULL, NULL);
}
