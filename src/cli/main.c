/* SPDX-License-Identifier: MIT */
/* The program `otherwise`: the table of its commands. */
#include "commands/command.h"
#include "options/infer_settings.h"
#include "options/train_settings.h"
#include "output/asked.h"
#include "output/output.h"
#include "program.h"
#include "terminal/crash.h"
#include "terminal/display_text.h"
#include "terminal/interrupt.h"

/* One line for each command: x(name) stands for the descriptor cmd_<name>, defined in
 * cmd_<name>.c. */
/* clang-format off */
#define COMMANDS(x) \
    x(demo)         \
    x(schema)       \
    x(train)        \
    x(predict)      \
    x(explain)      \
    x(serve)        \
    x(reasons)      \
    x(letters)      \
    x(audit)        \
    x(evaluate)     \
    x(methods)      \
    x(sample)       \
    x(inspect)      \
    x(import)       \
    x(reproduce)    \
    x(data_list)    \
    x(data_fetch)   \
    x(help)
/* clang-format on */

#define DECLARE(name) extern const command_spec cmd_##name;
COMMANDS(DECLARE)

const command_spec *command_get(size_t index)
{
#define ADDRESS(name) &cmd_##name,
    static const command_spec *const commands[] = {COMMANDS(ADDRESS)};
    return index < sizeof commands / sizeof *commands ? commands[index] : NULL;
}

int main(int argc, char **argv)
{
    output_start();
    display_start();
    interrupt_start();
    crash_start();
    infer_settings_start();
    train_settings_start();
    asked_remember_command(argc, argv);
    return output_finish(program_run(argc, argv));
}
