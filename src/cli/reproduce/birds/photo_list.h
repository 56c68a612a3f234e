/* SPDX-License-Identifier: MIT */
/* The photographs that feature maps were made from: their paths, classes and, where known,
 * where the bird is. */
#ifndef CLI_PHOTO_LIST_H
#define CLI_PHOTO_LIST_H

#include "reproduce/reproduce.h"

typedef struct {
    char *path;
    char *class_name; /* NULL: not listed                                          */
    bool has_box;
    double box[4];        /* left, top, width, height, in pixels of the photograph       */
    double width, height; /* of the photograph, where there is a box               */
} photo;

typedef struct {
    size_t n;
    photo *photos;
} photo_list;

/* The published list, folder/subset.tsv.  Complains with the line that is not as described
 * and returns OW_ERR_FORMAT. */
ow_status photo_list_read_published(const char *folder, photo_list *list);
/* A path a line, as LIST of the program's users. */
ow_status photo_list_read(const char *path, photo_list *list);
void photo_list_clear(photo_list *list);

#endif
