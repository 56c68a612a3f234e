/* SPDX-License-Identifier: MIT */
/* The names that stand in a .ow file (doc/format.md), for its writer and its reader alike; and the part of the reader that
 * stands by itself. */
#ifndef OWI_MODEL_FILE_H
#define OWI_MODEL_FILE_H

#include "model/model_private.h"
#include "model/safetensors.h"

/* What this version writes, and the newest that it reads. */
#define OWI_MODEL_FORMAT  "otherwise-model"
#define OWI_MODEL_VERSION 1

#define OWI_KEY_FORMAT   "format"
#define OWI_KEY_VERSION  "format_version"
#define OWI_KEY_SCHEMA   "schema"
#define OWI_KEY_ENCODING "encoding"
#define OWI_KEY_CIRCUIT  "circuit"
#define OWI_KEY_TRAINING "training"

#define OWI_TENSOR_PRIOR     "circuit.log_prior"
#define OWI_TENSOR_START     "circuit.region_start"
#define OWI_TENSOR_COLUMNS   "circuit.region_columns"
#define OWI_TENSOR_SHIFT     "circuit.shift"
#define OWI_TENSOR_LEAF      "circuit.leaf"
#define OWI_TENSOR_WEIGHT    "circuit.log_weight"
#define OWI_TENSOR_FIGURES   "columns.figures"
#define OWI_TENSOR_QUANTILES "columns.quantiles"
#define OWI_TENSOR_SEEN      "columns.seen"
#define OWI_TENSOR_COUNTS    "classes.counts"
#define OWI_TENSOR_CONFUSION "classes.confusion"
#define OWI_TENSOR_DENSITIES "classes.log_densities"
#define OWI_TENSOR_SAMPLES   "classes.samples"

/* columns.figures is (columns, 5): low, high, mad, number of quantiles, number of seen values. */
enum { owi_n_column_figures = 5 };

/* What a file asks for was refused: the same sentence, with the file's name before it, as OW_ERR_FORMAT. */
ow_status owi_model_file_blame(const owi_safetensors *file, ow_status status);

/* Fills the reference figures of a model that has its plan and circuit. */
ow_status owi_model_read_figures(const owi_safetensors *file, ow_model *model);

#endif
