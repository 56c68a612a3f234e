/* SPDX-License-Identifier: MIT */
/* otherwise: what would have to be different for a classifier to decide otherwise?
 *
 * This header includes all of the core library, libotherwise.  Explaining comes first; the
 * others are listed in the order in which a program usually needs them:
 *
 *     explain.h     counterfactual explanations of a model's decisions
 *     explain_stream.h  the same for all rows of a reader, one after the other
 *     evaluate.h    several methods compared on the same rows, by every metric
 *     json.h        explanations, evaluations, models and predictions as JSON
 *     model.h       train a model, predict with it, read and write its file
 *     classifier.h  a classifier of your own in place of the model's
 *     trees.h       models of XGBoost and LightGBM, read and evaluated
 *     data.h        rows from files and from memory, tables, splits
 *     arrow.h       rows from Arrow streams
 *     schema.h      what the columns of a table mean, and which of them may change
 *     schema_builder.h  a schema made or changed by a program
 *     encode.h      rows in original units to numbers and back
 *     circuit.h     the probabilistic circuit: evaluate, differentiate, sample
 *     learn.h       learning a circuit from rows
 *     team.h        several processes that train one model together
 *     param.h       parameters and options described by tables
 *     file.h        files that appear whole or not at all
 *     call.h        one call: progress, cancelling, time limit, seed, threads
 *     context.h     memory, messages, and the threads that calls share
 *     status.h      whether a call worked, and the sentence that says why not
 *
 * Two more headers belong to the second library, libotherwise-report, and are included by
 * name:
 *
 *     report.h      pictures: a circuit's structure, images before and after, PNG files
 *     page.h        reports as one HTML file
 *
 * Conventions.  Functions are named ow_<noun>_<verb>, getters ow_<noun>_<what they give>
 * (with get_ where a type already has that name).  Every enumeration has a prefix of its
 * own.  An object that new, open, load, infer or another constructor gives you is yours to
 * free; a pointer that a getter returns is lent by its object.  Arguments come in the order
 * self (or the context), inputs, outputs.  Arrays belong to the caller and are row-major.
 * Every status must be checked.
 *
 * Structs.  An options struct begins with its size: set it to sizeof the struct, or call
 * the struct's init function, which also fills in the defaults.  Later versions append
 * fields, and programs built against this one keep working.  Structs that the library
 * lends through a pointer may grow likewise: use them where they are.  All others never
 * change. */
#ifndef OTHERWISE_OTHERWISE_H
#define OTHERWISE_OTHERWISE_H

#include "otherwise/arrow.h"
#include "otherwise/call.h"
#include "otherwise/circuit.h"
#include "otherwise/classifier.h"
#include "otherwise/context.h"
#include "otherwise/data.h"
#include "otherwise/encode.h"
#include "otherwise/evaluate.h"
#include "otherwise/explain.h"
#include "otherwise/explain_stream.h"
#include "otherwise/file.h"
#include "otherwise/json.h"
#include "otherwise/learn.h"
#include "otherwise/model.h"
#include "otherwise/param.h"
#include "otherwise/schema.h"
#include "otherwise/schema_builder.h"
#include "otherwise/status.h"
#include "otherwise/team.h"
#include "otherwise/trees.h"

#endif
