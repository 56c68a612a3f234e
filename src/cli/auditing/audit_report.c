/* SPDX-License-Identifier: MIT */
#include "auditing/audit_report.h"

#include <math.h>
#include <stdlib.h>

#include "auditing/audit_tests.h"
#include "terminal/memory.h"

enum { tests_of_a_group = 3 };

bool audit_differs(double p)
{
    return p < 0.05;
}

static audit_share make_share(size_t k, size_t n)
{
    audit_share s = {.k = k, .n = n, .p = 1.0};
    s.share = n > 0 ? (double)k / (double)n : NAN;
    audit_wilson(k, n, &s.low, &s.high);
    return s;
}

/* has NULL: all rows. */
static audit_figures count(const audit_answers *a, const bool *has)
{
    size_t n = 0, refused = 0, way = 0, only = 0, in_way = 0, changes = 0;
    double effort = 0.0;
    for (size_t i = 0; i < a->n_rows; i++) {
        if (has != NULL && !has[i]) continue;
        n++;
        refused += a->refused[i];
        way += a->has_way[i];
        only += a->only_locked[i];
        in_way += a->locked_in_way[i];
        changes += a->n_changes[i];
        effort += a->effort[i];
    }
    return (audit_figures){.refused = make_share(refused, n),
                           .way = make_share(way, refused),
                           .only_locked = make_share(only, refused),
                           .in_way = make_share(in_way, refused),
                           .changes = (double)changes / (double)way,
                           .effort = effort / (double)way,
                           .effort_p = 1.0};
}

/* The group's efforts against those of all other rows. */
static double test_effort(const audit_answers *a, const bool *has)
{
    double *inside = memory_new(a->n_rows + 1, sizeof *inside);
    double *outside = memory_new(a->n_rows + 1, sizeof *outside);
    size_t n = 0, m = 0;
    for (size_t i = 0; i < a->n_rows; i++) {
        if (!a->has_way[i]) continue;
        if (has[i])
            inside[n++] = a->effort[i];
        else
            outside[m++] = a->effort[i];
    }
    const double p = audit_rank_sum(inside, n, outside, m);
    free(inside);
    free(outside);
    return p;
}

void audit_report_make(audit_report *r)
{
    const size_t G = r->groups->n;
    double *p = memory_new(tests_of_a_group * G + 1, sizeof *p);
    r->of = memory_new(G + 1, sizeof *r->of);
    r->n_tests = tests_of_a_group * G;
    r->whole = count(r->answers, NULL);
    for (size_t g = 0; g < G; g++) {
        const bool *has = r->groups->groups[g].has;
        audit_figures *f = &r->of[g];
        *f = count(r->answers, has);
        p[tests_of_a_group * g] =
            audit_fisher(f->refused.k, f->refused.n, r->whole.refused.k - f->refused.k,
                         r->whole.refused.n - f->refused.n);
        p[tests_of_a_group * g + 1] =
            audit_fisher(f->way.k, f->way.n, r->whole.way.k - f->way.k,
                         r->whole.way.n - f->way.n);
        p[tests_of_a_group * g + 2] = test_effort(r->answers, has);
    }
    audit_holm(p, r->n_tests);
    for (size_t g = 0; g < G; g++) {
        r->of[g].refused.p = p[tests_of_a_group * g];
        r->of[g].way.p = p[tests_of_a_group * g + 1];
        r->of[g].effort_p = p[tests_of_a_group * g + 2];
    }
    free(p);
}

void audit_report_clear(audit_report *r)
{
    free(r->of);
}
