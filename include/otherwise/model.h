/* SPDX-License-Identifier: MIT */
/* A model: what a .ow file holds, and all that predicting and explaining need.  Schema and
 * encoding, the circuit, and the reference figures of its training rows, so that no
 * training row is needed any more.
 *
 *     ow_model *model = NULL;
 *     ow_status st = ow_model_load(ctx, "credit.ow", NULL, &model);
 *     ow_predictor *predictor = NULL;
 *     if (st == OW_OK) st = ow_predictor_new(model, NULL, &predictor);
 *     ow_prediction *predictions = calloc(n, sizeof *predictions);
 *     if (st == OW_OK)
 *         st = ow_predict(predictor, n, values, NULL, predictions, NULL, NULL);
 *     free(predictions);
 *     ow_predictor_free(predictor);
 *     ow_model_free(model);
 *
 * Threads: a model is read-only and may be shared; one thread for each predictor. */
#ifndef OTHERWISE_MODEL_H
#define OTHERWISE_MODEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "otherwise/call.h"
#include "otherwise/circuit.h"
#include "otherwise/classifier.h"
#include "otherwise/data.h"
#include "otherwise/file.h"
#include "otherwise/learn.h"
#include "otherwise/param.h"
#include "otherwise/schema.h"
#include "otherwise/status.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ow_model ow_model;
typedef struct ow_predictor ow_predictor;

typedef enum {
    /* categories as categories, numbers as the training rows suggest (doc/method.md) */
    OW_LEAVES_AUTO,
    OW_LEAVES_GAUSSIAN /* the paper's way: all one-hot and Gaussian, variance 1      */
} ow_leaf_choice;

typedef enum { OW_PRIOR_AUTO, OW_PRIOR_UNIFORM, OW_PRIOR_EMPIRICAL } ow_prior_choice;

/* Who decides. */
typedef enum {
    OW_DECIDES_CIRCUIT,
    OW_DECIDES_MLP /* a neural network; the circuit is the density beside it */
} ow_decider;
enum { OW_MOST_HIDDEN = OW_MOST_SIZES };

/* What to train.  Call ow_train_options_init and change what matters; OW_AUTO leaves a size
 * to the rules of doc/method.md. */
enum { OW_AUTO = -1 };

typedef struct {
    size_t size; /* sizeof(ow_train_options) */
    ow_leaf_choice leaves;
    bool split_groups; /* Gaussian leaves: the levels of a category may part */
    ow_structure structure;
    ow_prior_choice prior; /* auto: empirical; uniform for OW_LEAVES_GAUSSIAN  */
    double variance;       /* OW_AUTO; 0: learned; or the number               */
    int64_t depth, repetitions, sums, inputs; /* OW_AUTO, or the number       */
    ow_learner learner;
    int64_t passes, batch; /* OW_AUTO, or the number; batch 0 is full EM       */
    double discriminative; /* OW_AUTO, or the share                            */
    /* OW_AUTO: chosen on held-out rows; rows by which classes are drawn towards the pooled
     * circuit (learn.h) */
    double towards_rows;
    ow_decider decider;
    ow_sizes hidden;     /* units of the network's hidden layers; none: two of 64 units */
    double test_share;   /* rows held out to measure accuracy and density    */
    const bool *is_test; /* or these: one entry for each row; NULL: by share */
    const char *backend; /* NULL: the fastest                                */
} ow_train_options;
OW_API void ow_train_options_init(ow_train_options *options, size_t size);

/* The options as a table: names as on the command line, kinds, ranges, defaults, help; NULL
 * past the last one.  is_test and backend are not among them. */
OW_API const ow_param *ow_train_option_get(size_t index);
/* Sets one of them from text: ow_train_set(&options, "depth", "2").  A name or value that
 * cannot be fails with OW_ERR_ARGUMENT, and a sentence that begins with the name. */
OW_API OW_MUST_CHECK ow_status ow_train_set(ow_train_options *options, const char *name,
                                            const char *value);
/* That all values are in range and go together; training checks it too. */
OW_API OW_MUST_CHECK ow_status ow_train_check(const ow_train_options *options);

/* Calibration: the rows held out, grouped by the probability of the predicted class.  Bin b
 * holds the predictions with probability in [b/10, (b+1)/10).  In a calibrated model, that
 * share of them is correct. */
enum { OW_CALIBRATION_BINS = 10 };
typedef struct {
    size_t n_rows, n_right; /* predictions in the bin, and correct ones among them */
    double probability;     /* mean probability of the predicted class; 0 without rows */
} ow_calibration_bin;
/* The expected calibration error: the mean over the rows of |share right - probability| of
 * their bins; 0 without rows. */
OW_API double ow_calibration_error(const ow_calibration_bin bins[OW_CALIBRATION_BINS]);

/* The results of training, lent by the model; later versions may append fields.
 * confusion[y * n_classes + c] counts the test rows of class y that are predicted as c. */
typedef struct {
    /* On the training rows and on the rows held out; n_rows is 0 where there are none.
     * Log-loss and accuracy are measured on the deciding classifier: the network where
     * there is one, else the circuit. */
    ow_score train, test;
    ow_score circuit_test;   /* the same of the circuit alone, on the rows held out */
    const size_t *confusion; /* n_classes x n_classes */
    /* of the deciding classifier; without rows in files from before version 0.2 */
    ow_calibration_bin calibration[OW_CALIBRATION_BINS];
    double towards_rows; /* pooling (learn.h); negative: not pooled */
    double seconds;      /* that the training took; 0 for a model that was loaded */
} ow_train_report;

/* Learns a model from the rows of a reader under a schema, which is copied.  Rows without
 * label are left out, with a warning.  A call that is stopped once learning has begun
 * gives OW_ERR_CANCELLED *and* the best model so far in *out, measured on some of the
 * rows; every other failure gives NULL.  The reader ends up bound to the schema given.
 * How well the model does is in ow_model_report. */
OW_API OW_MUST_CHECK ow_status ow_model_train(ow_reader *reader, const ow_schema *schema,
                                              const ow_train_options *options,
                                              const ow_call *call, ow_model **out);

/* One size of circuit that tuning tried, and how well it did on the rows held out from it.
 * The struct never changes, since callers have arrays of it. */
typedef struct {
    size_t repetitions, inputs;
    ow_score score;
    /* what is compared: (1 - s) log S(x) - log-loss, s the discriminative share of
     * learning; where that is OW_AUTO, 0.9 for tables, else 0 */
    double value;
} ow_tune_trial;
enum { OW_TUNE_TRIALS = 9 };

/* Tries sizes of circuits by cross-validation on the training rows (the rows that
 * test_share holds out are not touched) and puts the best into options, with the depth; a
 * number of repetitions or inputs that is given there is kept.  Every trial is reported,
 * *best the one that was taken.  With out (not NULL) the model is then trained as by
 * ow_model_train with these options, from the same reading of the rows. */
OW_API OW_MUST_CHECK ow_status ow_model_tune(ow_reader *reader, const ow_schema *schema,
                                             ow_train_options *options, const ow_call *call,
                                             ow_tune_trial trials[OW_TUNE_TRIALS],
                                             size_t *n_trials, size_t *best,
                                             ow_model **out);

/* A model around a circuit that was written as JSON (circuit.h): columns x0, x1, ... as
 * they are, classes 0, 1, ... */
OW_API OW_MUST_CHECK ow_status ow_model_import(ow_context *ctx, const char *path,
                                               const ow_call *call, ow_model **out);

/* The file (doc/format.md): whole or not at all, and the same bytes for the same model. */
OW_API OW_MUST_CHECK ow_status ow_model_save(const ow_model *model, const char *path);
OW_API OW_MUST_CHECK ow_status ow_model_load(ow_context *ctx, const char *path,
                                             const ow_call *call, ow_model **out);
/* The same to and from memory: the bytes are the caller's, who gives them to ow_bytes_free;
 * name stands for the file in errors. */
OW_API OW_MUST_CHECK ow_status ow_model_format(const ow_model *model, char **bytes,
                                               size_t *size);
OW_API OW_MUST_CHECK ow_status ow_model_parse(ow_context *ctx, const void *bytes,
                                              size_t size, const char *name,
                                              ow_model **out);
/* The sha256 of the file that ow_model_save would write, in hexadecimal with a NUL: which
 * model this is. */
OW_API OW_MUST_CHECK ow_status ow_model_sha256(const ow_model *model,
                                               char text[OW_SHA256_SIZE]);
/* Does nothing for NULL. */
OW_API void ow_model_free(ow_model *model);

/* The context that the model was made with; lent. */
OW_API ow_context *ow_model_context(const ow_model *model);
OW_API const ow_schema *ow_model_schema(const ow_model *model);
OW_API const ow_circuit *ow_model_circuit(const ow_model *model);
/* The neural network that decides; false: the circuit does.  hidden is lent. */
typedef struct {
    size_t n_hidden, n_parameters;
    const size_t *hidden; /* units of each layer */
} ow_network_size;
OW_API bool ow_model_network(const ow_model *model, ow_network_size *size);
/* How it was trained, as it stands in the file: settings, seed, rows, scores; JSON text,
 * lent. */
OW_API const char *ow_model_training(const ow_model *model);
/* The report of the training that made it; all zero for an imported model. */
OW_API const ow_train_report *ow_model_report(const ow_model *model);

/* ---- Rows to the circuit's space and back ---- */

/* The circuit's columns that belong to a schema column. */
OW_API void ow_model_span(const ow_model *model, size_t column, size_t *first,
                          size_t *width);
/* What a column has become in the circuit. */
typedef enum {
    OW_COLUMN_CATEGORICAL,  /* a probability for each level                         */
    OW_COLUMN_FEW_VALUES,   /* a number with a probability for each of its values   */
    OW_COLUMN_BERNOULLI,    /* 0 or 1                                               */
    OW_COLUMN_GAUSSIAN,     /* a number with a density                              */
    OW_COLUMN_POINT_MASSES, /* the same with probabilities for single values        */
    OW_COLUMN_ONE_HOT       /* a Gaussian for each level (OW_LEAVES_GAUSSIAN)       */
} ow_column_leaf;
OW_API ow_column_leaf ow_model_column_leaf(const ow_model *model, size_t column);
OW_API const char *ow_column_leaf_name(ow_column_leaf leaf);
/* values is n_rows x schema columns, rows n_rows x circuit columns. */
OW_API void ow_model_encode(const ow_model *model, size_t n_rows, const double *values,
                            float *rows);
OW_API void ow_model_decode(const ow_model *model, size_t n_rows, const float *rows,
                            double *values);

/* Soft rows (circuit.h): what classifiers and gradient methods see. */
OW_API size_t ow_model_soft_width(const ow_model *model);
/* The soft entries of a schema column.  More than one: the shares of its levels; of a
 * number with few values, of those (ow_model_soft_value).  A column that is constant may
 * have one entry, the share 1. */
OW_API void ow_model_soft_span(const ow_model *model, size_t column, size_t *first,
                               size_t *width);
/* The original value that entry k of a column with several stands for. */
OW_API double ow_model_soft_value(const ow_model *model, size_t column, size_t k);
OW_API void ow_model_soften(const ow_model *model, size_t n_rows, const double *values,
                            float *soft);
/* Back: the level with the largest share, numbers by the inverse of their scaling; no
 * constraint is looked at. */
OW_API void ow_model_harden(const ow_model *model, size_t n_rows, const float *soft,
                            double *values);

/* ---- Reference figures, of the training rows ---- */

/* log S(x given c) of the training rows of class c, ascending; lent. */
OW_API const float *ow_model_log_densities(const ow_model *model, size_t class_index,
                                           size_t *n);
/* Where a log S(x given c) stands among those: percent of the rows that are less dense,
 * equally dense ones counted half; NaN without rows. */
OW_API double ow_model_percentile(const ow_model *model, size_t class_index,
                                  double log_density);
/* The log S(x given c) below which so many percent of the training rows of class c lie, 0
 * to 100; NaN without rows. */
OW_API double ow_model_density_at(const ow_model *model, size_t class_index,
                                  double percent);
/* Rows drawn from the circuit of class c, in circuit columns; lent. */
OW_API const float *ow_model_samples(const ow_model *model, size_t class_index, size_t *n);

/* A number column's figures; n_quantiles 0 for categories.  Lent. */
typedef struct {
    double low, high, mad; /* of the training rows; mad: median distance from the median */
    size_t n_quantiles;    /* 32, or fewer values                          */
    const double *quantiles;
    size_t n_seen; /* up to 256 values that occur, ascending       */
    const double *seen;
} ow_column_figures;
OW_API ow_column_figures ow_model_figures(const ow_model *model, size_t column);

/* ---- Predicting ---- */

/* The classifier that decides: the model's neural network if it has one (the circuit is
 * then the density), else its circuit. */
OW_API OW_MUST_CHECK ow_status ow_model_classifier_new(const ow_model *model,
                                                       const char *backend,
                                                       ow_classifier **out);

OW_API OW_MUST_CHECK ow_status ow_predictor_new(const ow_model *model, const char *backend,
                                                ow_predictor **out);
OW_API void ow_predictor_free(ow_predictor *predictor);

/* One prediction.  The struct never changes, since callers have arrays of it. */
typedef struct {
    int32_t class_index; /* the most probable class                        */
    double log_density;  /* log S(x)                                       */
    /* 0 to 100: ow_model_percentile for that class; with missing values, the same among the
     * class's stored samples, over the columns that are there. */
    double percentile;
} ow_prediction;

/* values is n_rows x schema columns.  log_class and posterior, n_rows x n_classes, may be
 * NULL. */
OW_API OW_MUST_CHECK ow_status ow_predict(ow_predictor *predictor, size_t n_rows,
                                          const double *values, const ow_call *call,
                                          ow_prediction *predictions, double *log_class,
                                          double *posterior);

#ifdef __cplusplus
}
#endif
#endif
