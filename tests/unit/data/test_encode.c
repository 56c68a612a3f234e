/* SPDX-License-Identifier: MIT */
/* Rows to numbers and back: the formulas, and that the way back is exact. */
#include "support/ow_test.h"

#include "base/numeric/rng.h"
#include "data/schema/schema_private.h"

enum { most_columns = 12, most_levels = 6, most_width = most_columns * most_levels };

static owi_rng rng = {.seed = 2024};

/* ---- Schemas for tests ---- */

static ow_column *add_column(ow_schema *schema)
{
    ow_column *column;
    char name[32];
    const int length =
        snprintf(name, sizeof name, "c%zu", owi_string_map_count(schema->names));
    assert_ok(owi_schema_add_column(schema, name, (size_t)length, &column));
    return column;
}

static ow_column *add_number(ow_schema *schema, ow_scaling scaling, int decimals,
                             double low, double high)
{
    ow_column *column = add_column(schema);
    owi_column_set_range(column, low, high);
    column->scaling = scaling;
    column->decimals = decimals;
    return column;
}

static void add_category(ow_schema *schema, ow_column_type type, size_t n_levels)
{
    const size_t index = owi_string_map_count(schema->names);
    add_column(schema)->type = type;
    for (size_t k = 0; k < n_levels; k++)
        assert_ok(owi_schema_add_level(schema, index, &"abcdef"[k], 1));
}

/* The encoding of a schema that is finished here and no longer needed afterwards. */
static ow_encoding *encoding_of(ow_schema *schema, ow_category_form form)
{
    ow_encoding *encoding;
    assert_ok(owi_schema_finish(schema, ""));
    assert_ok(ow_encoding_new(schema->ctx, schema, form, &encoding));
    ow_schema_free(schema);
    return encoding;
}

/* The encoding of a single number column. */
static ow_encoding *number_encoding(ow_context *ctx, ow_scaling scaling, int decimals,
                                    double low, double high)
{
    ow_schema *schema;
    assert_ok(owi_schema_new(ctx, 1, &schema));
    add_number(schema, scaling, decimals, low, high);
    return encoding_of(schema, OW_CATEGORY_CODE);
}

static double encode_one(const ow_encoding *encoding, double x)
{
    double e;
    ow_encoding_encode(encoding, 1, &x, &e);
    return e;
}

static double decode_one(const ow_encoding *encoding, double e)
{
    double x;
    ow_encoding_decode(encoding, 1, &e, &x);
    return x;
}

/* ---- Random numbers of a column ---- */

/* The double next to n * 10^-decimals, by way of the text. */
static double multiple(int64_t n, int decimals)
{
    char text[64];
    snprintf(text, sizeof text, "%llde%d", (long long)n, -decimals);
    return strtod(text, NULL);
}

/* Uniform in [first, end). */
static int64_t draw_between(int64_t first, int64_t end)
{
    return first + (int64_t)owi_rng_below(&rng, (size_t)(end - first));
}

static int64_t power_of_ten(int n)
{
    int64_t power = 1;
    while (n-- > 0) power *= 10;
    return power;
}

/* A column and the numbers that it is asked to bring back, in steps of the last digit. */
typedef struct {
    int decimals;
    int64_t low, high;  /* the column's range                                  */
    int64_t least, end; /* what the guarantee covers: [least, end)             */
} number_plan;

static double uniform_between(double low, double high)
{
    return low + (high - low) * owi_rng_uniform(&rng);
}

/* A mean in the range, and a deviation of any size below the range's. */
static void draw_spread(double low, double high, double *mean, double *deviation)
{
    *mean = uniform_between(low, high);
    *deviation = high > low ? (high - low) * (0.01 + owi_rng_uniform(&rng)) / 2 : 1.0;
}

static number_plan draw_number(ow_schema *schema, bool for_float)
{
    const ow_scaling scaling = (ow_scaling)owi_rng_below(&rng, 4);
    const bool logarithm = scaling == OW_SCALE_LOG1P;
    number_plan plan;
    if (for_float) {
        plan.decimals = (int)owi_rng_below(&rng, logarithm ? 5 : 16);
        plan.end = (int64_t)1 << (logarithm ? 19 : 22);
    } else {
        plan.decimals = (int)owi_rng_below(&rng, logarithm ? 13 : 16);
        plan.end = power_of_ten(logarithm ? 13 : 15);
    }
    /* The logarithm's digits are those of 1 + x. */
    if (logarithm) plan.end -= power_of_ten(plan.decimals);
    while (owi_rng_below(&rng, 2) == 0 && plan.end > 10) plan.end /= 10;
    /* From 0 on, or as far below 0 as above it; the logarithm's range is never below. */
    plan.least = 0;
    if (owi_rng_below(&rng, 2) == 0) plan.least = -(plan.end /= 2);
    /* For a float it is the range that counts, wherever it lies, if it is moved to 0. */
    const bool moved = scaling == OW_SCALE_MINMAX || scaling == OW_SCALE_STANDARD;
    if (for_float && moved && owi_rng_below(&rng, 2) == 0) {
        const int64_t offset = draw_between(0, 9 * power_of_ten(14));
        plan.least += offset;
        plan.end += offset;
    }

    plan.low = draw_between(logarithm ? 0 : plan.least, plan.end);
    plan.high = draw_between(plan.low, plan.end);
    if (owi_rng_below(&rng, 20) == 0) plan.high = plan.low;

    ow_column *column =
        add_number(schema, scaling, plan.decimals, multiple(plan.low, plan.decimals),
                   multiple(plan.high, plan.decimals));
    if (plan.decimals == 0 && owi_rng_below(&rng, 2) == 0) column->type = OW_TYPE_INTEGER;
    draw_spread(column->low, column->high, &column->mean, &column->deviation);
    if (column->low >= 0.0)
        draw_spread(log1p(column->low), log1p(column->high), &column->log_mean,
                    &column->log_deviation);
    return plan;
}

/* Mostly in the range, else anywhere that the guarantee covers. */
static double draw_value(const number_plan *plan, bool in_range)
{
    const bool inside = in_range || owi_rng_below(&rng, 4) > 0;
    const int64_t n = inside ? draw_between(plan->low, plan->high + 1)
                             : draw_between(plan->least, plan->end);
    return multiple(n, plan->decimals);
}

/* ---- The way there and back ---- */

typedef struct {
    size_t n_columns;
    size_t n_levels[most_columns]; /* 0: a number */
    number_plan plans[most_columns];
    ow_encoding *encoding;
} random_case;

static void draw_case(const ow_test_heap *heap, bool for_float, random_case *c)
{
    ow_schema *schema;
    c->n_columns = owi_rng_below(&rng, most_columns) + 1;
    assert_ok(owi_schema_new(heap->ctx, c->n_columns, &schema));
    for (size_t j = 0; j < c->n_columns; j++) {
        c->n_levels[j] = 0;
        if (owi_rng_below(&rng, 3) == 0) {
            c->n_levels[j] = owi_rng_below(&rng, most_levels) + 1;
            add_category(schema, j % 2 == 0 ? OW_TYPE_CATEGORICAL : OW_TYPE_ORDINAL,
                         c->n_levels[j]);
        } else {
            c->plans[j] = draw_number(schema, for_float);
        }
    }
    c->encoding = encoding_of(schema, (ow_category_form)owi_rng_below(&rng, 2));
}

static void draw_row(bool for_float, const random_case *c, double *row)
{
    for (size_t j = 0; j < c->n_columns; j++) {
        if (owi_rng_below(&rng, 10) == 0)
            row[j] = NAN;
        else if (c->n_levels[j] > 0)
            row[j] = (double)owi_rng_below(&rng, c->n_levels[j]);
        else
            row[j] = draw_value(&c->plans[j], for_float);
    }
}

static void check_rows_come_back(const ow_test_heap *heap, bool for_float, size_t n_cases)
{
    enum { n_rows = 20 };
    for (size_t trial = 0; trial < n_cases; trial++) {
        random_case c;
        double rows[n_rows * most_columns], back[n_rows * most_columns];
        double encoded[n_rows * most_width];
        draw_case(heap, for_float, &c);
        for (size_t i = 0; i < n_rows; i++) draw_row(for_float, &c, rows + i * c.n_columns);

        ow_encoding_encode(c.encoding, n_rows, rows, encoded);
        if (for_float)
            for (size_t i = 0; i < n_rows * ow_encoding_width(c.encoding); i++)
                encoded[i] = (double)(float)encoded[i];
        ow_encoding_decode(c.encoding, n_rows, encoded, back);
        assert_close(back, rows, n_rows * c.n_columns, 0.0);
        ow_encoding_free(c.encoding);
    }
}

static void what_was_encoded_comes_back_exactly(void **state)
{
    check_rows_come_back(*state, false, 1000 * ow_test_scale());
}

static void what_went_through_a_float_comes_back_exactly(void **state)
{
    check_rows_come_back(*state, true, 500 * ow_test_scale());
}

/* Whole numbers as far as doubles have them, within a range of 2^53. */
static void integers_come_back_from_the_widest_range(void **state)
{
    const ow_test_heap *heap = *state;
    for (int trial = 0; trial < 200; trial++) {
        const int64_t span = ((int64_t)1 << 53) - (int64_t)owi_rng_below(&rng, 1000);
        const int64_t low = -(int64_t)owi_rng_below(&rng, (size_t)span);
        ow_encoding *encoding = number_encoding(heap->ctx, OW_SCALE_MINMAX, 0, (double)low,
                                                (double)(low + span));
        for (int i = 0; i < 50; i++) {
            const int64_t n = (int64_t)owi_rng_below(&rng, (size_t)span + 1);
            const double x = (double)(low + (i % 2 == 0 ? n : span - i));
            assert_true(decode_one(encoding, encode_one(encoding, x)) == x);
        }
        ow_encoding_free(encoding);
    }
}

/* The bounds that encode.h states for columns in which every digit matters. */
static void numbers_with_all_digits_come_back_within_the_stated_bound(void **state)
{
    const ow_test_heap *heap = *state;
    for (int trial = 0; trial < 2000; trial++) {
        const double size = pow(10.0, uniform_between(-12.0, 12.0));
        const double low = owi_rng_uniform(&rng) * size, high = low + size;
        const double x = uniform_between(low, high);
        for (int scaling = OW_SCALE_NONE; scaling <= OW_SCALE_LOG1P; scaling++) {
            ow_encoding *encoding =
                number_encoding(heap->ctx, (ow_scaling)scaling, -1, low, high);
            const double back = decode_one(encoding, encode_one(encoding, x));
            const double mean = low + size / 2, log_mean = (log1p(low) + log1p(high)) / 2;
            const double bounds[] = {0.0, fabs(x) + fabs(low), fabs(x) + fabs(mean),
                                     (1.0 + x) * (log1p(x) + log_mean)};
            assert_true(fabs(back - x) <= 0x1p-50 * bounds[scaling]);
            ow_encoding_free(encoding);
        }
    }
}

/* ---- The formulas ---- */

static void scalings_follow_their_formulas(void **state)
{
    const ow_test_heap *heap = *state;
    ow_schema *schema;
    assert_ok(owi_schema_new(heap->ctx, 4, &schema));
    for (int scaling = OW_SCALE_NONE; scaling <= OW_SCALE_LOG1P; scaling++) {
        ow_column *column = add_number(schema, (ow_scaling)scaling, 1, 2.0, 10.0);
        column->mean = 5.0;
        column->deviation = 2.0;
        column->log_mean = log(4.0);
        column->log_deviation = log(2.0);
    }
    ow_encoding *encoding = encoding_of(schema, OW_CATEGORY_CODE);
    /* log1p: (log 8 - log 4) / log 2 = 1, (log 2 - log 4) / log 2 = -1 */
    const double rows[] = {7, 7, 7, 7, 2, 2, 1, 1, 10, 10, 5, 3, 12, 12, 12, 15};
    const double want[] = {7, 0.625, 1, 1, 2, 0, -2, -1, 10, 1, 0, 0, 12, 1.25, 3.5, 2};
    double encoded[16], back[16];
    ow_encoding_encode(encoding, 4, rows, encoded);
    assert_close(encoded, want, 16, 1e-15);
    ow_encoding_decode(encoding, 4, encoded, back);
    assert_close(back, rows, 16, 0.0);
    ow_encoding_free(encoding);
}

/* Left of 0 the line x / s continues the curve log(1 + x) / s without a kink. */
static void log1p_goes_on_as_a_line_below_zero(void **state)
{
    const ow_test_heap *heap = *state;
    ow_encoding *encoding = number_encoding(heap->ctx, OW_SCALE_LOG1P, -1, 0.0, 100.0);
    const double zero = encode_one(encoding, 0.0), h = 1e-6;
    const double right = (encode_one(encoding, h) - zero) / h;
    const double left = (zero - encode_one(encoding, -h)) / h;
    assert_close(&left, &right, 1, 1e-5);
    double before = encode_one(encoding, -1000.0);
    for (double x = -999.5; x < 10.0; x += 0.5) {
        const double e = encode_one(encoding, x), back = decode_one(encoding, e);
        assert_true(e > before);
        assert_close(&back, &x, 1, 1e-14);
        before = e;
    }
    ow_encoding_free(encoding);
}

static void a_column_that_never_varies_is_zero_and_still_goes_both_ways(void **state)
{
    const ow_test_heap *heap = *state;
    for (int scaling = OW_SCALE_MINMAX; scaling <= OW_SCALE_LOG1P; scaling++) {
        ow_encoding *encoding =
            number_encoding(heap->ctx, (ow_scaling)scaling, 0, 7.0, 7.0);
        assert_true(encode_one(encoding, 7.0) == 0.0);
        assert_true(encode_one(encoding, 9.0) > 0.0);
        for (double x = -3.0; x < 20.0; x += 1.0)
            assert_true(decode_one(encoding, encode_one(encoding, x)) == x);
        ow_encoding_free(encoding);
    }
}

static void decoding_rounds_to_what_the_column_can_hold(void **state)
{
    const ow_test_heap *heap = *state;
    ow_encoding *encoding = number_encoding(heap->ctx, OW_SCALE_NONE, 2, 0.0, 1.0);
    assert_true(decode_one(encoding, 0.1249) == 0.12);
    assert_true(decode_one(encoding, -0.126) == -0.13);
    assert_true(decode_one(encoding, 1234.5678) == 1234.57);
    assert_true(isnan(decode_one(encoding, NAN)));
    ow_encoding_free(encoding);
    encoding = number_encoding(heap->ctx, OW_SCALE_MINMAX, 0, 0.0, 10.0);
    assert_true(decode_one(encoding, 0.249) == 2.0);
    assert_true(decode_one(encoding, 1.36) == 14.0); /* ranges are not enforced */
    ow_encoding_free(encoding);
}

/* ---- Categories ---- */

static ow_encoding *two_categories_and_a_number(ow_context *ctx, ow_category_form form)
{
    ow_schema *schema;
    assert_ok(owi_schema_new(ctx, 3, &schema));
    add_category(schema, OW_TYPE_CATEGORICAL, 3);
    add_number(schema, OW_SCALE_NONE, 0, 0.0, 9.0);
    add_category(schema, OW_TYPE_ORDINAL, 2);
    return encoding_of(schema, form);
}

static void assert_span(const ow_encoding *encoding, size_t column, size_t want_first,
                        size_t want_width)
{
    size_t first, width;
    ow_encoding_span(encoding, column, &first, &width);
    assert_int_equal(first, want_first);
    assert_int_equal(width, want_width);
}

static void a_level_becomes_one_column_of_ones_and_zeros(void **state)
{
    const ow_test_heap *heap = *state;
    ow_encoding *encoding = two_categories_and_a_number(heap->ctx, OW_CATEGORY_ONE_HOT);
    assert_int_equal(ow_encoding_width(encoding), 6);
    assert_span(encoding, 0, 0, 3);
    assert_span(encoding, 1, 3, 1);
    assert_span(encoding, 2, 4, 2);
    const double rows[] = {2, 5, 0, NAN, NAN, NAN};
    const double want[] = {0, 0, 1, 5, 1, 0, NAN, NAN, NAN, NAN, NAN, NAN};
    double encoded[12];
    ow_encoding_encode(encoding, 2, rows, encoded);
    assert_close(encoded, want, 12, 0.0);
    ow_encoding_free(encoding);
}

static void a_level_becomes_its_code(void **state)
{
    const ow_test_heap *heap = *state;
    ow_encoding *encoding = two_categories_and_a_number(heap->ctx, OW_CATEGORY_CODE);
    assert_int_equal(ow_encoding_width(encoding), 3);
    assert_span(encoding, 2, 2, 1);
    const double rows[] = {2, 5, 0, NAN, NAN, NAN};
    double encoded[6];
    ow_encoding_encode(encoding, 2, rows, encoded);
    assert_close(encoded, rows, 6, 0.0);
    ow_encoding_free(encoding);
}

static void an_index_that_is_no_level_is_missing(void **state)
{
    const ow_test_heap *heap = *state;
    for (int form = OW_CATEGORY_CODE; form <= OW_CATEGORY_ONE_HOT; form++) {
        ow_encoding *encoding =
            two_categories_and_a_number(heap->ctx, (ow_category_form)form);
        const double rows[] = {3, 0, -1, 0.5, 0, INFINITY};
        const double want[] = {NAN, 0, NAN, NAN, 0, NAN};
        double encoded[12], back[6];
        ow_encoding_encode(encoding, 2, rows, encoded);
        ow_encoding_decode(encoding, 2, encoded, back);
        assert_close(back, want, 6, 0.0);
        ow_encoding_free(encoding);
    }
}

static void the_largest_entry_decides_and_the_first_of_several(void **state)
{
    const ow_test_heap *heap = *state;
    ow_encoding *encoding = two_categories_and_a_number(heap->ctx, OW_CATEGORY_ONE_HOT);
    const double encoded[] = {-3, -1, -2, 0, 0.5, 0.5, 0.1, NAN, 0.9, 0, 0, 1};
    const double want[] = {1, 0, 0, NAN, 0, 1};
    double rows[6];
    ow_encoding_decode(encoding, 2, encoded, rows);
    assert_close(rows, want, 6, 0.0);
    ow_encoding_free(encoding);
}

static void the_nearest_code_decides(void **state)
{
    const ow_test_heap *heap = *state;
    ow_encoding *encoding = two_categories_and_a_number(heap->ctx, OW_CATEGORY_CODE);
    const double encoded[] = {1.4, 0, 0.6, 7, 0, -2, -INFINITY, 0, NAN};
    const double want[] = {1, 0, 1, 2, 0, 0, 0, 0, NAN};
    double rows[9];
    ow_encoding_decode(encoding, 3, encoded, rows);
    assert_close(rows, want, 9, 0.0);
    ow_encoding_free(encoding);
}

/* ---- Memory and arguments ---- */

static void the_callers_duties_are_checked(void **state)
{
    const ow_test_heap *heap = *state;
    ow_schema *schema;
    ow_encoding *encoding = (ow_encoding *)&rng;
    assert_ok(owi_schema_new(heap->ctx, 1, &schema));
    assert_fails(ow_encoding_new(heap->ctx, NULL, OW_CATEGORY_CODE, &encoding),
                 OW_ERR_ARGUMENT, "schema != NULL");
    assert_null(encoding);
    assert_fails(ow_encoding_new(heap->ctx, schema, OW_CATEGORY_CODE, NULL),
                 OW_ERR_ARGUMENT, "out != NULL");
    assert_fails(ow_encoding_new(heap->ctx, schema, (ow_category_form)7, &encoding),
                 OW_ERR_ARGUMENT, "form == OW_CATEGORY_CODE");
    ow_schema_free(schema);
    ow_encoding_free(NULL);
}

static ow_status make_encoding(ow_context *ctx, void *schema)
{
    ow_encoding *encoding;
    const ow_status status = ow_encoding_new(ctx, schema, OW_CATEGORY_ONE_HOT, &encoding);
    ow_encoding_free(encoding);
    return status;
}

static void running_out_of_memory_leaks_nothing(void **state)
{
    const ow_test_heap *heap = *state;
    ow_schema *schema;
    assert_ok(owi_schema_new(heap->ctx, 2, &schema));
    add_category(schema, OW_TYPE_CATEGORICAL, 3);
    add_number(schema, OW_SCALE_LOG1P, 0, 0.0, 9.0);
    assert_ok(owi_schema_finish(schema, ""));
    ow_test_sweep(make_encoding, schema);
    ow_schema_free(schema);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_was_encoded_comes_back_exactly),
        cmocka_unit_test(what_went_through_a_float_comes_back_exactly),
        cmocka_unit_test(integers_come_back_from_the_widest_range),
        cmocka_unit_test(numbers_with_all_digits_come_back_within_the_stated_bound),
        cmocka_unit_test(scalings_follow_their_formulas),
        cmocka_unit_test(log1p_goes_on_as_a_line_below_zero),
        cmocka_unit_test(a_column_that_never_varies_is_zero_and_still_goes_both_ways),
        cmocka_unit_test(decoding_rounds_to_what_the_column_can_hold),
        cmocka_unit_test(a_level_becomes_one_column_of_ones_and_zeros),
        cmocka_unit_test(a_level_becomes_its_code),
        cmocka_unit_test(an_index_that_is_no_level_is_missing),
        cmocka_unit_test(the_largest_entry_decides_and_the_first_of_several),
        cmocka_unit_test(the_nearest_code_decides),
        cmocka_unit_test(the_callers_duties_are_checked),
        cmocka_unit_test(running_out_of_memory_leaks_nothing),
    };
    return cmocka_run_group_tests_name("data/encode", tests, ow_test_set_up_heap,
                                       ow_test_tear_down_heap);
}
