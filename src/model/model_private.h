/* SPDX-License-Identifier: MIT */
/* The inside of ow_model. */
#ifndef OWI_MODEL_PRIVATE_H
#define OWI_MODEL_PRIVATE_H

#include "circuit/structure/circuit.h"
#include "classifier/classifier.h"
#include "model/column_plan.h"
#include "model/foreign/foreign.h"
#include "model/train/tally.h"
#include "network/mlp.h"
#include "otherwise/model.h"

/* Reference figures: how many of each are kept. */
enum {
    owi_n_quantiles = 32,
    owi_most_seen = 256,
    owi_n_samples = 2000,       /* of a class, at most                               */
    owi_most_sampled = 8000000, /* numbers in the samples of all classes, 32 MB     */
    owi_least_samples = 100,    /* of a class, however wide                          */
    owi_most_densities = 65536
};

/* Of one class. */
typedef struct {
    size_t n_densities;
    float *densities; /* log S(x given c) of rows of the class, ascending      */
    size_t n_samples;
    float *samples;       /* n_samples x circuit columns                      */
    double robust_margin; /* class_limits.h; 0: not known                     */
} owi_class_figures;

/* Circuits of the same sizes that were learned from other samples of the training rows
 * (train/replicas.h); none in models of versions before 0.3. */
typedef struct {
    size_t n;
    char *packed; /* file/model_file_replicas.c */
} owi_replicas;

struct ow_model {
    ow_context *ctx;
    ow_schema *schema;
    owi_plan plan; /* borrows the schema */
    ow_circuit *circuit;
    double *cutoffs;      /* (classes); NULL: the most probable class is decided */
    double *log_cutoffs;  /* likewise: cutoffs.h                              */
    owi_foreign *foreign; /* that decides; NULL: the network or the circuit does */
    owi_mlp *network;     /* that decides; NULL: the circuit does */
    owi_replicas replicas;
    owi_class_figures *classes; /* one for each class       */
    ow_column_figures *columns; /* one for each column      */
    double *column_values;      /* what those lend          */
    double *class_limits;       /* (classes, columns, 2): class_limits.h; NULL: not known */
    char *training;             /* JSON text                */
    ow_train_report report;
    ow_quality quality; /* report.unseen            */
    size_t *confusion;
};

/* A model that owns the schema and has an empty plan; all else for the caller to fill. */
ow_status owi_model_new(ow_schema *schema, ow_context *ctx, ow_model **out);

/* Copies n circuits, of the sizes of the model's own, to be its replicas. */
ow_status owi_replicas_pack(ow_model *model, size_t n, ow_circuit *const *circuits);
/* The replica of this number as a circuit, which the caller frees. */
ow_status owi_replica_new(const ow_model *model, size_t number, ow_circuit **out);
void owi_replicas_free(ow_model *model);

/* Log-loss and accuracy of the deciding classifier over all rows of the source, into score;
 * and each of its decisions into the tally, unless NULL. */
ow_status owi_model_score_decisions(const owi_call *call, const ow_model *model,
                                    const ow_row_source *source, const char *backend,
                                    ow_score *score, owi_tally *tally);

/* Figures of the columns, from a sample of training rows.  drops: without codes, and with
 * what is usual in each class (class_limits.h). */
ow_status owi_model_set_columns(ow_model *model, const owi_call *call, bool drops,
                                const owi_row_sample *sample);
/* Figures of the classes, in the place of those that there may be: densities of all rows of
 * the source, and samples of the circuit, no more than so many of each class. */
ow_status owi_model_set_classes(const owi_call *call, ow_model *model,
                                const ow_row_source *source, size_t most_samples,
                                const char *backend);
/* Only the samples: for a circuit without training rows.  Their densities stand for the
 * rows'. */
ow_status owi_model_set_samples(const owi_call *call, ow_model *model, const char *backend);

/* A classifier of the model's rows as values; the form's columns and how to make values
 * from soft rows are filled in. */
ow_status owi_model_classifier_of(const ow_model *model, const owi_value_form *form,
                                  void *user, bool is_proba, ow_classifier **out);
/* log_proba (n x classes) of n rows of values, by whatever form of them the classifier
 * reads; soft is room for n soft rows. */
ow_status owi_model_classify(const owi_call *call, const ow_model *model,
                             ow_classifier *classifier, size_t n, const double *values,
                             float *soft, double *log_proba);

#endif
