/* SPDX-License-Identifier: MIT */
/* What an array in a file is: its elements' type and byte order, and its shape. */
#ifndef OWI_ARRAY_H
#define OWI_ARRAY_H

#include <stdbool.h>
#include <stddef.h>

#include "otherwise/data.h"

typedef enum {
    OWI_UINT8,
    OWI_INT8,
    OWI_UINT16,
    OWI_INT16,
    OWI_UINT32,
    OWI_INT32,
    OWI_UINT64, /* beyond 2^53 the nearest double, as for OWI_INT64 */
    OWI_INT64,
    OWI_FLOAT32,
    OWI_FLOAT64,
    OWI_BOOL /* one byte; anything but 0 is 1 */
} owi_element;

/* In bytes. */
size_t owi_element_size(owi_element element);

enum { owi_most_dimensions = 32 }; /* as in NumPy */

/* What the head of a file says. */
typedef struct {
    owi_element element;
    bool big_endian;
    bool fortran_order; /* the first index runs fastest */
    size_t rank;
    size_t shape[owi_most_dimensions];
} owi_array_head;

/* Element and byte order of an array in memory; false for a number that is no type. */
bool owi_array_set_type(owi_array_head *head, ow_element_type type);

/* A buffer for "60000 x 28 x 28"; long shapes are cut. */
enum { owi_shape_text_size = 128 };
void owi_print_shape(const owi_array_head *head, char text[owi_shape_text_size]);

/* The n elements at bytes as doubles. */
void owi_array_decode(const owi_array_head *head, const unsigned char *bytes, size_t n,
                      double *numbers);

#endif
