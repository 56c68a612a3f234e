/* SPDX-License-Identifier: MIT */
#include "models/data_input.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "commands/command.h"
#include "models/row_parts.h"
#include "output/output.h"
#include "terminal/exit_codes.h"
#include "terminal/interrupt.h"
#include "terminal/memory.h"
#include "terminal/message.h"

/* Whether what is at this path can be read only once. */
static bool is_stream(const char *path)
{
    struct stat there;
    if (output_is_dash(path)) return true;
    return stat(path, &there) == 0 &&
           (S_ISFIFO(there.st_mode) || S_ISCHR(there.st_mode) || S_ISSOCK(there.st_mode));
}

/* All that is left of a file; NULL with errno set if it cannot be read. */
static char *read_all(FILE *file, size_t *size)
{
    size_t room = 1 << 16;
    char *bytes = memory_new(room, 1);
    *size = 0;
    for (size_t n; (n = fread(bytes + *size, 1, room - *size, file)) > 0;) {
        *size += n;
        if (*size == room) bytes = memory_checked(realloc(bytes, room *= 2));
    }
    if (ferror(file) == 0) return bytes;
    free(bytes);
    return NULL;
}

static int keep_stream(ow_context *ctx, const char *path, const ow_read_options *options,
                       data_input *input)
{
    const bool dash = output_is_dash(path);
    const char *name = dash ? "standard input" : path;
    size_t size = 0;
    errno = 0;
    FILE *file = dash ? stdin : fopen(path, "rb");
    if (file != NULL) input->bytes = read_all(file, &size);
    const int error = errno;
    if (file != NULL && !dash) fclose(file);
    if (interrupt_signal() != 0) return interrupt_end();
    if (input->bytes == NULL) {
        message(OW_LOG_ERROR, "cannot read %s: %s", name, strerror(error));
        return EXIT_DATA;
    }
    const ow_status status =
        ow_reader_open_memory(ctx, input->bytes, size, name, options, &input->reader);
    return status == OW_OK ? EXIT_DONE : command_failed(status, false);
}

int data_input_open(ow_context *ctx, const ow_call *how, const char *path,
                    const ow_read_options *options, data_input *input)
{
    *input = (data_input){0};
    if (is_stream(path)) return keep_stream(ctx, path, options, input);
    const ow_status status = row_parts_open(ctx, path, options, how, &input->reader);
    return status == OW_OK ? EXIT_DONE : command_failed(status, false);
}

void data_input_close(data_input *input)
{
    ow_reader_free(input->reader);
    free(input->bytes);
    *input = (data_input){0};
}

int data_input_read_table(ow_context *ctx, const ow_call *how, const char *option,
                          const char *path, const ow_read_options *options,
                          const ow_schema *schema, ow_table **table)
{
    ow_reader *reader = NULL;
    *table = NULL;
    ow_status status = ow_reader_open(ctx, path, options, how, &reader);
    if (status == OW_OK) status = ow_reader_bind(reader, schema, false);
    if (status == OW_OK) status = ow_table_read(reader, how, table);
    ow_reader_free(reader);
    if (status == OW_OK) return EXIT_DONE;
    return option != NULL ? command_check_option(option, status)
                          : command_failed(status, false);
}

int data_input_check_strict(const ow_model *model, const char *path)
{
    if (ow_model_report(model)->train.n_rows > 0) return EXIT_DONE;
    message(OW_LOG_ERROR,
            "--strict compares with training rows, and %s has seen none: it was imported",
            path);
    return EXIT_USAGE;
}
