/* SPDX-License-Identifier: MIT */
/* Models: what a .ow file holds.  A model has all that predicting and explaining need:
 * the schema, the encoding, the circuit, the neural network if there is one, and figures
 * of the training rows, so that the training rows themselves are not needed any more.
 *
 *     ow_model *model = NULL;
 *     ow_status st = ow_model_load(ctx, "credit.ow", NULL, &model);
 *     ow_predictor *predictor = NULL;
 *     if (st == OW_OK) st = ow_predictor_new(model, NULL, &predictor);
 *     int32_t *classes = calloc(n, sizeof *classes);
 *     const ow_predictions wanted = {.size = sizeof wanted, .classes = classes};
 *     if (st == OW_OK) st = ow_predictor_predict(predictor, n, values, NULL, &wanted);
 *     free(classes);
 *     ow_predictor_free(predictor);
 *     ow_model_free(model);
 *
 * Threads: a model is read-only and may be shared between threads.  Only one thread at a
 * time may use a predictor. */
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
#include "otherwise/team.h"
#include "otherwise/trees.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ow_model ow_model;
typedef struct ow_predictor ow_predictor;

typedef enum {
    /* categorical leaves for categories; leaves of numbers depend on the training rows
     * (doc/method.md) */
    OW_LEAVES_AUTO,
    OW_LEAVES_GAUSSIAN /* as in the paper: one-hot encoding, Gaussians of variance 1 */
} ow_leaf_choice;

/* How a circuit joins its columns. */
typedef enum {
    OW_REGIONS_RANDOM, /* halved at random, as in the paper */
    OW_REGIONS_TREE,   /* trees of the strongest dependences (ow_circuit_find_trees) */
    /* the better of both on rows held out; random for images and maps, with
     * OW_LEAVES_GAUSSIAN or OW_LEARN_ADAM, and where one of the sizes is given */
    OW_REGIONS_AUTO
} ow_region_choice;

/* The classes' prior P(c): chosen by rule, equal for all classes, or the classes' shares of
 * the training rows. */
typedef enum { OW_PRIOR_AUTO, OW_PRIOR_UNIFORM, OW_PRIOR_EMPIRICAL } ow_prior_choice;

/* The deciding classifier: the one that predicts, and whose decisions are explained. */
typedef enum {
    OW_DECIDES_CIRCUIT,
    OW_DECIDES_MLP /* a neural network; the circuit gives the density only */
} ow_decider;
/* The largest number of hidden layers. */
enum { OW_MOST_HIDDEN = OW_MOST_SIZES };

/* A model of another package that decides instead of the circuit, which still gives the
 * density: the deciding classifier is then this model. */
typedef struct {
    size_t size; /* sizeof(ow_foreign) */
    /* its file, as ow_trees_load reads it, or in ONNX format; NULL: it is a program.
     * Features and levels of trees are matched with columns as by
     * ow_model_classifier_from_trees; a feature may also be called "column_level", and is
     * then 1 for that level and 0 for the others. */
    const char *path;
    /* the names of its classes, in its own order; NULL: the label's classes sorted, as
     * scikit-learn numbers them, or without label the numbers 0, 1, ... */
    const char *const *classes;
    size_t n_classes;
    /* for a model that predicts a number, where the two classes part: "score>=620" makes
     * the classes "score<620" and "score>=620" of the column "decision"; the schema must
     * have no label.  NULL: it predicts classes. */
    const char *limit;
    /* Keep the file's bytes in the model.  Otherwise the model remembers its path and
     * SHA-256, and ow_model_load reads it again and refuses another file. */
    bool embed;
    /* A program that answers rows on a pipe (doc/own_models.md), given to /bin/sh -c; NULL:
     * the model is a file.  The model remembers the text; programs that load the model
     * have to name it again (ow_model_run_foreign). */
    const char *command;
    /* seconds for which that program may neither read nor write while it owes answers; 0:
     * 60 */
    double seconds;
    /* of a file in ONNX format: the library of onnxruntime, or its folder; NULL: a system
     * library, else a Python package that is installed for all.  Such a model has an input
     * for each column that it reads, of the column's name, or one tensor of all columns. */
    const char *onnxruntime;
} ow_foreign;

/* The probability from which on a class is decided, where production does not decide for
 * the most probable one.  Of two classes one cut-off is enough: "good" from 0.8 on, else
 * "bad".  Of more classes each needs one; the class with the largest P(c) / cut-off is
 * decided.  A plain value that callers keep in arrays: its layout never changes within a
 * major.minor version. */
typedef struct {
    const char *class_name;
    double proba; /* between 0 and 1 */
} ow_cutoff;

/* The value of an option that is chosen by the rules in doc/method.md. */
enum { OW_AUTO = -1 };

/* How to train.  Call ow_train_options_init for the defaults, then change single fields. */
typedef struct {
    size_t size; /* sizeof(ow_train_options) */
    ow_leaf_choice leaves;
    /* OW_LEAVES_GAUSSIAN: the one-hot columns of a category may be put into different
     * regions */
    bool split_groups;
    ow_structure structure;
    ow_prior_choice prior; /* auto: uniform for OW_LEAVES_GAUSSIAN, else empirical */
    double variance;       /* of all Gaussians; 0: learned; or OW_AUTO */
    int64_t depth, repetitions, sums, inputs; /* as in ow_circuit_spec, or OW_AUTO */
    ow_learner learner;
    int64_t passes, batch; /* as in ow_learn_options, or OW_AUTO; batch 0 is full EM */
    /* Share of the discriminative term, as in ow_learn_options, or OW_AUTO.  With EM, a
     * share above 0 adds a short phase of Adam with this share after EM. */
    double discriminative;
    /* Strength of the pull towards the pooled circuit, in rows (ow_pooling in learn.h);
     * OW_AUTO: chosen on held-out rows. */
    double towards_rows;
    ow_decider decider;
    /* units of each hidden layer of the network; n = 0: two layers of 64 units */
    ow_sizes hidden;
    double test_share; /* share of the rows held out to measure accuracy and density */
    /* One entry for each row of the reader: true if it is held out.  n_is_test is their
     * number; training fails with OW_ERR_ARGUMENT if the reader has another number of rows.
     * NULL: chosen by test_share. */
    const bool *is_test;
    size_t n_is_test;
    const char *backend; /* as for ow_evaluator_new; NULL: the fastest */
    ow_region_choice regions;
    /* A model that decides; NULL: `decider` says who does.  With a schema that has no
     * label, its decisions on the rows are the classes.  Only read during the call. */
    const ow_foreign *foreign;
    /* Where classes are decided; none: the most probable class is.  Only read during the
     * call. */
    const ow_cutoff *cutoffs;
    size_t n_cutoffs;
    /* The processes that train this model together; NULL: this one alone.  A call that is
     * stopped then fails, and has no model.  Only read during the call. */
    const ow_team *team;
} ow_train_options;
/* Writes the defaults into the first `size` bytes of options; pass sizeof *options. */
OW_API void ow_train_options_init(ow_train_options *options, size_t size);

/* The options as a table (param.h): names as on the command line, kinds, ranges, defaults
 * and help.  NULL when index is past the last one.  is_test and backend are not
 * in it. */
OW_API const ow_param *ow_train_option_get(size_t index);
/* Sets one option from text: ow_train_options_set(&options, "depth", "2").  An unknown name
 * or a value that is not possible fails with OW_ERR_ARGUMENT; the message begins with the
 * name. */
OW_API OW_MUST_CHECK ow_status ow_train_options_set(ow_train_options *options,
                                                    const char *name, const char *value);
/* Checks that all values are in range and agree with each other, as training does. */
OW_API OW_MUST_CHECK ow_status ow_train_options_check(const ow_train_options *options);

/* Calibration: unseen rows, grouped by the probability of the predicted class.  Bin b
 * holds the predictions with probability in [b/10, (b+1)/10).  In a calibrated model, that
 * share of them is correct. */
enum { OW_CALIBRATION_BINS = 10 };
/* A plain value: its layout never changes within a major.minor version. */
typedef struct {
    size_t n_rows, n_right; /* predictions in the bin, and correct ones among them */
    double probability;     /* mean probability of the predicted class; 0 without rows */
} ow_calibration_bin;
/* The expected calibration error: the mean of |n_right / n_rows - probability| over the
 * bins, weighted by n_rows.  0 without rows. */
OW_API double ow_calibration_error(const ow_calibration_bin bins[OW_CALIBRATION_BINS]);

/* How well the deciding classifier does on unseen rows: rows that whatever predicts them
 * has not learned from.  These are the rows held out (test_share); in tables of fewer than
 * 5000 training rows in which the circuit decides, also the training rows, each predicted
 * by a circuit that was learned without it (cross-validation; rows of classes with very few
 * rows take no part).  Lent by the model; later versions may append fields. */
typedef struct {
    size_t n_rows;  /* 0: there are none, and nothing below is known */
    size_t n_folds; /* of the cross-validation; 0: the rows held out only */
    /* Share of rows whose class is the predicted one, and its 95 % interval (Wilson). */
    double accuracy, accuracy_low, accuracy_high;
    /* The most frequent class of these rows, and its share: the accuracy of always saying
     * it.  OW_NO_CLASS without rows. */
    int32_t majority_class;
    double majority;
    /* Area under the ROC curve: the probability that a row of a class is given a higher
     * P(class given x) than a row of another class; equal ones count half.  With more than
     * two classes the mean over classes, each against all others.  Of more than 131,072
     * rows it is that of a sample.  Gini is 2 auc - 1.  NaN if the rows are of one class,
     * or if the file is from before version 0.3. */
    double auc;
    double log_loss; /* mean -log P(class given x) */
} ow_quality;

/* The results of training, lent by the model; later versions may append fields.
 * confusion[y * n_classes + c] counts the unseen rows (ow_quality) of class y that are
 * predicted as c. */
typedef struct {
    /* On the training rows and on the rows held out; n_rows is 0 where there are none.
     * Log-loss and accuracy are measured on the deciding classifier: the network where
     * there is one, else the circuit. */
    ow_score train, test;
    ow_score circuit_test;   /* the same for the circuit alone, on the rows held out */
    const size_t *confusion; /* n_classes x n_classes */
    /* of the deciding classifier on unseen rows (ow_quality); files from before version 0.2
     * have no rows here */
    ow_calibration_bin calibration[OW_CALIBRATION_BINS];
    double towards_rows;      /* ow_pooling.towards_rows (learn.h); negative: not pooled */
    double seconds;           /* training time; 0 for a model that was loaded */
    const ow_quality *unseen; /* never NULL */
    /* With a foreign model: the share of the rows held out (without any, of the training
     * rows) for which the circuit decides as it does; negative: there is none. */
    double agreement;
    /* Bytes of the rows that training kept, packed as they were read and encoded: in memory
     * and in temporary files.  0 for a model that was loaded. */
    size_t stored_in_memory, stored_in_files;
} ow_train_report;

/* Trains a model on the rows of a reader.  The schema is copied; the reader is bound to it
 * afterwards.  Rows without label are left out, with a warning.  If the call is stopped
 * after learning has begun, the result is OW_ERR_CANCELLED, and *out is the best model so
 * far, whose report is measured on a part of the rows.  With every other failure *out is
 * NULL.  ow_model_report has accuracy and density of the model. */
OW_API OW_MUST_CHECK ow_status ow_model_train(ow_reader *reader, const ow_schema *schema,
                                              const ow_train_options *options,
                                              const ow_call *call, ow_model **out);

/* One size of circuit that tuning tried, and its score on held-out rows.  A plain value
 * that callers keep in arrays: its layout never changes within a major.minor version. */
typedef struct {
    size_t repetitions, inputs;
    ow_score score;
    /* The value that is maximised: (1 - s) log S(x) - log-loss.  s is the option
     * discriminative; if that is OW_AUTO, 0.9 for tables and 0 for images and maps. */
    double value;
} ow_tune_trial;
enum { OW_TUNE_TRIALS = 9 };

/* Tunes the size of the circuit: tries several sizes by cross-validation on the training
 * rows and stores the best in options, together with the depth.  Repetitions or inputs that
 * are given in options (not OW_AUTO) are kept.  The rows held out by test_share are not
 * used.  trials gets the *n_trials trials, and *best the index of the one taken.  If out is
 * not NULL, a model is then trained with these options, as by ow_model_train, without
 * reading the rows again. */
OW_API OW_MUST_CHECK ow_status ow_model_tune(ow_reader *reader, const ow_schema *schema,
                                             ow_train_options *options, const ow_call *call,
                                             ow_tune_trial trials[OW_TUNE_TRIALS],
                                             size_t *n_trials, size_t *best,
                                             ow_model **out);

/* Makes a model from a circuit in a JSON file (ow_circuit_import).  Its columns are called
 * x0, x1, ... and are not scaled; its classes are called 0, 1, ... */
OW_API OW_MUST_CHECK ow_status ow_model_import(ow_context *ctx, const char *path,
                                               const ow_call *call, ow_model **out);

/* Save and load a model file (doc/format.md).  A saved file appears complete or not at all.
 * The same model gives the same bytes. */
OW_API OW_MUST_CHECK ow_status ow_model_save(const ow_model *model, const char *path);
OW_API OW_MUST_CHECK ow_status ow_model_load(ow_context *ctx, const char *path,
                                             const ow_call *call, ow_model **out);
/* The same to and from memory.  The caller frees the formatted bytes with ow_bytes_free.
 * name is used as the file's name in error messages. */
OW_API OW_MUST_CHECK ow_status ow_model_format(const ow_model *model, char **bytes,
                                               size_t *size);
OW_API OW_MUST_CHECK ow_status ow_model_parse(ow_context *ctx, const void *bytes,
                                              size_t size, const char *name,
                                              ow_model **out);
/* The SHA-256 of the file that ow_model_save would write, in hexadecimal with a final NUL.
 * It identifies the model. */
OW_API OW_MUST_CHECK ow_status ow_model_sha256(const ow_model *model,
                                               char text[OW_SHA256_SIZE]);
/* Does nothing for NULL. */
OW_API void ow_model_free(ow_model *model);

/* The context that the model was made with, and the model's schema and circuit; the last
 * two are owned by the model. */
OW_API ow_context *ow_model_context(const ow_model *model);
OW_API const ow_schema *ow_model_schema(const ow_model *model);
OW_API const ow_circuit *ow_model_circuit(const ow_model *model);
/* The size of the model's neural network.  hidden is owned by the model.  A plain value:
 * its layout never changes within a major.minor version. */
typedef struct {
    size_t n_hidden, n_parameters; /* n_hidden: number of hidden layers */
    const size_t *hidden;          /* units of each hidden layer */
} ow_network_size;
/* Returns false if the model has no network, so that the circuit is the deciding
 * classifier. */
OW_API bool ow_model_network(const ow_model *model, ow_network_size *size);
/* The model of another package that decides, all owned by the model.  A plain value: its
 * layout never changes within a major.minor version. */
typedef struct {
    const char *package; /* "XGBoost 3.2.0"; "program" */
    const char *path;    /* as it was given; of a program its command */
    const char *sha256;  /* of that file; "" of a program */
    size_t n_trees;      /* 0: it does not consist of trees */
    bool embedded;       /* the model keeps the file itself */
} ow_foreign_info;
/* Returns false if there is none. */
OW_API bool ow_model_foreign(const ow_model *model, ow_foreign_info *info);

/* What the model of another package needs besides the model file: ow_model_load never
 * starts a program that a file names.  Fields that a model does not need are ignored. */
typedef struct {
    size_t size;             /* sizeof(ow_foreign_run) */
    const char *command;     /* the program that answers rows, as in ow_foreign */
    double seconds;          /* likewise */
    const char *onnxruntime; /* likewise */
} ow_foreign_run;
/* Before the first prediction of a model that ow_model_load gave; nothing to do for models
 * without a program.  Fails with OW_ERR_ARGUMENT if the model has one and none is named.  A
 * program other than the remembered one is used with a warning. */
OW_API OW_MUST_CHECK ow_status ow_model_run_foreign(ow_model *model,
                                                    const ow_foreign_run *run);
/* The cut-off of a class; NaN: the most probable class is decided. */
OW_API double ow_model_cutoff(const ow_model *model, size_t class_index);
/* How the model was trained, as JSON text from the model file: settings, seed, rows and
 * scores.  Owned by the model. */
OW_API const char *ow_model_training(const ow_model *model);
/* The results of the training, owned by the model; all zero for an imported model. */
OW_API const ow_train_report *ow_model_report(const ow_model *model);

/* ---- Rows to the circuit's space and back ---- */

/* The circuit's columns that belong to a schema column: sets *first to the index of the
 * first one and *width to their number. */
OW_API void ow_model_span(const ow_model *model, size_t column, size_t *first,
                          size_t *width);
/* How the circuit models a schema column. */
typedef enum {
    OW_COLUMN_LEAF_CATEGORICAL,  /* a probability for each level                         */
    OW_COLUMN_LEAF_FEW_VALUES,   /* a number with a probability for each of its values   */
    OW_COLUMN_LEAF_BERNOULLI,    /* 0 or 1                                               */
    OW_COLUMN_LEAF_GAUSSIAN,     /* a number with a density                              */
    OW_COLUMN_LEAF_POINT_MASSES, /* the same with probabilities for single values        */
    OW_COLUMN_LEAF_ONE_HOT,      /* a Gaussian for each level (OW_LEAVES_GAUSSIAN)       */
    OW_COLUMN_LEAF_FOLLOWS       /* a number that follows from others (ow_sheet)         */
} ow_column_leaf;
OW_API ow_column_leaf ow_model_column_leaf(const ow_model *model, size_t column);
OW_API const char *ow_column_leaf_name(ow_column_leaf leaf);
/* Convert between rows in original units (values, n_rows x schema columns) and encoded rows
 * (rows, n_rows x circuit columns). */
OW_API void ow_model_encode(const ow_model *model, size_t n_rows, const double *values,
                            float *rows);
OW_API void ow_model_decode(const ow_model *model, size_t n_rows, const float *rows,
                            double *values);

/* The number of entries of a soft row (circuit.h), the form that classifiers and gradient
 * methods read. */
OW_API size_t ow_model_soft_width(const ow_model *model);
/* The soft entries of a schema column: sets *first and *width.  If there are several,
 * they are the shares of the column's levels, or for a number with few values the shares
 * of these values (ow_model_soft_value).  A constant column may have a single entry, the
 * share 1. */
OW_API void ow_model_soft_span(const ow_model *model, size_t column, size_t *first,
                               size_t *width);
/* The value in original units that entry k of a column with several entries stands for. */
OW_API double ow_model_soft_value(const ow_model *model, size_t column, size_t k);
/* Makes soft rows (n_rows x soft width) from rows in original units. */
OW_API void ow_model_soften(const ow_model *model, size_t n_rows, const double *values,
                            float *soft);
/* The inverse: takes the level with the largest share, and undoes the scaling of numbers.
 * Constraints are not considered. */
OW_API void ow_model_harden(const ow_model *model, size_t n_rows, const float *soft,
                            double *values);

/* ---- Reference figures, of the training rows ---- */

/* log S(x given c) of rows of class c that the circuit has not learned from, in ascending
 * order (doc/method.md, "Unseen rows"); *n gets their number.  Images, maps and circuits
 * with OW_LEAVES_GAUSSIAN have those of the training rows.  Owned by the model. */
OW_API const float *ow_model_log_densities(const ow_model *model, size_t class_index,
                                           size_t *n);
/* The percentile of a log S(x given c) among these, 0 to 100: the percentage of rows that
 * are less dense, where equally dense rows count half.  NaN if the class has no rows. */
OW_API double ow_model_percentile(const ow_model *model, size_t class_index,
                                  double log_density);
/* The inverse: the log S(x given c) below which `percent` (0 to 100) percent of the
 * these rows lie.  NaN if the class has no rows. */
OW_API double ow_model_density_at(const ow_model *model, size_t class_index,
                                  double percent);
/* Samples of class c that were drawn from the circuit: *n encoded rows (*n x circuit
 * columns), owned by the model.  Those of tables are chosen such that their log-densities
 * are spread as ow_model_log_densities. */
OW_API const float *ow_model_samples(const ow_model *model, size_t class_index, size_t *n);

/* Figures of a number column in the training rows; for a category n_quantiles and n_seen
 * are 0.  The arrays are owned by the model.  A plain value: its layout never changes
 * within a major.minor version. */
typedef struct {
    double low, high, mad;   /* mad: the median absolute deviation from the median */
    size_t n_quantiles;      /* at most 32 */
    const double *quantiles; /* evenly spaced quantiles, ascending */
    size_t n_seen;           /* at most 256 */
    const double *seen;      /* values that occur, all different, ascending */
} ow_column_figures;
OW_API ow_column_figures ow_model_figures(const ow_model *model, size_t column);

/* ---- Predicting ---- */

/* Makes the model's deciding classifier: its neural network if it has one, else its
 * circuit. The model is borrowed and must outlive the classifier. */
OW_API OW_MUST_CHECK ow_status ow_model_classifier_new(const ow_model *model,
                                                       const char *backend,
                                                       ow_classifier **out);

/* Your own classifier that reads rows in original units (schema.h): n_rows x columns
 * doubles, exactly the values of the table, of an answer or of a candidate for one.  A
 * callback returns false if it fails; the library's call then fails with OW_ERR_NUMERIC, as
 * it does if the callback gives NaN.  It is called on the thread that called the library,
 * with as many rows at a time as there are. */
typedef struct {
    size_t size; /* sizeof(ow_value_callbacks) */
    void *user;  /* passed to the callback */
    /* Writes log P(c given x), or if is_proba is true P(c given x): n_rows x n_classes, in
     * the order of the schema's classes. */
    bool (*log_proba)(void *user, size_t n_rows, const double *values, double *log_proba);
    bool is_proba;
} ow_value_callbacks;
/* Copies the struct; `user` and the model must outlive the classifier. */
OW_API OW_MUST_CHECK ow_status ow_model_classifier_from_values(
    const ow_model *model, const ow_value_callbacks *callbacks, ow_classifier **out);

/* Trees of another package (trees.h) as the classifier of a model's rows.  Features of the
 * trees are found among the columns by name, or by position where the trees have no names
 * and as many features as there are columns; levels of a category likewise: by name, or by
 * code.  A feature or a level that is missing on either side fails with OW_ERR_ARGUMENT,
 * and the message names both. */
typedef struct {
    size_t size; /* sizeof(ow_trees_match) */
    /* The classes of the trees by name, in their order; all of the schema's.  NULL: the
     * schema's classes, as numbers in ascending order if all are, else as sorted texts,
     * which is how scikit-learn numbers them. */
    const char *const *classes;
    size_t n_classes;
    /* For each feature of the trees the name of its column; NULL: see above. */
    const char *const *columns;
    size_t n_columns;
} ow_trees_match;
/* match may be NULL.  The model and the trees must outlive the classifier. */
OW_API OW_MUST_CHECK ow_status ow_model_classifier_from_trees(const ow_model *model,
                                                              const ow_trees *trees,
                                                              const ow_trees_match *match,
                                                              ow_classifier **out);

/* Makes a predictor, which borrows the model.  backend as for ow_evaluator_new. */
OW_API OW_MUST_CHECK ow_status ow_predictor_new(const ow_model *model, const char *backend,
                                                ow_predictor **out);
OW_API void ow_predictor_free(ow_predictor *predictor);

/* What to predict: each pointer is an array of the caller that ow_predictor_predict fills,
 * or NULL if it is not wanted. */
typedef struct {
    size_t size;         /* sizeof(ow_predictions) */
    int32_t *classes;    /* n_rows: the decision: by cut-offs, or the most probable class */
    double *proba;       /* n_rows x n_classes: P(c given x), of the deciding classifier */
    double *log_density; /* n_rows: log S(x) */
    double *log_class;   /* n_rows x n_classes: log S(x given c) */
    /* n_rows: ow_model_percentile of the row in its predicted class, 0 to 100.  For a row
     * with missing values, the percentile among the model's samples of that class, with
     * densities over the columns that are present. */
    double *percentile;
} ow_predictions;

/* Predicts n_rows rows: values is n_rows x schema columns. */
OW_API OW_MUST_CHECK ow_status ow_predictor_predict(ow_predictor *predictor, size_t n_rows,
                                                    const double *values,
                                                    const ow_call *call,
                                                    const ow_predictions *wanted);

#ifdef __cplusplus
}
#endif
#endif
