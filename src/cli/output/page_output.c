/* SPDX-License-Identifier: MIT */
#include "output/page_output.h"

#include "commands/command.h"
#include "output/output.h"
#include "terminal/exit_codes.h"

int page_output(ow_status status, ow_page *page)
{
    char *text = NULL;
    size_t size = 0;
    if (status == OW_OK) status = ow_page_format(page, &text, &size);
    if (status == OW_OK) output_write(stdout, text, size);
    ow_bytes_free(text);
    ow_page_free(page);
    return status == OW_OK ? EXIT_DONE : command_failed(status, false);
}
