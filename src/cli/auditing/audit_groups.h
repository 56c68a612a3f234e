/* SPDX-License-Identifier: MIT */
/* The groups that an audit compares: the values of columns, bands of numbers, and all
 * columns together. */
#ifndef CLI_AUDIT_GROUPS_H
#define CLI_AUDIT_GROUPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "options/args.h"
#include "otherwise/data.h"

/* The rows of a table, as far as an audit needs them. */
typedef struct {
    const ow_schema *schema;
    size_t n_rows, n_columns;
    double *values; /* n_rows x n_columns */
    size_t n_by;    /* columns that groups are made by */
    char **by;      /* their names */
    char **texts;   /* n_rows x n_by */
    size_t *ranks;  /* n_rows x n_by: a band's place among the bands; 0 for texts */
} audit_table;

/* Reads all rows (at most limit; 0: all) of a bound reader that keeps its texts.  by has
 * columns of the file, each "COLUMN" or "COLUMN=CUT|CUT".  An exit code, after a complaint;
 * either way audit_table_clear. */
int audit_table_read(ow_reader *reader, const ow_schema *schema, const text_list *by,
                     size_t limit, const ow_call *call, audit_table *table);
void audit_table_clear(audit_table *table);

/* A group of rows; name[k] is its value of column k, NULL if it has rows of all. */
typedef struct {
    char **name; /* n_by */
    bool *has;   /* n_rows */
    size_t n_rows;
} audit_group;

typedef struct {
    audit_group *groups; /* column by column, then all columns together */
    size_t n;
    size_t n_hidden; /* groups with fewer rows than asked for, which are not here */
} audit_groups;

/* Groups of at least `smallest` rows. */
void audit_groups_make(const audit_table *table, size_t smallest, audit_groups *groups);
void audit_groups_clear(audit_groups *groups, size_t n_by);

#endif
