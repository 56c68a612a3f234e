/* SPDX-License-Identifier: MIT */
/* Points in the plane whose classes are known.  Row i has class c = i mod C and draws from
 * random stream i alone, so more rows never change the first ones.  With t uniform in [0,
 * 1) and e_x, e_y normal with deviation `noise`, (x, y) = curve(c, t) + (e_x, e_y):
 *
 *     moons   c = 0   (cos pi t, sin pi t)
 *             c = 1   (1 - cos pi t, 1/2 - sin pi t)
 *     rings           (c + 1) / C * (cos 2 pi t, sin 2 pi t)
 *     blobs           (cos 2 pi c / C, sin 2 pi c / C) */
#include <math.h>

#include "base/error.h"
#include "base/numeric/rng.h"
#include "otherwise/data.h"

static const double pi = 3.14159265358979323846264338327950288;

/* curve(c, t), above. */
static void point_on_curve(ow_synthetic_kind kind, double c, double n_classes, double t,
                           double point[2])
{
    double angle = 0.0, radius = 1.0;
    switch (kind) {
    case OW_SYNTHETIC_MOONS:
        angle = pi * t;
        break;
    case OW_SYNTHETIC_RINGS:
        angle = 2.0 * pi * t;
        radius = (c + 1.0) / n_classes;
        break;
    case OW_SYNTHETIC_BLOBS:
        angle = 2.0 * pi * c / n_classes;
        break;
    }
    point[0] = radius * cos(angle);
    point[1] = radius * sin(angle);
    if (kind == OW_SYNTHETIC_MOONS && c > 0.0) {
        point[0] = 1.0 - point[0];
        point[1] = 0.5 - point[1];
    }
}

ow_status ow_synthetic_make(ow_context *ctx, ow_synthetic_kind kind, size_t n_rows,
                            size_t n_classes, double noise, uint64_t seed, double *points,
                            int32_t *classes)
{
    OWI_REQUIRE(ctx != NULL && points != NULL && classes != NULL);
    OWI_REQUIRE(kind == OW_SYNTHETIC_MOONS || kind == OW_SYNTHETIC_RINGS ||
                kind == OW_SYNTHETIC_BLOBS);
    if (kind == OW_SYNTHETIC_MOONS && n_classes != 2)
        return owi_fail(OW_ERR_ARGUMENT, "moons with %zu classes, expected 2", n_classes);
    if (n_classes < 2 || n_classes > INT32_MAX)
        return owi_fail(OW_ERR_ARGUMENT, "%zu classes, expected 2 to %d", n_classes,
                        INT32_MAX);
    if (!(noise >= 0.0 && isfinite(noise)))
        return owi_fail(OW_ERR_ARGUMENT, "the noise is %g, expected 0 or more", noise);

    for (size_t i = 0; i < n_rows; i++) {
        owi_rng rng;
        owi_rng_init(&rng, seed, owi_rng_stream(OWI_DRAWS_SYNTHETIC, i));
        double *point = points + 2 * i;
        const size_t c = i % n_classes;
        point_on_curve(kind, (double)c, (double)n_classes, owi_rng_uniform(&rng), point);
        point[0] += noise * owi_rng_normal(&rng);
        point[1] += noise * owi_rng_normal(&rng);
        classes[i] = (int32_t)c;
    }
    return OW_OK;
}
