/* SPDX-License-Identifier: MIT */
/* The inside of ow_explainer and ow_explanation, and the parts that explaining is made of:
 *
 *     explainer.c  parameters, background, percentiles
 *     session.c    one set of constraints and options made ready for a method
 *     rows.c       rows in blocks: the queries, the method, then the verdict
 *     verdict.c    a block's answers repaired and judged, and what came of each row
 *     blocking.c   which constraint stands in the way
 *     surer.c      second answers with a larger probability
 *     steps.c      the changes of an answer in an order
 *     explain.c    the call, and what it gives back */
#ifndef OWI_EXPLAINER_PRIVATE_H
#define OWI_EXPLAINER_PRIVATE_H

#include "explain/core/explainer.h"
#include "model/percentile.h"

/* Constraints and options, made ready. */
typedef struct {
    owi_problem problem;
    owi_rules rules;             /* of the constraints                          */
    ow_constraints *constraints; /* a copy                                      */
    ow_explain_options options;  /* targets NULL                                */
    void *state;                 /* of the method: the explainer's own where it serves
                                  * whatever constraints there are               */
    bool is_unprepared; /* there was no time for it, and there is none for any row */
    const char *stage;  /* for progress: what rows are explained for */
} owi_session;

/* Densities of known rows given the columns that cannot change.  Sessions that freeze the
 * same columns share one. */
typedef struct owi_kept_reference {
    struct owi_kept_reference *next;
    owi_density_reference *reference;
    bool frozen[]; /* n_columns */
} owi_kept_reference;

struct ow_explainer {
    ow_context *ctx;
    const ow_model *model;
    char *backend; /* NULL: the fastest                                         */
    const owi_explainer_impl *impl;
    void *settings;
    char **texts;    /* the parameters as text                                     */
    bool has_preset; /* "paper" or "reference", which know no relations of the schema */

    ow_classifier *classifier;
    bool owns_classifier, is_circuit;
    ow_evaluator *evaluator;
    owi_gap_percentiles *gaps; /* NULL before the first row with gaps          */
    float
        *spread; /* of the circuit's features (class_drift.h); NULL before the first use */

    bool has_background;
    owi_background background;

    bool has_session;
    owi_session session; /* of the last call                                    */
    void *state;         /* of a method that is prepared for any constraints    */
    uint64_t seed;       /* that the method was prepared with                   */
    owi_kept_reference *references;
    size_t n_references;
    double preparation_seconds;
    const owi_call *call; /* that uses it at present                              */
};

/* Every array and text of an explanation is on its list, and freed with it. */
struct ow_explanation {
    ow_context *ctx;
    size_t n_rows;
    size_t n_finished; /* of the first ones; fewer while it is made, and when stopped */
    ow_outcome *outcomes;
    void **kept;
    size_t n_kept, capacity;
    ow_explanation *surer; /* holds what the outcomes' `surer` point at; NULL: none */
};

/* ---- What is asked (explain.c) ---- */

/* That constraints (NULL: none) speak of a model's own columns, or of ones that are called
 * the same. */
ow_status owi_check_constraints(const ow_schema *own, const ow_constraints *constraints);

/* That rows can be of this schema: levels that there are, finite numbers.  what: "row", for
 * the sentence, and first, the number of the first of them. */
ow_status owi_check_values(const ow_schema *schema, const char *what, size_t first,
                           size_t n_rows, const double *values);

/* ---- Explanations (explain.c) ---- */

/* ow_explainer_explain, as part of a call. */
ow_status owi_explain(const owi_call *call, ow_explainer *explainer,
                      const ow_constraints *constraints, const ow_explain_options *options,
                      size_t n_rows, const double *values, ow_explanation **out);

ow_status owi_explanation_new(ow_context *ctx, size_t n_rows, ow_explanation **out);
/* count * size bytes, zeroed, that live as long as the explanation; NULL: no memory. */
void *owi_explanation_alloc(ow_explanation *explanation, size_t count, size_t size);
/* The same without zeroes, for answers that are written before they are read. */
void *owi_explanation_room(ow_explanation *explanation, size_t count, size_t size);
/* The explanation owns the block from now on; on failure it is freed. */
ow_status owi_explanation_keep(ow_explanation *explanation, void *block);

/* ---- Explainers (explainer.c) ---- */

/* ow_explainer_new with a method that need not be on the list. */
ow_status owi_explainer_make(const ow_explain_model *model, const owi_explainer_impl *impl,
                             ow_explainer **out);
/* One that looks its answers up: values, as many rows as are explained x columns, and which
 * of them are there (NULL: all).  Both are borrowed.  Nothing is repaired.
 * [given_answers.c] */
ow_status owi_explainer_of_given(const ow_explain_model *model, const double *values,
                                 const bool *answered, ow_explainer **out);

/* The percentile of a circuit row among the training rows of class c, given log S(x given
 * c). */
ow_status owi_explainer_percentile(ow_explainer *explainer, const float *row, size_t c,
                                   double log_class, double *percentile);

/* What the classifier makes of the background, once. */
ow_status owi_explainer_ready_background(ow_explainer *explainer);

/* ---- Sessions ---- */

/* The explainer's own, made anew only where something has changed.  constraints NULL: the
 * schema's. */
ow_status owi_session_ready(ow_explainer *explainer, const ow_constraints *constraints,
                            const ow_explain_options *options);
/* One beside it, for the same call. */
ow_status owi_session_begin(ow_explainer *explainer, const ow_constraints *constraints,
                            const ow_explain_options *options, owi_session *session);
void owi_session_end(ow_explainer *explainer, owi_session *session);
/* Everything that calls have left behind is out of date. */
void owi_session_forget(ow_explainer *explainer);

/* ---- Rows ---- */

/* What is asked of one row. */
typedef struct {
    uint64_t number;
    int32_t target; /* or OW_ANY_OTHER_CLASS */
} owi_wish;

/* Explains n_rows rows under a session, into the outcomes of an explanation of as many
 * rows. */
ow_status owi_explain_rows(ow_explainer *explainer, owi_session *session, size_t n_rows,
                           const double *values, const owi_wish *wishes,
                           ow_explanation *explanation);

/* ---- Verdicts ---- */

/* A block's answers on their way to counterfactuals. */
typedef struct {
    ow_explainer *explainer;
    owi_session *session;
    ow_explanation *explanation;
    const owi_queries *queries;
    const owi_wish *const *wishes; /* of each active row                          */
    ow_outcome *const *outcomes;   /* likewise                                    */
    owi_answer *answers;           /* n_rows x k                                  */
    ow_counterfactual *judged;     /* n_rows x k; in the explanation             */
    double seconds;                /* of the method, for the whole block          */
} owi_verdict;

/* Repairs and judges all answers of a block and fills its outcomes. */
ow_status owi_verdict_of_block(const owi_verdict *verdict);

/* ---- Blocking ---- */

/* Marks the finished rows whose blocking constraint is still to be looked for. */
void owi_mark_blocking(ow_explanation *explanation);
/* For every row of the explanation that was not found: the constraint without which it is,
 * and the reason that then is true.  Takes the mark from every row that it is done with. */
ow_status owi_find_blocking(ow_explainer *explainer, const double *values,
                            const owi_wish *wishes, ow_explanation *explanation);

/* ---- Steps ---- */

/* The changes of every answer in an order: ow_counterfactual.path. */
ow_status owi_find_steps(ow_explainer *explainer, const double *values,
                         ow_explanation *explanation);

/* ---- Second answers ---- */

/* Marks the finished rows that are still to be explained again. */
void owi_mark_surer(ow_explanation *explanation, double surer_proba);
/* Explains the rows again whose first answer is less sure than options.surer_proba. */
ow_status owi_find_surer(ow_explainer *explainer, const double *values,
                         const owi_wish *wishes, ow_explanation *explanation);

#endif
