/* SPDX-License-Identifier: MIT */
/* Explainers and constraints in one line. */
#ifndef OW_EXPLAIN_FIXTURE_H
#define OW_EXPLAIN_FIXTURE_H

#include "support/model_fixture.h"

/* An explainer for the model's own decisions, with the rows that it was learned from for
 * background; methods that take many steps take few. */
ow_explainer *ow_test_explainer(const ow_test_model *m, const char *method);
void ow_test_make_quick(ow_explainer *explainer);

/* Constraints as the command line has them, separated by "; ":
 *     "immutable age; vary income; range debt=0:10; allow town=Bonn|Celle;
 *      monotone age=up; max-changes 2"
 * An end of a range may be left out.  NULL or "": the schema's own.  Asserts that they are
 * good. */
ow_constraints *ow_test_rules(const ow_test_model *m, const char *text);
/* The same, returning what the first one that fails returns. */
ow_status ow_test_add_rules(ow_constraints *rules, const char *text);

#endif
