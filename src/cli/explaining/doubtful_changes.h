/* SPDX-License-Identifier: MIT */
/* Answers that change a column of which training has doubted that people can change it
 * (ow_column.doubtful): one warning for all of them, with the option that locks it. */
#ifndef CLI_DOUBTFUL_CHANGES_H
#define CLI_DOUBTFUL_CHANGES_H

#include "options/constraint_settings.h"
#include "otherwise/explain_stream.h"

typedef struct {
    const ow_schema *schema;
    bool *asked_for; /* of each column: an option of this call names it */
    bool *changed;   /* of each column: an answer has changed it        */
} doubtful_changes;

void doubtful_changes_begin(doubtful_changes *d, const ow_schema *schema,
                            const constraint_settings *settings);
void doubtful_changes_note(doubtful_changes *d, const ow_explained_row *row);
void doubtful_changes_warn(const doubtful_changes *d);
/* Frees what it holds; all zero holds nothing. */
void doubtful_changes_clear(doubtful_changes *d);

#endif
