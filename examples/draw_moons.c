/* SPDX-License-Identifier: MIT */
/* Makes two moons of 300 points and draws them with letters.
 *
 *     $ draw_moons 0.05
 *
 *                  o ooooo  o
 *              oooo oooooooooo  o
 *           oooo              o oo
 *         oooo                  ooooo            x
 *         ooo          xx         oo            xxxx
 *        ooo           xx         oooo            x
 *        o o          xxx          ooo          xxx
 *       ooo            xxx x        ooo        xxxx
 *        o               xxx         o        xx
 *                         xxxx             xxxxx
 *                          xxx xx xx xxxx xxx x
 *                              x xxxxxxx xx
 *
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <otherwise/otherwise.h>

enum { n_points = 300, width = 48, height = 14 };

static void draw(const double *points, const int32_t *classes)
{
    char picture[height][width + 1];
    memset(picture, ' ', sizeof picture);
    for (size_t i = 0; i < n_points; i++) {
        /* x from -1.25 to 2.25, y from 1.25 at the top to -0.75 */
        const double column = (points[2 * i] + 1.25) / 3.5 * width;
        const double row = (1.25 - points[2 * i + 1]) / 2.0 * height;
        if (column >= 0 && column < width && row >= 0 && row < height)
            picture[(size_t)row][(size_t)column] = "ox"[classes[i]];
    }
    for (size_t row = 0; row < height; row++) printf("%.*s\n", width, picture[row]);
}

int main(int argc, char **argv)
{
    double points[2 * n_points];
    int32_t classes[n_points];
    ow_context *ctx = NULL;

    if (argc != 2) return fprintf(stderr, "usage: %s NOISE\n", argv[0]), 2;
    const double noise = strtod(argv[1], NULL);
    ow_status st = ow_context_new(NULL, &ctx);
    if (st == OW_OK)
        st = ow_synthetic_make(ctx, OW_SYNTHETIC_MOONS, n_points, 2, noise, 1, points,
                               classes);
    if (st == OW_OK)
        draw(points, classes);
    else
        fprintf(stderr, "%s\n", ow_error_message());
    ow_context_free(ctx);
    return st == OW_OK ? 0 : 1;
}
