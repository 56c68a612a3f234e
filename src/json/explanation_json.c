/* SPDX-License-Identifier: MIT */
/* Explanations as JSON: a whole call, or row by row. */
#include "base/error.h"
#include "base/memory/alloc.h"
#include "base/options.h"
#include "explain/core/explainer_private.h"
#include "json/explain_document.h"

/* The caller's, as this version has them. */
typedef struct {
    ow_explain_about about;
    ow_explain_options options;
    ow_call call;
} taken;

static ow_status take_about(const ow_explain_about *given, taken *t)
{
    *t = (taken){.options = owi_explain_defaults()};
    OWI_REQUIRE(given != NULL);
    OWI_TRY(OWI_OPTIONS_TAKE(ow_explain_about, given, &t->about));
    OWI_TRY(OWI_OPTIONS_TAKE(ow_explain_options, t->about.options, &t->options));
    OWI_TRY(OWI_OPTIONS_TAKE(ow_call, t->about.call, &t->call));
    OWI_REQUIRE(t->about.explainer != NULL);
    OWI_TRY(owi_check_constraints(t->about.explainer->model->schema, t->about.constraints));
    if (t->about.form != OW_FORM_OTHERWISE && t->about.form != OW_FORM_DICE)
        return owi_fail(OW_ERR_ARGUMENT, "there is no form %d of explanations",
                        (int)t->about.form);
    t->about.options = &t->options;
    t->about.call = &t->call;
    return OW_OK;
}

ow_status ow_explanation_json(const ow_explain_about *about,
                              const ow_explanation *explanation, const double *values,
                              char **text, size_t *size)
{
    owi_explain_document d;
    taken t;
    OWI_REQUIRE(text != NULL);
    *text = NULL;
    OWI_REQUIRE(explanation != NULL);
    OWI_TRY(take_about(about, &t));
    const size_t n = ow_explanation_n_rows(explanation);
    OWI_REQUIRE(n == 0 || values != NULL);
    owi_explain_document_begin(&d, &t.about);
    owi_explain_document_head(&d);
    for (size_t i = 0; i < n; i++)
        owi_explain_document_row(&d, (size_t)t.options.first_row + i + 1, NULL, NULL,
                                 values + i * ow_schema_n_columns(d.schema),
                                 ow_explanation_outcome(explanation, i));
    const ow_status ended =
        owi_explain_document_end(&d, t.about.seconds, t.about.incomplete);
    if (ended != OW_OK && d.json.status == OW_OK) d.json.status = ended;
    owi_explain_document_clear(&d);
    return owi_json_end(&d.json, text, size);
}

/* ---- Row by row ---- */

struct ow_explain_writer {
    taken t;
    owi_explain_document d;
    char *text; /* the last piece */
};

ow_status ow_explain_writer_new(const ow_explain_about *about, ow_explain_writer **out)
{
    OWI_REQUIRE(out != NULL);
    *out = NULL;
    taken t;
    OWI_TRY(take_about(about, &t));
    ow_explain_writer *writer = owi_alloc_zeroed(t.about.explainer->ctx, sizeof *writer);
    if (writer == NULL) return OW_ERR_MEMORY;
    writer->t = t;
    writer->t.about.options = &writer->t.options;
    writer->t.about.call = &writer->t.call;
    owi_explain_document_begin(&writer->d, &writer->t.about);
    *out = writer;
    return OW_OK;
}

void ow_explain_writer_free(ow_explain_writer *writer)
{
    if (writer == NULL) return;
    ow_bytes_free(writer->text);
    owi_explain_document_clear(&writer->d);
    owi_free(writer->t.about.explainer->ctx, writer);
}

/* Lends the piece that has been put, in place of the last one. */
static ow_status lend(ow_explain_writer *writer, const char **text, size_t *size)
{
    ow_bytes_free(writer->text);
    writer->text = NULL;
    const ow_status status = owi_json_end(&writer->d.json, &writer->text, size);
    *text = writer->text;
    return status;
}

ow_status ow_explain_writer_begin(ow_explain_writer *writer, const char **text,
                                  size_t *size)
{
    OWI_REQUIRE(writer != NULL && text != NULL);
    writer->d.summary = (ow_explain_summary){0};
    owi_explain_document_clear(&writer->d);
    owi_json_begin(&writer->d.answers, writer->t.about.explainer->ctx);
    owi_explain_document_head(&writer->d);
    return lend(writer, text, size);
}

ow_status ow_explain_writer_row(ow_explain_writer *writer, size_t number, const char *id,
                                const char *const *carried, const double *query,
                                const ow_outcome *outcome, const char **text, size_t *size)
{
    OWI_REQUIRE(writer != NULL && query != NULL && outcome != NULL && text != NULL);
    owi_explain_document_row(&writer->d, number, id, carried, query, outcome);
    return lend(writer, text, size);
}

ow_status ow_explain_writer_end(ow_explain_writer *writer, double seconds, bool incomplete,
                                const char **text, size_t *size)
{
    OWI_REQUIRE(writer != NULL && text != NULL);
    *text = NULL;
    OWI_TRY(owi_explain_document_end(&writer->d, seconds, incomplete));
    return lend(writer, text, size);
}
