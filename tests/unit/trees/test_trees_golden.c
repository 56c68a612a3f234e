/* SPDX-License-Identifier: MIT */
/* Models that the real packages trained, and what they predict (tests/golden/trees). */
#include <dirent.h>

#include "base/io/byte_source.h"
#include "base/memory/alloc.h"
#include "base/text/number.h"
#include "support/ow_test.h"
#include "support/test_call.h"
#include "trees/evaluate_trees.h"
#include "trees/trees_private.h"

static const char folder[] = "tests/golden/trees";

enum { most_models = 256, most_rows = 200, n_columns = 11, most_numbers = 16 };

/* rows.csv, and how many rows it has. */
static double rows[most_rows * n_columns];
static size_t n_rows;

static char *read_text(ow_context *ctx, const char *name)
{
    char path[512], *text = NULL;
    size_t size;
    owi_byte_source *source = NULL;
    snprintf(path, sizeof path, "%s/%s", folder, name);
    assert_ok(owi_byte_source_open(ctx, path, NULL, &source));
    assert_ok(owi_byte_source_read_all(source, 1 << 24, &text, &size));
    owi_byte_source_free(source);
    return text;
}

static void read_rows(ow_context *ctx)
{
    char *text = read_text(ctx, "rows.csv");
    const char *p = strchr(text, '\n') + 1;
    for (n_rows = 0; *p != '\0'; n_rows++) {
        assert_true(n_rows < most_rows);
        for (size_t c = 0; c < n_columns; c++) {
            const size_t length = strcspn(p, ",\n");
            double *x = &rows[n_rows * n_columns + c];
            *x = NAN;
            if (length > 0) assert_true(owi_parse_number(p, length, x, NULL));
            assert_true(p[length] == (c + 1 < n_columns ? ',' : '\n'));
            p += length + 1;
        }
    }
    owi_free(ctx, text);
    assert_true(n_rows >= 50);
}

/* The first n_features columns of all rows. */
static double *take_rows(const ow_trees *trees)
{
    const size_t d = ow_trees_n_features(trees);
    double *taken = malloc(n_rows * d * sizeof *taken);
    assert_non_null(taken);
    assert_true(d <= n_columns);
    for (size_t i = 0; i < n_rows; i++)
        for (size_t c = 0; c < d; c++) taken[i * d + c] = rows[i * n_columns + c];
    return taken;
}

/* Models by the file that holds their predictions. */
typedef void (*model_test)(ow_context *ctx, const char *name, const ow_trees *trees);

static void find_model(const char *expected, char *path, size_t size)
{
    static const char *const endings[] = {"json.gz", "ubj.gz", "txt.gz"};
    const int length = (int)(strlen(expected) - strlen("expected.gz"));
    for (size_t i = 0; i < 3; i++) {
        snprintf(path, size, "%s/%.*s%s", folder, length, expected, endings[i]);
        FILE *file = fopen(path, "rb");
        if (file == NULL) continue;
        fclose(file);
        return;
    }
    fail_msg("no model for %s", expected);
}

static void for_each_model(ow_context *ctx, model_test test)
{
    size_t n = 0;
    DIR *list = opendir(folder);
    assert_non_null(list);
    read_rows(ctx);
    for (struct dirent *entry; (entry = readdir(list)) != NULL;) {
        char path[1024];
        ow_trees *trees = NULL;
        if (strstr(entry->d_name, ".expected.gz") == NULL) continue;
        find_model(entry->d_name, path, sizeof path);
        assert_ok(ow_trees_load(ctx, path, NULL, &trees));
        test(ctx, entry->d_name, trees);
        ow_trees_free(trees);
        n++;
    }
    closedir(list);
    assert_true(n >= 60);
}

/* ---- Predictions ---- */

static size_t read_numbers(const char **text, double *numbers)
{
    size_t n = 0;
    while (**text != '\n') {
        const size_t length = strcspn(*text, " \n");
        assert_true(n < most_numbers &&
                    owi_parse_number(*text, length, &numbers[n++], NULL));
        *text += length + ((*text)[length] == ' ');
    }
    ++*text;
    return n;
}

static size_t largest(const double *numbers, size_t n)
{
    size_t best = 0;
    for (size_t i = 1; i < n; i++)
        if (numbers[i] > numbers[best]) best = i;
    return best;
}

/* want: the scores, then the predictions; of two classes the second. */
static void compare_row(const ow_trees *trees, const char *name, const double *scores,
                        const double *predictions, const double *want, size_t n_want)
{
    const size_t n_scores = ow_trees_n_scores(trees);
    const bool is_binary = ow_trees_get_kind(trees) == OW_TREES_BINARY;
    assert_int_equal(n_want, 2 * n_scores);
    assert_close(scores, want, n_scores, 1e-5);
    if (strstr(name, "logitraw") != NULL) return; /* XGBoost gives its scores again */
    if (!is_binary) assert_close(predictions, want + n_scores, n_scores, 1e-6);
    if (ow_trees_get_kind(trees) == OW_TREES_MULTICLASS)
        assert_int_equal(largest(predictions, n_scores),
                         largest(want + n_scores, n_scores));
    if (!is_binary) return;
    assert_close(predictions + 1, want + 1, 1, 1e-6);
    assert_true(fabs(predictions[0] + predictions[1] - 1.0) < 1e-6);
    assert_true((predictions[1] > 0.5) == (want[1] > 0.5));
}

static void compare_predictions(ow_context *ctx, const char *name, const ow_trees *trees)
{
    const size_t C = ow_trees_n_classes(trees), S = ow_trees_n_scores(trees);
    char *text = read_text(ctx, name);
    const char *p = text;
    double *taken = take_rows(trees), want[most_numbers];
    double *scores = malloc(n_rows * S * sizeof *scores);
    double *predictions = malloc(n_rows * C * sizeof *predictions);
    assert_ok(ow_trees_score(trees, n_rows, taken, NULL, scores));
    assert_ok(ow_trees_predict(trees, n_rows, taken, NULL, predictions));
    for (size_t i = 0; i < n_rows; i++) {
        const size_t n = read_numbers(&p, want);
        compare_row(trees, name, scores + i * S, predictions + i * C, want, n);
    }
    assert_true(*p == '\0');
    free(scores);
    free(predictions);
    free(taken);
    owi_free(ctx, text);
}

static void predictions_are_those_of_the_package(void **state)
{
    for_each_model(ow_test_context(state), compare_predictions);
}

/* ---- Kernels ---- */

/* On 1, 2, ..., rows, so that blocks and words end everywhere. */
static void compare_kernels(ow_context *ctx, const char *name, const ow_trees *trees)
{
    const owi_forest *forest = &trees->forest;
    const size_t S = forest->n_groups;
    double *taken = take_rows(trees), *scores = malloc(n_rows * S * sizeof *scores);
    double *walked = malloc(n_rows * S * sizeof *walked);
    const owi_mask_kernel *kernel;
    (void)name;
    for (size_t i = 0; i < n_rows * S; i++) walked[i] = trees->base[i % S];
    owi_forest_walk(forest, 0, forest->n_trees, n_rows, taken, walked);
    for (size_t k = 0; (kernel = owi_mask_kernel_get(k)) != NULL; k++)
        for (size_t n = 1; n <= n_rows; n += n < 4 ? 1 : 23) {
            assert_ok(owi_forest_evaluate(ow_test_call(ctx, NULL), forest,
                                          &trees->conditions, kernel, trees->base, n, taken,
                                          scores));
            assert_memory_equal(scores, walked, n * S * sizeof *scores);
        }
    free(walked);
    free(scores);
    free(taken);
}

static void every_kernel_gives_the_bits_of_the_plain_walk(void **state)
{
    for_each_model(ow_test_context(state), compare_kernels);
}

/* ---- What files say of themselves ---- */

static void load_one(ow_context *ctx, const char *name, ow_trees **trees)
{
    char path[512];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    assert_ok(ow_trees_load(ctx, path, NULL, trees));
}

static void check_names(ow_context *ctx, const char *file, const char *package,
                        bool has_levels)
{
    ow_trees *trees = NULL;
    load_one(ctx, file, &trees);
    assert_string_equal(ow_trees_package(trees), package);
    assert_int_equal(ow_trees_n_features(trees), n_columns);
    assert_string_equal(ow_trees_feature_name(trees, 0), "normal");
    assert_string_equal(ow_trees_feature_name(trees, 9), "shop");
    assert_null(ow_trees_feature_name(trees, 11));
    assert_false(ow_trees_feature_is_category(trees, 7));
    assert_true(ow_trees_feature_is_category(trees, 8));
    assert_int_equal(ow_trees_n_levels(trees, 7), 0);
    assert_int_equal(ow_trees_n_levels(trees, 9), has_levels ? 40 : 0);
    if (has_levels) {
        assert_string_equal(ow_trees_level(trees, 8, 1), "green");
        assert_string_equal(ow_trees_level(trees, 9, 39), "shop 39");
        assert_string_equal(ow_trees_level(trees, 10, 2), "10");
    }
    assert_null(ow_trees_level(trees, 9, 40));
    ow_trees_free(trees);
}

static void names_are_known_where_the_file_has_them(void **state)
{
    ow_context *ctx = ow_test_context(state);
    check_names(ctx, "xgboost_1_7_6_categories.json.gz", "XGBoost 1.7.6", false);
    check_names(ctx, "xgboost_2_0_3_categories_ubj.ubj.gz", "XGBoost 2.0.3", false);
    check_names(ctx, "xgboost_3_2_0_categories.json.gz", "XGBoost 3.2.0", true);
    check_names(ctx, "xgboost_3_2_0_categories_ubj.ubj.gz", "XGBoost 3.2.0", true);
    check_names(ctx, "lightgbm_3_0_0_categories.txt.gz", "LightGBM v3", true);
    check_names(ctx, "lightgbm_4_7_0_categories.txt.gz", "LightGBM v4", true);
}

static void kinds_and_objectives_are_told(void **state)
{
    ow_context *ctx = ow_test_context(state);
    ow_trees *trees = NULL;
    load_one(ctx, "xgboost_3_2_0_parallel.ubj.gz", &trees);
    assert_int_equal(ow_trees_get_kind(trees), OW_TREES_MULTICLASS);
    assert_string_equal(ow_trees_objective(trees), "multi:softprob");
    assert_int_equal(ow_trees_n_classes(trees), 3);
    assert_int_equal(ow_trees_n_trees(trees), 4 * 3 * 2);
    ow_trees_free(trees);
    load_one(ctx, "lightgbm_4_7_0_poisson.txt.gz", &trees);
    assert_int_equal(ow_trees_get_kind(trees), OW_TREES_SCORE);
    assert_string_equal(ow_trees_objective(trees), "poisson");
    assert_int_equal(ow_trees_n_classes(trees), 1);
    ow_trees_free(trees);
}

/* ---- Thresholds ---- */

/* The score of row 0 with feature f at x. */
static double score_at(const ow_trees *trees, const double *taken, size_t f, double x)
{
    double row[n_columns], score[most_numbers];
    memcpy(row, taken, ow_trees_n_features(trees) * sizeof *row);
    row[f] = x;
    assert_ok(ow_trees_score(trees, 1, row, NULL, score));
    return score[0];
}

/* Between two thresholds nothing changes; at a threshold the upper interval begins. */
static void check_thresholds(ow_context *ctx, const char *name, const ow_trees *trees)
{
    double *taken = take_rows(trees);
    (void)ctx;
    (void)name;
    for (size_t f = 0; f < ow_trees_n_features(trees); f++) {
        size_t n;
        const double *t = ow_trees_thresholds(trees, f, &n);
        for (size_t i = 0; i + 1 < n && !ow_trees_feature_is_category(trees, f); i++) {
            const double last = nextafter(t[i + 1], -INFINITY);
            assert_true(t[i] < t[i + 1]);
            const double low = score_at(trees, taken, f, t[i]);
            assert_true(score_at(trees, taken, f, last) == low);
            assert_true(score_at(trees, taken, f, t[i] + (last - t[i]) / 3.0) == low);
        }
        assert_true((t == NULL) == (n == 0));
    }
    free(taken);
}

static void predictions_change_at_thresholds_only(void **state)
{
    for_each_model(ow_test_context(state), check_thresholds);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        ow_test_on_heap(predictions_are_those_of_the_package),
        ow_test_on_heap(every_kernel_gives_the_bits_of_the_plain_walk),
        ow_test_on_heap(names_are_known_where_the_file_has_them),
        ow_test_on_heap(kinds_and_objectives_are_told),
        ow_test_on_heap(predictions_change_at_thresholds_only),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
