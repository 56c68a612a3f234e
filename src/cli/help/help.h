/* SPDX-License-Identifier: MIT */
/* Help made from the tables of commands and options. */
#ifndef CLI_HELP_H
#define CLI_HELP_H

#include <stdio.h>

#include "commands/command.h"

/* What the program is for, and its commands. */
void help_print_overview(FILE *file);
/* The commands that begin with this word. */
void help_print_family(FILE *file, const char *first);
/* Usage, operands, options and examples of one command. */
void help_print_command(FILE *file, const command_spec *command);
void help_print_version(FILE *file);

/* The same as a manual page (troff's man macros) and as a script for bash. */
void help_print_man(FILE *file);
void help_print_bash_completion(FILE *file);

/* "otherwise schema DATA --label COLUMN [options]"; the caller frees it. */
char *help_usage(const command_spec *command);

/* "-o, --output FILE"; the caller frees it.  With a choice: "--levels
 * sorted|appearance". */
char *help_option_form(const option_spec *option);

/* What the program answers, in a few words and in a paragraph. */
extern const char help_title[], help_about[];

/* The variables that the program reads, each with its meaning; NULL past the last one. */
const char *help_environment(size_t index, const char **meaning);

#endif
