/* SPDX-License-Identifier: MIT */
#include "commands/command.h"

#include <stdlib.h>
#include <string.h>

#include "output/output.h"
#include "terminal/exit_codes.h"
#include "terminal/interrupt.h"
#include "terminal/message.h"
#include "terminal/text_build.h"

static const option_spec options[] = {
    {.name = "quiet",
     .letter = 'q',
     .help = "say nothing but results and errors",
     .kind = OPTION_FLAG,
     .at = offsetof(global_settings, quiet)},
    {.name = "seed",
     .word = "N",
     .help = "the seed of everything random; 0 by default",
     .kind = OPTION_INTEGER,
     .most = UINT64_MAX,
     .at = offsetof(global_settings, seed)},
    {.name = "threads",
     .word = "N",
     .help = "threads to use, all that the machine has by default; "
             "results do not depend on it",
     .kind = OPTION_INTEGER,
     .least = 1,
     .most = 4096,
     .at = offsetof(global_settings, threads)},
    {.name = "help",
     .letter = 'h',
     .help = "show help and stop",
     .kind = OPTION_FLAG,
     .ends = true,
     .at = offsetof(global_settings, help)},
    {.name = "version",
     .help = "show the version and stop",
     .kind = OPTION_FLAG,
     .ends = true,
     .at = offsetof(global_settings, version)},
};

const option_group global_options = {
    .title = "Options of every command",
    .options = options,
    .n_options = sizeof options / sizeof *options,
};

/* How many of the words name the command: 0 if they do not. */
static size_t words_matched(const command_spec *command, const char *const *words,
                            size_t n_words)
{
    const char *name = command->name;
    for (size_t i = 0; i < n_words; i++) {
        const size_t length = strcspn(name, " ");
        if (strlen(words[i]) != length || strncmp(words[i], name, length) != 0) return 0;
        if (name[length] == '\0') return i + 1;
        name += length + 1;
    }
    return 0;
}

bool command_begins_with(const command_spec *command, const char *first, size_t length)
{
    return strncmp(command->name, first, length) == 0 && command->name[length] == ' ';
}

bool command_is_family(const char *word)
{
    for (size_t i = 0; command_get(i) != NULL; i++)
        if (command_begins_with(command_get(i), word, strlen(word))) return true;
    return false;
}

/* Names to find the nearest among: the whole ones, or their first words. */
static text_list candidates(bool whole)
{
    text_list list = {0};
    for (size_t i = 0; command_get(i) != NULL; i++) {
        const char *name = command_get(i)->name;
        args_add_item(&list, name, whole ? strlen(name) : strcspn(name, " "));
    }
    return list;
}

static void complain(const char *const *words, size_t n_words)
{
    const bool family = command_is_family(words[0]);
    const bool second = family && n_words > 1 && words[1][0] != '-';
    char *typed =
        text_add(NULL, "%s%s%s", words[0], second ? " " : "", second ? words[1] : "");
    text_list list = candidates(second);
    const char *near =
        args_did_you_mean(typed, "", (const char *const *)list.items, list.n);
    if (family && !second)
        message(OW_LOG_ERROR, "%s needs a second word; \"otherwise help %s\" lists them",
                typed, typed);
    else
        message(OW_LOG_ERROR, "there is no command \"%s\"%s", typed,
                *near != '\0' ? near : "; \"otherwise help\" lists them");
    args_clear_list(&list);
    free(typed);
}

const command_spec *command_find(const char *const *words, size_t n_words, size_t *n_taken)
{
    for (size_t i = 0; command_get(i) != NULL; i++) {
        *n_taken = words_matched(command_get(i), words, n_words);
        if (*n_taken > 0) return command_get(i);
    }
    complain(words, n_words);
    return NULL;
}

int command_failed(ow_status status, bool writing)
{
    /* A read that the signal woke up fails in its own words; the reason is the signal. */
    if (interrupt_signal() != 0) return interrupt_end();
    message(OW_LOG_ERROR, "%s", ow_error_message());
    return exit_code_for(status, writing);
}

int command_check_option(const char *option, ow_status status)
{
    if (status == OW_OK) return EXIT_DONE;
    if (interrupt_signal() != 0) return interrupt_end();
    message(OW_LOG_ERROR, "%s: %s", option, ow_error_message());
    return exit_code_for(status, false);
}

int command_give(ow_status status, char *text, size_t size)
{
    if (status != OW_OK) return command_failed(status, false);
    output_write(stdout, text, size);
    ow_bytes_free(text);
    return EXIT_DONE;
}
