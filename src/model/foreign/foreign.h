/* SPDX-License-Identifier: MIT */
/* A model of another package that decides for a model of ours; the circuit gives the
 * density.  Kinds: trees (trees.h). */
#ifndef OWI_FOREIGN_H
#define OWI_FOREIGN_H

#include "base/call.h"
#include "model/foreign/matched_trees.h"

typedef enum { OWI_FOREIGN_TREES } owi_foreign_kind;
/* "trees"; NULL past the last. */
const char *owi_foreign_kind_name(int kind);

typedef struct owi_foreign {
    ow_context *ctx;
    owi_foreign_kind kind;
    char *path;    /* of its file, as it was given           */
    char *package; /* "XGBoost 3.2.0"                        */
    char sha256[OW_SHA256_SIZE];
    /* the file itself, unpacked, where the model keeps it; else NULL */
    char *bytes;
    size_t n_bytes;
    char **classes; /* their names in the order of the package; NULL: sorted */
    size_t n_classes;
    owi_score_limit limit;
    ow_trees *trees;
} owi_foreign;

/* Reads the file that the options name. */
ow_status owi_foreign_load(const owi_call *call, const ow_foreign *options,
                           owi_foreign **out);
/* Reads the file again that a model of ours remembers by path and sum, or the bytes that it
 * keeps.  A path that is not absolute is looked for from the working folder, then from the
 * folder of the model file called `beside`.  Another file under that name is refused. */
ow_status owi_foreign_recall(owi_foreign *foreign, const char *beside);
/* Does nothing for NULL. */
void owi_foreign_free(owi_foreign *foreign);

/* The schema with a label whose classes are what the model decides: for rows without
 * label.  *schema is replaced. */
ow_status owi_foreign_set_label(const owi_foreign *foreign, ow_schema **schema);
/* Matches columns, levels and classes; the caller frees *out. */
ow_status owi_foreign_match(const owi_foreign *foreign, const ow_schema *schema,
                            owi_matched_trees **out);
/* Sets the spread of a limit from predictions of rows (n x columns of the schema). */
ow_status owi_foreign_set_spread(owi_foreign *foreign, const ow_schema *schema, size_t n,
                                 const double *values);

#endif
