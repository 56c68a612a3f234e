/* SPDX-License-Identifier: MIT */
#include "base/text/name_list.h"

#include <stdio.h>
#include <string.h>

void owi_name_list_add(owi_name_list *list, const char *name)
{
    static const char rest[] = ", ...";
    if (list->is_cut) return;
    const char *comma = list->length > 0 ? ", " : "";
    const size_t size = strlen(comma) + strlen(name);
    /* There must always be room for the end of a list that is cut at the next name. */
    list->is_cut = size > owi_name_list_size - sizeof rest - list->length;
    char *end = list->text + list->length;
    const size_t room = owi_name_list_size - list->length;
    const int n = list->is_cut ? snprintf(end, room, "%s", list->length > 0 ? rest : "...")
                               : snprintf(end, room, "%s%s", comma, name);
    list->length += (size_t)n;
}
