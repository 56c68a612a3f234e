/* SPDX-License-Identifier: MIT */
/* In C order a row is a run of bytes, and the file is read one run at a time:
 *
 *     source -> row_bytes -> numbers -> cells
 *
 * In Fortran order a row is spread over the whole file, which is therefore kept, and each
 * row is gathered from it:
 *
 *     source -> array -> row_bytes -> numbers -> cells */
#include "data/array/array_rows.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/memory/alloc.h"
#include "base/memory/sizes.h"
#include "data/schema/schema_private.h"

enum { first_step = 1 << 16 }; /* bytes asked for before any of them has been seen */

typedef struct {
    owi_array_head head;
    size_t head_size;
    size_t element_size, row_size, n_rows; /* sizes in bytes                   */
    size_t row;                            /* the next one                     */
    size_t end;                            /* rows from here on are not given  */
    unsigned char *row_bytes;              /* the next row, if is_loaded       */
    bool is_loaded;
    double *numbers;      /* the row decoded                          */
    unsigned char *array; /* Fortran order: everything; else NULL     */
    size_t *offsets;      /* and where column j of row 0 stands in it, in elements */
} array_state;

ow_status owi_read_head(owi_rows *rows, void *bytes, size_t size, size_t before)
{
    size_t n;
    OWI_TRY(owi_byte_source_read(rows->source, bytes, size, &n));
    if (n == size) return OW_OK;
    return owi_fail(OW_ERR_FORMAT,
                    "%s: the file ends in its %s head, expected %zu bytes, got %zu",
                    rows->name, rows->format->name, before + size, before + n);
}

/* ---- Bytes ---- */

/* Where the elements end too early or not where they should. */
static ow_status wrong_size(const owi_rows *rows, size_t got, const char *or_more)
{
    const array_state *state = rows->state;
    char shape[owi_shape_text_size];
    owi_print_shape(&state->head, shape);
    return owi_fail(OW_ERR_FORMAT,
                    "%s: expected %zu bytes of elements (%s of %zu), got %zu%s", rows->name,
                    state->n_rows * state->row_size, shape, state->element_size, got,
                    or_more);
}

/* Reads size bytes into *block, `before` bytes of the elements being read already.  A new
 * block grows as the bytes come: a head that promises too much costs no memory. */
static ow_status read_elements(owi_rows *rows, unsigned char **block, size_t size,
                               size_t before)
{
    const bool is_new = *block == NULL;
    size_t have = 0;
    do {
        size_t want = size;
        if (is_new) {
            want = have + owi_smaller(size - have, owi_larger(have, first_step));
            unsigned char *grown = owi_resize_array(rows->ctx, *block, want, 1);
            if (grown == NULL) return OW_ERR_MEMORY;
            *block = grown;
        }
        size_t n;
        OWI_TRY(owi_byte_source_read(rows->source, *block + have, want - have, &n));
        have += n;
        if (have < want) return wrong_size(rows, before + have, "");
    } while (have < size);
    return OW_OK;
}

/* All elements are read: the file must end here. */
static ow_status check_end(owi_rows *rows)
{
    const array_state *state = rows->state;
    unsigned char rest[4096];
    size_t n;
    OWI_TRY(owi_byte_source_read(rows->source, rest, sizeof rest, &n));
    if (n == 0) return OW_OK;
    return wrong_size(rows, state->n_rows * state->row_size + n,
                      n == sizeof rest ? " or more" : "");
}

/* ---- Rows ---- */

static ow_status decode_row(const owi_rows *rows, owi_cell *cells)
{
    const array_state *state = rows->state;
    const double *numbers = state->numbers;
    owi_array_decode(&state->head, state->row_bytes, rows->n_columns, state->numbers);
    for (size_t j = 0; j < rows->n_columns; j++) {
        if (isinf(numbers[j]))
            return owi_fail(OW_ERR_FORMAT,
                            "%s: row %zu: column x%zu: expected a finite number, got %s",
                            rows->name, state->row + 1, j, numbers[j] > 0 ? "inf" : "-inf");
        cells[j] = (owi_cell){.number = numbers[j]};
    }
    return OW_OK;
}

/* ---- Fortran order ---- */

/* Whether C and Fortran order differ: they do unless all dimensions but one are 1. */
static bool order_matters(const owi_array_head *head)
{
    size_t n = 0;
    for (size_t d = 0; d < head->rank; d++) n += head->shape[d] > 1 ? 1 : 0;
    return n > 1;
}

/* Element (i, k1, k2, ...) of shape (n, s1, s2, ...) stands at i + n (k1 + s1 (k2 + ...)).
 * Columns run through (k1, k2, ...) with the last index fastest, like an odometer. */
static void find_offsets(const owi_array_head *head, size_t n_columns, size_t *offsets)
{
    size_t index[owi_most_dimensions] = {0}, stride[owi_most_dimensions];
    stride[0] = 1;
    for (size_t d = 1; d < head->rank; d++) stride[d] = stride[d - 1] * head->shape[d - 1];

    size_t offset = 0;
    for (size_t j = 0; j < n_columns; j++) {
        offsets[j] = offset;
        for (size_t d = head->rank - 1; d > 0; d--) {
            offset += stride[d];
            if (++index[d] < head->shape[d]) break;
            offset -= stride[d] * head->shape[d];
            index[d] = 0;
        }
    }
}

static ow_status load_fortran(owi_rows *rows)
{
    array_state *state = rows->state;
    const size_t size = state->n_rows * state->row_size;
    if (size > OWI_MOST_FORTRAN_BYTES)
        return owi_fail(OW_ERR_UNSUPPORTED,
                        "%s: an array in Fortran order is held in memory whole, at most "
                        "%zu bytes, but this one has %zu; store it in C order",
                        rows->name, OWI_MOST_FORTRAN_BYTES, size);
    OWI_TRY(read_elements(rows, &state->array, size, 0));
    OWI_TRY(check_end(rows));
    state->row_bytes = owi_alloc(rows->ctx, state->row_size);
    state->offsets = owi_alloc_array(rows->ctx, rows->n_columns, sizeof *state->offsets);
    if (state->row_bytes == NULL || state->offsets == NULL) return OW_ERR_MEMORY;
    find_offsets(&state->head, rows->n_columns, state->offsets);
    return OW_OK;
}

static void gather_fortran_row(array_state *state, size_t n_columns)
{
    const size_t size = state->element_size;
    for (size_t j = 0; j < n_columns; j++)
        memcpy(state->row_bytes + j * size,
               state->array + (state->row + state->offsets[j]) * size, size);
}

/* ---- The format's functions ---- */

/* Rows, columns and sizes from the shape; everything after this may multiply without
 * care. */
static ow_status measure(owi_rows *rows, array_state *state)
{
    const owi_array_head *head = &state->head;
    size_t n_columns = 1, total = 0;
    bool fits = true;
    for (size_t d = 1; d < head->rank; d++)
        fits = fits && owi_size_multiply(n_columns, head->shape[d], &n_columns);
    state->n_rows = state->end = head->rank == 0 ? 1 : head->shape[0];
    state->element_size = owi_element_size(head->element);
    fits = fits && owi_size_multiply(n_columns, state->element_size, &state->row_size) &&
           owi_size_multiply(state->row_size, state->n_rows, &total);
    rows->n_columns = n_columns;
    rows->n_rows = state->n_rows;

    char shape[owi_shape_text_size];
    owi_print_shape(head, shape);
    if (!fits)
        return owi_fail(OW_ERR_FORMAT, "%s: no file holds an array of %s elements",
                        rows->name, shape);
    if (total == 0)
        return owi_fail(OW_ERR_FORMAT, "%s: no rows: the array has %s elements", rows->name,
                        shape);
    if (n_columns > owi_max_columns)
        return owi_fail(OW_ERR_FORMAT, "%s: %zu columns (%s), at most %d are possible",
                        rows->name, n_columns, shape, owi_max_columns);
    return OW_OK;
}

static ow_layout layout_of(const owi_array_head *head)
{
    const size_t *shape = head->shape;
    if (head->rank == 3) return (ow_layout){OW_LAYOUT_IMAGE, shape[1], shape[2], 1};
    if (head->rank == 4) return (ow_layout){OW_LAYOUT_MAP, shape[1], shape[2], shape[3]};
    return (ow_layout){.kind = OW_LAYOUT_TABLE};
}

ow_status owi_array_rows_open(owi_rows *rows, const owi_array_head *head, size_t head_size)
{
    array_state *state = owi_alloc_zeroed(rows->ctx, sizeof *state);
    if (state == NULL) return OW_ERR_MEMORY;
    rows->state = state;
    state->head = *head;
    state->head_size = head_size;
    OWI_TRY(measure(rows, state));
    rows->layout = layout_of(head);
    rows->has_bytes = head->element == OWI_UINT8;

    if (head->fortran_order && order_matters(head))
        OWI_TRY(load_fortran(rows));
    else
        OWI_TRY(read_elements(rows, &state->row_bytes, state->row_size, 0));
    state->is_loaded = state->array == NULL;
    state->numbers = owi_alloc_array(rows->ctx, rows->n_columns, sizeof *state->numbers);
    return state->numbers != NULL ? OW_OK : OW_ERR_MEMORY;
}

ow_status owi_array_rows_next(owi_rows *rows, owi_cell *cells, bool *at_end)
{
    array_state *state = rows->state;
    *at_end = state->row >= state->end;
    if (*at_end && (state->array != NULL || state->end < state->n_rows)) return OW_OK;
    if (*at_end) return check_end(rows);
    if (state->array != NULL)
        gather_fortran_row(state, rows->n_columns);
    else if (!state->is_loaded)
        OWI_TRY(read_elements(rows, &state->row_bytes, state->row_size,
                              state->row * state->row_size));
    state->is_loaded = false;
    OWI_TRY(decode_row(rows, cells));
    state->row++;
    return OW_OK;
}

ow_status owi_array_rows_restart(owi_rows *rows)
{
    array_state *state = rows->state;
    state->row = 0;
    state->end = state->n_rows;
    state->is_loaded = false;
    unsigned char passed[4096];
    for (size_t at = 0; at < state->head_size;) {
        const size_t size = owi_smaller(state->head_size - at, sizeof passed);
        OWI_TRY(owi_read_head(rows, passed, size, at));
        at += size;
    }
    return OW_OK;
}

/* ---- Ranges ---- */

uint64_t owi_array_rows_byte_of(const owi_rows *rows, size_t row)
{
    const array_state *state = rows->state;
    return state->head_size + (uint64_t)row * state->row_size;
}

size_t owi_array_rows_row_from(const owi_rows *rows, uint64_t at)
{
    const array_state *state = rows->state;
    if (at <= state->head_size) return 0;
    const uint64_t before = at - state->head_size;
    const uint64_t row = before / state->row_size + (before % state->row_size > 0);
    return owi_smaller(row, state->n_rows);
}

uint64_t owi_array_rows_at(const owi_rows *rows)
{
    const array_state *state = rows->state;
    return owi_array_rows_byte_of(rows, state->row);
}

ow_status owi_array_rows_go_to(owi_rows *rows, uint64_t at, bool is_row, uint64_t limit)
{
    array_state *state = rows->state;
    (void)is_row; /* a byte tells where rows begin */
    if (state->array != NULL)
        return owi_fail(OW_ERR_UNSUPPORTED,
                        "%s: an array in Fortran order cannot be read in ranges",
                        rows->name);
    state->row = owi_array_rows_row_from(rows, at);
    state->end = owi_array_rows_row_from(rows, limit);
    state->is_loaded = false;
    return owi_byte_source_seek(rows->source, owi_array_rows_at(rows));
}

void owi_array_rows_close(owi_rows *rows)
{
    array_state *state = rows->state;
    if (state == NULL) return;
    owi_free(rows->ctx, state->numbers);
    owi_free(rows->ctx, state->offsets);
    owi_free(rows->ctx, state->array);
    owi_free(rows->ctx, state->row_bytes);
    owi_free(rows->ctx, state);
    rows->state = NULL;
}

void owi_array_rows_place(const owi_rows *rows, char *text, size_t size)
{
    const array_state *state = rows->state;
    snprintf(text, size, "%s: row %zu", rows->name, state->row);
}
