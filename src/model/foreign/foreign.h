/* SPDX-License-Identifier: MIT */
/* A model of another package that decides for a model of ours; the circuit gives the
 * density.  Kinds: trees (trees.h), and programs (model_command.h),
 * and ONNX (onnx_model.h). */
#ifndef OWI_FOREIGN_H
#define OWI_FOREIGN_H

#include "base/call.h"
#include "classifier/classifier.h"
#include "model/foreign/matched_trees.h"
#include "model/foreign/model_command.h"
#include "model/foreign/onnx_model.h"

typedef enum { OWI_FOREIGN_TREES, OWI_FOREIGN_COMMAND, OWI_FOREIGN_ONNX } owi_foreign_kind;
/* "trees", "command", "onnx"; NULL past the last. */
const char *owi_foreign_kind_name(int kind);

typedef struct owi_foreign {
    ow_context *ctx;
    owi_foreign_kind kind;
    char *path;                  /* of its file, as it was given; or the command */
    char *package;               /* "XGBoost 3.2.0", "program"             */
    char sha256[OW_SHA256_SIZE]; /* "" of a command          */
    /* the file itself, unpacked, where the model keeps it; else NULL */
    char *bytes;
    size_t n_bytes;
    char **classes; /* their names in the order of the package; NULL: sorted */
    size_t n_classes;
    owi_score_limit limit;
    ow_trees *trees;      /* of trees; else NULL                                       */
    owi_command *command; /* NULL until somebody says that it may be started            */
    owi_onnx *onnx;       /* of ONNX; else NULL                                        */
} owi_foreign;

/* A foreign model over the rows of a schema: predict writes P(c given x) in the schema's
 * order of classes. */
typedef struct {
    owi_values_fn predict;
    void (*release)(void *user);
    void *user;
} owi_matched;

/* Reads the file that the options name. */
ow_status owi_foreign_load(const owi_call *call, const ow_foreign *options,
                           owi_foreign **out);
/* Reads the file again that a model of ours remembers by path and sum, or the bytes that it
 * keeps.  A path that is not absolute is looked for from the working folder, then from the
 * folder of the model file called `beside`.  Another file under that name is refused. */
ow_status owi_foreign_recall(owi_foreign *foreign, const char *beside);
/* What a file alone does not do: starting a program.  Fails where run says nothing of it.
 */
ow_status owi_foreign_run(owi_foreign *foreign, const ow_foreign_run *run);
/* Does nothing for NULL. */
void owi_foreign_free(owi_foreign *foreign);

/* The schema with a label whose classes are what the model decides: for rows without
 * label.  *schema is replaced. */
ow_status owi_foreign_set_label(const owi_foreign *foreign, ow_schema **schema);
/* Matches columns, levels and classes; owi_matched_clear.  Both are borrowed. */
ow_status owi_foreign_match(const owi_foreign *foreign, const ow_schema *schema,
                            owi_matched *out);
void owi_matched_clear(owi_matched *matched);
/* The same of trees. */
ow_status owi_foreign_match_trees(const owi_foreign *foreign, const ow_schema *schema,
                                  owi_matched_trees **out);
/* foreign_rows.c: what training rows (n x columns of the schema) tell.  Sets the spread of
 * a limit from predictions; refuses classes in an order that contradicts the names which
 * the model itself gives to rows. */
ow_status owi_foreign_see_rows(const owi_call *call, owi_foreign *foreign,
                               const ow_schema *schema, size_t n, const double *values);

#endif
