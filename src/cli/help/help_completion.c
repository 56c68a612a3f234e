/* SPDX-License-Identifier: MIT */
/* Completion for bash, without need of the package bash-completion.  The script looks for
 * the command's words on the line; then a word that begins with - is completed to one of
 * its options, a word after an option with choices to one of them, any other to a file
 * name.  After an option that names methods, columns or classes the program is asked for
 * these (help --names), with the first file on the line: the model, or the table. */
#include <stdlib.h>
#include <string.h>

#include "help/help.h"
#include "output/output.h"
#include "terminal/text_build.h"

static const char script_head[] =
    "# Made by \"otherwise help --completion bash\".\n"
    "_otherwise()\n"
    "{\n"
    "    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]}\n"
    "    local first= second= options= words= names= file= list= name i\n"
    "    # bash makes three words of --option=value.\n"
    "    if [[ $word == = ]]; then word=; fi\n"
    "    if [[ $before == = ]]; then before=${COMP_WORDS[COMP_CWORD-2]}; fi\n"
    "    for ((i = 1; i < COMP_CWORD; i++)); do\n"
    "        case ${COMP_WORDS[i]} in\n"
    "        %s) ((i++)) ;;\n"
    "        -*) ;;\n"
    "        *) if [[ -z $first ]]; then first=${COMP_WORDS[i]}\n"
    "           elif [[ -z $second ]]; then second=${COMP_WORDS[i]}; fi\n"
    "           if [[ -z $file && -f ${COMP_WORDS[i]} ]]; then file=${COMP_WORDS[i]}; fi "
    ";;\n"
    "        esac\n"
    "    done\n"
    "    case \"$first $second\" in\n";

static const char script_end[] =
    "    esac\n"
    "    if [[ $word == -* ]]; then words=$options; fi\n"
    "    COMPREPLY=($(compgen -W \"$words\" -- \"$word\"))\n"
    "    if [[ -z $names || $word == -* ]]; then return; fi\n"
    "    if [[ $word == *,* ]]; then list=${word%,*},; fi\n"
    "    while IFS= read -r name; do\n"
    "        name=$list${name// /\\\\ }\n"
    "        if [[ $name == \"$word\"* ]]; then COMPREPLY+=(\"$name\"); fi\n"
    "    done < <(\"${COMP_WORDS[0]}\" help --names $names ${file:+\"$file\"} "
    "2>/dev/null)\n"
    "}\n"
    "complete -o default -F _otherwise otherwise\n";

static void print_options(FILE *file, const option_group *group)
{
    for (size_t i = 0; i < group->n_options; i++)
        if (!group->options[i].hidden) output_print(file, " --%s", group->options[i].name);
}

static void print_choices(FILE *file, const option_group *group)
{
    for (size_t i = 0; i < group->n_options; i++) {
        const option_spec *option = &group->options[i];
        if (option->choices == NULL || option->hidden) continue;
        output_print(file, "        --%s) words=\"", option->name);
        for (size_t c = 0; option->choices[c] != NULL; c++)
            output_print(file, " %s", option->choices[c]);
        output_print(file, "\" ;;\n");
    }
}

/* What the program is asked for after an option. */
enum { most_named = 17 };
static const struct {
    const char *names;               /* the kind, as help --names calls it */
    const char *options[most_named]; /* NULL after the last */
} named[] = {
    {"methods", {"method", "methods"}},
    {"columns",
     {"label", "drop", "categorical", "ordinal", "immutable", "monotone", "unlock", "keep",
      "vary", "range", "allow", "cost", "id", "map", "given", "by"}},
    {"classes", {"target", "class", "classes"}},
};

static void print_named(FILE *file, const option_group *group)
{
    for (size_t i = 0; i < group->n_options; i++)
        for (size_t k = 0; k < sizeof named / sizeof *named; k++)
            for (size_t m = 0; named[k].options[m] != NULL; m++)
                if (strcmp(group->options[i].name, named[k].options[m]) == 0)
                    output_print(file, "        --%s) names=%s ;;\n", named[k].options[m],
                                 named[k].names);
}

/* `pattern` is what "$first $second" looks like once the command is complete. */
static void print_command(FILE *file, const command_spec *command)
{
    const bool two_words = strchr(command->name, ' ') != NULL;
    output_print(file, two_words ? "    \"%s\")\n" : "    \"%s \"*)\n", command->name);
    output_print(file, "        options=\"");
    for (size_t g = 0; g < command->n_uses; g++)
        print_options(file, command->uses[g].group);
    print_options(file, &global_options);
    output_print(file, "\"\n        case $before in\n");
    for (size_t g = 0; g < command->n_uses; g++)
        print_choices(file, command->uses[g].group);
    for (size_t g = 0; g < command->n_uses; g++) print_named(file, command->uses[g].group);
    output_print(file, "        esac\n        ;;\n");
}

/* The first word of each command once, or the second words behind a first one.  Commands
 * that share their first word stand next to each other in the table. */
static void print_words(FILE *file, const char *first)
{
    const char *last = "";
    size_t last_length = 0;
    for (size_t i = 0; command_get(i) != NULL; i++) {
        const char *name = command_get(i)->name;
        const size_t length = strcspn(name, " ");
        if (first == NULL) {
            if (length == last_length && strncmp(name, last, length) == 0) continue;
            output_print(file, " %.*s", (int)length, name);
            last = name;
            last_length = length;
        } else if (command_begins_with(command_get(i), first, strcspn(first, " "))) {
            output_print(file, " %s", name + length + 1);
        }
    }
}

/* The line so far is the first word of commands that have two. */
static void print_second_words(FILE *file)
{
    const char *last = "";
    for (size_t i = 0; command_get(i) != NULL; i++) {
        const char *name = command_get(i)->name;
        const size_t length = strcspn(name, " ");
        if (name[length] == '\0' || strncmp(name, last, length + 1) == 0) continue;
        output_print(file, "    \"%.*s \" | \"help %.*s\") words=\"", (int)length, name,
                     (int)length, name);
        print_words(file, name);
        output_print(file, "\" ;;\n");
        last = name;
    }
}

void help_print_bash_completion(FILE *file)
{
    char *valued = NULL; /* options before the command whose value is the next word */
    for (size_t i = 0; i < global_options.n_options; i++)
        if (args_has_value(&global_options.options[i]))
            valued = text_add(valued, "%s--%s", valued == NULL ? "" : " | ",
                              global_options.options[i].name);
    output_print(file, script_head, valued);
    free(valued);

    print_second_words(file);
    output_print(file, "    \" \" | \"help \") words=\"");
    print_words(file, NULL);
    output_print(file, "\"; options=\"");
    print_options(file, &global_options);
    output_print(file, "\" ;;\n");
    for (size_t i = 0; command_get(i) != NULL; i++) print_command(file, command_get(i));
    output_print(file, "%s", script_end);
}
