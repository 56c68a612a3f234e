/* SPDX-License-Identifier: MIT */
/* What a page says of how it was made: command, date, files, model, what was wanted, and
 * what had to stay as it is. */
#ifndef CLI_ASKED_H
#define CLI_ASKED_H

#include "otherwise/explain.h"
#include "otherwise/page.h"

/* The words of the command line, for pages made later; lent. */
void asked_remember_command(int n_words, char *const *words);

typedef struct {
    ow_context *ctx;
    const char *rows;       /* the path of the rows; NULL: not named              */
    size_t n_rows;          /* 0: not counted                                     */
    const char *model_path; /* NULL: it is in no file                            */
    const ow_model *model;  /* NULL: the page is about none                       */
    const ow_explain_options *options; /* NULL: there was no question            */
    const ow_constraints *constraints; /* NULL: those of the schema              */
} asked;

/* A folded table at the top of the page; printed pages have it open. */
void asked_add(ow_page *page, const asked *what);

#endif
