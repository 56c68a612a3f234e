/* SPDX-License-Identifier: MIT */
/* Random numbers: the generator against its published answers, the distributions against
 * their moments and, by chi-square, against their distribution functions.  Seeds are fixed,
 * so these either always pass or always fail. */
#include "support/ow_test.h"

#include <float.h>

#include "base/numeric/rng.h"

static size_t n_draws(void)
{
    return 20000 * ow_test_scale();
}

/* Counts agree with what was expected: the statistic sum (got - want)^2 / want lies within
 * five standard deviations of its mean, on either side. */
static void assert_chi_square(const size_t *counts, const double *expected, size_t n)
{
    double statistic = 0.0;
    for (size_t i = 0; i < n; i++) {
        const double difference = (double)counts[i] - expected[i];
        statistic += difference * difference / expected[i];
    }
    const double freedom = (double)n - 1.0;
    const double bound = 5.0 * sqrt(2.0 * freedom);
    if (statistic > freedom + bound || statistic < freedom - bound)
        fail_msg("chi-square %g with %g degrees of freedom", statistic, freedom);
}

static void assert_equally_often(const size_t *counts, size_t n, size_t total)
{
    double expected[256];
    assert_in_range(n, 1, 256);
    for (size_t i = 0; i < n; i++) expected[i] = (double)total / (double)n;
    assert_chi_square(counts, expected, n);
}

/* A number's place among 64 equal parts of [0, 1]. */
enum { n_parts = 64 };
static size_t part(double value)
{
    assert_true(value >= 0.0 && value <= 1.0);
    return value < 1.0 ? (size_t)(value * n_parts) : n_parts - 1;
}

/* Mean and variance of n draws lie within five standard errors; kurtosis is that of the
 * distribution, on which the error of a variance depends. */
static void assert_moments(const double *draws, size_t n, double mean, double variance,
                           double kurtosis)
{
    double sum = 0.0, squares = 0.0;
    for (size_t i = 0; i < n; i++) sum += draws[i];
    for (size_t i = 0; i < n; i++) squares += (draws[i] - mean) * (draws[i] - mean);
    const double got_mean = sum / (double)n, got_variance = squares / (double)n;
    const double mean_error = sqrt(variance / (double)n);
    const double variance_error = variance * sqrt((kurtosis - 1.0) / (double)n);
    if (!(fabs(got_mean - mean) <= 5.0 * mean_error))
        fail_msg("mean %g, want %g", got_mean, mean);
    if (!(fabs(got_variance - variance) <= 5.0 * variance_error))
        fail_msg("variance %g, want %g", got_variance, variance);
}

static double *new_draws(void)
{
    double *draws = malloc(n_draws() * sizeof *draws);
    assert_non_null(draws);
    return draws;
}

/* D. E. Shaw Research, Random123, tests/kat_vectors, the three lines "philox4x32 10":
 * counter, key, result.  Zeros, ones, and the digits of pi. */
static void the_generator_gives_its_published_answers(void **state)
{
    (void)state;
    static const struct {
        uint32_t counter[4], key[2], want[4];
    } vectors[] = {
        {{0x00000000, 0x00000000, 0x00000000, 0x00000000},
         {0x00000000, 0x00000000},
         {0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}},
        {{0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff},
         {0xffffffff, 0xffffffff},
         {0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}},
        {{0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344},
         {0xa4093822, 0x299f31d0},
         {0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}},
    };
    for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++) {
        uint32_t got[4];
        owi_philox(vectors[i].counter, vectors[i].key, got);
        assert_memory_equal(got, vectors[i].want, sizeof got);
    }
}

static void a_stream_is_the_generator_over_block_and_stream_under_the_seed(void **state)
{
    (void)state;
    owi_rng rng;
    owi_rng_init(&rng, 0x299f31d0a4093822, 0x0370734413198a2e);
    rng.block = 0x85a308d3243f6a88; /* the digits of pi again, as counter and key */
    assert_int_equal(owi_rng_u32(&rng), 0xd16cfe09);
    assert_int_equal(owi_rng_u32(&rng), 0x94fdcceb);
    assert_true(owi_rng_u64(&rng) == 0x24126ea15001e420);

    uint32_t next[4];
    owi_philox((const uint32_t[]){0x243f6a89, 0x85a308d3, 0x13198a2e, 0x03707344},
               (const uint32_t[]){0xa4093822, 0x299f31d0}, next);
    for (int i = 0; i < 4; i++) assert_int_equal(owi_rng_u32(&rng), next[i]);

    rng.block = 0xffffffff;
    for (int i = 0; i < 4; i++) (void)owi_rng_u32(&rng);
    assert_true(rng.block == 0x100000000);
    owi_philox((const uint32_t[]){0, 1, 0x13198a2e, 0x03707344},
               (const uint32_t[]){0xa4093822, 0x299f31d0}, next);
    assert_int_equal(owi_rng_u32(&rng), next[0]);
}

/* Worked out by a second implementation, in another language. */
static void a_seed_means_the_same_numbers_for_ever(void **state)
{
    (void)state;
    const uint64_t seed = 0x0123456789abcdef, stream = (uint64_t)42 << 32 | 7;
    owi_rng rng;
    owi_rng_init(&rng, seed, stream);
    size_t items[10];
    for (size_t i = 0; i < 10; i++) items[i] = i;
    owi_rng_shuffle(&rng, 10, items);
    const size_t want_items[10] = {7, 3, 0, 2, 1, 8, 4, 5, 6, 9};
    assert_memory_equal(items, want_items, sizeof items);

    owi_rng_init(&rng, seed, stream);
    const double want[3] = {0.22366054155372117, 1.2459009285191232, 1.208930963836205};
    double got[3];
    for (int i = 0; i < 3; i++) got[i] = owi_rng_normal(&rng);
    assert_close(got, want, 3, 1e-15);
}

static void what_a_stream_gives_does_not_depend_on_the_others(void **state)
{
    (void)state;
    enum { n_streams = 10, n_each = 9 };
    double alone[n_streams][n_each], mixed[n_streams][n_each];
    owi_rng rngs[n_streams];

    for (size_t s = n_streams; s-- > 0;) {
        owi_rng_init(&rngs[s], 5, s);
        for (size_t i = 0; i < n_each; i++) alone[s][i] = owi_rng_gamma(&rngs[s], 0.7);
    }
    for (size_t s = 0; s < n_streams; s++) owi_rng_init(&rngs[s], 5, s);
    for (size_t i = 0; i < n_each; i++)
        for (size_t s = 0; s < n_streams; s++) mixed[s][i] = owi_rng_gamma(&rngs[s], 0.7);

    assert_memory_equal(alone, mixed, sizeof alone);
    for (size_t s = 1; s < n_streams; s++) assert_true(alone[s][0] != alone[s - 1][0]);
}

/* Row i owns stream i and may draw but once: the first numbers of consecutive streams, and
 * of consecutive seeds, are as random as the numbers of one stream. */
static void first_numbers_of_neighbouring_streams_are_uniform_and_unrelated(void **state)
{
    (void)state;
    for (int over_seeds = 0; over_seeds < 2; over_seeds++) {
        size_t counts[n_parts] = {0}, pairs[64] = {0};
        double last = 0.0;
        for (size_t s = 0; s < n_draws(); s++) {
            owi_rng rng;
            owi_rng_init(&rng, over_seeds ? s : 1, over_seeds ? 1 : s);
            const double number = owi_rng_uniform(&rng);
            counts[part(number)]++;
            pairs[part(last) / 8 * 8 + part(number) / 8] += s % 2;
            last = number;
        }
        assert_equally_often(counts, n_parts, n_draws());
        assert_equally_often(pairs, 64, n_draws() / 2);
    }
}

static void uniform_numbers_fill_the_unit_interval_evenly(void **state)
{
    (void)state;
    owi_rng rng;
    owi_rng_init(&rng, 1, 0);
    double *draws = new_draws();
    size_t counts[n_parts] = {0};
    for (size_t i = 0; i < n_draws(); i++) {
        draws[i] = owi_rng_uniform(&rng);
        assert_true(draws[i] < 1.0);
        counts[part(draws[i])]++;
    }
    assert_moments(draws, n_draws(), 0.5, 1.0 / 12.0, 1.8);
    assert_equally_often(counts, n_parts, n_draws());
    free(draws);
}

static void the_ends_of_the_unit_interval_are_zero_and_just_below_one(void **state)
{
    (void)state;
    owi_rng rng = {.n_left = 4};
    assert_true(owi_rng_uniform(&rng) == 0.0);
    rng = (owi_rng){.words = {UINT32_MAX, UINT32_MAX, UINT32_MAX, UINT32_MAX}, .n_left = 4};
    assert_true(owi_rng_uniform(&rng) == 1.0 - DBL_EPSILON / 2.0);

    rng = (owi_rng){.words = {UINT32_MAX, UINT32_MAX, 0, 0}, .n_left = 4};
    const double farthest = owi_rng_normal(&rng);
    assert_true(isfinite(farthest) && farthest > 8.0);
}

static void bounded_integers_are_equally_often(void **state)
{
    (void)state;
    const size_t bounds[] = {1, 2, 3, 7, 10, 100, 256};
    for (size_t b = 0; b < sizeof bounds / sizeof *bounds; b++) {
        owi_rng rng;
        owi_rng_init(&rng, 2, b);
        size_t counts[256] = {0};
        for (size_t i = 0; i < n_draws(); i++) {
            const size_t number = owi_rng_below(&rng, bounds[b]);
            assert_true(number < bounds[b]);
            counts[number]++;
        }
        assert_equally_often(counts, bounds[b], n_draws());
    }
}

/* With n three quarters of the range, taking the remainder alone would give the first third
 * half of the time. */
static void bounded_integers_have_no_bias_for_large_bounds(void **state)
{
    (void)state;
    const size_t third = SIZE_MAX / 4 + 1;
    owi_rng rng;
    owi_rng_init(&rng, 3, 0);
    size_t counts[3] = {0};
    for (size_t i = 0; i < n_draws(); i++) counts[owi_rng_below(&rng, 3 * third) / third]++;
    assert_equally_often(counts, 3, n_draws());
    (void)owi_rng_below(&rng, SIZE_MAX);
}

static void normal_numbers_have_the_normal_distribution(void **state)
{
    (void)state;
    owi_rng rng;
    owi_rng_init(&rng, 4, 0);
    double *draws = new_draws(), cubes = 0.0;
    size_t counts[n_parts] = {0};
    for (size_t i = 0; i < n_draws(); i++) {
        draws[i] = owi_rng_normal(&rng);
        cubes += draws[i] * draws[i] * draws[i];
        counts[part(0.5 * erfc(-draws[i] / sqrt(2.0)))]++;
    }
    assert_moments(draws, n_draws(), 0.0, 1.0, 3.0);
    assert_true(fabs(cubes / (double)n_draws()) < 5.0 * sqrt(15.0 / (double)n_draws()));
    assert_equally_often(counts, n_parts, n_draws());
    free(draws);
}

/* The gamma distribution has mean and variance `shape` and kurtosis 3 + 6 / shape. */
static void gamma_numbers_have_the_moments_of_their_shape(void **state)
{
    (void)state;
    const double shapes[] = {0.2, 0.5, 0.999, 1.0, 2.5, 30.0, 1e4, 1e12};
    double *draws = new_draws();
    for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++) {
        owi_rng rng;
        owi_rng_init(&rng, 5, s);
        for (size_t i = 0; i < n_draws(); i++) {
            draws[i] = owi_rng_gamma(&rng, shapes[s]);
            assert_true(draws[i] > 0.0 && isfinite(draws[i]));
        }
        assert_moments(draws, n_draws(), shapes[s], shapes[s], 3.0 + 6.0 / shapes[s]);
    }
    free(draws);
}

/* Shapes whose distribution function is elementary: erf(sqrt x), 1 - exp(-x) and
 * 1 - (1 + x) exp(-x). */
static void gamma_numbers_have_the_gamma_distribution(void **state)
{
    (void)state;
    const double shapes[3] = {0.5, 1.0, 2.0};
    size_t counts[3][n_parts] = {{0}};
    for (size_t s = 0; s < 3; s++) {
        owi_rng rng;
        owi_rng_init(&rng, 6, s);
        for (size_t i = 0; i < n_draws(); i++) {
            const double x = owi_rng_gamma(&rng, shapes[s]);
            const double below[3] = {erf(sqrt(x)), -expm1(-x), 1.0 - (1.0 + x) * exp(-x)};
            counts[s][part(below[s])]++;
        }
        assert_equally_often(counts[s], n_parts, n_draws());
    }
}

static void assert_weights(const double *weights, size_t n)
{
    double sum = 0.0;
    for (size_t i = 0; i < n; i++) {
        assert_true(weights[i] >= DBL_MIN && weights[i] <= 1.0);
        sum += weights[i];
    }
    assert_close(&sum, &(double){1.0}, 1, 1e-14);
}

/* A weight of a symmetric Dirichlet has a beta distribution with parameters a and (n-1) a:
 * mean 1/n, variance (n-1) / (n^2 (n a + 1)); for n = 3, a = 2 its kurtosis is 2.625. */
static void dirichlet_weights_have_the_moments_of_their_concentration(void **state)
{
    (void)state;
    double *draws[3] = {new_draws(), new_draws(), new_draws()}, weights[3];
    owi_rng rng;
    owi_rng_init(&rng, 7, 0);
    for (size_t i = 0; i < n_draws(); i++) {
        owi_rng_dirichlet(&rng, 2.0, 3, weights);
        assert_weights(weights, 3);
        for (size_t k = 0; k < 3; k++) draws[k][i] = weights[k];
    }
    for (size_t k = 0; k < 3; k++) {
        assert_moments(draws[k], n_draws(), 1.0 / 3.0, 2.0 / 63.0, 2.625);
        free(draws[k]);
    }
}

/* As the concentration goes to 0, one weight takes all, each as often as the others; as it
 * grows, all become equal. */
static void dirichlet_weights_are_sound_at_any_concentration(void **state)
{
    (void)state;
    const double tiny[] = {1e-3, 1e-9, DBL_MIN, DBL_MIN * DBL_EPSILON};
    double weights[16];
    for (size_t c = 0; c < sizeof tiny / sizeof *tiny; c++) {
        owi_rng rng;
        owi_rng_init(&rng, 8, c);
        size_t wins[16] = {0}, n_won = 0;
        for (size_t i = 0; i < n_draws() / 10; i++) {
            owi_rng_dirichlet(&rng, tiny[c], 16, weights);
            assert_weights(weights, 16);
            for (size_t k = 0; k < 16; k++)
                if (weights[k] > 0.5) wins[k]++, n_won++;
        }
        assert_true((double)n_won > 0.98 * (double)(n_draws() / 10));
        assert_equally_often(wins, 16, n_won);
    }

    owi_rng rng;
    owi_rng_init(&rng, 8, 100);
    owi_rng_dirichlet(&rng, 1e12, 16, weights);
    for (size_t k = 0; k < 16; k++)
        assert_close(&weights[k], &(double){1.0 / 16.0}, 1, 1e-5);
    owi_rng_dirichlet(&rng, 1.0, 1, weights);
    assert_true(weights[0] == 1.0);
    owi_rng_dirichlet(&rng, 1.0, 0, NULL);
}

static void categories_come_as_often_as_their_weights_say(void **state)
{
    (void)state;
    const double weights[] = {0.0, 3.0, 0.5, 0.0, 0.0, 6.0, 1e-300, 2.5, 0.0};
    size_t counts[9] = {0};
    owi_rng rng;
    owi_rng_init(&rng, 9, 0);
    for (size_t i = 0; i < n_draws(); i++) counts[owi_rng_categorical(&rng, 9, weights)]++;

    const size_t some[4] = {counts[1], counts[2], counts[5], counts[7]};
    double expected[4] = {3.0, 0.5, 6.0, 2.5};
    for (size_t k = 0; k < 4; k++) expected[k] *= (double)n_draws() / 12.0;
    assert_chi_square(some, expected, 4);
    assert_int_equal(some[0] + some[1] + some[2] + some[3], n_draws());
}

/* u times the least of all numbers is rounded up to that number for any u > 1/2. */
static void a_category_without_weight_never_comes_even_by_rounding(void **state)
{
    (void)state;
    const double least = DBL_MIN * DBL_EPSILON, weights[] = {0.0, least, 0.0};
    owi_rng rng;
    owi_rng_init(&rng, 10, 0);
    for (int i = 0; i < 100; i++)
        assert_int_equal(owi_rng_categorical(&rng, 3, weights), 1);
}

static void shuffling_gives_every_order_equally_often(void **state)
{
    (void)state;
    size_t counts[256] = {0}, orders[24], n_orders = 0;
    owi_rng rng;
    owi_rng_init(&rng, 11, 0);
    for (size_t i = 0; i < n_draws(); i++) {
        size_t items[4] = {0, 1, 2, 3};
        owi_rng_shuffle(&rng, 4, items);
        counts[items[0] << 6 | items[1] << 4 | items[2] << 2 | items[3]]++;
    }
    for (size_t code = 0; code < 256; code++) {
        if (counts[code] == 0) continue;
        assert_in_range(n_orders, 0, 23);
        orders[n_orders++] = counts[code];
    }
    assert_int_equal(n_orders, 24);
    assert_equally_often(orders, 24, n_draws());
}

static void shuffling_keeps_every_item(void **state)
{
    (void)state;
    enum { n_items = 1000 };
    size_t items[n_items];
    bool seen[n_items] = {false};
    owi_rng rng;
    owi_rng_init(&rng, 12, 0);
    for (size_t i = 0; i < n_items; i++) items[i] = i;
    owi_rng_shuffle(&rng, n_items, items);
    for (size_t i = 0; i < n_items; i++) {
        assert_false(seen[items[i]]);
        seen[items[i]] = true;
    }
    owi_rng_shuffle(&rng, 1, items);
    owi_rng_shuffle(&rng, 0, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_generator_gives_its_published_answers),
        cmocka_unit_test(a_stream_is_the_generator_over_block_and_stream_under_the_seed),
        cmocka_unit_test(a_seed_means_the_same_numbers_for_ever),
        cmocka_unit_test(what_a_stream_gives_does_not_depend_on_the_others),
        cmocka_unit_test(first_numbers_of_neighbouring_streams_are_uniform_and_unrelated),
        cmocka_unit_test(uniform_numbers_fill_the_unit_interval_evenly),
        cmocka_unit_test(the_ends_of_the_unit_interval_are_zero_and_just_below_one),
        cmocka_unit_test(bounded_integers_are_equally_often),
        cmocka_unit_test(bounded_integers_have_no_bias_for_large_bounds),
        cmocka_unit_test(normal_numbers_have_the_normal_distribution),
        cmocka_unit_test(gamma_numbers_have_the_moments_of_their_shape),
        cmocka_unit_test(gamma_numbers_have_the_gamma_distribution),
        cmocka_unit_test(dirichlet_weights_have_the_moments_of_their_concentration),
        cmocka_unit_test(dirichlet_weights_are_sound_at_any_concentration),
        cmocka_unit_test(categories_come_as_often_as_their_weights_say),
        cmocka_unit_test(a_category_without_weight_never_comes_even_by_rounding),
        cmocka_unit_test(shuffling_gives_every_order_equally_often),
        cmocka_unit_test(shuffling_keeps_every_item),
    };
    return cmocka_run_group_tests_name("base/rng", tests, NULL, NULL);
}
