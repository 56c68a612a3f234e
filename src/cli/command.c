/* SPDX-License-Identifier: MIT */
#include "command.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "exit_codes.h"
#include "interrupt.h"
#include "memory.h"
#include "message.h"

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

/* "data" alone, where only "data list" is a command; or "data lsit". */
static bool complain_second_word(const char *const *words, size_t n_words)
{
    const char **seconds = NULL;
    size_t n = 0;
    const size_t length = strlen(words[0]);
    for (size_t i = 0; command_get(i) != NULL; i++) {
        const char *name = command_get(i)->name;
        if (strncmp(name, words[0], length) != 0 || name[length] != ' ') continue;
        seconds = memory_grow(seconds, n, sizeof *seconds);
        seconds[n++] = name + length + 1;
    }
    if (n == 0) return false;
    if (n_words < 2)
        message(OW_LOG_ERROR, "%s needs a second word, such as \"otherwise %s %s\"",
                words[0], words[0], seconds[0]);
    else
        message(OW_LOG_ERROR, "there is no command \"%s %s\"%s", words[0], words[1],
                args_did_you_mean(words[1], "", seconds, n));
    free(seconds);
    return true;
}

const command_spec *command_find(const char *const *words, size_t n_words, size_t *n_taken)
{
    const char **names = NULL;
    size_t n = 0;
    for (const command_spec *command; (command = command_get(n)) != NULL; n++) {
        *n_taken = words_matched(command, words, n_words);
        if (*n_taken > 0) {
            free(names);
            return command;
        }
        names = memory_grow(names, n, sizeof *names);
        names[n] = command->name;
    }
    if (!complain_second_word(words, n_words)) {
        const char *near = args_did_you_mean(words[0], "", names, n);
        message(OW_LOG_ERROR, "there is no command \"%s\"%s", words[0],
                *near != '\0' ? near : "; \"otherwise help\" lists them");
    }
    free(names);
    return NULL;
}

int command_failed(ow_status status, bool writing)
{
    /* A read that the signal woke up fails in its own words; the reason is the signal. */
    if (interrupt_signal() != 0) {
        message(OW_LOG_ERROR, "interrupted");
        return 128 + interrupt_signal();
    }
    message(OW_LOG_ERROR, "%s", ow_error_message());
    return exit_code_for(status, writing);
}
