/* SPDX-License-Identifier: MIT */
#include "data/expression/condition.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/memory/alloc.h"
#include "base/text/number.h"
#include "base/text/quote.h"
#include "data/expression/expression.h"
#include "data/expression/words.h"

/* ---- Whether it holds ---- */

static bool is_same(double a, double b)
{
    return a == b || (isnan(a) && isnan(b));
}

/* Of a missing value no comparison holds, and it goes neither up nor down. */
static bool term_holds(const owi_term *term, double from, double to)
{
    switch (term->kind) {
    case OWI_TERM_UP:
        return to > from;
    case OWI_TERM_DOWN:
        return to < from;
    case OWI_TERM_NOT_UP:
        return !(to > from);
    case OWI_TERM_NOT_DOWN:
        return !(to < from);
    case OWI_TERM_CHANGED:
        return !is_same(from, to);
    case OWI_TERM_SAME:
        return is_same(from, to);
    case OWI_TERM_EQUAL:
        return to == term->value;
    case OWI_TERM_NOT_EQUAL:
        return to != term->value;
    case OWI_TERM_BELOW:
        return to < term->value;
    case OWI_TERM_AT_MOST:
        return to <= term->value;
    case OWI_TERM_ABOVE:
        return to > term->value;
    default:
        return to >= term->value;
    }
}

bool owi_condition_holds(const owi_condition *condition, const double *query,
                         const double *values)
{
    bool is_touched = false, applies = true, holds = true;
    for (size_t i = 0; i < condition->n_terms; i++) {
        const owi_term *term = &condition->terms[i];
        const double from = query[term->column], to = values[term->column];
        const bool is_true = term_holds(term, from, to);
        is_touched |= !is_same(from, to);
        if (i < condition->n_if)
            applies &= is_true;
        else
            holds &= is_true;
    }
    return !is_touched || !applies || holds;
}

/* ---- Parsing ---- */

/* A part of the text without blanks at its ends. */
typedef struct {
    const char *at;
    size_t length;
} part;

static part trimmed(const char *at, size_t length)
{
    while (length > 0 && strchr(owi_blanks, *at) != NULL) {
        at++;
        length--;
    }
    while (length > 0 && strchr(owi_blanks, at[length - 1]) != NULL) length--;
    return (part){at, length};
}

static ow_status fail_part(const char *text, part p, const char *what)
{
    char quoted[2][owi_quote_size];
    return owi_fail(OW_ERR_ARGUMENT, "rule %s: %s: %s", owi_quote_text(text, quoted[0]),
                    owi_quote(p.at, p.length, quoted[1]), what);
}

/* Takes the text up to the word (outside of quotes) from the front of `rest`; true: the
 * word was there. */
static bool cut_at(part *rest, const char *word, part *before)
{
    const size_t n = strlen(word);
    for (size_t i = 0; i + n <= rest->length; i++) {
        if (owi_is_quote(rest->at[i])) {
            const size_t quoted = owi_quoted_length(rest->at + i);
            if (quoted > 0) i += quoted - 1;
            continue;
        }
        if (strncmp(rest->at + i, word, n) != 0) continue;
        *before = trimmed(rest->at, i);
        *rest = trimmed(rest->at + i + n, rest->length - i - n);
        return true;
    }
    *before = trimmed(rest->at, rest->length);
    *rest = (part){rest->at + rest->length, 0};
    return false;
}

static const struct {
    const char *word;
    owi_term_kind kind;
    bool needs_order;
} words[] = {{"not up", OWI_TERM_NOT_UP, true},
             {"not down", OWI_TERM_NOT_DOWN, true},
             {"up", OWI_TERM_UP, true},
             {"down", OWI_TERM_DOWN, true},
             {"changed", OWI_TERM_CHANGED, false},
             {"same", OWI_TERM_SAME, false}};

static const struct {
    const char *sign;
    owi_term_kind kind;
    bool needs_order;
} signs[] = {{"!=", OWI_TERM_NOT_EQUAL, false}, {"<=", OWI_TERM_AT_MOST, true},
             {">=", OWI_TERM_AT_LEAST, true},   {"=", OWI_TERM_EQUAL, false},
             {"<", OWI_TERM_BELOW, true},       {">", OWI_TERM_ABOVE, true}};

/* A condition that is being read. */
typedef struct {
    ow_context *ctx;
    const ow_schema *schema;
    const char *text;
} reading;

static ow_status find_column(const reading *r, part term, part name, bool needs_order,
                             size_t *column)
{
    const ow_status status =
        owi_find_written_column(r->ctx, r->schema, name.at, name.length, column);
    if (status == OW_ERR_ARGUMENT) return fail_part(r->text, term, ow_error_message());
    if (status != OW_OK) return status;
    if (needs_order && ow_schema_column(r->schema, *column)->type == OW_TYPE_CATEGORICAL)
        return fail_part(r->text, term,
                         "the column is categorical: up, down, < and > are for numbers and "
                         "ordinal levels");
    return OW_OK;
}

static ow_status read_value(const reading *r, part term, part value, owi_term *out)
{
    const ow_column *column = ow_schema_column(r->schema, out->column);
    if (column->n_levels == 0)
        return owi_parse_number(value.at, value.length, &out->value, NULL)
                   ? OW_OK
                   : fail_part(r->text, term, "expected a number behind the sign");
    int32_t level;
    char *name = owi_unquote(r->ctx, value.at, value.length);
    if (name == NULL) return OW_ERR_MEMORY;
    const ow_status status = ow_schema_find_level(r->schema, out->column, name, &level);
    owi_free(r->ctx, name);
    if (status == OW_ERR_ARGUMENT) return fail_part(r->text, term, ow_error_message());
    out->value = (double)level;
    return status;
}

/* `column up` and the like: the word is the end of the term, behind a blank. */
static bool has_word(part term, const char *word, part *name)
{
    const size_t n = strlen(word);
    if (term.length < n + 2 || strncmp(term.at + term.length - n, word, n) != 0)
        return false;
    if (strchr(owi_blanks, term.at[term.length - n - 1]) == NULL) return false;
    *name = trimmed(term.at, term.length - n);
    return true;
}

static ow_status read_term(const reading *r, part term, owi_term *out)
{
    enum { n_signs = sizeof signs / sizeof *signs };
    part name = {0}, value = {0};
    size_t first = n_signs; /* the sign that comes first; of two there, the longer one */
    for (size_t i = 0; i < n_signs; i++) {
        part behind = term, before;
        if (!cut_at(&behind, signs[i].sign, &before)) continue;
        if (first < n_signs && before.length >= name.length) continue;
        first = i;
        name = before;
        value = behind;
    }
    if (first < n_signs) {
        out->kind = signs[first].kind;
        OWI_TRY(find_column(r, term, name, signs[first].needs_order, &out->column));
        return read_value(r, term, value, out);
    }
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (!has_word(term, words[i].word, &name)) continue;
        out->kind = words[i].kind;
        return find_column(r, term, name, words[i].needs_order, &out->column);
    }
    return fail_part(
        r->text, term,
        "expected COLUMN up, down, not up, not down, changed or same, or COLUMN "
        "= VALUE (also != < <= > >=)");
}

static ow_status read_terms(const reading *r, part side, owi_condition *made)
{
    bool more = true;
    while (more) {
        part term;
        more = cut_at(&side, " and ", &term);
        if (made->n_terms == owi_most_terms)
            return fail_part(r->text, term, "a rule has at most 16 parts");
        OWI_TRY(read_term(r, term, &made->terms[made->n_terms]));
        made->n_terms++;
    }
    return OW_OK;
}

static ow_status read_condition(const reading *r, owi_condition *made)
{
    part rest = trimmed(r->text, strlen(r->text)), before;
    part whole = rest;
    if (cut_at(&rest, "=>", &before)) {
        OWI_TRY(read_terms(r, before, made));
        made->n_if = made->n_terms;
        return read_terms(r, rest, made);
    }
    return read_terms(r, whole, made);
}

ow_status owi_condition_parse(ow_context *ctx, const ow_schema *schema, const char *text,
                              owi_condition **out)
{
    const reading r = {.ctx = ctx, .schema = schema, .text = text};
    *out = NULL;
    owi_condition *made = owi_alloc_zeroed(ctx, sizeof *made);
    if (made == NULL) return OW_ERR_MEMORY;
    const ow_status status = read_condition(&r, made);
    if (status == OW_OK)
        *out = made;
    else
        owi_free(ctx, made);
    return status;
}
