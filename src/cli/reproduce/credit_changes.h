/* SPDX-License-Identifier: MIT */
/* The paper's table of perturbations: what each method does to three categories of three
 * applicants. */
#ifndef CLI_CREDIT_CHANGES_H
#define CLI_CREDIT_CHANGES_H

#include "reproduce/study.h"

/* The table and what it shows about two-step on the page; the table as perturbations.csv
 * too. */
ow_status credit_changes_show(reproduction *r, const study_seed *s);

#endif
