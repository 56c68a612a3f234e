/* SPDX-License-Identifier: MIT */
/* What the LightGBM reader's files share. */
#ifndef OWI_LIGHTGBM_PRIVATE_H
#define OWI_LIGHTGBM_PRIVATE_H

#include "base/compiler.h"
#include "trees/trees_private.h"

/* A piece of the file's text. */
typedef struct {
    const char *text;
    size_t length;
} owi_span;

/* The fields of a tree that matter. */
enum {
    field_n_leaves,
    field_n_sets,
    field_feature,
    field_threshold,
    field_decision,
    field_left,
    field_right,
    field_leaf,
    field_bounds,
    field_words,
    field_linear,
    n_tree_fields
};

typedef struct {
    double *numbers;
    size_t n, capacity;
    bool seen;
} owi_lightgbm_field;

typedef struct {
    ow_trees *trees;
    const char *name;
    const char *next, *end; /* text not read yet     */
    size_t line;            /* number of the last one */
    owi_lightgbm_field fields[n_tree_fields];
    owi_file_node *nodes;
    size_t node_capacity;
    size_t n_per_iteration; /* trees */
    bool is_average;
    owi_span feature_names, feature_infos, category_columns, category_names;
} owi_lightgbm;

/* The next line without its end; false at the end of the file. */
bool owi_lightgbm_line(owi_lightgbm *l, owi_span *line);
/* Fails: FILE:LINE: SENTENCE. */
ow_status owi_lightgbm_fail(const owi_lightgbm *l, const char *format, ...)
    OWI_PRINTF(2, 3);
/* Whether the line is KEY=..., and then what stands behind it. */
bool owi_lightgbm_value(owi_span line, const char *key, owi_span *value);
/* The next word of a list, which moves on; false at its end. */
bool owi_lightgbm_word(owi_span *list, char separator, owi_span *word);

/* The lines behind Tree=..., up to an empty one. */
ow_status owi_lightgbm_read_tree(owi_lightgbm *l);
/* Names of features and categories, when all is read. */
ow_status owi_lightgbm_set_names(owi_lightgbm *l);

#endif
