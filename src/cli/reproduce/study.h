/* SPDX-License-Identifier: MIT */
/* One data set of the paper: rows, a split and a model for each seed, every method on the
 * same queries, and tables with the paper's figures beside ours. */
#ifndef CLI_STUDY_H
#define CLI_STUDY_H

#include "reproduce/reproduce.h"

typedef struct {
    const char *from, *to; /* classes */
} study_pair;

/* The paper's figures for Wachter, CEM, FACE and its own method. */
enum { study_n_paper = 4 };
typedef struct {
    double log_density[study_n_paper], success[study_n_paper], seconds[study_n_paper];
    double accuracy; /* negative: the paper does not say                                */
} study_paper;

/* Which methods run together: on the same queries, of as many seeds, with one file of
 * results. */
typedef enum {
    STUDY_FAST, /* two-step, guided, FACE, nearest                                  */
    STUDY_WACHTER_PAPER,
    STUDY_CEM_PAPER,
    STUDY_WACHTER_REFERENCE,
    STUDY_CEM_REFERENCE,
    STUDY_FACE_REFERENCE
} study_group_name;
enum { study_n_groups = STUDY_FACE_REFERENCE + 1 };

typedef struct {
    const char *title; /* of the data, for the page                              */
    const study_pair *pairs;
    size_t n_pairs;
    const study_paper *paper;
    ow_train_options training; /* seed and split apart                             */
    size_t most_known;    /* training rows that methods, judge and neighbours see; 0: all */
    const char *variant;  /* the model's name where it is not the study's own; else NULL */
    bool ablate;          /* two-step's parts one by one                              */
    size_t network_seeds; /* of a network that decides; SIZE_MAX: all                 */
    const char *note;     /* said beside every table; NULL: nothing                  */
    /* Queries of each group: 0 leaves it out, SIZE_MAX is all. */
    size_t whole[study_n_groups], quick[study_n_groups];
    const char *cem_steps[2]; /* of the presets paper and reference; NULL: theirs     */
    bool tuning;              /* queries are a fifth of the training rows, see study_seed */
} study_plan;

/* The paper's circuit: R repetitions of I inputs, one circuit for each class, Gaussian
 * leaves of variance 1 on one-hot columns whose levels may part.  Everything that would
 * change with the program's own defaults is said here.  Learned by full EM, or for many
 * rows in batches. */
ow_train_options study_paper_training(int64_t repetitions, int64_t inputs, bool many_rows);

/* All queries, 500 and 100; quick: 200, and so many for Wachter and CEM in the paper's
 * settings. */
void study_usual_sizes(study_plan *plan, size_t quick_slow);

/* The name of a file that a later run need not make again, "work/model-shared-17.ow"; a
 * quick run has files of its own.  Freed by the caller. */
char *study_work_name(const reproduction *r, const study_plan *plan, const char *what,
                      size_t seed, const char *ending);

/* Rows in memory. */
typedef struct {
    ow_reader *reader;
    ow_schema *schema;
    ow_table *table;
} study_rows;

/* A category whose levels keep the order given, in place of the sorted one. */
typedef struct {
    const char *column;
    size_t n_levels;
    const char *const *levels;
} study_order;

typedef struct {
    const char *path;
    const void *bytes; /* or these, already in memory; NULL: the path              */
    size_t size;
    ow_read_options read;
    ow_infer_options infer;
    const char *const *classes; /* rows of these only; NULL: all                    */
    size_t n_classes;
    const study_order *orders; /* of categories; NULL: all are sorted                */
    size_t n_orders;
} study_source;

ow_status study_rows_read(const reproduction *r, const study_source *source,
                          study_rows *rows);
void study_rows_clear(study_rows *rows);

/* ---- One seed ---- */

/* The split 70/30, what the methods are asked, and the model once it is needed.  Where the
 * plan is for tuning no test row is looked at: a fifth of the training rows is held out
 * from learning and asked. */
typedef struct {
    const study_rows *rows;
    size_t seed;     /* the experiment's own is 0                               */
    bool *held_out;  /* not learned from                                          */
    ow_model *model; /* NULL: not needed so far                                   */
    size_t n_queries;
    size_t *number;  /* of the row in the table, from 0                           */
    double *queries; /* n_queries x columns                                       */
    int32_t *targets;
    size_t n_known;
    double *known;
    int32_t *known_classes;
} study_seed;

ow_status study_seed_open(reproduction *r, const study_plan *plan, const study_rows *rows,
                          size_t seed, study_seed *s);
/* The model, if it is not there yet: trained, or loaded if an earlier run has left it below
 * work/. */
ow_status study_seed_need_model(reproduction *r, const study_plan *plan, study_seed *s);
/* The model's file is not needed again: everything that was asked of it is kept. */
void study_seed_drop_model(const reproduction *r, const study_plan *plan,
                           const study_seed *s);
void study_seed_close(study_seed *s);

/* What a method answers to n queries of the study's own kind; closed also after a
 * failure. */
typedef struct {
    ow_explainer *explainer;
    ow_explanation *explanation;
} study_answers;
ow_status study_answers_open(reproduction *r, const study_seed *s,
                             const ow_contestant *method, size_t n, const double *queries,
                             const int32_t *targets, study_answers *answers);
/* The first answer to a query, in schema columns; NULL: none was found. */
const double *study_answer_values(const study_answers *answers, size_t query);
void study_answers_close(study_answers *answers);

/* ---- Results ---- */

/* A method's figures, one for each metric (ow_metric_get); NaN: none. */
typedef struct {
    char *name;       /* "two-step:paper"                                         */
    double n_queries; /* asked, already of the class not counted                  */
    double *figures;
} study_result;

typedef struct {
    ow_score model; /* on the rows held out                                       */
    size_t n;
    study_result *results;
} study_results;

size_t study_n_metrics(void);

typedef struct {
    const char *name; /* of the file below work/                              */
    const ow_contestant *methods;
    size_t n_methods;
    size_t most_queries; /* evenly over the pairs; SIZE_MAX: all                    */
    bool alone; /* no known rows: neither background nor judge nor neighbours       */
} study_group;

/* Runs a group of methods, or takes what an earlier run has kept of it below work/. */
ow_status study_group_run(reproduction *r, const study_plan *plan, study_seed *s,
                          const study_group *group, study_results *results);
void study_results_clear(study_results *results);

/* The methods of a group with the plan's own settings.  Fills in all but the number of
 * queries; settings has room for two. */
study_group study_group_get(const study_plan *plan, study_group_name name,
                            ow_contestant methods[4], ow_setting settings[2]);

/* A group where a neural network decides and the circuit is the density beside it; its
 * results are named so. */
ow_status study_network_run(reproduction *r, const study_plan *plan, const study_rows *rows,
                            size_t seed, const study_group *group, study_results *results);

/* Two-step with its parts exchanged one by one, as a table on the page and as
 * ablation.csv. */
ow_status study_ablation_show(reproduction *r, const study_plan *plan,
                              const study_rows *rows);

/* The appendix's cross-validation of structure and methods: tables on the page, and
 * tuning.csv. */
ow_status study_tuning_show(reproduction *r, const study_plan *plan,
                            const study_rows *rows);

/* The whole: as many seeds as the experiment has, all groups, the tables on the page and as
 * results.csv.  first, the study of the first seed, is left open with its model for the
 * pictures; the caller closes it. */
ow_status study_run(reproduction *r, const study_plan *plan, const study_rows *rows,
                    study_seed *first);

#endif
