/* SPDX-License-Identifier: MIT */
#include "terminal/exit_codes.h"

int exit_code_for(ow_status status, bool writing)
{
    switch (status) {
    case OW_OK:
        return EXIT_DONE;
    case OW_ERR_ARGUMENT:
        return EXIT_USAGE;
    case OW_ERR_MEMORY:
        return EXIT_RESOURCES;
    case OW_ERR_IO:
        return writing ? EXIT_RESOURCES : EXIT_DATA;
    case OW_ERR_FORMAT:
    case OW_ERR_SCHEMA:
    case OW_ERR_NUMERIC:
    case OW_ERR_UNSUPPORTED:
        return EXIT_DATA;
    case OW_ERR_CANCELLED:
        return EXIT_INTERRUPTED;
    }
    return EXIT_OUR_BUG;
}

const char *exit_code_meaning(size_t index, int *code)
{
    static const struct {
        int code;
        const char *meaning;
    } codes[] = {
        {EXIT_DONE, "done"},
        {EXIT_SOME_ROWS, "done, but some rows have no counterfactual"},
        {EXIT_USAGE, "wrong usage: no such command, option, column or level"},
        {EXIT_DATA, "bad data: a file is missing, unreadable, or not what it claims to be"},
        {EXIT_RESOURCES, "no resources: out of memory, disk full, output not writable"},
        {EXIT_OUR_BUG, "a mistake of the program itself"},
        {EXIT_INTERRUPTED, "interrupted by Ctrl-C (by another signal: 128 and its number)"},
    };
    if (index >= sizeof codes / sizeof *codes) return NULL;
    *code = codes[index].code;
    return codes[index].meaning;
}
