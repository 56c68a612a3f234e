/* SPDX-License-Identifier: MIT */
/* A table of 60 rows and its model, made once, for targets that need one. */
#ifndef LOANS_TARGET_H
#define LOANS_TARGET_H

#include <string.h>

#include "fuzz_target.h"
#include "otherwise/otherwise.h"

/* Names, two numbers, a category and a level of two. */
static inline const char *loans_csv(void)
{
    static char text[4096];
    static const char *const jobs[] = {"none", "clerk", "craft"};
    size_t n = (size_t)snprintf(text, sizeof text, "name,income,debt,job,home,loan\n");
    for (unsigned i = 0; i < 60 && text[n] == '\0'; i++) {
        const unsigned income = 12 + 9 * (i % 3) + i * 7 % 20, debt = i * 11 % 30;
        n += (size_t)snprintf(text + n, sizeof text - n, "person %u,%u,%u.5,%s,%s,%s\n", i,
                              income, debt, jobs[i % 3], i % 4 == 0 ? "yes" : "no",
                              income > debt + 6 ? "granted" : "refused");
    }
    return text;
}

static inline ow_reader *loans_open(ow_context *ctx)
{
    ow_reader *reader;
    const char *text = loans_csv();
    expect(ow_reader_open_memory(ctx, text, strlen(text), "loans.csv", NULL, &reader) ==
           OW_OK);
    return reader;
}

static inline ow_schema *loans_schema(ow_context *ctx)
{
    const ow_infer_options infer = {.size = sizeof infer, .label = "loan"};
    ow_reader *reader = loans_open(ctx);
    ow_schema *schema;
    expect(ow_schema_infer(reader, &infer, NULL, &schema) == OW_OK);
    ow_reader_free(reader);
    return schema;
}

#endif
