/* SPDX-License-Identifier: MIT */
/* Distances in units that columns share. */
#include "explain/core/distance.h"
#include "support/explain_fixture.h"

static void distances_are_sums_over_columns(void **state)
{
    ow_test_model m = ow_test_applicants(ow_test_context(state), OW_LEAVES_AUTO);
    const ow_schema *schema = ow_model_schema(m.model);
    double query[16], values[16], scales[16];
    size_t income, town, school, years, debt;
    assert_ok(ow_schema_find_column(schema, "income", &income));
    assert_ok(ow_schema_find_column(schema, "town", &town));
    assert_ok(ow_schema_find_column(schema, "school", &school));
    assert_ok(ow_schema_find_column(schema, "years", &years));
    assert_ok(ow_schema_find_column(schema, "debt", &debt));
    memcpy(query, m.values, m.n_columns * sizeof *query);
    memcpy(values, query, sizeof values);
    ow_distance distance = ow_model_distance(m.model, query, values);
    assert_true(distance.l0 == 0 && distance.l1 == 0.0 && distance.gower == 0.0);

    query[town] = 1.0, values[town] = 3.0;
    query[school] = 0.0, values[school] = 2.0;
    query[years] = 6.0, values[years] = 10.0;
    query[income] = 20.0, values[income] = 26.5;
    query[debt] = NAN, values[debt] = 4.0; /* as a category that changed */
    const ow_column_figures figures = ow_model_figures(m.model, income);
    const double changes[5] = {6.5 / (figures.high - figures.low), 1.0, 1.0, 4.0 / 17.0,
                               1.0};
    double l1 = 0.0, l2 = 0.0, linf = 0.0;
    for (size_t k = 0; k < 5; k++) {
        l1 += changes[k];
        l2 += changes[k] * changes[k];
        linf = fmax(linf, changes[k]);
    }
    l2 = sqrt(l2);
    const double gower = l1 / (double)m.n_columns;
    distance = ow_model_distance(m.model, query, values);
    assert_int_equal(distance.l0, 4); /* school and years count once */
    assert_int_equal(ow_model_most_changes(m.model), m.n_columns - 1);
    assert_close(&distance.l1, &l1, 1, 1e-12);
    assert_close(&distance.l2, &l2, 1, 1e-12);
    assert_close(&distance.linf, &linf, 1, 1e-12);
    assert_close(&distance.gower, &gower, 1, 1e-12);
    owi_column_scales(m.model, scales);
    assert_true(scales[town] == 1.0 && scales[years] == 17.0);
    ow_test_model_free(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        ow_test_on_heap(distances_are_sums_over_columns),
    };
    return cmocka_run_group_tests_name("explain/distance", tests, NULL, NULL);
}
