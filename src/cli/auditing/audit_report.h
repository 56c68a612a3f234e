/* SPDX-License-Identifier: MIT */
/* The figures of an audit, and how they are printed. */
#ifndef CLI_AUDIT_REPORT_H
#define CLI_AUDIT_REPORT_H

#include "auditing/audit_answers.h"
#include "auditing/audit_groups.h"
#include "output/asked.h"

/* A share with its 95 % interval (Wilson), and the test against all other rows. */
typedef struct {
    size_t k, n;
    double share, low, high; /* NaN, 0 and 1 for n = 0 */
    double p;                /* adjusted by Holm over all tests of the audit */
} audit_share;

typedef struct {
    audit_share refused;     /* of all rows of the group          */
    audit_share way;         /* of the refused ones: with a way   */
    audit_share only_locked; /* of the refused ones; not tested   */
    audit_share in_way;      /* likewise: a locked column is in the way */
    double changes;          /* mean number of changes; NaN: no way  */
    double effort;           /* mean l1 */
    double effort_p;         /* rank-sum test against the others; adjusted */
} audit_figures;

enum { audit_most_actions = 10 };

typedef struct {
    const audit_table *table;
    const audit_groups *groups;
    const audit_answers *answers;
    const char *file, *target;
    const asked *question;
    size_t smallest;
    audit_figures whole, *of; /* of: one for each group */
    size_t n_tests;
    audit_action actions[audit_most_actions];
    size_t n_actions, n_looked;
} audit_report;

/* Computes all figures; freed by audit_report_clear. */
void audit_report_make(audit_report *report);
void audit_report_clear(audit_report *report);

/* Whether a difference from the other rows is told. */
bool audit_differs(double p);

void audit_report_print(const audit_report *report);
void audit_report_json(const audit_report *report);
void audit_report_csv(const audit_report *report);
/* As a page; an exit code, after saying what went wrong. */
int audit_report_page(ow_context *ctx, const audit_report *report);

/* Names of a group, of the columns that it is made by, and of an action's value; freed by
 * the caller. */
char *audit_name_group(const audit_report *r, const audit_group *g);
char *audit_name_columns(const audit_report *r, const audit_group *g);
char *audit_value_text(const audit_report *r, const audit_action *a);
/* The first group after `from` that is made by other columns. */
size_t audit_next_columns(const audit_report *r, size_t from);

#endif
