/* SPDX-License-Identifier: MIT */
/* The head of an NPY file (NEP 1):
 *
 *     \x93NUMPY   major   minor   length of the header      header
 *     6 bytes     1       1       2 (version 1) or 4 bytes  a Python dictionary, padded
 *
 *     {'descr': '<f4', 'fortran_order': False, 'shape': (336, 7, 7, 100), }
 */
#ifndef OWI_NPY_HEADER_H
#define OWI_NPY_HEADER_H

#include "data/array/array.h"
#include "otherwise/status.h"

enum { owi_npy_magic_size = 6 };
extern const char owi_npy_magic[owi_npy_magic_size];

/* The dictionary alone, written strictly: the three keys once each in any order, nothing
 * else. name stands for the file in errors; an element type that we do not read is
 * OW_ERR_UNSUPPORTED. */
ow_status owi_npy_parse_header(const char *text, size_t size, const char *name,
                               owi_array_head *head);

/* A whole head of version 1.0, padded so that the elements begin at a multiple of 64 bytes.
 * Returns its length. */
enum { owi_npy_head_size = 1024 };
size_t owi_npy_print_head(const owi_array_head *head, char bytes[owi_npy_head_size]);

#endif
