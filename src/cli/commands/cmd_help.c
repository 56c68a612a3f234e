/* SPDX-License-Identifier: MIT */
/* otherwise help: the same tables as text, as a manual page and as a completion script. */
#include "commands/command.h"
#include "commands/known_names.h"
#include "help/help.h"
#include "terminal/exit_codes.h"

enum { none = -1 };

typedef struct {
    bool man;
    int completion, names;
} settings;

static int run(const invocation *call)
{
    const settings *set = call->settings;
    if (set->man) {
        help_print_man(stdout);
    } else if (set->completion != none) {
        help_print_bash_completion(stdout);
    } else if (set->names != none) {
        return known_names_print(call, set->names,
                                 call->n_operands > 0 ? call->operands[0] : NULL);
    } else if (call->n_operands == 0) {
        help_print_overview(stdout);
    } else if (call->n_operands == 1 && command_is_family(call->operands[0])) {
        help_print_family(stdout, call->operands[0]);
    } else {
        size_t n_taken;
        const command_spec *command =
            command_find(call->operands, call->n_operands, &n_taken);
        if (command == NULL) return EXIT_USAGE;
        help_print_command(stdout, command);
    }
    return EXIT_DONE;
}

static const char *const shells[] = {"bash", NULL};

static const option_spec options[] = {
    {.name = "man",
     .help = "print the manual page (troff)",
     .kind = OPTION_FLAG,
     .hidden = true,
     .at = offsetof(settings, man)},
    {.name = "completion",
     .word = "SHELL",
     .help = "print a completion script for this shell",
     .kind = OPTION_CHOICE,
     .choices = shells,
     .hidden = true,
     .at = offsetof(settings, completion)},
    {.name = "names",
     .word = "KIND",
     .help = "print the names of this kind, of a model or table; for completion",
     .kind = OPTION_CHOICE,
     .choices = known_names_kinds,
     .hidden = true,
     .at = offsetof(settings, names)},
};

static const option_group group = {"Options", options, sizeof options / sizeof *options};
static const option_use uses[] = {{&group, 0}};

static const operand_spec operands[] = {
    {"COMMAND", "the command to tell about; without it, all commands are listed"},
    {"WORD", "its second word, where it has two"},
};

const command_spec cmd_help = {
    .name = "help",
    .summary = "tell about a command and its options",
    .about = "Tells what a command does and which options it has.",
    .operands = operands,
    .n_operands = 2,
    .uses = uses,
    .n_uses = 1,
    .settings_size = sizeof(settings),
    .defaults = &(const settings){.completion = none, .names = none},
    .run = run,
};
