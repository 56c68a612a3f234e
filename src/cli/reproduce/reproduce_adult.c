/* SPDX-License-Identifier: MIT */
/* Adult: both of its files, a missing value as a level of its own, numbers standardised and
 * categories one-hot. */
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reproduce/study.h"
#include "terminal/message.h"
#include "terminal/text_build.h"

static const char header[] =
    "age,workclass,fnlwgt,education,education_num,marital_status,occupation,relationship,"
    "race,"
    "sex,capital_gain,capital_loss,hours_per_week,native_country,income\n";
static const study_pair pairs[] = {{"<=50K", ">50K"}, {">50K", "<=50K"}};
static const study_paper paper = {.log_density = {-114.20, -96.99, -96.26, -96.42},
                                  .success = {1.00, 0.93, 0.50, 0.99},
                                  .seconds = {52, 57, 1722, 10},
                                  .accuracy = 0.74};

/* A line of the published files as a line of ours: no blanks, ? is a level, no full stop at
 * the end.  False for what is no row. */
static bool convert_line(const char *line, FILE *out)
{
    size_t n_fields = 1;
    for (const char *at = line; *at != '\0'; at++) n_fields += *at == ',';
    if (n_fields != 15) return false;
    for (const char *at = line; *at != '\0'; at++) {
        if (*at == ' ' || *at == '\r' || *at == '\n' || *at == '.') continue;
        if (*at == '?')
            fputs("unknown", out);
        else
            fputc(*at, out);
    }
    fputc('\n', out);
    return true;
}

static bool convert_file(const reproduction *r, const char *name, FILE *out)
{
    char *path = text_add(NULL, "%s/adult/%s", r->data, name);
    char line[1024];
    FILE *in = fopen(path, "r");
    if (in == NULL) message(OW_LOG_ERROR, "cannot open %s: %s", path, strerror(errno));
    while (in != NULL && fgets(line, sizeof line, in) != NULL) convert_line(line, out);
    const bool done = in != NULL && ferror(in) == 0;
    if (in != NULL) fclose(in);
    free(path);
    return done;
}

/* Both files as one CSV in memory. */
static bool join_files(const reproduction *r, char **csv, size_t *size)
{
    FILE *out = open_memstream(csv, size);
    if (out == NULL) return false;
    fputs(header, out);
    const bool done =
        convert_file(r, "adult.data", out) && convert_file(r, "adult.test", out);
    return fclose(out) == 0 && done;
}

static ow_status run(reproduction *r)
{
    static const char *const dropped[] = {"fnlwgt"};
    study_plan plan = {.title = "Adult, 48842 people, 13 columns",
                       .pairs = pairs,
                       .n_pairs = sizeof pairs / sizeof *pairs,
                       .paper = &paper,
                       .training = study_paper_training(19, 20, true),
                       .most_known = 5000,
                       .cem_steps = {"7000", NULL}, /* the appendix's, for this table */
                       .ablate = true,
                       .network_seeds = SIZE_MAX};
    study_usual_sizes(&plan, 10);
    study_rows rows = {0};
    study_seed first = {0};
    char *csv = NULL;
    study_source source = {.path = "adult",
                           .infer = {.label = "income",
                                     .scaling = OW_SCALE_STANDARD,
                                     .scaling_given = true,
                                     .drop = dropped,
                                     .n_drop = 1}};
    ow_status status = OW_ERR_IO;
    r->complained = !join_files(r, &csv, &source.size);
    if (!r->complained) {
        source.bytes = csv;
        status = study_rows_read(r, &source, &rows);
    }
    if (status == OW_OK) status = study_run(r, &plan, &rows, &first);
    study_seed_close(&first);
    study_rows_clear(&rows);
    free(csv);
    return status;
}

const reproduce_spec reproduce_adult = {
    .name = "adult",
    .summary = "Adult (census income): tables",
    .title = "Adult",
    .lead = "The paper's experiment on census data, its figures beside ours.",
    .dataset = "adult",
    .tunes = true,
    .run = run,
};
