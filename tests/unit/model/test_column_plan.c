/* SPDX-License-Identifier: MIT */
/* The soft rows of a model: spans, the values that entries stand for, and the way back from
 * between the levels. */
#include "support/ow_test.h"

#include "model/model_private.h"

/* A number, one with few values, one with a point mass at 0, a category of three levels, a
 * constant one. */
enum { n_columns = 5 };

typedef struct {
    ow_context *ctx;
    ow_reader *reader;
    ow_schema *schema;
    ow_model *model;
} fixture;

static void init(fixture *f, ow_leaf_choice leaves)
{
    static char text[20000];
    size_t used = (size_t)sprintf(text, "a,few,mass,kind,only,y\n");
    ow_train_options options = ow_test_train_defaults();
    for (int i = 0; i < 240; i++)
        used += (size_t)sprintf(text + used, "%d.%d,%d,%d,%s,z,%s\n", i * 37 % 101, i % 10,
                                i % 3 + i % 2, i % 3 == 0 ? i * 53 % 997 : 0,
                                i % 5 == 0   ? "u"
                                : i % 2 == 0 ? "v"
                                             : "w",
                                i % 7 < 3 ? "no" : "yes");
    *f = (fixture){0};
    options.leaves = leaves;
    options.passes = 1;
    options.inputs = options.repetitions = 2;
    options.towards_rows = 10;
    assert_ok(ow_context_new(NULL, &f->ctx));
    assert_ok(ow_reader_open_memory(f->ctx, text, used, "rows.csv", NULL, &f->reader));
    assert_ok(ow_schema_infer(
        f->reader, &(ow_infer_options){.size = sizeof(ow_infer_options), .label = "y"},
        NULL, &f->schema));
    assert_int_equal(ow_schema_n_columns(f->schema), n_columns);
    assert_ok(ow_model_train(f->reader, f->schema, &options, NULL, &f->model));
}

static void clear(fixture *f)
{
    ow_model_free(f->model);
    ow_schema_free(f->schema);
    ow_reader_free(f->reader);
    ow_context_free(f->ctx);
}

static void each_kind_of_column_has_its_entries(void **state)
{
    (void)state;
    static const owi_plan_kind kinds[2][n_columns] = {
        {OWI_PLAN_NUMBER, OWI_PLAN_VALUES, OWI_PLAN_MASSES, OWI_PLAN_LEVELS,
         OWI_PLAN_LEVELS},
        {OWI_PLAN_NUMBER, OWI_PLAN_NUMBER, OWI_PLAN_NUMBER, OWI_PLAN_ONE_HOT,
         OWI_PLAN_ONE_HOT}};
    static const size_t widths[2][n_columns] = {{1, 4, 1, 3, 1}, {1, 1, 1, 3, 1}};
    for (int choice = 0; choice < 2; choice++) {
        fixture f;
        size_t at = 0, first, width;
        init(&f, (ow_leaf_choice)choice);
        for (size_t j = 0; j < n_columns; j++) {
            assert_int_equal(f.model->plan.columns[j].kind, kinds[choice][j]);
            ow_model_soft_span(f.model, j, &first, &width);
            assert_int_equal(first, at);
            assert_int_equal(width, widths[choice][j]);
            at += width;
        }
        assert_int_equal(ow_model_soft_width(f.model), at);
        for (size_t k = 0; k < 3; k++) {
            assert_true(ow_model_soft_value(f.model, 3, k) == (double)k);
            if (choice == 0) assert_true(ow_model_soft_value(f.model, 1, k) == (double)k);
        }
        clear(&f);
    }
}

static void the_level_with_the_largest_share_is_taken(void **state)
{
    (void)state;
    for (int choice = 0; choice < 2; choice++) {
        fixture f;
        size_t first, width;
        const double values[n_columns] = {12.5, 2.0, 0.0, 1.0, 0.0};
        double back[n_columns];
        float soft[16];
        init(&f, (ow_leaf_choice)choice);
        ow_model_soften(f.model, 1, values, soft);
        ow_model_soft_span(f.model, 3, &first, &width);
        memcpy(soft + first, (const float[]){0.2f, 0.1f, 0.3f}, 3 * sizeof *soft);
        ow_model_soft_span(f.model, 1, &first, &width);
        if (width == 4)
            memcpy(soft + first, (const float[]){-0.2f, 0.1f, 0.09f, 0.0f},
                   4 * sizeof *soft);
        ow_model_harden(f.model, 1, soft, back);
        assert_true(back[0] == 12.5 && back[2] == 0.0 && back[3] == 2.0 && back[4] == 0.0);
        assert_true(back[1] == (width == 4 ? 1.0 : 2.0));
        clear(&f);
    }
}

static void what_is_missing_stays_so(void **state)
{
    (void)state;
    for (int choice = 0; choice < 2; choice++)
        for (size_t gap = 0; gap < n_columns; gap++) {
            fixture f;
            size_t first, width;
            double values[n_columns] = {12.5, 2.0, 0.0, 1.0, 0.0}, back[n_columns];
            float soft[16];
            init(&f, (ow_leaf_choice)choice);
            values[gap] = NAN;
            ow_model_soften(f.model, 1, values, soft);
            ow_model_soft_span(f.model, gap, &first, &width);
            for (size_t k = 0; k < width; k++) assert_true(isnan(soft[first + k]));
            ow_model_harden(f.model, 1, soft, back);
            for (size_t j = 0; j < n_columns; j++)
                assert_true(j == gap ? isnan(back[j]) : back[j] == values[j]);
            clear(&f);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_kind_of_column_has_its_entries),
        cmocka_unit_test(the_level_with_the_largest_share_is_taken),
        cmocka_unit_test(what_is_missing_stays_so),
    };
    return cmocka_run_group_tests_name("model/column_plan", tests, NULL, NULL);
}
