/* SPDX-License-Identifier: MIT */
#include "model/train/rows/packed_rows.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "base/error.h"
#include "base/memory/alloc.h"

typedef enum { FORM_BYTE, FORM_SINGLE, FORM_FULL } form;
static const size_t form_size[] = {1, 4, 8};
enum { byte_nan = 255 };

/* A block of wide rows has millions of values: ticks every so many of them. */
enum { values_per_tick = 1 << 19 };

static ow_status tick_at_row(const owi_call *call, size_t n_columns, size_t row)
{
    const size_t rows_per_tick = values_per_tick / n_columns + 1;
    return row % rows_per_tick == 0 ? owi_call_tick(call) : OW_OK;
}

static bool is_same(double a, double b)
{
    return memcmp(&a, &b, sizeof a) == 0;
}

/* The smallest form of this value; -0.0 is no byte. */
static form form_of(double value)
{
    if (isnan(value)) return FORM_BYTE;
    if (value >= 0.0 && value < byte_nan && is_same((double)(int)value, value))
        return FORM_BYTE;
    if (fabs(value) < 1e30 && is_same((double)(float)value, value)) return FORM_SINGLE;
    return FORM_FULL;
}

static unsigned char *pack_value(unsigned char *to, form how, double value)
{
    const float single = (float)value;
    switch (how) {
    case FORM_BYTE:
        *to = isnan(value) ? byte_nan : (unsigned char)value;
        break;
    case FORM_SINGLE:
        memcpy(to, &single, sizeof single);
        break;
    case FORM_FULL:
        memcpy(to, &value, sizeof value);
        break;
    }
    return to + form_size[how];
}

static const unsigned char *unpack_value(const unsigned char *from, form how, double *value)
{
    float single;
    switch (how) {
    case FORM_BYTE:
        *value = *from == byte_nan ? NAN : (double)*from;
        break;
    case FORM_SINGLE:
        memcpy(&single, from, sizeof single);
        *value = (double)single;
        break;
    case FORM_FULL:
        memcpy(value, from, sizeof *value);
        break;
    }
    return from + form_size[how];
}

static size_t row_size_of(size_t n_columns, const unsigned char *forms)
{
    size_t size = 0;
    for (size_t j = 0; j < n_columns; j++) size += form_size[forms[j]];
    return size;
}

static ow_status choose_forms(const owi_call *call, size_t n_columns, size_t n,
                              const double *values, unsigned char *forms)
{
    memset(forms, FORM_BYTE, n_columns);
    for (size_t i = 0; i < n; i++) {
        OWI_TRY(tick_at_row(call, n_columns, i));
        for (size_t j = 0; j < n_columns; j++)
            if (forms[j] != FORM_FULL) {
                const form needed = form_of(values[i * n_columns + j]);
                if (needed > forms[j]) forms[j] = (unsigned char)needed;
            }
    }
    return OW_OK;
}

ow_status owi_pack_rows(owi_packed *packed, const owi_call *call, size_t n_columns,
                        size_t n, const double *values, const int32_t *classes)
{
    const size_t before = packed->n_bytes;
    OWI_TRY(owi_grow(call->ctx, &packed->bytes, &packed->capacity, before + n_columns, 1));
    OWI_TRY(choose_forms(call, n_columns, n, values, packed->bytes + before));
    const size_t size = owi_packed_size(n_columns, n, packed->bytes + before);
    OWI_TRY(owi_grow(call->ctx, &packed->bytes, &packed->capacity, before + size, 1));
    const unsigned char *forms = packed->bytes + before;
    unsigned char *to = packed->bytes + before + n_columns;
    memcpy(to, classes, n * sizeof *classes);
    to += n * sizeof *classes;
    for (size_t i = 0; i < n; i++) {
        OWI_TRY(tick_at_row(call, n_columns, i));
        for (size_t j = 0; j < n_columns; j++)
            to = pack_value(to, (form)forms[j], values[i * n_columns + j]);
    }
    packed->n_bytes = before + size;
    return OW_OK;
}

/* Below that of the values as they are, so that it cannot overflow. */
size_t owi_packed_size(size_t n_columns, size_t n, const unsigned char *block)
{
    return n_columns + n * (sizeof(int32_t) + row_size_of(n_columns, block));
}

ow_status owi_unpack_rows(const owi_call *call, size_t n_columns, size_t n,
                          const unsigned char *block, size_t first, size_t n_wanted,
                          double *values, int32_t *classes)
{
    const unsigned char *from = block + n_columns;
    memcpy(classes, from + first * sizeof *classes, n_wanted * sizeof *classes);
    from += n * sizeof *classes + first * row_size_of(n_columns, block);
    for (size_t i = 0; i < n_wanted; i++) {
        OWI_TRY(tick_at_row(call, n_columns, i));
        for (size_t j = 0; j < n_columns; j++)
            from = unpack_value(from, (form)block[j], &values[i * n_columns + j]);
    }
    return OW_OK;
}
