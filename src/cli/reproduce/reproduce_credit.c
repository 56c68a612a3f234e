/* SPDX-License-Identifier: MIT */
/* German credit: the paper's 14 columns, numbers brought to [0, 1] and categories one-hot,
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
/* The order of levels decides which columns share a region of the circuit.  It is that of
 * the names in the code book of 1994, sorted, so that the experiment is the same whatever
 * the levels are called (doc/paper.md). */
static const char *const checking_status[] = {"below 0", "no account", "over 200",
                                              "0 to 200"};
static const char *const credit_history[] = {"critical account", "all paid at this bank",
                                             "late in the past", "none or all paid",
                                             "paid duly so far"};
static const char *const purpose[] = {
    "retraining", "radio or television", "repairs",    "used car", "other",
    "business",   "furniture",           "appliances", "vacation", "new car"};
static const char *const savings[] = {"below 100", "100 to 500", "unknown or none",
                                      "500 to 1000", "over 1000"};
static const char *const personal_status[] = {"female not single or male single",
                                              "male divorced", "female single",
                                              "male married or widowed"};
static const char *const property[] = {"savings or insurance", "car or other",
                                       "unknown or none", "real estate"};
static const char *const housing[] = {"own", "rent", "for free"};
static const char *const foreign_worker[] = {"yes", "no"};
#define COUNT(list) (sizeof(list) / sizeof *(list))
static const study_order orders[] = {
    {"checking_status", COUNT(checking_status), checking_status},
    {"credit_history", COUNT(credit_history), credit_history},
    {"purpose", COUNT(purpose), purpose},
    {"savings", COUNT(savings), savings},
    {"personal_status", COUNT(personal_status), personal_status},
    {"property", COUNT(property), property},
    {"housing", COUNT(housing), housing},
    {"foreign_worker", COUNT(foreign_worker), foreign_worker},
};
static const study_pair pairs[] = {{"bad", "good"}, {"good", "bad"}};
static const study_paper paper = {.log_density = {-50.61, -43.55, -43.83, -41.67},
                                  .success = {1.00, 0.87, 0.92, 1.00},
                                  .seconds = {59, 97, 757, 21},
                                  .accuracy = 0.69};

static ow_status run(reproduction *r)
{
    study_plan plan = {.title = "German credit, 1000 applicants, 14 columns",
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
                                           .n_drop = sizeof dropped / sizeof *dropped},
                                 .orders = orders,
                                 .n_orders = sizeof orders / sizeof *orders};
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
