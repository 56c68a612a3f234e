/* SPDX-License-Identifier: MIT */
#include "reproduce/birds/photo_list.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "terminal/memory.h"
#include "terminal/message.h"
#include "terminal/text_build.h"

/* subset.tsv: image_id class_id class_name is_train width height bbox_x bbox_y bbox_w
 * bbox_h path */
enum { n_fields = 11, class_field = 2, size_field = 4, path_field = 10, n_numbers = 6 };

static void add(photo_list *list, photo p)
{
    list->photos = memory_grow(list->photos, list->n, sizeof *list->photos);
    list->photos[list->n++] = p;
}

/* "005.Crested_Auklet" is Crested_Auklet: the number is the publisher's. */
static const char *without_number(const char *class_name)
{
    const char *point = strchr(class_name, '.');
    return point != NULL && point[1] != '\0' ? point + 1 : class_name;
}

/* One line, cut up in place; false if it has not the fields it should have. */
static bool add_published(photo_list *list, const char *folder, char *text)
{
    char *fields[n_fields];
    size_t n = 0;
    for (char *at = text; at != NULL; n++) {
        char *tab = strchr(at, '\t');
        if (n == n_fields) return false;
        fields[n] = at;
        if (tab != NULL) *tab++ = '\0';
        at = tab;
    }
    if (n != n_fields) return false;
    double numbers[n_numbers];
    for (size_t i = 0; i < n_numbers; i++) {
        char *end;
        numbers[i] = strtod(fields[size_field + i], &end);
        if (end == fields[size_field + i] || *end != '\0') return false;
    }
    photo p = {.has_box = true, .width = numbers[0], .height = numbers[1]};
    memcpy(p.box, numbers + 2, sizeof p.box);
    p.class_name = text_add(NULL, "%s", without_number(fields[class_field]));
    p.path = text_add(NULL, "%s/%s", folder, fields[path_field]);
    add(list, p);
    return true;
}

/* Calls for every line, without its end; folder NULL: each is a path. */
static ow_status read_lines(const char *path, const char *folder, photo_list *list)
{
    *list = (photo_list){0};
    FILE *file = fopen(path, "r");
    if (file == NULL) {
        message(OW_LOG_ERROR, "%s: %s", path, strerror(errno));
        return OW_ERR_IO;
    }
    char *text = NULL;
    size_t capacity = 0;
    ow_status status = OW_OK;
    ssize_t length;
    for (size_t number = 1;
         status == OW_OK && (length = getline(&text, &capacity, file)) >= 0; number++) {
        text[strcspn(text, "\r\n")] = '\0';
        if (folder == NULL && text[0] != '\0') {
            add(list, (photo){.path = text_add(NULL, "%s", text)});
        } else if (folder != NULL && number > 1 && !add_published(list, folder, text)) {
            message(OW_LOG_ERROR,
                    "%s, line %zu: %d fields divided by tabs are expected, the 5th to 10th "
                    "of them numbers",
                    path, number, n_fields);
            status = OW_ERR_FORMAT;
        }
    }
    if (ferror(file)) {
        message(OW_LOG_ERROR, "%s: cannot be read", path);
        status = OW_ERR_IO;
    }
    free(text);
    fclose(file);
    if (status != OW_OK) photo_list_clear(list);
    return status;
}

ow_status photo_list_read_published(const char *folder, photo_list *list)
{
    char *path = text_add(NULL, "%s/subset.tsv", folder);
    const ow_status status = read_lines(path, folder, list);
    free(path);
    return status;
}

ow_status photo_list_read(const char *path, photo_list *list)
{
    return read_lines(path, NULL, list);
}

void photo_list_clear(photo_list *list)
{
    for (size_t i = 0; i < list->n; i++) {
        free(list->photos[i].path);
        free(list->photos[i].class_name);
    }
    free(list->photos);
    *list = (photo_list){0};
}
