/* SPDX-License-Identifier: MIT */
/* From the words of the command line to a command that runs with its settings. */
#include "program.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "comm/launcher.h"
#include "commands/command.h"
#include "help/help.h"
#include "terminal/environment.h"
#include "terminal/exit_codes.h"
#include "terminal/interrupt.h"
#include "terminal/memory.h"
#include "terminal/message.h"
#include "terminal/progress.h"
#include "terminal/terminal.h"

static bool right_number_of_operands(const command_spec *command, const parsed_args *parsed)
{
    if (parsed->n_operands < command->n_required) {
        const operand_spec *missing = &command->operands[parsed->n_operands];
        message(OW_LOG_ERROR, "%s needs %s: %s", command->name, missing->word,
                missing->help);
        return false;
    }
    if (parsed->n_operands > command->n_operands) {
        message(OW_LOG_ERROR, "%s cannot use the word \"%s\"; see \"otherwise help %s\"",
                command->name, parsed->operands[command->n_operands], command->name);
        return false;
    }
    return true;
}

static int run_in_context(const command_spec *command, const global_settings *globals,
                          invocation *call)
{
    call->shows_progress =
        !globals->quiet && terminal_obeys(stderr) && launcher_find().rank == 0;
    if (ow_context_new(NULL, &call->ctx) != OW_OK)
        return command_failed(OW_ERR_MEMORY, false);
    ow_context_set_log(call->ctx, message_log, NULL, OW_LOG_INFO);
    ow_cancel *cancel = NULL;
    ow_status status = ow_cancel_new(call->ctx, &cancel);
    interrupt_set_cancel(cancel);
    call->how = (ow_call){.size = sizeof call->how,
                          .progress = progress_report,
                          .progress_user = &call->shows_progress,
                          .cancel = cancel,
                          .seed = globals->seed,
                          .threads = (size_t)globals->threads};
    if (status == OW_OK)
        status = ow_context_set_temporary_folder(call->ctx, environment_text("TMPDIR"));
    const int code = status == OW_OK ? command->run(call) : command_failed(status, false);
    progress_clear();
    interrupt_set_cancel(NULL);
    ow_cancel_free(cancel);
    ow_context_free(call->ctx);
    return code;
}

/* N single runs that write one file are never what mpirun was meant to start. */
static bool may_run(const command_spec *command)
{
    const launcher by = launcher_find();
    if (by.n <= 1 || command->is_for_several) return true;
    message(OW_LOG_ERROR,
            "%s is one of %zu processes that %s started, but works alone: start it once",
            command->name, by.n, by.name);
    return false;
}

/* argv[0] is the last word of the command's name. */
static int run_command(const command_spec *command, global_settings *globals, int argc,
                       char **argv)
{
    char *settings = memory_new(1, command->settings_size + 1);
    if (command->defaults != NULL)
        memcpy(settings, command->defaults, command->settings_size);
    option_set *sets = memory_new(command->n_uses + 1, sizeof *sets);
    size_t n_sets = 0;
    for (size_t i = 0; i < command->n_uses; i++)
        sets[n_sets++] =
            (option_set){command->uses[i].group, settings + command->uses[i].at};
    sets[n_sets++] = (option_set){&global_options, globals};

    parsed_args parsed = {0};
    int code = EXIT_USAGE;
    if (args_parse(command->name, sets, n_sets, false, argc, argv, &parsed)) {
        message_set_quiet(globals->quiet);
        invocation call = {.settings = settings,
                           .operands = parsed.operands,
                           .n_operands = parsed.n_operands};
        if (globals->help)
            help_print_command(stdout, command), code = EXIT_DONE;
        else if (globals->version)
            help_print_version(stdout), code = EXIT_DONE;
        else if (right_number_of_operands(command, &parsed) && may_run(command))
            code = run_in_context(command, globals, &call);
    }
    args_clear(sets, n_sets, &parsed);
    free(sets);
    free(settings);
    return code;
}

/* "data --help", where only "data list" is a command. */
static bool asks_about_family(int n_words, char **words)
{
    return n_words == 2 && command_is_family(words[0]) &&
           (strcmp(words[1], "--help") == 0 || strcmp(words[1], "-h") == 0);
}

/* The options before the command, then the command. */
int program_run(int argc, char **argv)
{
    global_settings globals = {0};
    const option_set set = {&global_options, &globals};
    parsed_args parsed = {0};

    message_set_muted(launcher_find().rank > 0); /* one of many speaks for all */
    if (!args_parse(NULL, &set, 1, true, argc, argv, &parsed)) return EXIT_USAGE;
    const size_t n_before = parsed.n_taken;
    args_clear(&set, 1, &parsed);
    if (globals.help) return help_print_overview(stdout), EXIT_DONE;
    if (globals.version) return help_print_version(stdout), EXIT_DONE;
    if (n_before >= (size_t)argc) return help_print_overview(stderr), EXIT_USAGE;

    if (asks_about_family(argc - (int)n_before, argv + n_before))
        return help_print_family(stdout, argv[n_before]), EXIT_DONE;

    size_t n_words;
    char **words = argv + n_before;
    const command_spec *command =
        command_find((const char *const *)words, (size_t)argc - n_before, &n_words);
    if (command == NULL) return EXIT_USAGE;
    return run_command(command, &globals, argc - (int)(n_before + n_words) + 1,
                       words + n_words - 1);
}
