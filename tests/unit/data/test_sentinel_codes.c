/* SPDX-License-Identifier: MIT */
/* Codes for missing values told from amounts. */
#include "support/ow_test.h"

#include "data/infer/sentinel_codes.h"

/* A column that is put together number by number. */
typedef struct {
    owi_extremes extremes;
    double seen[5000];
    size_t n_seen, n_rows;
} column;

static void add(column *c, double number, size_t times)
{
    size_t i = 0;
    while (i < c->n_seen && c->seen[i] != number) i++;
    if (i == c->n_seen) c->seen[c->n_seen++] = number;
    owi_extremes_add(&c->extremes, number, times);
    c->n_rows += times;
}

/* low, low + step, ..., each so many times. */
static void add_all(column *c, double low, double high, double step, size_t times)
{
    for (double x = low; x <= high; x += step) add(c, x, times);
}

/* The codes are these (ended by NAN), in ascending order. */
#define expect_codes(c, ...) check_codes((c), (const double[]){__VA_ARGS__}, __LINE__)
static void check_codes(const column *c, const double *want, int line)
{
    owi_sentinel_codes found;
    owi_find_sentinel_codes(&c->extremes, c->n_seen, c->n_rows, false, &found);
    size_t n = 0;
    for (; !isnan(want[n]); n++)
        if (n >= found.n_codes || found.codes[n].number != want[n])
            fail_msg("line %d: %g was not found", line, want[n]);
    if (n < found.n_codes) fail_msg("line %d: %g was found", line, found.codes[n].number);
}

static void a_number_further_off_than_all_the_others_are_apart_is_one(void **state)
{
    (void)state;
    column gain = {0}; /* Adult's capital-gain: 99999 in 159 of 32561 rows */
    add(&gain, 0, 29849);
    add_all(&gain, 114, 41310, 347, 20);
    add(&gain, 41310, 2);
    add(&gain, 99999, 159);
    expect_codes(&gain, 99999, NAN);

    column year = {0};
    add_all(&year, 1950, 2020, 1, 10);
    add(&year, 0, 30);
    expect_codes(&year, 0, NAN);

    column three = {0};
    add_all(&three, 0, 120, 1, 10);
    add_all(&three, 997, 999, 1, 5);
    expect_codes(&three, 997, 998, 999, NAN);

    column both = {0};
    add_all(&both, 0, 60, 1, 10);
    add(&both, -9, 5);
    add(&both, 999, 5);
    expect_codes(&both, -9, 999, NAN);

    column balance = {0};
    add_all(&balance, -50, 50, 0.5, 4);
    add(&balance, -999, 4);
    expect_codes(&balance, -999, NAN);
}

static void few_rows_are_outliers_and_not_codes(void **state)
{
    (void)state;
    column c = {0};
    add_all(&c, 0, 60, 1, 10);
    add(&c, 999, 2);
    expect_codes(&c, NAN);
    add(&c, 999, 1);
    expect_codes(&c, 999, NAN);
}

static void negative_codes_before_numbers_from_zero_on_are_found(void **state)
{
    (void)state;
    static const double codes[] = {-9, -99, -999, -7, -8};
    for (size_t i = 0; i < sizeof codes / sizeof *codes; i++) {
        column c = {0};
        add_all(&c, 0, 100, 1, 10);
        add(&c, codes[i], 5);
        expect_codes(&c, codes[i], NAN);
    }
    column heloc = {0}; /* all three, as credit bureaus write them */
    add_all(&heloc, 0, 100, 1, 40);
    add(&heloc, -9, 588);
    add(&heloc, -8, 12);
    add(&heloc, -7, 30);
    expect_codes(&heloc, -9, -8, -7, NAN);

    column likert = {0};
    add_all(&likert, 1, 5, 1, 100);
    add(&likert, -9, 4);
    expect_codes(&likert, -9, NAN);

    column binary = {0};
    add_all(&binary, 0, 1, 1, 100);
    add(&binary, -9, 4);
    expect_codes(&binary, -9, NAN);

    column two = {0};
    add_all(&two, 0, 10, 1, 100);
    add(&two, -9, 4);
    add(&two, -1, 4);
    expect_codes(&two, -9, -1, NAN);
}

static void minus_one_must_stand_out(void **state)
{
    (void)state;
    column days = {0}; /* days since the last call, -1: never */
    add_all(&days, 1, 800, 1, 15);
    add(&days, -1, 36954);
    expect_codes(&days, -1, NAN);

    column share = {0};
    add_all(&share, 0, 1, 0.01, 5);
    add(&share, -1, 5);
    expect_codes(&share, -1, NAN);

    column often = {0};
    add_all(&often, 0, 20, 1, 10);
    add(&often, -1, 30);
    expect_codes(&often, -1, NAN);

    column seldom = {0}; /* a temperature, say */
    add_all(&seldom, 0, 20, 1, 10);
    add(&seldom, -1, 29);
    expect_codes(&seldom, NAN);

    column sign = {0};
    add(&sign, -1, 50);
    add(&sign, 0, 10);
    add(&sign, 1, 12);
    expect_codes(&sign, NAN);

    column poles = {0};
    add(&poles, -1, 50);
    add(&poles, 1, 60);
    expect_codes(&poles, NAN);
}

static void ordinary_columns_have_none(void **state)
{
    (void)state;
    column none = {0};
    expect_codes(&none, NAN);

    column constant = {0};
    add(&constant, 7, 100);
    expect_codes(&constant, NAN);

    column binary = {0};
    add_all(&binary, 0, 1, 1, 100);
    expect_codes(&binary, NAN);

    column age = {0};
    add_all(&age, 17, 88, 1, 300);
    add(&age, 90, 43);
    expect_codes(&age, NAN);

    column hours = {0};
    add_all(&hours, 1, 99, 1, 20);
    expect_codes(&hours, NAN);

    column temperature = {0};
    for (int x = -9; x <= 30; x++) add(&temperature, x, 5);
    expect_codes(&temperature, NAN);

    column cold = {0};
    for (int x = -99; x <= 10; x++) add(&cold, x / 10.0, 5);
    expect_codes(&cold, NAN);

    column children = {0};
    add(&children, 0, 600);
    add(&children, 1, 300);
    add(&children, 2, 50);
    add(&children, 5, 4);
    expect_codes(&children, NAN);

    column frost = {0}; /* a gap below 0 is no gap before 0 */
    add(&frost, -9, 3);
    add_all(&frost, -5, 20, 1, 5);
    expect_codes(&frost, NAN);

    column grades = {0}; /* one nine is a number like any other */
    add_all(&grades, 0, 2, 1, 50);
    add(&grades, 9, 5);
    expect_codes(&grades, NAN);

    column rates = {0};
    add_all(&rates, 1, 4, 1, 200);
    expect_codes(&rates, NAN);
}

static void skewed_amounts_have_none(void **state)
{
    (void)state;
    static const double notes[] = {1, 2, 5, 10, 20, 50, 100, 200, 500};
    column money = {0}, doses = {0}, powers = {0};
    for (size_t i = 0; i < 9; i++) add(&money, notes[i], 10);
    expect_codes(&money, NAN);
    for (double dose = 1; dose <= 1e6; dose *= 10) add(&doses, dose, 10);
    expect_codes(&doses, NAN);
    add(&doses, 0, 10);
    expect_codes(&doses, NAN);
    for (double power = 1; power <= 1024; power *= 2) add(&powers, power, 10);
    expect_codes(&powers, NAN);

    /* Lognormal amounts, rounded to thousands so that many repeat. */
    for (uint64_t run = 1; run <= 20 * ow_test_scale(); run++) {
        uint64_t seed = run;
        column amounts = {0};
        for (int i = 0; i < 2000; i++) {
            double normal = 0;
            for (int k = 0; k < 12; k++) {
                seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
                normal += (double)(seed >> 11) / 9007199254740992.0 - 0.5;
            }
            add(&amounts, floor(exp(8 + 1.5 * normal) / 1000) * 1000, 1);
        }
        expect_codes(&amounts, NAN);
    }
}

static void zeros_that_cannot_be_are_found(void **state)
{
    (void)state;
    column pressure = {0}; /* as in the Pima table */
    add(&pressure, 0, 35);
    add(&pressure, 24, 1);
    add(&pressure, 30, 2);
    add_all(&pressure, 38, 122, 2, 17);
    expect_codes(&pressure, 0, NAN);

    column mass = {0};
    add(&mass, 0, 11);
    add_all(&mass, 18.2, 67.1, 0.1, 2);
    expect_codes(&mass, 0, NAN);
}

static void numbers_that_people_write_for_not_known_are_found_behind_a_gap(void **state)
{
    (void)state;
    static const double codes[] = {77, 88, 97, 98, 99, 777, 888, 997, 999, 9999};
    for (size_t i = 0; i < sizeof codes / sizeof *codes; i++) {
        column c = {0};
        const double largest = codes[i] - 0.3 * codes[i];
        add_all(&c, 0, largest, largest / 100, 10);
        add(&c, codes[i], 5);
        expect_codes(&c, codes[i], NAN);
    }
    column three = {0};
    add_all(&three, 0, 60, 1, 10);
    add(&three, 77, 3);
    add(&three, 88, 3);
    add(&three, 99, 3);
    expect_codes(&three, 77, 88, 99, NAN);

    column others = {0}; /* numbers that nobody takes for codes */
    add_all(&others, 0, 60, 1, 10);
    add(&others, 78, 5);
    expect_codes(&others, NAN);
    add(&others, 100, 5);
    expect_codes(&others, NAN);
}

static void rare_zeros_of_amounts_and_counts_are_none(void **state)
{
    (void)state;
    column counts = {0}; /* 0 is the next count below 1 */
    add(&counts, 0, 5);
    add_all(&counts, 1, 40, 1, 10);
    expect_codes(&counts, NAN);

    column school = {0}; /* a gap of three steps */
    add(&school, 0, 5);
    add_all(&school, 3, 20, 1, 30);
    expect_codes(&school, NAN);

    column scale = {0};
    add(&scale, 0, 4);
    add_all(&scale, 2, 7, 1, 30);
    expect_codes(&scale, NAN);

    column income = {0}; /* far from the next in rows, near in money */
    add(&income, 0, 20);
    add_all(&income, 400, 9000, 50, 3);
    expect_codes(&income, NAN);

    column tail = {0}; /* others stand as far apart */
    add(&tail, 0, 4);
    add(&tail, 20, 3);
    add(&tail, 35, 2);
    add_all(&tail, 50, 100, 1, 10);
    expect_codes(&tail, NAN);

    column twice = {0}; /* once or twice is an outlier */
    add(&twice, 0, 2);
    add_all(&twice, 50, 100, 1, 10);
    expect_codes(&twice, NAN);

    column discount = {0}; /* one that many have is no code */
    add(&discount, 0, 60);
    add_all(&discount, 50, 100, 1, 10);
    expect_codes(&discount, NAN);

    column degrees = {0}; /* nor is one among negative numbers */
    add(&degrees, 0, 5);
    add_all(&degrees, -40, -20, 0.5, 10);
    expect_codes(&degrees, NAN);
}

/* Whether the column, in the order of its numbers, has the code on the scale of log(1 +
 * x). */
static bool has_log_code(const double *sorted, size_t n, double number)
{
    owi_sentinel_codes found;
    owi_find_codes_among(sorted, n, true, &found);
    return owi_is_code(&found, number);
}

static void on_the_scale_of_logarithms_distances_are_ratios(void **state)
{
    (void)state;
    double gain[200], rent[200];
    for (int i = 0; i < 200; i++) { /* 114 to 41310 and 99999; 0 and 200 to 10000 */
        gain[i] = i < 190 ? 114.0 * pow(41310.0 / 114.0, i / 189.0) : 99999.0;
        rent[i] = i < 10 ? 0.0 : 200.0 * pow(50.0, (i - 10) / 189.0);
    }
    owi_sentinel_codes found;
    owi_find_codes_among(gain, 200, false, &found);
    assert_true(owi_is_code(&found, 99999.0) && !owi_is_code(&found, 114.0));
    assert_false(has_log_code(gain, 200, 99999.0));
    owi_find_codes_among(rent, 200, false, &found);
    assert_int_equal(found.n_codes, 0);
    assert_true(has_log_code(rent, 200, 0.0) && !has_log_code(rent, 200, 200.0));
}

static void the_range_of_the_others_is_told(void **state)
{
    (void)state;
    column c = {0};
    owi_sentinel_codes found;
    add_all(&c, 0, 60, 1, 10);
    add(&c, -9, 5);
    add(&c, 999, 6);
    owi_find_sentinel_codes(&c.extremes, c.n_seen, c.n_rows, false, &found);
    assert_true(found.low == 0 && found.high == 60);
    assert_int_equal(found.codes[0].count, 5);
    assert_int_equal(found.codes[1].count, 6);
    owi_find_sentinel_codes(&c.extremes, SIZE_MAX, c.n_rows, false,
                            &found); /* not counted */
    assert_int_equal(found.n_codes, 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_number_further_off_than_all_the_others_are_apart_is_one),
        cmocka_unit_test(few_rows_are_outliers_and_not_codes),
        cmocka_unit_test(negative_codes_before_numbers_from_zero_on_are_found),
        cmocka_unit_test(minus_one_must_stand_out),
        cmocka_unit_test(ordinary_columns_have_none),
        cmocka_unit_test(skewed_amounts_have_none),
        cmocka_unit_test(zeros_that_cannot_be_are_found),
        cmocka_unit_test(numbers_that_people_write_for_not_known_are_found_behind_a_gap),
        cmocka_unit_test(rare_zeros_of_amounts_and_counts_are_none),
        cmocka_unit_test(on_the_scale_of_logarithms_distances_are_ratios),
        cmocka_unit_test(the_range_of_the_others_is_told),
    };
    return cmocka_run_group_tests_name("data/sentinel_codes", tests, NULL, NULL);
}
