/* SPDX-License-Identifier: MIT */
#include "support/model_fixture.h"

#include "base/numeric/rng.h"

/* How everything here is called. */
static ow_call how = {.size = sizeof how};

static ow_train_options quick(ow_leaf_choice leaves)
{
    ow_train_options options = ow_test_train_defaults();
    options.leaves = leaves;
    options.passes = 6;
    options.towards_rows = leaves == OW_LEAVES_AUTO ? 50 : OW_AUTO;
    options.repetitions = 3;
    options.inputs = 4;
    options.test_share = 0.0;
    options.discriminative = 0.0;
    return options;
}

ow_test_model ow_test_learn(ow_context *ctx, ow_reader *reader,
                            const ow_infer_options *infer, const ow_train_options *train)
{
    ow_test_model m = {.ctx = ctx};
    ow_schema *schema = NULL;
    how.threads = 1; /* threads that wait for each other are slow on a busy machine */
    assert_ok(ow_schema_infer(reader, infer, &how, &schema));
    assert_ok(ow_model_train(reader, schema, train, &how, &m.model));
    assert_ok(ow_reader_bind(reader, schema, true));
    assert_ok(ow_table_read(reader, &how, &m.table));
    m.n_rows = ow_table_n_rows(m.table);
    m.n_columns = ow_table_n_columns(m.table);
    m.values = ow_table_row(m.table, 0);
    ow_schema_free(schema);
    ow_reader_free(reader);
    return m;
}

ow_test_model ow_test_credit_model(ow_context *ctx, ow_leaf_choice leaves)
{
    const ow_train_options train = quick(leaves);
    ow_reader *reader = NULL;
    assert_ok(ow_reader_open(ctx, "data/credit.csv", NULL, &how, &reader));
    return ow_test_learn(
        ctx, reader, &(ow_infer_options){.size = sizeof(ow_infer_options), .label = "risk"},
        &train);
}

ow_test_model ow_test_model_from_csv(ow_context *ctx, const char *csv, const char *label,
                                     const ow_infer_options *infer,
                                     const ow_train_options *train)
{
    ow_infer_options options =
        infer != NULL ? *infer : (ow_infer_options){.size = sizeof(ow_infer_options)};
    const ow_train_options usual = quick(OW_LEAVES_AUTO);
    ow_reader *reader = NULL;
    options.label = label;
    assert_ok(ow_reader_open_memory(ctx, csv, strlen(csv), "rows.csv", NULL, &reader));
    return ow_test_learn(ctx, reader, &options, train != NULL ? train : &usual);
}

char *ow_test_applicants_csv(size_t n_rows)
{
    static const char *const schools[] = {"none", "primary", "secondary", "college",
                                          "university"};
    static const int years[] = {0, 6, 10, 13, 17};
    static const char *const sizes[] = {"small", "middle", "large"};
    static const char *const towns[] = {"Aachen", "Bonn", "Celle", "Dresden"};
    const size_t capacity = 128 * (n_rows + 1);
    char *csv = malloc(capacity);
    owi_rng rng;
    assert_non_null(csv);
    owi_rng_init(&rng, 11, 1);
    int n = snprintf(csv, capacity,
                     "income,age,school,years,size,town,dependents,debt,granted\n");
    for (size_t i = 0; i < n_rows; i++) {
        const size_t school = owi_rng_below(&rng, 5);
        const double income = 20.0 + 4.0 * (double)school + 8.0 * owi_rng_normal(&rng);
        const int age = 18 + (int)owi_rng_below(&rng, 50);
        const double debt =
            owi_rng_uniform(&rng) < 0.6 ? 0.0 : floor(40.0 * owi_rng_uniform(&rng));
        const double score = 0.2 * (income - 28.0) + 0.05 * (age - 42) +
                             0.5 * ((double)school - 2.0) - 0.04 * debt +
                             0.7 * owi_rng_normal(&rng);
        char town[16] = "";
        if (owi_rng_uniform(&rng) > 0.05)
            snprintf(town, sizeof town, "%s", towns[owi_rng_below(&rng, 4)]);
        n += snprintf(csv + n, capacity - (size_t)n, "%.2f,%d,%s,%d,%s,%s,%d,%.0f,%s\n",
                      income, age, schools[school], years[school],
                      sizes[owi_rng_below(&rng, 3)], town, (int)owi_rng_below(&rng, 4),
                      debt, score > 0.0 ? "yes" : "no");
    }
    return csv;
}

ow_test_model ow_test_applicants(ow_context *ctx, ow_leaf_choice leaves)
{
    static const char *const ordinal[] = {"size=small|middle|large"};
    const ow_train_options train = quick(leaves);
    char *csv = ow_test_applicants_csv(600);
    const ow_test_model m =
        ow_test_model_from_csv(ctx, csv, "granted",
                               &(ow_infer_options){.size = sizeof(ow_infer_options),
                                                   .ordinal = ordinal,
                                                   .n_ordinal = 1},
                               &train);
    free(csv);
    return m;
}

void ow_test_model_free(ow_test_model *m)
{
    ow_model_free(m->model);
    ow_table_free(m->table);
    *m = (ow_test_model){0};
}
