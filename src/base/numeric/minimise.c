/* SPDX-License-Identifier: MIT */
#include "base/numeric/minimise.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "base/error.h"
#include "base/memory/alloc.h"
#include "base/memory/sizes.h"

enum { n_pairs = 8, most_halvings = 20 };
static const double least_share = 1e-4; /* of the gain that the slope promises */

/* The last steps and what they changed of the gradient, in a ring. */
typedef struct {
    size_t n, have, newest;
    double *step, *change; /* (n_pairs, n) */
} history;

static double dot(size_t n, const double *a, const double *b)
{
    double sum = 0.0;
    for (size_t i = 0; i < n; i++) sum += a[i] * b[i];
    return sum;
}

/* a += factor b */
static void add(size_t n, double factor, const double *b, double *a)
{
    for (size_t i = 0; i < n; i++) a[i] += factor * b[i];
}

/* direction = -H gradient, with H the inverse Hessian that the pairs suggest (two-loop
 * recursion). */
static void find_direction(const history *past, const double *gradient, double *direction)
{
    const size_t n = past->n;
    double alpha[n_pairs];
    for (size_t i = 0; i < n; i++) direction[i] = -gradient[i];
    if (past->have == 0) return;
    for (size_t k = 0; k < past->have; k++) {
        const size_t m = (past->newest + n_pairs - k) % n_pairs;
        const double *s = past->step + m * n, *y = past->change + m * n;
        alpha[m] = dot(n, s, direction) / dot(n, s, y);
        add(n, -alpha[m], y, direction);
    }
    const double *last = past->change + past->newest * n;
    const double scale = dot(n, past->step + past->newest * n, last) / dot(n, last, last);
    for (size_t i = 0; i < n; i++) direction[i] *= scale;
    for (size_t k = past->have; k-- > 0;) {
        const size_t m = (past->newest + n_pairs - k) % n_pairs;
        const double *s = past->step + m * n, *y = past->change + m * n;
        add(n, alpha[m] - dot(n, y, direction) / dot(n, s, y), s, direction);
    }
}

/* Keeps the pair from x to next, unless the function is not curved upwards there. */
static void remember(history *past, const double *x, const double *next,
                     const double *gradient, const double *next_gradient)
{
    const size_t n = past->n, slot = (past->newest + 1) % n_pairs;
    double *step = past->step + slot * n, *change = past->change + slot * n;
    for (size_t i = 0; i < n; i++) {
        step[i] = next[i] - x[i];
        change[i] = next_gradient[i] - gradient[i];
    }
    if (!(dot(n, step, change) > 1e-10 * dot(n, change, change))) return;
    past->newest = slot;
    past->have = owi_smaller(past->have + 1, n_pairs);
}

typedef struct {
    owi_slope_fn slope;
    void *user;
    size_t n;
    double *gradient, *direction, *next, *next_gradient;
    history past;
} descent;

/* One step from x, halved until it gains what it should; *gain is 0 where none does. */
static ow_status step_down(descent *d, double *x, double *value, double *gain)
{
    const size_t n = d->n;
    *gain = 0.0;
    find_direction(&d->past, d->gradient, d->direction);
    const double down = dot(n, d->direction, d->gradient);
    if (!(down < 0.0)) return OW_OK;
    double length = d->past.have > 0 ? 1.0 : fmin(1.0, 1.0 / sqrt(-down));
    for (size_t i = 0; i < most_halvings; i++, length *= 0.5) {
        double next_value;
        memcpy(d->next, x, n * sizeof *x);
        add(n, length, d->direction, d->next);
        OWI_TRY(d->slope(d->user, d->next, &next_value, d->next_gradient));
        if (!(next_value <= *value + least_share * length * down)) continue;
        remember(&d->past, x, d->next, d->gradient, d->next_gradient);
        memcpy(x, d->next, n * sizeof *x);
        memcpy(d->gradient, d->next_gradient, n * sizeof *x);
        *gain = *value - next_value;
        *value = next_value;
        return OW_OK;
    }
    return OW_OK;
}

ow_status owi_minimise(ow_context *ctx, owi_slope_fn slope, void *user, size_t n,
                       size_t most_steps, double enough, double *x)
{
    double *work = NULL, value, gain;
    size_t size;
    if (owi_size_multiply(n, 4 + 2 * n_pairs, &size))
        work = owi_alloc_array(ctx, size, sizeof *work);
    if (work == NULL) return OW_ERR_MEMORY;
    descent d = {.slope = slope,
                 .user = user,
                 .n = n,
                 .gradient = work,
                 .direction = work + n,
                 .next = work + 2 * n,
                 .next_gradient = work + 3 * n,
                 .past = {.n = n,
                          .newest = n_pairs - 1,
                          .step = work + 4 * n,
                          .change = work + (4 + n_pairs) * n}};
    ow_status status = slope(user, x, &value, d.gradient);
    for (size_t i = 0; i < most_steps && status == OW_OK; i++) {
        status = step_down(&d, x, &value, &gain);
        if (!(gain > enough)) break;
    }
    owi_free(ctx, work);
    return status;
}
