/* SPDX-License-Identifier: MIT */
/* The files of the page, which are compiled into the program: no path of the file system is
 * ever served. */
#ifndef SERVE_PAGE_FILES_H
#define SERVE_PAGE_FILES_H

#include "serve/http/http_request.h"

typedef struct {
    const char *path, *type;
    const unsigned char *bytes;
    const size_t *size;
} page_file;

/* NULL if there is none at this path. */
const page_file *page_file_find(http_text path);

#endif
