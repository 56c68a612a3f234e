/* SPDX-License-Identifier: MIT */
#include "data/array/array.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

size_t owi_element_size(owi_element element)
{
    static const size_t sizes[] = {
        [OWI_UINT8] = 1,   [OWI_INT8] = 1,    [OWI_UINT16] = 2, [OWI_INT16] = 2,
        [OWI_UINT32] = 4,  [OWI_INT32] = 4,   [OWI_UINT64] = 8, [OWI_INT64] = 8,
        [OWI_FLOAT32] = 4, [OWI_FLOAT64] = 8, [OWI_BOOL] = 1,
    };
    return sizes[element];
}

bool owi_array_set_type(owi_array_head *head, ow_element_type type)
{
    static const owi_element elements[] = {
        [OW_ELEMENT_FLOAT32] = OWI_FLOAT32, [OW_ELEMENT_FLOAT64] = OWI_FLOAT64,
        [OW_ELEMENT_INT32] = OWI_INT32,     [OW_ELEMENT_INT64] = OWI_INT64,
        [OW_ELEMENT_UINT8] = OWI_UINT8,     [OW_ELEMENT_INT8] = OWI_INT8,
        [OW_ELEMENT_INT16] = OWI_INT16,     [OW_ELEMENT_UINT16] = OWI_UINT16,
        [OW_ELEMENT_UINT32] = OWI_UINT32,   [OW_ELEMENT_UINT64] = OWI_UINT64,
        [OW_ELEMENT_BOOL] = OWI_BOOL,
    };
    const uint16_t one = 1;
    if ((int)type < 0 || (size_t)type >= sizeof elements / sizeof *elements) return false;
    head->element = elements[type];
    head->big_endian = *(const unsigned char *)&one == 0;
    return true;
}

void owi_print_shape(const owi_array_head *head, char text[owi_shape_text_size])
{
    size_t used = 0;
    snprintf(text, owi_shape_text_size, "1"); /* no dimensions: one element */
    for (size_t i = 0; i < head->rank && used < owi_shape_text_size; i++) {
        const int n = snprintf(text + used, owi_shape_text_size - used,
                               i == 0 ? "%zu" : " x %zu", head->shape[i]);
        used += (size_t)n;
    }
}

/* Bytes are put together by value, so that neither the machine's own order nor the
 * alignment of b matters; compilers make one load of it, with a swap where needed. */
static uint16_t load16(const unsigned char *b, bool big)
{
    return (uint16_t)(big ? b[0] << 8 | b[1] : b[1] << 8 | b[0]);
}

static uint32_t load32(const unsigned char *b, bool big)
{
    const uint32_t first = load16(b, big), second = load16(b + 2, big);
    return big ? first << 16 | second : second << 16 | first;
}

static uint64_t load64(const unsigned char *b, bool big)
{
    const uint64_t first = load32(b, big), second = load32(b + 4, big);
    return big ? first << 32 | second : second << 32 | first;
}

static double as_float(uint32_t bits)
{
    float value;
    memcpy(&value, &bits, sizeof value);
    return (double)value;
}

static double as_double(uint64_t bits)
{
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* One loop for each type.  The conversions from unsigned to signed wrap, as gcc and clang
 * promise. */
void owi_array_decode(const owi_array_head *head, const unsigned char *bytes, size_t n,
                      double *numbers)
{
    const unsigned char *b = bytes;
    const bool big = head->big_endian;
    double *out = numbers;
    switch (head->element) {
    case OWI_UINT8:
        for (size_t i = 0; i < n; i++) out[i] = b[i];
        break;
    case OWI_INT8:
        for (size_t i = 0; i < n; i++) out[i] = (int8_t)b[i];
        break;
    case OWI_UINT16:
        for (size_t i = 0; i < n; i++) out[i] = load16(b + 2 * i, big);
        break;
    case OWI_INT16:
        for (size_t i = 0; i < n; i++) out[i] = (int16_t)load16(b + 2 * i, big);
        break;
    case OWI_UINT32:
        for (size_t i = 0; i < n; i++) out[i] = load32(b + 4 * i, big);
        break;
    case OWI_INT32:
        for (size_t i = 0; i < n; i++) out[i] = (int32_t)load32(b + 4 * i, big);
        break;
    case OWI_UINT64:
        for (size_t i = 0; i < n; i++) out[i] = (double)load64(b + 8 * i, big);
        break;
    case OWI_INT64:
        for (size_t i = 0; i < n; i++) out[i] = (double)(int64_t)load64(b + 8 * i, big);
        break;
    case OWI_FLOAT32:
        for (size_t i = 0; i < n; i++) out[i] = as_float(load32(b + 4 * i, big));
        break;
    case OWI_FLOAT64:
        for (size_t i = 0; i < n; i++) out[i] = as_double(load64(b + 8 * i, big));
        break;
    case OWI_BOOL:
        for (size_t i = 0; i < n; i++) out[i] = b[i] != 0;
        break;
    }
}
