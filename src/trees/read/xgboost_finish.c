/* SPDX-License-Identifier: MIT */
/* What an XGBoost file says as a whole, once all of it is read: the objective, the number
 * of scores, where sums begin, how many iterations count, and names. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/memory/alloc.h"
#include "base/memory/sizes.h"
#include "base/text/number.h"
#include "trees/read/xgboost_private.h"

/* How base_score, which is in the units of predictions, becomes a score. */
typedef enum { base_plain, base_logit, base_log } base_kind;

typedef struct {
    const char *name;
    ow_trees_kind kind;
    owi_link link;
    base_kind base;
} objective;

static const objective objectives[] = {
    {"binary:logistic", OW_TREES_BINARY, owi_link_logistic, base_logit},
    {"binary:logitraw", OW_TREES_BINARY, owi_link_logistic, base_plain},
    {"multi:softprob", OW_TREES_MULTICLASS, owi_link_softmax, base_plain},
    {"multi:softmax", OW_TREES_MULTICLASS, owi_link_softmax, base_plain},
    {"reg:logistic", OW_TREES_SCORE, owi_link_logistic, base_logit},
    {"reg:squarederror", OW_TREES_SCORE, owi_link_identity, base_plain},
    {"reg:linear", OW_TREES_SCORE, owi_link_identity, base_plain},
    {"reg:squaredlogerror", OW_TREES_SCORE, owi_link_identity, base_plain},
    {"reg:absoluteerror", OW_TREES_SCORE, owi_link_identity, base_plain},
    {"reg:pseudohubererror", OW_TREES_SCORE, owi_link_identity, base_plain},
    {"reg:quantileerror", OW_TREES_SCORE, owi_link_identity, base_plain},
    {"reg:gamma", OW_TREES_SCORE, owi_link_exp, base_log},
    {"reg:tweedie", OW_TREES_SCORE, owi_link_exp, base_log},
    {"count:poisson", OW_TREES_SCORE, owi_link_exp, base_log},
    {"rank:pairwise", OW_TREES_SCORE, owi_link_identity, base_plain},
    {"rank:ndcg", OW_TREES_SCORE, owi_link_identity, base_plain},
    {"rank:map", OW_TREES_SCORE, owi_link_identity, base_plain},
};

static ow_status find_objective(const owi_xgboost *x, const objective **found)
{
    const char *name = x->trees->objective;
    if (x->booster != NULL && strcmp(x->booster, "gbtree") != 0 &&
        strcmp(x->booster, "dart") != 0)
        return owi_fail(OW_ERR_UNSUPPORTED,
                        "%s: the booster is %s, which has no trees; supported are gbtree "
                        "and dart",
                        x->document.name, x->booster);
    if (name == NULL)
        return owi_fail(OW_ERR_FORMAT, "%s: the model names no objective",
                        x->document.name);
    for (size_t i = 0; i < sizeof objectives / sizeof *objectives; i++)
        if (strcmp(name, objectives[i].name) == 0) {
            *found = &objectives[i];
            return OW_OK;
        }
    return owi_fail(OW_ERR_UNSUPPORTED,
                    "%s: the objective is %s; supported are binary:logistic, "
                    "binary:logitraw, multi:softprob, multi:softmax, reg:*, rank:* and "
                    "count:poisson",
                    x->document.name, name);
}

/* ---- Where sums begin ---- */

/* In float, as XGBoost does it. */
static double base_to_score(base_kind kind, double base)
{
    const float b = (float)base;
    if (kind == base_logit) return (double)-logf(1.0f / b - 1.0f);
    return kind == base_log ? (double)logf(b) : (double)b;
}

/* "5E-1", or "[1E-1,2E-1,...]" with one for each group or one for all. */
static ow_status read_base(owi_xgboost *x, base_kind kind)
{
    const size_t n = x->trees->forest.n_groups;
    const char *p = x->base_text != NULL ? x->base_text : "0.5";
    size_t n_read = 0;
    double *base = x->trees->base = owi_alloc_array(x->trees->ctx, n, sizeof *base);
    if (base == NULL) return OW_ERR_MEMORY;
    if (*p == '[') p++;
    for (; n_read < n && *p != '\0' && *p != ']'; n_read++) {
        const size_t length = strcspn(p, ",]");
        double number;
        if (!owi_parse_number(p, length, &number, NULL)) break;
        base[n_read] = base_to_score(kind, number);
        if (!isfinite(base[n_read])) break;
        p += length + (p[length] == ',');
    }
    if ((*p != '\0' && strcmp(p, "]") != 0) || (n_read != n && n_read != 1))
        return owi_fail(OW_ERR_FORMAT,
                        "%s: base_score is \"%s\", expected one number or %zu",
                        x->document.name, x->base_text, n);
    for (size_t i = n_read; i < n; i++) base[i] = base[0];
    return OW_OK;
}

/* ---- Trees ---- */

static ow_status set_groups(owi_xgboost *x)
{
    owi_forest *forest = &x->trees->forest;
    const owi_number_list *groups = &x->model[list_group];
    const owi_number_list *weights = &x->model[list_weight];
    const bool is_dart = x->booster != NULL && strcmp(x->booster, "dart") == 0;
    if (groups->n != forest->n_trees ||
        (!isnan(x->n_trees) && x->n_trees != (double)forest->n_trees) ||
        (is_dart && weights->n != forest->n_trees))
        return owi_fail(OW_ERR_FORMAT,
                        "%s: the file has %zu trees, but num_trees, tree_info or "
                        "weight_drop say otherwise",
                        x->document.name, forest->n_trees);
    for (size_t t = 0; t < forest->n_trees; t++) {
        owi_tree *tree = &forest->trees[t];
        if (!(groups->numbers[t] >= 0.0 && groups->numbers[t] < (double)forest->n_groups))
            return owi_fail(OW_ERR_FORMAT,
                            "%s: tree %zu belongs to class %g, but there are %zu",
                            x->document.name, t, groups->numbers[t], forest->n_groups);
        tree->group = (uint32_t)groups->numbers[t];
        for (size_t i = 0; is_dart && i < tree->n_leaves; i++) {
            double *leaf = &forest->leaves[tree->first_leaf + i];
            *leaf = (double)((float)*leaf * (float)weights->numbers[t]);
            if (!isfinite(*leaf))
                return owi_fail(OW_ERR_FORMAT, "%s: the weight of tree %zu is not finite",
                                x->document.name, t);
        }
    }
    return OW_OK;
}

/* Early stopping: predict_proba takes the iterations up to the best one. */
static void keep_best_iterations(owi_xgboost *x)
{
    owi_forest *forest = &x->trees->forest;
    const owi_number_list *starts = &x->model[list_iteration];
    const double n_iterations = x->best_iteration + 1.0;
    double n_kept = n_iterations * x->n_parallel * (double)forest->n_groups;
    if (!(n_iterations >= 1.0)) return;
    if (starts->n > 0)
        n_kept = n_iterations < (double)starts->n ? starts->numbers[(size_t)n_iterations]
                                                  : (double)NAN;
    if (n_kept >= 1.0 && n_kept < (double)forest->n_trees) forest->n_trees = (size_t)n_kept;
}

/* ---- Features ---- */

static ow_status check_features(const owi_xgboost *x)
{
    const owi_forest *forest = &x->trees->forest;
    for (size_t t = 0; t < forest->n_trees; t++)
        for (size_t i = 0; i < forest->trees[t].n_splits; i++) {
            const owi_split *split = &forest->splits[forest->trees[t].first_split + i];
            if (split->feature >= forest->n_features)
                return owi_fail(OW_ERR_FORMAT,
                                "%s: tree %zu splits feature %u, but there are %zu",
                                x->document.name, t, split->feature, forest->n_features);
        }
    return OW_OK;
}

static ow_status set_features(owi_xgboost *x)
{
    ow_trees *trees = x->trees;
    if (!(x->n_features >= 1.0 && x->n_features < (double)owi_max_features) ||
        x->n_features != floor(x->n_features))
        return owi_fail(OW_ERR_FORMAT, "%s: num_feature is %g, expected 1 to %d",
                        x->document.name, x->n_features, owi_max_features - 1);
    const size_t n = trees->forest.n_features = (size_t)x->n_features;
    if ((x->n_names != 0 && x->n_names != n) || (x->n_types != 0 && x->n_types != n) ||
        trees->n_features > n)
        return owi_fail(OW_ERR_FORMAT,
                        "%s: there are %zu feature names, %zu feature types and %zu lists "
                        "of categories for %zu features",
                        x->document.name, x->n_names, x->n_types, trees->n_features, n);
    OWI_TRY(check_features(x));
    OWI_TRY(owi_trees_set_features(trees, n));
    for (size_t i = 0; i < n; i++) {
        if (x->n_types != 0) trees->features[i].is_category = strcmp(x->types[i], "c") == 0;
        if (x->n_names == 0) continue;
        trees->features[i].name = x->names[i];
        x->names[i] = NULL;
    }
    return OW_OK;
}

static ow_status set_n_groups(owi_xgboost *x, const objective *o)
{
    const double n = fmax(1.0, fmax(x->n_classes, x->n_targets));
    if (!(n < (double)owi_max_groups) || n != floor(n) ||
        (o->kind == OW_TREES_MULTICLASS && n < 2.0) ||
        (o->kind == OW_TREES_BINARY && n != 1.0))
        return owi_fail(OW_ERR_FORMAT, "%s: %g classes do not go with the objective %s",
                        x->document.name, n, o->name);
    x->trees->forest.n_groups = (size_t)n;
    return OW_OK;
}

ow_status owi_xgboost_finish(owi_xgboost *x)
{
    ow_trees *trees = x->trees;
    const objective *found = NULL;
    OWI_TRY(find_objective(x, &found));
    trees->kind = found->kind;
    trees->link = found->link;
    OWI_TRY(set_n_groups(x, found));
    OWI_TRY(set_groups(x));
    OWI_TRY(read_base(x, found->base));
    keep_best_iterations(x);
    OWI_TRY(set_features(x));
    trees->package = owi_format_text(trees->ctx, "XGBoost %.0f.%.0f.%.0f", x->version[0],
                                     x->version[1], x->version[2]);
    return trees->package != NULL ? OW_OK : OW_ERR_MEMORY;
}
