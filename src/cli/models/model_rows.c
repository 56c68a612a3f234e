/* SPDX-License-Identifier: MIT */
#include "models/model_rows.h"

#include "output/output.h"
#include "terminal/exit_codes.h"

int model_rows_open(const invocation *call, const model_rows_settings *set,
                    int (*use)(const invocation *call, const ow_model *model,
                               ow_reader *reader))
{
    const char *const read[] = {call->operands[0], call->operands[1], set->read->labels,
                                set->also_read};
    ow_read_options how;
    ow_model *model = NULL;
    ow_reader *reader = NULL;
    if (!read_settings_convert(set->read, &how) || !compute_settings_check(set->compute) ||
        !output_files_differ(read, sizeof read / sizeof *read, &set->written, 1))
        return EXIT_USAGE;
    ow_status status =
        foreign_run_load(set->foreign, call->ctx, call->operands[0], &call->how, &model);
    if (status == OW_OK)
        status = ow_reader_open(call->ctx, call->operands[1], &how, &call->how, &reader);
    const int code =
        status == OW_OK ? use(call, model, reader) : command_failed(status, false);
    ow_reader_free(reader);
    ow_model_free(model);
    return code;
}
