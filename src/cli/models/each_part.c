/* SPDX-License-Identifier: MIT */
#include "models/each_part.h"

#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "comm/launcher.h"
#include "output/output.h"
#include "terminal/exit_codes.h"
#include "terminal/interrupt.h"
#include "terminal/memory.h"
#include "terminal/message.h"
#include "terminal/text_build.h"

static const char mark[] = "%d";

/* The same command for one file of rows; what an interrupted one has written is no whole
 * part, and goes. */
static int run_part(const invocation *call, size_t settings_size, size_t output_at,
                    int (*run)(const invocation *call), const char *rows,
                    const char *output, const char *proof)
{
    const char *operands[] = {call->operands[0], rows};
    char *settings = memory_copy(call->settings, settings_size);
    memcpy(settings + output_at, &output, sizeof output);
    invocation one = *call;
    one.settings = settings;
    one.operands = operands;
    one.is_part = true;
    const int code = run(&one);
    if (interrupt_signal() != 0) (void)remove(proof);
    free(settings);
    return code;
}

static int run_parts(const invocation *call, size_t settings_size, size_t output_at,
                     const char *last, int (*run)(const invocation *call),
                     const char *output)
{
    const launcher by = launcher_find();
    const char *at = strstr(output, mark);
    glob_t found;
    int code = EXIT_DONE;
    if (glob(call->operands[1], GLOB_ERR, NULL, &found) != 0) {
        message(OW_LOG_ERROR, "no file is named like %s", call->operands[1]);
        return EXIT_DATA;
    }
    /* Every process has files of its own, and so says itself what is wrong with them. */
    message_set_muted(false);
    for (size_t i = by.rank; i < found.gl_pathc && code <= EXIT_SOME_ROWS; i += by.n) {
        char *name =
            text_add(NULL, "%.*s%zu%s", (int)(at - output), output, i, at + strlen(mark));
        char *proof =
            last != NULL ? text_add(NULL, "%s/%s", name, last) : text_add(NULL, "%s", name);
        int done = EXIT_DONE;
        if (access(proof, F_OK) == 0)
            message(OW_LOG_INFO, "%s is there and kept", name);
        else
            done = run_part(call, settings_size, output_at, run, found.gl_pathv[i], name,
                            proof);
        if (done > code) code = done;
        free(proof);
        free(name);
    }
    globfree(&found);
    return code;
}

int each_part(const invocation *call, size_t settings_size, size_t output_at,
              const char *last, int (*run)(const invocation *call))
{
    const char *output;
    memcpy(&output, (const char *)call->settings + output_at, sizeof output);
    if (output != NULL && strstr(output, mark) != NULL)
        return run_parts(call, settings_size, output_at, last, run, output);
    if (launcher_find().n <= 1) return run(call);
    message(
        OW_LOG_ERROR,
        "several processes need an output for each file of rows, such as -o 'out-%%d.csv'");
    return EXIT_USAGE;
}
