/* SPDX-License-Identifier: MIT */
/* "a, b, c" for a sentence; a list that grows too long ends in ", ...". */
#ifndef OWI_NAME_LIST_H
#define OWI_NAME_LIST_H

#include <stdbool.h>
#include <stddef.h>

enum { owi_name_list_size = 256 };

/* All zero is the empty list. */
typedef struct {
    char text[owi_name_list_size];
    size_t length;
    bool is_cut;
} owi_name_list;

void owi_name_list_add(owi_name_list *list, const char *name);

#endif
