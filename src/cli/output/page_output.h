/* SPDX-License-Identifier: MIT */
/* A page as a command's result. */
#ifndef CLI_PAGE_OUTPUT_H
#define CLI_PAGE_OUTPUT_H

#include "otherwise/page.h"

/* Prints the page, where making it has succeeded, and frees it.  An exit code, after saying
 * what went wrong. */
int page_output(ow_status status, ow_page *page);

#endif
