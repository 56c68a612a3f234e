/* SPDX-License-Identifier: MIT */
/* MNIST: digits 1 3 4 7 8 of all 70,000 images, four pairs in both directions; tables, the
 * figure of queries against methods, and the two steps of a 1 that becomes a 7. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reproduce/digit_figures.h"
#include "reproduce/study.h"
#include "terminal/memory.h"
#include "terminal/text_build.h"

static const char *const digits[] = {"1", "3", "4", "7", "8"};
static const study_pair pairs[] = {{"1", "4"}, {"4", "1"}, {"1", "7"}, {"7", "1"},
                                   {"3", "8"}, {"8", "3"}, {"7", "4"}, {"4", "7"}};
static const study_paper paper = {.log_density = {-738.51, -735.13, -733.73, -725.13},
                                  .success = {1.00, 0.90, 0.54, 0.71},
                                  .seconds = {181, 216, 281, 27},
                                  .accuracy = 0.98};

enum { n_pixels = 784, side = 28 };

/* ---- Rows ---- */

/* The images of these digits in one of the two published files. */
static ow_status read_part(reproduction *r, const char *part, study_rows *rows)
{
    char *images = text_add(NULL, "%s/mnist/%s-images-idx3-ubyte.gz", r->data, part);
    char *labels = text_add(NULL, "%s/mnist/%s-labels-idx1-ubyte.gz", r->data, part);
    const study_source source = {.path = images,
                                 .read = {.labels = labels},
                                 .infer = {.label = "label"},
                                 .classes = digits,
                                 .n_classes = sizeof digits / sizeof *digits};
    const ow_status status = study_rows_read(r, &source, rows);
    free(images);
    free(labels);
    return status;
}

/* Both parts as one array below work/, with a file of labels beside it. */
static ow_status write_joined(reproduction *r, const study_rows parts[2],
                              const char *images, const char *labels)
{
    const size_t n[2] = {ow_table_n_rows(parts[0].table), ow_table_n_rows(parts[1].table)};
    const size_t shape[3] = {n[0] + n[1], side, side};
    unsigned char *pixels = memory_new(shape[0], n_pixels);
    char *text = memory_new(shape[0] + 1, 8);
    size_t at = 0, size = 0;
    for (size_t p = 0; p < 2; p++)
        for (size_t i = 0; i < n[p]; i++, at++) {
            const double *row = ow_table_row(parts[p].table, i);
            const int32_t class_index = ow_table_classes(parts[p].table)[i];
            for (size_t j = 0; j < n_pixels; j++)
                pixels[at * n_pixels + j] = (unsigned char)row[j];
            size +=
                (size_t)sprintf(text + size, "%s\n",
                                ow_schema_class_name(parts[p].schema, (size_t)class_index));
        }
    ow_status status = ow_npy_write(r->ctx, images, OW_ELEMENT_UINT8, 3, shape, pixels);
    if (status == OW_OK) status = reproduce_save(r, labels, text, size);
    free(pixels);
    free(text);
    return status;
}

static ow_status read_digits(reproduction *r, study_rows *rows)
{
    study_rows parts[2] = {{0}};
    char *images = reproduce_path(r, "work/digits.npy");
    char *labels = reproduce_path(r, "work/digits.txt");
    ow_status status = reproduce_work_folder(r);
    if (status == OW_OK) status = read_part(r, "train", &parts[0]);
    if (status == OW_OK) status = read_part(r, "t10k", &parts[1]);
    if (status == OW_OK) status = write_joined(r, parts, images, "work/digits.txt");
    study_rows_clear(&parts[0]);
    study_rows_clear(&parts[1]);
    const study_source source = {.path = images,
                                 .read = {.labels = labels},
                                 .infer = {.label = "label"}};
    if (status == OW_OK) status = study_rows_read(r, &source, rows);
    free(images);
    free(labels);
    return status;
}

static ow_status run(reproduction *r)
{
    study_plan plan = {.title = "MNIST, digits 1 3 4 7 8, four pairs in both directions",
                       .pairs = pairs,
                       .n_pairs = sizeof pairs / sizeof *pairs,
                       .paper = &paper,
                       .training = study_paper_training(19, 20, true),
                       .most_known = 2000,
                       .ablate = true,
                       .network_seeds = SIZE_MAX};
    study_usual_sizes(&plan, 4);
    study_rows rows = {0};
    study_seed first = {0};
    ow_status status = read_digits(r, &rows);
    if (status == OW_OK) status = study_run(r, &plan, &rows, &first);
    if (status == OW_OK) status = digit_figures_show(r, &first);
    study_seed_close(&first);
    study_rows_clear(&rows);
    return status;
}

const reproduce_spec reproduce_mnist = {
    .name = "mnist",
    .summary = "MNIST digits: tables, queries against methods, and the two steps",
    .title = "MNIST",
    .lead = "The paper's experiment on handwritten digits, its figures beside ours.",
    .dataset = "mnist",
    .tunes = true,
    .run = run,
};
