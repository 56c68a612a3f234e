/* SPDX-License-Identifier: MIT */
/* German credit: the paper's 14 features, numbers brought to [0, 1] and categories one-hot,
 * levels free to part. */
#include <stdint.h>

#include "reproduce/credit_changes.h"
#include "reproduce/study.h"

/* data/credit.csv (cmake/embed.cmake). */
extern const unsigned char owi_embedded_credit_csv[];
extern const size_t owi_embedded_credit_csv_size;

/* What the paper leaves out of the 20. */
static const char *const dropped[] = {"installment_rate", "residence_since",
                                      "existing_credits", "job",
                                      "dependents",       "telephone"};
static const study_pair pairs[] = {{"bad", "good"}, {"good", "bad"}};
static const study_paper paper = {.log_density = {-50.61, -43.55, -43.83, -41.67},
                                  .success = {1.00, 0.87, 0.92, 1.00},
                                  .seconds = {59, 97, 757, 21},
                                  .accuracy = 0.69};

static ow_status run(reproduction *r)
{
    study_plan plan = {.title = "German credit, 1000 applicants, 14 features",
                       .pairs = pairs,
                       .n_pairs = sizeof pairs / sizeof *pairs,
                       .paper = &paper,
                       .training = study_paper_training(40, 33, false),
                       .ablate = true,
                       .network_seeds = SIZE_MAX};
    study_usual_sizes(&plan, 20);
    const study_source source = {.path = "credit.csv",
                                 .bytes = owi_embedded_credit_csv,
                                 .size = owi_embedded_credit_csv_size,
                                 .infer = {.label = "risk",
                                           .scaling = OW_SCALE_MINMAX,
                                           .scaling_given = true,
                                           .drop = dropped,
                                           .n_drop = sizeof dropped / sizeof *dropped}};
    study_rows rows = {0};
    study_seed first = {0};
    ow_status status = study_rows_read(r, &source, &rows);
    if (status == OW_OK) status = study_run(r, &plan, &rows, &first);
    if (status == OW_OK) status = credit_changes_show(r, &first);
    study_seed_close(&first);
    study_rows_clear(&rows);
    return status;
}

const reproduce_spec reproduce_credit = {
    .name = "credit",
    .summary = "German credit: tables, and the perturbations that show the collapse",
    .title = "German credit",
    .lead = "The paper's experiment on credit applicants, its figures beside ours.",
    .tunes = true,
    .run = run,
};
