/* SPDX-License-Identifier: MIT */
/* Dates, time stamps, decimals and half floats against what is known of them. */
#include "data/arrow/arrow_text.h"
#include "support/ow_test.h"

static void assert_date(int64_t day, const char *want)
{
    char text[owi_arrow_text_size];
    assert_int_equal(owi_arrow_print_date(day, text), strlen(want));
    assert_string_equal(text, want);
}

static void days_are_dates(void **state)
{
    (void)state;
    assert_date(0, "1970-01-01");
    assert_date(-1, "1969-12-31");
    assert_date(19782, "2024-02-29");
    assert_date(11016, "2000-02-29");
    assert_date(-25509, "1900-02-28"); /* no leap year */
    assert_date(-25508, "1900-03-01");
    assert_date(-719528, "0000-01-01");
    assert_date(-719529, "-0001-12-31");
    assert_date(2932896, "9999-12-31");
    assert_date(2932897, "10000-01-01");
    assert_date(INT32_MAX, "5881580-07-11");
    assert_date(INT32_MIN, "-5877641-06-23");
}

/* Every day of four centuries, by counting. */
static void every_day_follows_the_one_before(void **state)
{
    (void)state;
    static const int lengths[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    int64_t day = -135140; /* 1600-01-01 */
    for (int year = 1600; year <= 2000; year++)
        for (int month = 1; month <= 12; month++) {
            const bool leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
            const int last = lengths[month - 1] + (month == 2 && leap);
            for (int d = 1; d <= last; d++) {
                char want[64];
                snprintf(want, sizeof want, "%04d-%02d-%02d", year, month, d);
                assert_date(day++, want);
            }
        }
}

static void assert_time(int64_t units, int64_t per_second, bool zoned, const char *want)
{
    char text[owi_arrow_text_size];
    assert_int_equal(owi_arrow_print_time(units, per_second, zoned, text), strlen(want));
    assert_string_equal(text, want);
}

static void units_are_times(void **state)
{
    (void)state;
    assert_time(0, 1, false, "1970-01-01T00:00:00");
    assert_time(-1, 1, true, "1969-12-31T23:59:59Z");
    assert_time(1709209800, 1, false, "2024-02-29T12:30:00");
    assert_time(1709209800250, 1000, true, "2024-02-29T12:30:00.250Z");
    assert_time(-1, 1000, false, "1969-12-31T23:59:59.999");
    assert_time(1, 1000000, false, "1970-01-01T00:00:00.000001");
    assert_time(-1, 1000000000, false, "1969-12-31T23:59:59.999999999");
    assert_time(INT64_MAX, 1000000000, false, "2262-04-11T23:47:16.854775807");
    assert_time(INT64_MIN, 1000000000, false, "1677-09-21T00:12:43.145224192");
    assert_time(INT64_MIN, 1000, false, "-292275055-05-16T16:47:04.192");
    assert_time(INT64_MAX, 1, false, "292277026596-12-04T15:30:07");
}

static void assert_decimal(uint64_t high, uint64_t low, int scale, const char *want)
{
    char text[owi_arrow_text_size];
    assert_int_equal(owi_arrow_print_decimal(high, low, scale, text), strlen(want));
    assert_string_equal(text, want);
}

static void decimals_keep_their_digits(void **state)
{
    (void)state;
    assert_decimal(0, 1250, 2, "12.50");
    assert_decimal(0, 5, 3, "0.005");
    assert_decimal(0, 0, 2, "0.00");
    assert_decimal(0, 0, -2, "0");
    assert_decimal(0, 7, -2, "700");
    assert_decimal(UINT64_MAX, UINT64_MAX, 0, "-1");
    assert_decimal(UINT64_MAX, (uint64_t)-1250, 2, "-12.50");
    assert_decimal(1, 0, 0, "18446744073709551616");
    assert_decimal(UINT64_C(1) << 63, 0, 0, "-170141183460469231731687303715884105728");
    assert_decimal(UINT64_C(1) << 63, 0, 38, "-1.70141183460469231731687303715884105728");
    assert_decimal(
        UINT64_C(1) << 63, 0, -38,
        "-17014118346046923173168730371588410572800000000000000000000000000000000000"
        "000");
}

/* By the definition, sign (1 + f / 1024) 2^(e - 15), and what stands outside of it. */
static void all_half_floats_have_their_value(void **state)
{
    (void)state;
    for (int bits = 0; bits < 1 << 16; bits++) {
        const int e = bits >> 10 & 31, f = bits & 1023;
        const double sign = bits >> 15 ? -1.0 : 1.0, got = owi_arrow_half((uint16_t)bits);
        if (e == 31)
            assert_true(f == 0 ? got == sign * (double)INFINITY : isnan(got));
        else if (e == 0)
            assert_true(got == sign * f * pow(2, -24));
        else
            assert_true(got == sign * (1.0 + f / 1024.0) * pow(2, e - 15));
    }
    assert_true(owi_arrow_half(0x3c00) == 1.0 && owi_arrow_half(0x7bff) == 65504.0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(days_are_dates),
        cmocka_unit_test(every_day_follows_the_one_before),
        cmocka_unit_test(units_are_times),
        cmocka_unit_test(decimals_keep_their_digits),
        cmocka_unit_test(all_half_floats_have_their_value),
    };
    return cmocka_run_group_tests_name("data/arrow_text", tests, NULL, NULL);
}
