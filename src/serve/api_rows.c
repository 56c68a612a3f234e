/* SPDX-License-Identifier: MIT */
/* The table: what its columns are, lists of rows, and single rows. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/terminal/memory.h"
#include "cli/terminal/text_build.h"
#include "serve/api.h"
#include "serve/json_values.h"

enum { n_bins = 40, most_listed = 200, listed_by_default = 50 };

static http_reply give_json(json_t *document)
{
    char *text = document != NULL ? json_dumps(document, JSON_COMPACT) : NULL;
    json_decref(document);
    return http_reply_json(200, text, text != NULL ? strlen(text) : 0);
}

/* A number from 1 to most, of decimal digits only; 0 if it is none. */
static size_t read_count(const char *text, size_t length, size_t most)
{
    size_t n = 0;
    for (size_t i = 0; i < length; i++) {
        if (text[i] < '0' || text[i] > '9' || n > most) return 0;
        n = 10 * n + (size_t)(text[i] - '0');
    }
    return n <= most ? n : 0;
}

/* ---- The columns ---- */

/* How many rows have each level, or lie in each of n_bins parts of the range. */
static json_t *count_values(const api *a, size_t j)
{
    const ow_column *column = ow_schema_column(a->schema, j);
    const bool is_number = column->n_levels == 0;
    const size_t n = is_number ? n_bins : column->n_levels;
    const double width = column->high - column->low;
    size_t *counts = memory_new(n, sizeof *counts);
    for (size_t i = 0; i < a->rows->n_rows; i++) {
        const double value = a->rows->values[i * a->rows->n_columns + j];
        if (isnan(value)) continue;
        double bin = is_number ? 0.0 : value;
        if (is_number && width > 0.0) bin = floor((value - column->low) / width * n_bins);
        if (bin < 0.0) bin = 0.0;
        if (bin > (double)(n - 1)) bin = (double)(n - 1);
        counts[(size_t)bin]++;
    }
    json_t *list = json_array();
    for (size_t k = 0; k < n; k++)
        json_array_append_new(list, json_integer((json_int_t)counts[k]));
    free(counts);
    return list;
}

static bool follows_others(const ow_schema *schema, size_t column)
{
    for (size_t i = 0; i < ow_schema_n_relations(schema); i++)
        if (ow_schema_relation(schema, i)->column == column) return true;
    return false;
}

static json_t *describe_column(const api *a, size_t j)
{
    const ow_column *column = ow_schema_column(a->schema, j);
    json_t *object = json_object();
    json_object_set_new(object, "name", json_values_text(column->name));
    json_object_set_new(object, "type", json_string(ow_column_type_name(column->type)));
    if (column->n_levels > 0) {
        json_t *levels = json_array();
        for (size_t k = 0; k < column->n_levels; k++)
            json_array_append_new(levels, json_values_text(column->levels[k]));
        json_object_set_new(object, "levels", levels);
    } else {
        json_object_set_new(object, "low", json_real(column->low));
        json_object_set_new(object, "high", json_real(column->high));
        json_object_set_new(object, "decimals", json_integer(column->decimals));
        json_object_set_new(object, "format", json_values_text(column->format));
    }
    json_object_set_new(object, "immutable", json_boolean(column->immutable));
    json_object_set_new(object, "monotone",
                        json_string(ow_monotone_name(column->monotone)));
    json_object_set_new(object, "doubtful", json_boolean(column->doubtful));
    json_object_set_new(object, "follows", json_boolean(follows_others(a->schema, j)));
    json_object_set_new(object, "counts", count_values(a, j));
    return object;
}

char *api_about_text(const api *a)
{
    char sum[OW_SHA256_SIZE] = "";
    json_t *document = json_object(), *columns = json_array(), *classes = json_array();
    if (ow_model_sha256(a->model, sum) != OW_OK) sum[0] = '\0';
    for (size_t j = 0; j < a->rows->n_columns; j++)
        json_array_append_new(columns, describe_column(a, j));
    for (size_t c = 0; c < a->rows->n_classes; c++)
        json_array_append_new(classes,
                              json_values_text(ow_schema_class_name(a->schema, c)));
    json_object_set_new(document, "version", json_string(ow_version()));
    json_object_set_new(document, "model_sha256", json_string(sum));
    json_object_set_new(document, "table", json_values_text(a->table_name));
    json_object_set_new(document, "rows", json_integer((json_int_t)a->rows->n_rows));
    json_object_set_new(document, "id", json_values_text(a->rows->id_name));
    json_object_set_new(document, "label", json_values_text(ow_schema_label(a->schema)));
    json_object_set_new(document, "classes", classes);
    json_object_set_new(document, "keeps_state", json_boolean(!a->read_only));
    json_object_set_new(document, "columns", columns);
    char *text = json_dumps(document, JSON_COMPACT);
    json_decref(document);
    return text;
}

/* ---- One row ---- */

static json_t *describe_row(const api *a, size_t row, bool whole)
{
    const row_store *rows = a->rows;
    const size_t c = (size_t)rows->classes[row];
    const double percentile = rows->percentile[row];
    json_t *object = json_object();
    json_object_set_new(object, "row", json_integer((json_int_t)row + 1));
    if (rows->ids != NULL)
        json_object_set_new(object, "id", json_values_text(rows->ids[row]));
    json_object_set_new(object, "class",
                        json_values_text(ow_schema_class_name(a->schema, c)));
    json_object_set_new(object, "proba", json_real(rows->proba[row * rows->n_classes + c]));
    json_object_set_new(object, "density_percentile",
                        isnan(percentile) ? json_null() : json_real(percentile));
    if (whole) {
        json_t *carried = json_object();
        for (size_t k = 0; k < rows->n_carried; k++)
            json_object_set_new(carried, ow_schema_carried(a->schema, k),
                                json_values_text(rows->carried[row * rows->n_carried + k]));
        json_object_set_new(object, "carried", carried);
    }
    json_object_set_new(object, "values",
                        json_values_row(a->schema, rows->values + row * rows->n_columns));
    return object;
}

http_reply api_show_row(const api *a, http_text number)
{
    const size_t n = read_count(number.at, number.length, a->rows->n_rows);
    if (n == 0)
        return http_reply_error(404, "no such row", "The table has no row of this number.");
    return give_json(describe_row(a, n - 1, true));
}

/* ---- Lists ---- */

/* What is asked for. */
typedef struct {
    char *search;   /* in the row's number, name and carried texts; NULL: all */
    int32_t wanted; /* a class; OW_NO_CLASS: all */
    int by;         /* a sort_key */
    size_t column;  /* for SORT_COLUMN */
    bool down;      /* the largest first */
    size_t from, count;
} list_query;

typedef enum { SORT_ROW, SORT_CLASS, SORT_PROBA, SORT_PERCENTILE, SORT_COLUMN } sort_key;

typedef struct {
    double key;
    size_t row;
} sorted_row;

/* Missing ones last; equal ones in the order of the table. */
static int compare_rows(const void *x, const void *y)
{
    const sorted_row *a = x, *b = y;
    if (isnan(a->key) != isnan(b->key)) return isnan(a->key) ? 1 : -1;
    if (!isnan(a->key) && a->key != b->key) return a->key < b->key ? -1 : 1;
    return a->row < b->row ? -1 : a->row > b->row;
}

static double sort_value(const api *a, const list_query *q, size_t row)
{
    const row_store *rows = a->rows;
    const double sign = q->down ? -1.0 : 1.0;
    switch ((sort_key)q->by) {
    case SORT_CLASS:
        return sign * rows->classes[row];
    case SORT_PROBA:
        return sign * rows->proba[row * rows->n_classes + (size_t)rows->classes[row]];
    case SORT_PERCENTILE:
        return sign * rows->percentile[row];
    case SORT_COLUMN:
        return sign * rows->values[row * rows->n_columns + q->column];
    case SORT_ROW:
        break;
    }
    return sign * (double)row;
}

static char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

/* Letters of ASCII in either case. */
static bool contains(const char *text, const char *part)
{
    if (text == NULL) return false;
    for (; *text != '\0'; text++) {
        size_t i = 0;
        while (part[i] != '\0' && lower(text[i]) == lower(part[i])) i++;
        if (part[i] == '\0') return true;
    }
    return false;
}

static bool is_listed(const api *a, const list_query *q, size_t row)
{
    const row_store *rows = a->rows;
    char number[32];
    if (q->wanted != OW_NO_CLASS && rows->classes[row] != q->wanted) return false;
    if (q->search == NULL || *q->search == '\0') return true;
    snprintf(number, sizeof number, "%zu", row + 1);
    if (strcmp(number, q->search) == 0) return true;
    if (rows->ids != NULL && contains(rows->ids[row], q->search)) return true;
    for (size_t k = 0; k < rows->n_carried; k++)
        if (contains(rows->carried[row * rows->n_carried + k], q->search)) return true;
    return false;
}

static bool read_sort(const api *a, const char *text, list_query *q)
{
    static const char *const names[] = {[SORT_ROW] = "row",
                                        [SORT_CLASS] = "class",
                                        [SORT_PROBA] = "proba",
                                        [SORT_PERCENTILE] = "density_percentile"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(text, names[i]) == 0) {
            q->by = (int)i;
            return true;
        }
    q->by = SORT_COLUMN;
    /* A column that is called like one of these: column:row. */
    static const char before[] = "column:";
    if (strncmp(text, before, sizeof before - 1) == 0) text += sizeof before - 1;
    return ow_schema_find_column(a->schema, text, &q->column) == OW_OK;
}

/* False with a sentence to be freed. */
static bool read_list_query(const api *a, http_text query, list_query *q, char **error)
{
    char *sort = http_query_get(query, "sort"), *order = http_query_get(query, "order");
    char *wanted = http_query_get(query, "class"), *from = http_query_get(query, "from");
    char *count = http_query_get(query, "count");
    *q = (list_query){.wanted = OW_NO_CLASS, .count = listed_by_default};
    q->search = http_query_get(query, "search");
    if (sort != NULL && !read_sort(a, sort, q))
        *error = text_add(NULL, "sort: %s", ow_error_message());
    else if (wanted != NULL && *wanted != '\0' &&
             ow_schema_find_class(a->schema, wanted, &q->wanted) != OW_OK)
        *error = text_add(NULL, "class: %s", ow_error_message());
    else if (order != NULL && strcmp(order, "up") != 0 && strcmp(order, "down") != 0)
        *error = text_add(NULL, "order: expected up or down");
    q->down = order != NULL && strcmp(order, "down") == 0;
    if (from != NULL) q->from = read_count(from, strlen(from), a->rows->n_rows);
    if (count != NULL) q->count = read_count(count, strlen(count), most_listed);
    if (*error == NULL && from != NULL && q->from == 0 && strcmp(from, "0") != 0)
        *error = text_add(NULL, "from: expected a number from 0 to %zu", a->rows->n_rows);
    if (*error == NULL && q->count == 0)
        *error = text_add(NULL, "count: expected a number from 1 to %d", most_listed);
    free(sort);
    free(order);
    free(wanted);
    free(from);
    free(count);
    return *error == NULL;
}

http_reply api_list_rows(const api *a, http_text query)
{
    list_query q;
    char *error = NULL;
    if (!read_list_query(a, query, &q, &error)) {
        http_reply reply = http_reply_error(422, "wrong query", error);
        free(error);
        free(q.search);
        return reply;
    }
    sorted_row *found = memory_new(a->rows->n_rows + 1, sizeof *found);
    size_t n = 0;
    for (size_t i = 0; i < a->rows->n_rows; i++)
        if (is_listed(a, &q, i)) found[n++] = (sorted_row){sort_value(a, &q, i), i};
    if (q.by != SORT_ROW || q.down) qsort(found, n, sizeof *found, compare_rows);
    json_t *document = json_object(), *list = json_array();
    for (size_t i = q.from; i < n && i < q.from + q.count; i++)
        json_array_append_new(list, describe_row(a, found[i].row, false));
    json_object_set_new(document, "total", json_integer((json_int_t)n));
    json_object_set_new(document, "from", json_integer((json_int_t)q.from));
    json_object_set_new(document, "rows", list);
    free(found);
    free(q.search);
    return give_json(document);
}
