/* SPDX-License-Identifier: MIT */
#include "help/help.h"

#include <stdlib.h>
#include <string.h>

#include "otherwise/status.h"
#include "output/output.h"
#include "terminal/display_text.h"
#include "terminal/exit_codes.h"
#include "terminal/terminal.h"
#include "terminal/text_build.h"

enum {
    most_width = 100, /* longer lines are hard to read                        */
    most_left = 28    /* a longer left side has its explanation on the next line */
};

const char help_title[] =
    "what would have to be different for a classifier to decide otherwise?";

const char help_about[] = "otherwise explains decisions of a classifier by "
                          "counterfactuals: the smallest plausible "
                          "changes of a row after which the decision would be another one. "
                          "Results go to standard "
                          "output, everything else to standard error; where a file is "
                          "expected, - is standard input "
                          "or output.";

static size_t line_width(FILE *file)
{
    const size_t width = terminal_width(file);
    return width > most_width ? most_width : width;
}

/* What stands for the option's value: its word or its choices. */
static char *add_value_form(char *text, const option_spec *option)
{
    if (option->choices == NULL) return text_add(text, "%s", option->word);
    for (size_t i = 0; option->choices[i] != NULL; i++)
        text = text_add(text, "%s%s", i > 0 ? "|" : "", option->choices[i]);
    return text;
}

char *help_option_form(const option_spec *option)
{
    char *text = NULL;
    if (option->letter != 0) text = text_add(text, "-%c, ", option->letter);
    text = text_add(text, "--%s", option->name);
    return args_has_value(option) ? add_value_form(text_add(text, " "), option) : text;
}

char *help_usage(const command_spec *command)
{
    char *text = text_add(NULL, "otherwise %s", command->name);
    for (size_t i = 0; i < command->n_operands; i++)
        text = text_add(text, i < command->n_required ? " %s" : " [%s]",
                        command->operands[i].word);
    for (size_t g = 0; g < command->n_uses; g++)
        for (size_t o = 0; o < command->uses[g].group->n_options; o++) {
            const option_spec *option = &command->uses[g].group->options[o];
            if (option->in_usage)
                text = text_add(text, " --%s %s", option->name, option->word);
        }
    return text_add(text, " [options]");
}

static void print_heading(FILE *file, const char *title)
{
    output_print(file, "\n%s%s:%s\n", terminal_colour(file, TERMINAL_BOLD), title,
                 terminal_colour(file, TERMINAL_PLAIN));
}

/* A left side of at most so many columns, and what it means, wrapped. */
static void print_entry(FILE *file, const char *left, size_t left_width,
                        const char *meaning)
{
    const size_t indent = left_width + 4;
    output_print(file, "  %s", left);
    if (display_width(left) <= left_width) {
        display_pad(file, indent - 2 - display_width(left));
    } else {
        output_print(file, "\n");
        display_pad(file, indent);
    }
    display_wrap(file, meaning, indent, line_width(file));
}

static size_t widest_form(const option_group *group, size_t widest)
{
    for (size_t i = 0; i < group->n_options; i++) {
        if (group->options[i].hidden) continue;
        char *form = help_option_form(&group->options[i]);
        const size_t width = display_width(form);
        if (width <= most_left && width > widest) widest = width;
        free(form);
    }
    return widest;
}

static void print_group(FILE *file, const option_group *group, size_t left_width)
{
    print_heading(file, group->title);
    for (size_t i = 0; i < group->n_options; i++) {
        if (group->options[i].hidden) continue;
        char *form = help_option_form(&group->options[i]);
        print_entry(file, form, left_width, group->options[i].help);
        free(form);
    }
}

static bool all_hidden(const option_group *group)
{
    for (size_t i = 0; i < group->n_options; i++)
        if (!group->options[i].hidden) return false;
    return true;
}

void help_print_command(FILE *file, const command_spec *command)
{
    char *usage = help_usage(command);
    output_print(file, "%sUsage:%s ", terminal_colour(file, TERMINAL_BOLD),
                 terminal_colour(file, TERMINAL_PLAIN));
    display_wrap(file, usage, 7, line_width(file));
    free(usage);
    output_print(file, "\n");
    display_wrap(file, command->about, 0, line_width(file));

    size_t left_width = widest_form(&global_options, 0);
    for (size_t i = 0; i < command->n_operands; i++)
        if (display_width(command->operands[i].word) > left_width)
            left_width = display_width(command->operands[i].word);
    for (size_t g = 0; g < command->n_uses; g++)
        left_width = widest_form(command->uses[g].group, left_width);

    if (command->n_operands > 0) output_print(file, "\n");
    for (size_t i = 0; i < command->n_operands; i++)
        print_entry(file, command->operands[i].word, left_width, command->operands[i].help);
    for (size_t g = 0; g < command->n_uses; g++)
        if (!all_hidden(command->uses[g].group))
            print_group(file, command->uses[g].group, left_width);
    print_group(file, &global_options, left_width);

    if (command->examples == NULL) return;
    print_heading(file, "Examples");
    for (size_t i = 0; command->examples[i] != NULL; i++)
        output_print(file, "  %s\n", command->examples[i]);
}

/* Names and summaries, of all commands or of those that begin with a word. */
static void print_commands(FILE *file, const char *first)
{
    size_t left_width = 0;
    for (size_t i = 0; command_get(i) != NULL; i++)
        if (display_width(command_get(i)->name) > left_width)
            left_width = display_width(command_get(i)->name);
    for (size_t i = 0; command_get(i) != NULL; i++)
        if (first == NULL || command_begins_with(command_get(i), first, strlen(first)))
            print_entry(file, command_get(i)->name, left_width, command_get(i)->summary);
}

void help_print_family(FILE *file, const char *first)
{
    output_print(file, "The commands that begin with %s:\n", first);
    print_commands(file, first);
}

void help_print_overview(FILE *file)
{
    output_print(file, "otherwise: %s\n\n", help_title);
    display_wrap(file, "Usage: otherwise COMMAND ...", 0, line_width(file));
    print_heading(file, "Commands");
    print_commands(file, NULL);
    print_group(file, &global_options, widest_form(&global_options, 0));

    print_heading(file, "Exit codes");
    int code;
    const char *meaning;
    for (size_t i = 0; (meaning = exit_code_meaning(i, &code)) != NULL; i++) {
        char number[16];
        snprintf(number, sizeof number, "%3d", code);
        print_entry(file, number, 3, meaning);
    }
    output_print(file, "\n\"otherwise help COMMAND\" tells more about a command.\n");
}

void help_print_version(FILE *file)
{
    output_print(file, "otherwise %s\n", ow_version());
}

const char *help_environment(size_t index, const char **meaning)
{
    static const struct {
        const char *name, *meaning;
    } variables[] = {
        {"OTHERWISE_DATA", "the folder with the data sets, unless --data names one"},
        {"XDG_CACHE_HOME", "where the folder otherwise/ with the data sets is looked for "
                           "without OTHERWISE_DATA; ~/.cache by default"},
        {"TMPDIR",
         "where training rows go that do not fit into memory; /var/tmp by default"},
        {"NO_COLOR", "if set, no colours, not even on a terminal"},
        {"COLUMNS", "the width of lines, instead of the terminal's own"},
    };
    if (index >= sizeof variables / sizeof *variables) return NULL;
    *meaning = variables[index].meaning;
    return variables[index].name;
}
