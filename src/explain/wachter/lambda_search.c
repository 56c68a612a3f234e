/* SPDX-License-Identifier: MIT */
#include "explain/wachter/lambda_search.h"

#include <math.h>

enum { sweep_rounds = 8 };

void owi_lambda_begin(owi_lambda_search *search, double first)
{
    *search = (owi_lambda_search){.lambda = first, .missing = INFINITY};
}

/* Never negative: a product of positive numbers, or the mean of two. */
bool owi_lambda_next(owi_lambda_search *search, bool hit, int64_t n_halvings)
{
    search->n_rounds++;
    if (hit)
        search->hitting = search->lambda;
    else
        search->missing = search->lambda;
    if (search->hitting > 0.0 && isfinite(search->missing)) {
        if (search->n_halvings >= n_halvings) return false;
        search->n_halvings++;
        search->lambda = 0.5 * (search->hitting + search->missing);
        return true;
    }
    if (search->n_rounds >= sweep_rounds || search->lambda == 0.0) return false;
    search->lambda *= hit ? 10.0 : 0.1;
    return true;
}
