/* SPDX-License-Identifier: MIT */
/* What a command is.  Adding one: a file cmd_<name>.c that ends with its descriptor, and
 * one line in the table of main.c; parsing, help, manual page and completion follow. */
#ifndef CLI_COMMAND_H
#define CLI_COMMAND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "options/args.h"
#include "otherwise/call.h"

/* The options that every command takes. */
typedef struct {
    bool quiet, help, version;
    uint64_t seed, threads;
} global_settings;

extern const option_group global_options;

/* What a command gets to work with. */
typedef struct {
    ow_context *ctx;             /* messages are set                             */
    ow_call how;                 /* of every call of the library: progress, Ctrl-C,
                                  * seed and threads                             */
    const void *settings;        /* the command's own struct, filled in          */
    const char *const *operands; /* within the numbers that the command states   */
    size_t n_operands;
    bool shows_progress; /* people are there to see it                    */
    bool is_part;        /* one of several files of rows (models/each_part.h) */
} invocation;

/* A word of the command line that is no option. */
typedef struct {
    const char *word; /* "DATA" */
    const char *help;
} operand_spec;

/* A group of options, and where in the command's settings their struct begins. */
typedef struct {
    const option_group *group;
    size_t at;
} option_use;

typedef struct {
    const char *name;    /* one word, or two: "data list"                        */
    const char *summary; /* for the list of commands: one line, no full stop     */
    const char *about;   /* for help and manual: paragraphs, divided by "\n\n"   */
    const operand_spec *operands;
    size_t n_operands, n_required; /* the last ones may be left out                      */
    const option_use *uses;
    size_t n_uses;
    const char *const *examples; /* whole command lines; NULL at the end; may be NULL */
    bool is_for_several; /* processes that a launcher started together may run it         */
    size_t settings_size;
    const void *defaults; /* settings before parsing; NULL: all zero                */
    int (*run)(
        const invocation *call); /* an exit code, after saying what went wrong      */
} command_spec;

/* All commands in the order of the help page; NULL past the last one. */
const command_spec *command_get(size_t index);

/* Whether commands of two words begin with this one: "data" for "data list". */
bool command_is_family(const char *word);
bool command_begins_with(const command_spec *command, const char *first, size_t length);

/* The command that the words begin with, and how many of them name it; NULL after a
 * complaint on standard error with the nearest spelling. */
const command_spec *command_find(const char *const *words, size_t n_words, size_t *n_taken);

/* Says why the library's last call failed and returns the exit code for it
 * (exit_codes.h). */
int command_failed(ow_status status, bool writing);
/* EXIT_DONE for OW_OK; else the same, with the option to which the call belonged named
 * before the sentence. */
int command_check_option(const char *option, ow_status status);
/* Prints a text that the library has made and frees it; or says why it failed. */
int command_give(ow_status status, char *text, size_t size);

#endif
