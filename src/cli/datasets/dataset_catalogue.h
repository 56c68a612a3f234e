/* SPDX-License-Identifier: MIT */
/* The data sets of the experiments: who publishes them, where, and what their files are. */
#ifndef CLI_DATASET_CATALOGUE_H
#define CLI_DATASET_CATALOGUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "otherwise/status.h"

typedef struct {
    const char *name;   /* below the data set's folder */
    uint64_t size;      /* in bytes */
    const char *sha256; /* in hexadecimal */
} dataset_file;

typedef struct {
    const char *name;  /* "mnist"; also the folder's name */
    const char *title; /* one line */
    const char *publisher;
    const char *licence;
    size_t n_files;
    const dataset_file *files;
    /* URLs, tried in turn, NULL at the end: of a folder that holds the files (it ends in /)
     * or of a zip archive */
    const char *const *places;
    const char *by_hand; /* what to do where there are no places; else NULL */
} dataset;

/* In a fixed order; NULL past the last one. */
const dataset *dataset_get(size_t index);

typedef enum {
    FILE_PRESENT, /* there, with the right size and (if checked) the right sum */
    FILE_ABSENT,
    FILE_DIFFERENT /* there, but with another size or sum */
} file_state;

/* Looks for folder/NAME/FILE; check_sum also compares the sha256. */
ow_status dataset_check_file(const dataset *set, size_t file, const char *folder,
                             bool check_sum, file_state *state);

#endif
