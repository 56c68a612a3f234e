/* SPDX-License-Identifier: MIT */
#include "explaining/image_strips.h"

#include <stdlib.h>
#include <string.h>

#include "commands/command.h"
#include "models/model_output.h"
#include "otherwise/report.h"
#include "terminal/exit_codes.h"
#include "terminal/memory.h"
#include "terminal/message.h"

enum { most_strips = 64 };

struct image_strips {
    const ow_model *model;
    const char *path;
    size_t n_columns, soft_width;
    size_t n_asked; /* strips that there would be          */
    size_t n;       /* of them, the first, which are drawn */
    ow_strip strips[most_strips];
};

int image_strips_new(const ow_model *model, const char *path, image_strips **out)
{
    *out = NULL;
    if (ow_schema_layout(ow_model_schema(model)).kind == OW_LAYOUT_TABLE) {
        message(OW_LOG_ERROR, "--png is for images and maps; the rows of this model are a "
                              "table");
        return EXIT_USAGE;
    }
    const int code = model_output_check_path(path);
    if (code != EXIT_DONE) return code;
    image_strips *strips = memory_new(1, sizeof *strips);
    strips->model = model;
    strips->path = path;
    strips->n_columns = ow_schema_n_columns(ow_model_schema(model));
    strips->soft_width = ow_model_soft_width(model);
    *out = strips;
    return EXIT_DONE;
}

void image_strips_free(image_strips *strips)
{
    if (strips == NULL) return;
    for (size_t i = 0; i < strips->n; i++) {
        free((void *)strips->strips[i].query);
        free((void *)strips->strips[i].intermediate);
        free((void *)strips->strips[i].values);
    }
    free(strips);
}

static void *copy(const void *row, size_t count, size_t size)
{
    if (row == NULL) return NULL;
    void *block = memory_new(count, size);
    memcpy(block, row, count * size);
    return block;
}

static void add(image_strips *strips, const double *query, const ow_counterfactual *answer)
{
    if (strips->n_asked++ >= most_strips) return;
    strips->strips[strips->n++] =
        (ow_strip){.query = copy(query, strips->n_columns, sizeof *query),
                   .intermediate = answer != NULL
                                       ? copy(answer->intermediate, strips->soft_width,
                                              sizeof *answer->intermediate)
                                       : NULL,
                   .values = answer != NULL ? copy(answer->values, strips->n_columns,
                                                   sizeof *answer->values)
                                            : NULL};
}

void image_strips_add(image_strips *strips, const double *query, const ow_outcome *outcome)
{
    if (outcome->n_answers == 0) add(strips, query, NULL);
    for (size_t k = 0; k < outcome->n_answers; k++) add(strips, query, outcome->answers[k]);
}

int image_strips_save(image_strips *strips, ow_context *ctx)
{
    ow_pixels picture = {0};
    if (strips->n == 0) {
        message(OW_LOG_WARN, "%s is not written: there are no rows to draw", strips->path);
        return EXIT_DONE;
    }
    ow_status status = ow_report_strips(strips->model, strips->n, strips->strips, &picture);
    if (status == OW_OK) status = ow_png_save(ctx, &picture, strips->path);
    ow_pixels_clear(&picture);
    if (status != OW_OK) return command_failed(status, true);
    if (strips->n_asked > strips->n)
        message(OW_LOG_INFO, "%s shows the first %zu of %zu answers; --row chooses others",
                strips->path, strips->n, strips->n_asked);
    return EXIT_DONE;
}
