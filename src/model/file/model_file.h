/* SPDX-License-Identifier: MIT */
/* The names that stand in a .ow file (doc/format.md), for its writer and its reader alike;
 * and the part of the reader that stands by itself. */
#ifndef OWI_MODEL_FILE_H
#define OWI_MODEL_FILE_H

#include "model/file/safetensors.h"
#include "model/model_private.h"
#include "model/sheets/sheet_list.h"

/* What this version writes, and the newest that it reads. */
#define OWI_MODEL_FORMAT "otherwise-model"
/* 3: circuits of trees, with sheets, foreign models, cut-offs; 2: with a network; else 1,
 * so that older programs read what they know. */
#define OWI_MODEL_VERSION 3

#define OWI_KEY_FORMAT   "format"
#define OWI_KEY_VERSION  "format_version"
#define OWI_KEY_SCHEMA   "schema"
#define OWI_KEY_ENCODING "encoding"
#define OWI_KEY_CIRCUIT  "circuit"
#define OWI_KEY_TRAINING "training"
#define OWI_KEY_NETWORK  "network"
#define OWI_KEY_FOREIGN  "foreign" /* since 0.3; may be missing */
#define OWI_KEY_CUTOFFS  "cutoffs" /* likewise                  */
#define OWI_KEY_SHEETS   "sheets"  /* likewise                  */

#define OWI_TENSOR_PRIOR     "circuit.log_prior"
#define OWI_TENSOR_START     "circuit.region_start"
#define OWI_TENSOR_COLUMNS   "circuit.region_columns"
#define OWI_TENSOR_PARENTS   "circuit.parents" /* of trees only */
#define OWI_TENSOR_SHIFT     "circuit.shift"
#define OWI_TENSOR_LEAF      "circuit.leaf"
#define OWI_TENSOR_WEIGHT    "circuit.log_weight"
#define OWI_TENSOR_FIGURES   "columns.figures"
#define OWI_TENSOR_QUANTILES "columns.quantiles"
#define OWI_TENSOR_SEEN      "columns.seen"
#define OWI_TENSOR_LIMITS    "classes.limits"        /* since 0.3; may be missing */
#define OWI_TENSOR_ROBUST    "classes.robust_margin" /* likewise                  */
#define OWI_TENSOR_COUNTS    "classes.counts"
#define OWI_TENSOR_CONFUSION "classes.confusion"
#define OWI_TENSOR_DENSITIES "classes.log_densities"
#define OWI_TENSOR_SAMPLES   "classes.samples"

#define OWI_TENSOR_NETWORK_SHIFT "network.shift"
#define OWI_TENSOR_NETWORK_SCALE "network.scale"
#define OWI_TENSOR_FOREIGN       "foreign.file" /* where it is embedded */

/* columns.figures is (columns, 5): low, high, mad, number of quantiles, number of seen
 * values. */
enum { owi_n_column_figures = 5 };

/* What a file asks for was refused: the same sentence, with the file's name before it, as
 * OW_ERR_FORMAT. */
ow_status owi_model_file_blame(const owi_safetensors *file, ow_status status);

/* The circuit's tensors have as many elements as a circuit of this size has. */
ow_status owi_model_file_check_sizes(const owi_safetensors *file,
                                     const ow_circuit_spec *spec);
/* A circuit of trees with the regions of the file, its parameters not read yet.  spec has
 * leaves and no parents.  On failure *out is left to the caller, who frees it. */
ow_status owi_model_read_trees(const owi_safetensors *file, ow_context *ctx,
                               ow_circuit_spec *spec, ow_circuit **out);

/* The network that decides: its sizes as JSON, and its tensors, whose number is returned;
 * names is room for what the layers' are called. */
enum { owi_most_network_tensors = 2 + 2 * owi_mlp_most_layers, owi_tensor_name_size = 32 };
typedef char owi_network_names[2 * owi_mlp_most_layers][owi_tensor_name_size];
ow_status owi_network_format(const owi_mlp *network, char **text);
size_t owi_network_tensors(const owi_mlp *network, owi_network_names names,
                           owi_tensor *tensors);
/* Reads it, if there is one, for a model that has its plan. */
ow_status owi_model_read_network(const owi_safetensors *file, ow_model *model);

/* The tensors of the model's replicas, which it must have. */
enum { owi_n_replica_tensors = 5 };
void owi_replica_tensors(const ow_model *model, owi_tensor *tensors);
/* Reads them, if there are any, for a model that has its circuit. */
ow_status owi_model_read_replicas(const owi_safetensors *file, ow_model *model);

/* The model of another package that decides: what is remembered of it as JSON; and reads
 * both, if there is one, for a model that has its schema.  Its file is read, too. */
ow_status owi_foreign_format(const owi_foreign *foreign, char **text);
ow_status owi_model_read_foreign(const owi_safetensors *file, ow_model *model);

/* The cut-offs of a model that has them, as JSON; and reads them, if there are any. */
ow_status owi_cutoffs_format(const ow_model *model, char **text);
ow_status owi_model_read_cutoffs(const owi_safetensors *file, ow_model *model);

/* The sheets of a model whose circuit has some, as JSON; and reads them into an empty list,
 * if there are any, for a circuit with these leaves. */
ow_status owi_sheets_format(const ow_model *model, char **text);
ow_status owi_model_read_sheets(const owi_safetensors *file, const ow_leaf *leaves,
                                size_t n_columns, owi_sheet_list *list);

/* Fills the reference figures of a model that has its plan and circuit. */
ow_status owi_model_read_figures(const owi_safetensors *file, ow_model *model);

#endif
