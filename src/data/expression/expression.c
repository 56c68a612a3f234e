/* SPDX-License-Identifier: MIT */
/* The text goes through two stacks (Dijkstra's shunting yard): operators wait until one
 * that binds less tightly comes.  Both stacks and the number of steps are bounded, so that
 * a text of any depth is refused instead of exhausting memory. */
#include "data/expression/expression.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/memory/alloc.h"
#include "base/text/number.h"
#include "data/expression/words.h"

enum { most_steps = 256, most_waiting = 64, most_depth = 64, most_shown = 120 };

typedef enum {
    STEP_NUMBER,
    STEP_COLUMN,
    STEP_ADD,
    STEP_SUBTRACT,
    STEP_MULTIPLY,
    STEP_DIVIDE,
    STEP_NEGATE,
    STEP_POWER,
    STEP_LOG,
    STEP_EXP,
    STEP_MIN,
    STEP_MAX,
    STEP_ROUND,
    STEP_BRACKET /* waits only */
} step_kind;

typedef struct {
    step_kind kind;
    uint32_t n_arguments; /* of functions */
    size_t column;
    double number;
} step;

struct owi_expression {
    size_t n_steps, n_columns;
    step steps[most_steps];
    size_t columns[most_steps];
};

/* ---- Evaluation ---- */

static double round_to(double x, double digits)
{
    if (!(fabs(digits) <= owi_max_decimals) || digits != floor(digits)) return NAN;
    if (digits >= 0.0) return owi_round_decimals(x, (int)digits);
    const double unit = pow(10.0, -digits);
    return nearbyint(x / unit) * unit;
}

/* Applies a step to the n values on the stack; the number of values then. */
static size_t apply(const step *s, double *stack, size_t n)
{
    double *last = &stack[n - 1], *before = n > 1 ? &stack[n - 2] : NULL;
    switch (s->kind) {
    case STEP_NEGATE:
        *last = -*last;
        return n;
    case STEP_LOG:
        *last = log(*last);
        return n;
    case STEP_EXP:
        *last = exp(*last);
        return n;
    case STEP_ADD:
        *before += *last;
        return n - 1;
    case STEP_SUBTRACT:
        *before -= *last;
        return n - 1;
    case STEP_MULTIPLY:
        *before *= *last;
        return n - 1;
    case STEP_DIVIDE:
        *before /= *last;
        return n - 1;
    case STEP_POWER:
        *before = pow(*before, *last);
        return n - 1;
    case STEP_ROUND:
        if (s->n_arguments == 1) {
            *last = owi_round_decimals(*last, 0);
            return n;
        }
        *before = round_to(*before, *last);
        return n - 1;
    default: /* min, max; a missing value stays missing */
        for (size_t k = n - s->n_arguments + 1; k < n; k++) {
            double *best = &stack[n - s->n_arguments];
            const bool is_better =
                s->kind == STEP_MIN ? stack[k] < *best : stack[k] > *best;
            if (is_better || isnan(stack[k])) *best = isnan(*best) ? *best : stack[k];
        }
        return n - s->n_arguments + 1;
    }
}

double owi_expression_value(const owi_expression *expression, const double *row)
{
    double stack[most_depth];
    size_t n = 0;
    for (size_t i = 0; i < expression->n_columns; i++)
        if (isnan(row[expression->columns[i]])) return NAN;
    for (size_t i = 0; i < expression->n_steps; i++) {
        const step *s = &expression->steps[i];
        if (s->kind == STEP_NUMBER)
            stack[n++] = s->number;
        else if (s->kind == STEP_COLUMN)
            stack[n++] = row[s->column];
        else
            n = apply(s, stack, n);
    }
    return isfinite(stack[0]) ? stack[0] : NAN;
}

size_t owi_expression_columns(const owi_expression *expression, const size_t **columns)
{
    *columns = expression->columns;
    return expression->n_columns;
}

owi_expression *owi_expression_copy(ow_context *ctx, const owi_expression *expression)
{
    owi_expression *copy = owi_alloc_zeroed(ctx, sizeof *copy);
    if (copy != NULL) *copy = *expression;
    return copy;
}

/* ---- Parsing ---- */

typedef struct {
    step_kind kind;
    uint32_t n_arguments; /* of the bracket of a function: commas so far, and one */
    bool is_function;     /* a bracket that is a function's: kind is the function */
    size_t at;
} waiting;

typedef struct {
    ow_context *ctx;
    const ow_schema *schema;
    const char *text;
    size_t at; /* byte that is read next */
    owi_expression *made;
    size_t depth; /* of the evaluation's stack */
    size_t n_waiting;
    waiting stack[most_waiting];
} parser;

/* Fails at a byte of the text; characters are counted. */
static ow_status fail_at(const parser *p, size_t at, const char *what)
{
    size_t character = 1;
    for (size_t i = 0; i < at; i++) character += (p->text[i] & 0xC0) != 0x80;
    const bool is_long = strlen(p->text) > most_shown;
    return owi_fail(OW_ERR_ARGUMENT, "\"%.*s%s\", character %zu: %s", most_shown, p->text,
                    is_long ? "..." : "", character, what);
}

static ow_status expected_operand(const parser *p, size_t at)
{
    return fail_at(p, at,
                   p->text[at] == '\0' ? "expected a number, a column or \"(\", got the end"
                                       : "expected a number, a column or \"(\"");
}

static int binds(step_kind kind)
{
    switch (kind) {
    case STEP_ADD:
    case STEP_SUBTRACT:
        return 1;
    case STEP_MULTIPLY:
    case STEP_DIVIDE:
        return 2;
    case STEP_NEGATE:
        return 3;
    case STEP_POWER:
        return 4;
    default:
        return 0;
    }
}

static ow_status emit(parser *p, const step *s, size_t at)
{
    const bool is_value = s->kind == STEP_NUMBER || s->kind == STEP_COLUMN;
    if (p->made->n_steps == most_steps) return fail_at(p, at, "the expression is too long");
    if (is_value) {
        if (++p->depth > most_depth) return fail_at(p, at, "too many values at once");
    } else if (s->n_arguments > 1) {
        p->depth -= s->n_arguments - 1;
    } else if (binds(s->kind) > 0 && s->kind != STEP_NEGATE) {
        p->depth--;
    }
    p->made->steps[p->made->n_steps++] = *s;
    return OW_OK;
}

static ow_status wait(parser *p, const waiting *w)
{
    if (p->n_waiting == most_waiting)
        return fail_at(p, w->at, "brackets and operators are nested too deeply");
    p->stack[p->n_waiting++] = *w;
    return OW_OK;
}

/* Emits the operators that bind at least as tightly, down to a bracket. */
static ow_status release(parser *p, int least)
{
    while (p->n_waiting > 0) {
        const waiting *top = &p->stack[p->n_waiting - 1];
        if (binds(top->kind) < least || top->is_function || binds(top->kind) == 0) break;
        OWI_TRY(emit(p, &(step){.kind = top->kind}, top->at));
        p->n_waiting--;
    }
    return OW_OK;
}

static ow_status read_number(parser *p)
{
    const char *text = p->text + p->at;
    size_t n = strspn(text, "0123456789.");
    if (n > 0 && (text[n] == 'e' || text[n] == 'E')) {
        const size_t sign = text[n + 1] == '+' || text[n + 1] == '-';
        const size_t digits = strspn(text + n + 1 + sign, "0123456789");
        if (digits > 0) n += 1 + sign + digits;
    }
    step s = {.kind = STEP_NUMBER};
    if (!owi_parse_number(text, n, &s.number, NULL))
        return fail_at(p, p->at, "this is no number");
    OWI_TRY(emit(p, &s, p->at));
    p->at += n;
    return OW_OK;
}

static void note_column(owi_expression *made, size_t column)
{
    size_t at = 0;
    while (at < made->n_columns && made->columns[at] < column) at++;
    if (at < made->n_columns && made->columns[at] == column) return;
    memmove(made->columns + at + 1, made->columns + at,
            (made->n_columns - at) * sizeof *made->columns);
    made->columns[at] = column;
    made->n_columns++;
}

static ow_status read_column(parser *p, size_t length)
{
    step s = {.kind = STEP_COLUMN};
    const ow_status status =
        owi_find_written_column(p->ctx, p->schema, p->text + p->at, length, &s.column);
    if (status == OW_ERR_ARGUMENT) return fail_at(p, p->at, ow_error_message());
    if (status != OW_OK) return status;
    if (ow_schema_column(p->schema, s.column)->n_levels > 0)
        return fail_at(p, p->at, "this column is a category; only numbers can be used");
    OWI_TRY(emit(p, &s, p->at));
    note_column(p->made, s.column);
    p->at += length;
    return OW_OK;
}

static const struct {
    const char *name;
    step_kind kind;
    uint32_t least, most; /* arguments */
} functions[] = {
    {"log", STEP_LOG, 1, 1},  {"exp", STEP_EXP, 1, 1},     {"min", STEP_MIN, 2, 32},
    {"max", STEP_MAX, 2, 32}, {"round", STEP_ROUND, 1, 2},
};
enum { n_functions = sizeof functions / sizeof *functions };

static ow_status read_name(parser *p, bool *reads_operand)
{
    const char *text = p->text + p->at;
    const size_t length = owi_bare_length(text);
    const size_t behind = length + strspn(text + length, owi_blanks);
    if (text[behind] != '(') {
        *reads_operand = false;
        return read_column(p, length);
    }
    for (size_t i = 0; i < n_functions; i++)
        if (strlen(functions[i].name) == length &&
            strncmp(functions[i].name, text, length) == 0) {
            const waiting w = {.kind = functions[i].kind,
                               .n_arguments = 1,
                               .is_function = true,
                               .at = p->at};
            p->at += behind + 1;
            return wait(p, &w);
        }
    return fail_at(p, p->at,
                   "there is no such function: log, exp, min, max and round are known");
}

/* A number, a column, the opening of a bracket or function, or a sign before one. */
static ow_status read_operand(parser *p, bool *expects_operand)
{
    const char c = p->text[p->at];
    *expects_operand = false;
    if (owi_is_digit(c) || c == '.') return read_number(p);
    if (owi_is_quote(c)) {
        const size_t length = owi_quoted_length(p->text + p->at);
        if (length == 0) return fail_at(p, p->at, "the closing quote is missing");
        return read_column(p, length);
    }
    *expects_operand = true;
    if (owi_begins_name(c)) return read_name(p, expects_operand);
    if (c != '(' && c != '-' && c != '+') return expected_operand(p, p->at);
    const size_t at = p->at++;
    if (c == '+') return OW_OK;
    return wait(p, &(waiting){.kind = c == '(' ? STEP_BRACKET : STEP_NEGATE, .at = at});
}

static ow_status close_bracket(parser *p)
{
    OWI_TRY(release(p, 1));
    if (p->n_waiting == 0) return fail_at(p, p->at, "this bracket was not opened");
    const waiting w = p->stack[--p->n_waiting];
    for (size_t i = 0; w.is_function && i < n_functions; i++) {
        if (functions[i].kind != w.kind) continue;
        if (w.n_arguments < functions[i].least || w.n_arguments > functions[i].most)
            return fail_at(p, w.at, "the function has another number of arguments");
        OWI_TRY(emit(p, &(step){.kind = w.kind, .n_arguments = w.n_arguments}, w.at));
    }
    p->at++;
    return OW_OK;
}

static ow_status read_comma(parser *p)
{
    OWI_TRY(release(p, 1));
    if (p->n_waiting == 0 || !p->stack[p->n_waiting - 1].is_function)
        return fail_at(p, p->at, "a comma can only stand between arguments");
    p->stack[p->n_waiting - 1].n_arguments++;
    p->at++;
    return OW_OK;
}

/* An operator, a comma, a closing bracket. */
static ow_status read_operator(parser *p, bool *expects_operand)
{
    static const char signs[] = "+-*/^";
    static const step_kind kinds[] = {STEP_ADD, STEP_SUBTRACT, STEP_MULTIPLY, STEP_DIVIDE,
                                      STEP_POWER};
    const char c = p->text[p->at];
    *expects_operand = true;
    if (c == ',') return read_comma(p);
    if (c == ')') {
        *expects_operand = false;
        return close_bracket(p);
    }
    const char *sign = strchr(signs, c);
    if (sign == NULL)
        return fail_at(p, p->at, "expected an operator (+ - * / ^) or the end");
    const step_kind kind = kinds[sign - signs];
    /* ^ binds to the right: a ^ b ^ c is a ^ (b ^ c). */
    OWI_TRY(release(p, kind == STEP_POWER ? binds(kind) + 1 : binds(kind)));
    return wait(p, &(waiting){.kind = kind, .at = p->at++});
}

static ow_status parse(parser *p)
{
    bool expects_operand = true;
    for (;;) {
        p->at += strspn(p->text + p->at, owi_blanks);
        if (p->text[p->at] == '\0') break;
        if (expects_operand)
            OWI_TRY(read_operand(p, &expects_operand));
        else
            OWI_TRY(read_operator(p, &expects_operand));
    }
    if (expects_operand) return expected_operand(p, p->at);
    OWI_TRY(release(p, 1));
    if (p->n_waiting > 0)
        return fail_at(p, p->stack[p->n_waiting - 1].at, "the closing bracket is missing");
    return OW_OK;
}

ow_status owi_expression_parse(ow_context *ctx, const ow_schema *schema, const char *text,
                               owi_expression **out)
{
    parser p = {.ctx = ctx, .schema = schema, .text = text};
    *out = NULL;
    p.made = owi_alloc_zeroed(ctx, sizeof *p.made);
    if (p.made == NULL) return OW_ERR_MEMORY;
    const ow_status status = parse(&p);
    if (status == OW_OK)
        *out = p.made;
    else
        owi_free(ctx, p.made);
    return status;
}
