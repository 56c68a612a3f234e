/* SPDX-License-Identifier: MIT */
/* Images: pixels stay whole and in the range of all of them, distances are in units of that range. */
#include "base/rng.h"
#include "support/explain_fixture.h"

enum { side = 4, n_pixels = side * side, n_images = 120, n_asked = 30 };

/* Bright above or below, by class, with noise; the corners are always black. */
static ow_test_model learn(ow_context *ctx)
{
    static unsigned char pixels[n_images * n_pixels];
    static int32_t labels[n_images];
    const size_t shape[3] = {n_images, side, side};
    char images[256], classes[256];
    owi_rng rng;
    owi_rng_init(&rng, 3, 3);
    for (size_t i = 0; i < n_images; i++) {
        labels[i] = (int32_t)(i % 2);
        for (size_t j = 0; j < n_pixels; j++) {
            const bool bright = (j / 8 == 0) == (i % 2 == 0);
            const bool corner = j == 0 || j == 3 || j == 12 || j == 15;
            pixels[i * n_pixels + j] =
                corner ? 0 : (unsigned char)((bright ? 150 : 10) + owi_rng_below(&rng, 90));
        }
    }
    snprintf(images, sizeof images, "%s", ow_test_path("images.npy", 0));
    snprintf(classes, sizeof classes, "%s", ow_test_path("labels.npy", 1));
    assert_ok(ow_npy_write(ctx, images, OW_NPY_UINT8, 3, shape, pixels));
    assert_ok(ow_npy_write(ctx, classes, OW_NPY_INT32, 1, shape, labels));

    ow_test_model m = {.ctx = ctx};
    ow_reader *reader = NULL;
    ow_schema *schema = NULL;
    ow_train_options train = ow_train_defaults();
    train.repetitions = train.inputs = 2;
    train.test_share = 0.0;
    ow_context_set_threads(ctx, 1);
    assert_ok(ow_reader_open(ctx, images, &(ow_read_options){.labels = classes}, &reader));
    assert_ok(ow_schema_infer(reader, &(ow_infer_options){.label = "label"}, &schema));
    assert_ok(ow_model_train(reader, schema, &train, &m.model, NULL));
    assert_ok(ow_reader_bind(reader, schema, true));
    assert_ok(ow_table_read(reader, &m.table));
    m.n_rows = ow_table_n_rows(m.table);
    m.n_columns = ow_table_n_columns(m.table);
    m.values = ow_table_row(m.table, 0);
    ow_schema_free(schema);
    ow_reader_free(reader);
    return m;
}

static void pixels_are_whole_and_in_the_range_of_all(void **state)
{
    ow_test_model m = learn(ow_test_context(state));
    for (size_t k = 0; ow_method_get(k) != NULL; k++) {
        ow_explainer *explainer = ow_test_explainer(&m, ow_method_get(k)->name);
        ow_constraints *rules = ow_test_rules(&m, "immutable x5");
        ow_explanation *explanation = NULL;
        const ow_explain_options options = ow_explain_defaults();
        size_t n_found = 0;
        assert_ok(ow_explain(explainer, rules, &options, n_asked, m.values, &explanation));
        for (size_t i = 0; i < n_asked; i++) {
            const ow_outcome *outcome = ow_explanation_outcome(explanation, i);
            const double *query = m.values + i * n_pixels;
            n_found += outcome->kind == OW_FOUND;
            if (outcome->n_answers == 0) continue;
            const ow_counterfactual *answer = outcome->answers;
            double l2 = 0.0;
            for (size_t j = 0; j < n_pixels; j++) {
                const double x = answer->values[j], change = (x - query[j]) / 255.0;
                assert_true(x >= 0.0 && x <= 255.0 && x == floor(x));
                l2 += change * change;
            }
            l2 = sqrt(l2);
            assert_close(&answer->distance.l2, &l2, 1, 1e-9);
            assert_true(answer->values[5] == query[5]);
            assert_int_equal(answer->violations, 0);
        }
        /* face finds no rows between bright and dark that share the pixel, and cem only adds. */
        const char *name = ow_method_get(k)->name;
        if (strcmp(name, "face") != 0 && strcmp(name, "cem") != 0)
            assert_true(n_found >= n_asked / 2);
        ow_explanation_free(explanation);
        ow_constraints_free(rules);
        ow_explainer_free(explainer);
    }
    ow_test_model_free(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        ow_test_on_heap(pixels_are_whole_and_in_the_range_of_all),
    };
    return cmocka_run_group_tests_name("explain/images", tests, NULL, NULL);
}
