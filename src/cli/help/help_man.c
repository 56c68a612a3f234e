/* SPDX-License-Identifier: MIT */
/* The manual page, in troff's man macros. */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "help/help.h"
#include "otherwise/status.h"
#include "output/output.h"
#include "terminal/exit_codes.h"
#include "terminal/memory.h"

/* Text in which nothing is a request or an escape.  A hyphen is written as the minus that
 * people can copy to a command line. */
static void print_text(FILE *file, const char *text)
{
    bool at_start = true;
    for (; *text != '\0'; text++) {
        if (at_start && (*text == '.' || *text == '\'')) output_print(file, "\\&");
        if (*text == '\\')
            output_print(file, "\\e");
        else if (*text == '-')
            output_print(file, "\\-");
        else if (*text == '\'')
            output_print(file, "\\(aq");
        else if (*text == '~')
            output_print(file, "\\(ti");
        else if (*text == '^')
            output_print(file, "\\(ha");
        else
            output_print(file, "%c", *text);
        at_start = *text == '\n';
    }
}

/* Paragraphs divided by an empty line. */
static void print_paragraphs(FILE *file, const char *text)
{
    for (const char *end; (end = strstr(text, "\n\n")) != NULL; text = end + 2) {
        char *paragraph = memory_copy(text, (size_t)(end - text));
        print_text(file, paragraph);
        free(paragraph);
        output_print(file, "\n.PP\n");
    }
    print_text(file, text);
    output_print(file, "\n");
}

/* A term, in bold, with its meaning. */
static void print_entry(FILE *file, const char *term, const char *meaning)
{
    output_print(file, ".TP\n\\fB");
    print_text(file, term);
    output_print(file, "\\fR\n");
    print_text(file, meaning);
    output_print(file, "\n");
}

static void print_options(FILE *file, const option_group *group)
{
    for (size_t i = 0; i < group->n_options; i++) {
        if (group->options[i].hidden) continue;
        char *form = help_option_form(&group->options[i]);
        print_entry(file, form, group->options[i].help);
        free(form);
    }
}

static void print_command(FILE *file, const command_spec *command)
{
    output_print(file, ".SS ");
    print_text(file, command->name);
    output_print(file, "\n");
    char *usage = help_usage(command);
    print_text(file, usage);
    output_print(file, "\n.PP\n");
    free(usage);
    print_paragraphs(file, command->about);
    for (size_t i = 0; i < command->n_operands; i++)
        print_entry(file, command->operands[i].word, command->operands[i].help);
    for (size_t g = 0; g < command->n_uses; g++)
        print_options(file, command->uses[g].group);
}

static void print_examples(FILE *file)
{
    output_print(file, ".SH EXAMPLES\n.nf\n");
    for (size_t i = 0; command_get(i) != NULL; i++) {
        const char *const *examples = command_get(i)->examples;
        for (size_t k = 0; examples != NULL && examples[k] != NULL; k++) {
            print_text(file, examples[k]);
            output_print(file, "\n");
        }
    }
    output_print(file, ".fi\n");
}

void help_print_man(FILE *file)
{
    const char *meaning, *name;
    int code;

    /* No date: the page is made by the build, and the same sources make the same page. */
    output_print(file, ".TH OTHERWISE 1 \"\" \"otherwise %s\" \"User Commands\"\n",
                 ow_version());
    output_print(file, ".SH NAME\notherwise \\- %s\n", help_title);
    output_print(file, ".SH SYNOPSIS\n.B otherwise\n.I COMMAND\n.RI [ options ]\n");
    output_print(file, ".SH DESCRIPTION\n");
    print_paragraphs(file, help_about);
    output_print(file, ".SH COMMANDS\n");
    for (size_t i = 0; command_get(i) != NULL; i++) print_command(file, command_get(i));
    output_print(file, ".SH OPTIONS\nEvery command takes these:\n");
    print_options(file, &global_options);

    output_print(file, ".SH EXIT STATUS\n");
    for (size_t i = 0; (meaning = exit_code_meaning(i, &code)) != NULL; i++) {
        char number[16];
        snprintf(number, sizeof number, "%d", code);
        print_entry(file, number, meaning);
    }
    output_print(file, ".SH ENVIRONMENT\n");
    for (size_t i = 0; (name = help_environment(i, &meaning)) != NULL; i++)
        print_entry(file, name, meaning);
    print_examples(file);
}
