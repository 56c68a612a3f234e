/* SPDX-License-Identifier: MIT */
/* otherwise: what would have to be different for a classifier to decide
 * otherwise?
 *
 * Include this header for everything, or the one you need:
 *
 *     status.h    whether a call worked, and the sentence that says why not
 *     circuit.h   the density and classifier: evaluate, differentiate
 *     context.h   memory, messages, progress, threads, seed
 *     schema.h    what the columns of a table mean
 *     data.h      rows from CSV, IDX and NPY files; splits; synthetic sets
 *     evaluate.h  methods compared: one experiment, every metric
 *     encode.h    rows in original units to numbers and back
 *     file.h      files that appear whole or not at all
 *     learn.h     circuits from rows
 *     model.h     what a .ow file holds: training, predicting, reading and writing it
 *     report.h    pictures for people
 *
 * Conventions.  Functions are ow_<noun>_<verb>.  What new, open, load or infer
 * gives you, you free; what a getter returns is lent.  Arguments come in the
 * order self, inputs, outputs.  Arrays belong to the caller and are row-major.
 * Every status must be checked. */
#ifndef OTHERWISE_OTHERWISE_H
#define OTHERWISE_OTHERWISE_H

#include "otherwise/circuit.h"
#include "otherwise/classifier.h"
#include "otherwise/context.h"
#include "otherwise/data.h"
#include "otherwise/encode.h"
#include "otherwise/evaluate.h"
#include "otherwise/explain.h"
#include "otherwise/file.h"
#include "otherwise/learn.h"
#include "otherwise/model.h"
#include "otherwise/page.h"
#include "otherwise/report.h"
#include "otherwise/schema.h"
#include "otherwise/status.h"

#endif
