/* SPDX-License-Identifier: MIT */
#ifndef OWI_EXPLAIN_SUMMARY_H
#define OWI_EXPLAIN_SUMMARY_H

#include "otherwise/explain_stream.h"

/* Adds the outcome of one more row to a summary, which is all zero before the first. */
void owi_explain_summary_add(ow_explain_summary *summary, const ow_outcome *outcome);

#endif
