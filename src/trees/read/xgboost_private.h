/* SPDX-License-Identifier: MIT */
/* What the XGBoost reader's files share. */
#ifndef OWI_XGBOOST_PRIVATE_H
#define OWI_XGBOOST_PRIVATE_H

#include "trees/read/document.h"
#include "trees/trees_private.h"

/* The number lists of a tree that matter. */
enum {
    list_left,
    list_right,
    list_feature,
    list_condition,
    list_default_left,
    list_type,
    list_categories,
    list_category_nodes,
    list_category_starts,
    list_category_sizes,
    n_tree_lists
};

/* Lists of the whole model. */
enum { list_group, list_iteration, list_weight, n_model_lists };

typedef struct {
    double *numbers;
    size_t n, capacity;
} owi_number_list;

typedef struct {
    ow_trees *trees;
    owi_document document;
    owi_number_list tree[n_tree_lists], model[n_model_lists], offsets, values;
    owi_file_node *nodes;
    size_t node_capacity;
    uint32_t seen_model, seen_tree, seen_object; /* bits of keys */
    char *booster, *base_text;
    char **names; /* feature names and types, in the order of the file */
    char **types;
    size_t n_names, n_types, name_capacity, type_capacity;
    double n_classes, n_features, n_targets, n_parallel, n_trees, leaf_size;
    double n_listed;       /* categories of the tree that a node has listed so far */
    double best_iteration; /* NaN: none */
    double version[3];
    size_t n_encodings;
} owi_xgboost;

typedef ow_status (*owi_xgboost_field)(owi_xgboost *x, const owi_token *key);

/* The next value must be an object: calls field for each of its keys, which reads the
 * value. */
ow_status owi_xgboost_object(owi_xgboost *x, const char *what, owi_xgboost_field field);
/* The same where the opening bracket is read already. */
ow_status owi_xgboost_fields(owi_xgboost *x, owi_xgboost_field field);
/* The next value must be a list of objects: calls item for each, behind its opening
 * bracket. */
ow_status owi_xgboost_each(owi_xgboost *x, const char *what,
                           ow_status (*item)(owi_xgboost *x));
/* Fails if the bit is set already, else sets it. */
ow_status owi_xgboost_once(owi_xgboost *x, uint32_t *seen, unsigned bit, const char *name);
/* A number, or a text that is one. */
ow_status owi_xgboost_number(owi_xgboost *x, const char *name, double *number);
ow_status owi_xgboost_text(owi_xgboost *x, const char *name, char **text);
ow_status owi_xgboost_list(owi_xgboost *x, const char *name, owi_number_list *list);

/* The next value is the list "trees", or the list "enc" of category names. */
ow_status owi_xgboost_read_trees(owi_xgboost *x);
ow_status owi_xgboost_read_encodings(owi_xgboost *x);

/* When all is read: groups, base scores, iterations, names. */
ow_status owi_xgboost_finish(owi_xgboost *x);

#endif
