/* SPDX-License-Identifier: MIT */
/* What the model decides of each row, and whether there is a way to the target. */
#ifndef CLI_AUDIT_ANSWERS_H
#define CLI_AUDIT_ANSWERS_H

#include "auditing/audit_groups.h"
#include "otherwise/explain.h"

typedef struct {
    size_t n_rows, n_refused;
    bool *refused;       /* n_rows: the model does not say the target */
    bool *has_way;       /* n_rows: an answer was found */
    size_t *n_changes;   /* n_rows: columns that it changes */
    double *effort;      /* n_rows: its distance l1 */
    bool *locked_in_way; /* n_rows: no answer, but one without a locked column */
    bool *only_locked;   /* n_rows: another value of one locked column alone is enough */
    size_t *n_changed;   /* n_columns: answers that change the column */
    size_t *n_locked;    /* n_columns: rows of only_locked where this column is one */
} audit_answers;

/* What is asked. */
typedef struct {
    const ow_model *model;
    ow_explainer *explainer;
    const ow_constraints *rules;
    const ow_explain_options *options; /* with a target */
    const char *backend;
} audit_question;

/* An exit code, after saying what went wrong; either way audit_answers_clear. */
int audit_answers_find(const audit_question *question, const audit_table *table,
                       const ow_call *call, audit_answers *answers);
void audit_answers_clear(audit_answers *answers);

/* One change that every row could be asked for: this column becomes this value. */
typedef struct {
    size_t column;
    double value;
    size_t n_served; /* refused rows that it makes the target, without those before it */
} audit_action;

/* The few actions that together serve most refused rows: again and again the one that
 * serves most of those that none before it serves.  At most `most`; each serves at least
 * one in a hundred.  Each alone is enough for the rows that it serves, and keeps the
 * constraints; how typical the changed row is is not looked at.  *n_looked gets the number
 * of refused rows that were looked at, the first ones of more than 2000.  A status of the
 * library. */
ow_status audit_actions_find(const audit_question *question, const audit_table *table,
                             const audit_answers *answers, const ow_call *call, size_t most,
                             audit_action *actions, size_t *n, size_t *n_looked);

#endif
