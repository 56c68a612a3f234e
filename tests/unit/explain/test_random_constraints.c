/* SPDX-License-Identifier: MIT */
/* Hundreds of random sets of constraints, every method on each: nothing is ever broken, and
 * what is said of rows without an answer is true, which is seen by leaving out the
 * constraint that is named. */
#include "support/explain_fixture.h"

#include "base/compiler.h"
#include "base/numeric/rng.h"

/* Under the sanitizers, which look for other faults and take ten times as long, a tenth of
 * them. */
#if defined(OWI_ASAN)
enum { n_sets = 30 };
#else
enum { n_sets = 300 };
#endif
enum { rows_each = 2, most_rules = 8, rule_size = 96 };

/* A set as the command line has it, one rule each. */
typedef struct {
    size_t n;
    char rules[most_rules][rule_size];
    ow_explain_options options;
} rule_set;

/* ---- Making them ---- */

static void add_rule(rule_set *set, const char *format, ...) OWI_PRINTF(2, 3);
static void add_rule(rule_set *set, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(set->rules[set->n++], rule_size, format, arguments);
    va_end(arguments);
}

static void add_allowed(rule_set *set, owi_rng *rng, const ow_column *column)
{
    char text[rule_size];
    int length = snprintf(text, sizeof text, "allow %s=", column->name);
    bool any = false;
    for (size_t k = 0; k < column->n_levels; k++) {
        if (owi_rng_below(rng, 2) == 0 && (any || k + 1 < column->n_levels)) continue;
        length += snprintf(text + length, sizeof text - (size_t)length, "%s%s",
                           any ? "|" : "", column->levels[k]);
        any = true;
    }
    add_rule(set, "%s", text);
}

/* One column's rule, of a kind that it can have. */
static void add_column_rule(rule_set *set, owi_rng *rng, const ow_column *column)
{
    const size_t kind = owi_rng_below(rng, 4);
    if (kind == 0) {
        add_rule(set, "immutable %s", column->name);
    } else if (column->n_levels > 0 && kind < 3) {
        add_allowed(set, rng, column);
    } else if (column->type == OW_TYPE_CATEGORICAL) {
        add_rule(set, "immutable %s", column->name);
    } else if (kind == 1 || column->n_levels > 0) {
        add_rule(set, "monotone %s=%s", column->name,
                 owi_rng_below(rng, 2) == 0 ? "up" : "down");
    } else {
        const int low = (int)column->low, width = (int)(column->high - column->low);
        const int from = low + (int)owi_rng_below(rng, (size_t)width);
        const int to = from + (int)owi_rng_below(rng, (size_t)width);
        if (owi_rng_below(rng, 3) == 0)
            add_rule(set, "range %s=%d:", column->name, from);
        else
            add_rule(set, "range %s=%d:%d", column->name, from, to);
    }
}

static rule_set random_set(const ow_test_model *m, uint64_t seed)
{
    const ow_schema *schema = ow_model_schema(m->model);
    rule_set set = {.options = ow_test_explain_defaults()};
    owi_rng rng;
    owi_rng_init(&rng, seed, 77);
    const size_t density = 1 + owi_rng_below(&rng, 4);
    for (size_t j = 0; j < m->n_columns && set.n < most_rules - 2; j++)
        if (owi_rng_below(&rng, 5) < density)
            add_column_rule(&set, &rng, ow_schema_column(schema, j));
    if (owi_rng_below(&rng, 3) == 0)
        add_rule(&set, "max-changes %d", 1 + (int)owi_rng_below(&rng, 4));
    if (owi_rng_below(&rng, 4) == 0) set.options.least_proba = 0.75;
    set.options.density_required = owi_rng_below(&rng, 4) == 0;
    return set;
}

/* Two of them, one rule left out; without: most_rules for none. */
static ow_constraints *make_rules(const ow_test_model *m, const rule_set *set,
                                  size_t without)
{
    ow_constraints *rules = ow_test_rules(m, NULL);
    for (size_t i = 0; i < set->n; i++)
        if (i != without) assert_ok(ow_test_add_rules(rules, set->rules[i]));
    return rules;
}

/* ---- Looking at answers with other eyes ---- */

/* Whether one rule holds, from its text. */
static bool rule_holds(const ow_schema *schema, const char *rule, const double *query,
                       const double *values, size_t n_changes)
{
    char name[32] = "", value[rule_size] = "", shown[64];
    if (sscanf(rule, "max-changes %31s", name) == 1) return n_changes <= (size_t)atoi(name);
    assert_true(sscanf(rule, "%*s %31[^=]=%95[^\n]", name, value) >= 1);
    size_t j;
    assert_ok(ow_schema_find_column(schema, name, &j));
    const double from = query[j], to = values[j];
    if (from == to || (isnan(from) && isnan(to))) return true;
    if (isnan(from) || isnan(to) || rule[0] == 'i') return false;
    if (rule[0] == 'm') return strcmp(value, "up") == 0 ? to > from : to < from;
    if (rule[0] == 'r') {
        const char *high = strchr(value, ':') + 1;
        return to >= atof(value) && (*high == '\0' || to <= atof(high));
    }
    ow_schema_print_value(schema, j, to, shown, sizeof shown);
    for (char *level = strtok(value, "|"); level != NULL; level = strtok(NULL, "|"))
        if (strcmp(level, shown) == 0) return true;
    return false;
}

/* What holds of every answer: grid, range, known combinations of linked columns; returns
 * the number of changes. */
static size_t assert_possible(const ow_test_model *m, const double *query,
                              const double *values)
{
    const ow_schema *schema = ow_model_schema(m->model);
    size_t n_changes = 0, school, years;
    assert_ok(ow_schema_find_column(schema, "school", &school));
    assert_ok(ow_schema_find_column(schema, "years", &years));
    for (size_t j = 0; j < m->n_columns; j++) {
        const ow_column *column = ow_schema_column(schema, j);
        const double from = query[j], to = values[j];
        if (from == to || (isnan(from) && isnan(to))) continue;
        n_changes += j != years;
        assert_false(isnan(from) || isnan(to));
        if (column->n_levels > 0) {
            assert_true(to >= 0.0 && to < (double)column->n_levels && to == floor(to));
            continue;
        }
        const double scale = pow(10.0, column->decimals);
        assert_true(fabs(to * scale - round(to * scale)) < 1e-6);
    }
    if (values[school] == query[school]) {
        assert_true(values[years] == query[years]);
    } else {
        bool seen = false;
        for (size_t i = 0; i < m->n_rows && !seen; i++)
            seen = m->values[i * m->n_columns + school] == values[school] &&
                   m->values[i * m->n_columns + years] == values[years];
        assert_true(seen);
    }
    return n_changes;
}

/* Class and probability by another road than the explainer's. */
static void assert_class(const ow_test_model *m, ow_predictor *predictor,
                         const rule_set *set, const ow_outcome *outcome,
                         const ow_counterfactual *answer)
{
    int32_t predicted;
    double posterior[2];
    const ow_predictions wanted = {.size = sizeof wanted,
                                   .classes = &predicted,
                                   .proba = posterior};
    assert_ok(ow_predictor_predict(predictor, 1, answer->values, NULL, &wanted));
    assert_int_equal(predicted, answer->predicted);
    assert_close(answer->proba, posterior, 2, 1e-5);
    const double p = posterior[(size_t)outcome->target];
    if (answer->valid) {
        assert_int_equal(answer->predicted, outcome->target);
        assert_true(p >= set->options.least_proba - 1e-6);
    } else {
        assert_true(answer->predicted != outcome->target ||
                    p <= set->options.least_proba + 1e-6);
    }
    (void)m;
}

/* The outcome of one row, with some rule left out. */
static ow_outcome_kind explain_without(const ow_test_model *m, const char *method,
                                       const rule_set *set, size_t without,
                                       ow_explain_options options, size_t row)
{
    ow_explainer *explainer = ow_test_explainer(m, method);
    ow_constraints *rules = make_rules(m, set, without);
    ow_explanation *explanation = NULL;
    options.explain_failure = false;
    options.first_row = row;
    assert_ok(ow_explainer_explain(explainer, rules, &options, 1,
                                   m->values + row * m->n_columns, NULL, &explanation));
    const ow_outcome_kind kind = ow_explanation_outcome(explanation, 0)->kind;
    ow_explanation_free(explanation);
    ow_constraints_free(rules);
    ow_explainer_free(explainer);
    return kind;
}

/* A row without an answer: the reason, and what it says of constraints. */
static void assert_reason(const ow_test_model *m, const char *method, const rule_set *set,
                          const ow_outcome *outcome, size_t row)
{
    assert_true(outcome->reason != OW_REASON_NONE);
    ow_explain_options options = set->options;
    size_t without = most_rules;
    if (outcome->blocking != NULL && strncmp(outcome->blocking, "prob ", 5) == 0) {
        options.least_proba = 0.0;
    } else if (outcome->blocking != NULL &&
               strncmp(outcome->blocking, "min-density ", 12) == 0) {
        assert_string_equal(outcome->blocking, "min-density q25");
        assert_int_equal(outcome->reason, OW_REASON_DENSITY_UNREACHABLE);
        options.density_required = false;
    } else if (outcome->blocking != NULL) {
        assert_int_equal(outcome->reason, OW_REASON_CONSTRAINTS_INFEASIBLE);
        for (without = 0; without < set->n; without++)
            if (strcmp(set->rules[without], outcome->blocking) == 0) break;
        assert_true(without < set->n);
    } else if (outcome->reason == OW_REASON_CONSTRAINTS_INFEASIBLE) {
        const rule_set none = {.options = set->options};
        assert_int_equal(explain_without(m, method, &none, 0, options, row),
                         OW_OUTCOME_FOUND);
        return;
    } else {
        if (outcome->reason == OW_REASON_NOT_FLIPPED && outcome->n_answers > 0)
            assert_false(outcome->answers[0]->valid);
        if (outcome->reason == OW_REASON_DENSITY_UNREACHABLE)
            assert_true(outcome->answers[0]->valid && !outcome->answers[0]->dense);
        return;
    }
    assert_int_not_equal(explain_without(m, method, set, without, options, row),
                         OW_OUTCOME_NOT_FOUND);
}

typedef struct {
    size_t n_rows, n_found, n_blocked;
} tally;

static void try_set(const ow_test_model *m, ow_predictor *predictor,
                    ow_explainer *explainer, uint64_t seed, tally *t)
{
    const ow_schema *schema = ow_model_schema(m->model);
    const char *method = ow_explainer_method(explainer)->name;
    rule_set set = random_set(m, seed);
    ow_constraints *rules = make_rules(m, &set, most_rules);
    ow_explanation *explanation = NULL;
    const size_t first = seed * 7 % (m->n_rows - rows_each);
    const double *values = m->values + first * m->n_columns;
    set.options.first_row = first;
    assert_ok(ow_explainer_explain(explainer, rules, &set.options, rows_each, values, NULL,
                                   &explanation));
    for (size_t i = 0; i < rows_each; i++) {
        const ow_outcome *outcome = ow_explanation_outcome(explanation, i);
        const double *query = values + i * m->n_columns;
        for (size_t k = 0; k < outcome->n_answers; k++) {
            const ow_counterfactual *answer = outcome->answers[k];
            const size_t n_changes = assert_possible(m, query, answer->values);
            assert_int_equal(answer->violations, 0);
            assert_int_equal(answer->distance.l0, n_changes);
            for (size_t r = 0; r < set.n; r++)
                assert_true(
                    rule_holds(schema, set.rules[r], query, answer->values, n_changes));
            assert_class(m, predictor, &set, outcome, answer);
        }
        if (outcome->kind == OW_OUTCOME_FOUND)
            assert_true(outcome->answers[0]->valid &&
                        (outcome->answers[0]->dense || !set.options.density_required));
        if (outcome->kind == OW_OUTCOME_NOT_FOUND)
            assert_reason(m, method, &set, outcome, first + i);
        t->n_rows += outcome->kind != OW_OUTCOME_ALREADY_TARGET;
        t->n_found += outcome->kind == OW_OUTCOME_FOUND;
        t->n_blocked += outcome->blocking != NULL;
    }
    ow_explanation_free(explanation);
    ow_constraints_free(rules);
}

static void nothing_is_broken_and_every_reason_is_true(void **state)
{
    ow_test_model m = ow_test_applicants(ow_test_context(state), OW_LEAVES_AUTO);
    ow_predictor *predictor = NULL;
    assert_ok(ow_predictor_new(m.model, NULL, &predictor));
    for (size_t k = 0; ow_method_get(k) != NULL; k++) {
        ow_explainer *explainer = ow_test_explainer(&m, ow_method_get(k)->name);
        tally t = {0};
        for (uint64_t seed = 0; seed < n_sets * ow_test_scale(); seed++)
            try_set(&m, predictor, explainer, seed, &t);
        print_message("%s: %zu rows, %zu answered, %zu blocked by one constraint\n",
                      ow_method_get(k)->name, t.n_rows, t.n_found, t.n_blocked);
        assert_true(t.n_found > 0 && t.n_blocked > 0);
        ow_explainer_free(explainer);
    }
    ow_predictor_free(predictor);
    ow_test_model_free(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        ow_test_on_heap(nothing_is_broken_and_every_reason_is_true),
    };
    return cmocka_run_group_tests_name("explain/random_constraints", tests, NULL, NULL);
}
