/* SPDX-License-Identifier: MIT */
#include "auditing/audit_groups.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "commands/command.h"
#include "options/decimal.h"
#include "terminal/exit_codes.h"
#include "terminal/interrupt.h"
#include "terminal/memory.h"
#include "terminal/message.h"
#include "terminal/text_build.h"

enum { block_rows = 1024, most_cuts = 20, quartiles = 3 };

/* One column of --by. */
typedef struct {
    size_t in_file, in_schema; /* SIZE_MAX: the schema does not have it */
    bool is_number;            /* bands instead of texts */
    double cuts[most_cuts];
    size_t n_cuts;
} by_column;

/* ---- What --by says ---- */

/* "25|40|60", ascending. */
static int read_cuts(const char *text, by_column *column)
{
    while (*text != '\0') {
        const size_t length = strcspn(text, "|");
        char *part = memory_copy(text, length);
        double *cut = &column->cuts[column->n_cuts];
        const bool good = column->n_cuts < most_cuts && decimal_read(part, cut) &&
                          (column->n_cuts == 0 || *cut > cut[-1]);
        free(part);
        if (!good) {
            message(OW_LOG_ERROR,
                    "--by: expected ascending numbers as in age=25|40|60, got \"%s\"",
                    text);
            return EXIT_USAGE;
        }
        column->n_cuts++;
        text += length + (text[length] == '|');
    }
    return EXIT_DONE;
}

static size_t find_in_file(const ow_reader *reader, const char *name)
{
    for (size_t j = 0; j < ow_reader_n_columns(reader); j++)
        if (strcmp(ow_reader_column_name(reader, j), name) == 0) return j;
    return SIZE_MAX;
}

static int read_by(const ow_reader *reader, const ow_schema *schema, const char *text,
                   by_column *column, char **name)
{
    *column = (by_column){.in_schema = SIZE_MAX};
    *name = memory_copy(text, strlen(text));
    column->in_file = find_in_file(reader, *name);
    char *mark = strrchr(*name, '=');
    const char *cuts = NULL;
    if (column->in_file == SIZE_MAX && mark != NULL) {
        *mark = '\0';
        cuts = mark + 1;
        column->in_file = find_in_file(reader, *name);
    }
    if (column->in_file == SIZE_MAX) {
        message(OW_LOG_ERROR, "--by: the table has no column \"%s\"", *name);
        return EXIT_USAGE;
    }
    for (size_t j = 0; j < ow_schema_n_columns(schema); j++)
        if (strcmp(ow_schema_column(schema, j)->name, *name) == 0) column->in_schema = j;
    column->is_number =
        cuts != NULL || (column->in_schema != SIZE_MAX &&
                         ow_schema_column(schema, column->in_schema)->n_levels == 0);
    return cuts != NULL ? read_cuts(cuts, column) : EXIT_DONE;
}

/* ---- Rows ---- */

static void keep_block(audit_table *t, const ow_reader *reader, const by_column *by,
                       size_t n)
{
    char text[256];
    t->texts =
        memory_checked(realloc(t->texts, (t->n_rows + n) * t->n_by * sizeof *t->texts));
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < t->n_by; k++) {
            const size_t row = t->n_rows + i, j = by[k].in_schema;
            const char *shown = ow_reader_text(reader, i, by[k].in_file);
            if (j != SIZE_MAX) { /* as the schema writes it: a number without its unit */
                ow_schema_print_value(t->schema, j, t->values[row * t->n_columns + j], text,
                                      sizeof text);
                shown = text;
            }
            t->texts[row * t->n_by + k] = memory_copy(shown, strlen(shown));
        }
}

static ow_status read_blocks(ow_reader *reader, size_t limit, const ow_call *call,
                             const by_column *by, audit_table *t)
{
    ow_status status = OW_OK;
    for (size_t n = 1; n > 0 && status == OW_OK; t->n_rows += n) {
        size_t wanted = block_rows;
        if (limit > 0 && limit - t->n_rows < wanted) wanted = limit - t->n_rows;
        if (wanted == 0) break;
        t->values =
            memory_checked(realloc(t->values, (t->n_rows + block_rows) * t->n_columns *
                                                  sizeof *t->values));
        status = ow_reader_next(reader, wanted, call, t->values + t->n_rows * t->n_columns,
                                NULL, &n);
        if (status != OW_OK) n = 0;
        if (n > 0) keep_block(t, reader, by, n);
    }
    return status;
}

/* ---- Bands ---- */

static int compare_doubles(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

/* The numbers of a column; NaN where a text is none. */
static double *numbers_of(const audit_table *t, size_t k, size_t in_schema)
{
    double *numbers = memory_new(t->n_rows + 1, sizeof *numbers);
    for (size_t i = 0; i < t->n_rows; i++) {
        const bool in_values = in_schema != SIZE_MAX;
        if (in_values)
            numbers[i] = t->values[i * t->n_columns + in_schema];
        else if (!decimal_read(t->texts[i * t->n_by + k], &numbers[i]))
            numbers[i] = NAN;
    }
    return numbers;
}

/* Cuts that were not given: quartiles of the rows. */
static void find_cuts(const double *numbers, size_t n_rows, by_column *column)
{
    double *sorted = memory_new(n_rows + 1, sizeof *sorted);
    size_t n = 0;
    for (size_t i = 0; i < n_rows; i++)
        if (!isnan(numbers[i])) sorted[n++] = numbers[i];
    qsort(sorted, n, sizeof *sorted, compare_doubles);
    for (size_t q = 1; q <= quartiles && n > 0; q++) {
        const double cut = sorted[q * n / (quartiles + 1)];
        if (cut > sorted[0] &&
            (column->n_cuts == 0 || cut > column->cuts[column->n_cuts - 1]))
            column->cuts[column->n_cuts++] = cut;
    }
    free(sorted);
}

static size_t find_band(const by_column *column, double x)
{
    size_t b = 0;
    while (b < column->n_cuts && x >= column->cuts[b]) b++;
    return b;
}

static char *name_band(const by_column *column, size_t b)
{
    if (column->n_cuts == 0) return text_add(NULL, "all");
    if (b == 0) return text_add(NULL, "below %.10g", column->cuts[0]);
    if (b == column->n_cuts) return text_add(NULL, "from %.10g on", column->cuts[b - 1]);
    return text_add(NULL, "%.10g to below %.10g", column->cuts[b - 1], column->cuts[b]);
}

static void make_bands(audit_table *t, size_t k, by_column *column)
{
    double *numbers = numbers_of(t, k, column->in_schema);
    if (column->n_cuts == 0) find_cuts(numbers, t->n_rows, column);
    for (size_t i = 0; i < t->n_rows; i++) {
        char **text = &t->texts[i * t->n_by + k];
        const bool known = !isnan(numbers[i]);
        const size_t band = known ? find_band(column, numbers[i]) : most_cuts + 1;
        free(*text);
        *text = known ? name_band(column, band) : memory_copy("", 0);
        t->ranks[i * t->n_by + k] = band;
    }
    free(numbers);
}

int audit_table_read(ow_reader *reader, const ow_schema *schema, const text_list *by,
                     size_t limit, const ow_call *call, audit_table *t)
{
    *t = (audit_table){.schema = schema,
                       .n_columns = ow_schema_n_columns(schema),
                       .n_by = by->n,
                       .by = memory_new(by->n + 1, sizeof *t->by)};
    by_column *columns = memory_new(by->n + 1, sizeof *columns);
    int code = EXIT_DONE;
    for (size_t k = 0; k < by->n && code == EXIT_DONE; k++)
        code = read_by(reader, schema, by->items[k], &columns[k], &t->by[k]);
    if (code == EXIT_DONE) {
        const ow_status status = read_blocks(reader, limit, call, columns, t);
        if (interrupt_signal() != 0)
            code = interrupt_end();
        else if (status != OW_OK)
            code = command_failed(status, false);
    }
    t->ranks = memory_new(t->n_rows * t->n_by + 1, sizeof *t->ranks);
    for (size_t k = 0; k < by->n && code == EXIT_DONE; k++)
        if (columns[k].is_number) make_bands(t, k, &columns[k]);
    free(columns);
    return code;
}

void audit_table_clear(audit_table *t)
{
    for (size_t i = 0; i < t->n_rows * t->n_by; i++) free(t->texts[i]);
    for (size_t k = 0; k < t->n_by; k++) free(t->by[k]);
    free(t->texts);
    free(t->ranks);
    free(t->by);
    free(t->values);
}

/* ---- Groups ---- */

/* Rows beside others of the same texts in columns first to last. */
typedef struct {
    const audit_table *table;
    size_t first, last;
} sort_order;

static int compare_in(const sort_order *order, size_t a, size_t b)
{
    const audit_table *t = order->table;
    for (size_t k = order->first; k <= order->last; k++) {
        const size_t ranks[2] = {t->ranks[a * t->n_by + k], t->ranks[b * t->n_by + k]};
        if (ranks[0] != ranks[1]) return ranks[0] < ranks[1] ? -1 : 1;
        const int c = strcmp(t->texts[a * t->n_by + k], t->texts[b * t->n_by + k]);
        if (c != 0) return c;
    }
    return 0;
}

/* The rows in an order in which those of a group stand together: a merge sort, since qsort
 * knows nothing of the table. */
static void sort_rows(const sort_order *order, size_t *rows, size_t *other, size_t n)
{
    for (size_t width = 1; width < n; width *= 2) {
        for (size_t from = 0; from < n; from += 2 * width) {
            const size_t middle = from + width < n ? from + width : n;
            const size_t to = from + 2 * width < n ? from + 2 * width : n;
            size_t a = from, b = middle;
            for (size_t i = from; i < to; i++) {
                const bool left =
                    b >= to || (a < middle && compare_in(order, rows[a], rows[b]) <= 0);
                other[i] = left ? rows[a++] : rows[b++];
            }
        }
        memcpy(rows, other, n * sizeof *rows);
    }
}

static void add_group(const sort_order *order, const size_t *rows, size_t n,
                      size_t smallest, audit_groups *groups)
{
    const audit_table *t = order->table;
    if (n < smallest) {
        groups->n_hidden++;
        return;
    }
    groups->groups = memory_grow(groups->groups, groups->n, sizeof *groups->groups);
    audit_group *g = &groups->groups[groups->n++];
    *g = (audit_group){.name = memory_new(t->n_by + 1, sizeof *g->name),
                       .has = memory_new(t->n_rows, sizeof *g->has),
                       .n_rows = n};
    for (size_t k = order->first; k <= order->last; k++) {
        const char *text = t->texts[rows[0] * t->n_by + k];
        g->name[k] = *text != '\0' ? memory_copy(text, strlen(text))
                                   : memory_copy("missing", strlen("missing"));
    }
    for (size_t i = 0; i < n; i++) g->has[rows[i]] = true;
}

static void add_groups(const audit_table *t, size_t first, size_t last, size_t smallest,
                       audit_groups *groups)
{
    const sort_order order = {t, first, last};
    size_t *rows = memory_new(t->n_rows + 1, sizeof *rows);
    size_t *other = memory_new(t->n_rows + 1, sizeof *other);
    for (size_t i = 0; i < t->n_rows; i++) rows[i] = i;
    sort_rows(&order, rows, other, t->n_rows);
    for (size_t from = 0, to; from < t->n_rows; from = to) {
        for (to = from; to < t->n_rows && compare_in(&order, rows[from], rows[to]) == 0;)
            to++;
        add_group(&order, rows + from, to - from, smallest, groups);
    }
    free(rows);
    free(other);
}

void audit_groups_make(const audit_table *t, size_t smallest, audit_groups *groups)
{
    *groups = (audit_groups){0};
    for (size_t k = 0; k < t->n_by; k++) add_groups(t, k, k, smallest, groups);
    if (t->n_by > 1) add_groups(t, 0, t->n_by - 1, smallest, groups);
}

void audit_groups_clear(audit_groups *groups, size_t n_by)
{
    for (size_t g = 0; g < groups->n; g++) {
        for (size_t k = 0; k < n_by; k++) free(groups->groups[g].name[k]);
        free(groups->groups[g].name);
        free(groups->groups[g].has);
    }
    free(groups->groups);
}
