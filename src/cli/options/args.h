/* SPDX-License-Identifier: MIT */
/* Options, declared once in tables: parsing, help, manual page and completion all come from
 * them.
 *
 * A command keeps what it is told in a struct of its own and says for each option where in
 * it the value goes:
 *
 *     typedef struct { const char *label; bool json; } settings;
 *     static const option_spec options[] = {
 *         {.name = "label", .word = "COLUMN", .help = "the column that holds the class",
 *          .kind = OPTION_TEXT, .at = offsetof(settings, label)},
 *         ... */
#ifndef CLI_ARGS_H
#define CLI_ARGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct {
    char **items;
    size_t n;
} text_list;

/* A copy of the text becomes the last item. */
void args_add_item(text_list *list, const char *text, size_t length);
/* Frees the items and leaves an empty list. */
void args_clear_list(text_list *list);

/* What an option's value is, and the type of its field. */
typedef enum {
    OPTION_FLAG,    /* bool: no value; true when given                       */
    OPTION_TEXT,    /* const char *, lent by the command line                */
    OPTION_INTEGER, /* uint64_t, from least to most                          */
    OPTION_NUMBER,  /* double, from low to high                              */
    OPTION_CHOICE,  /* int: the index of one of the choices                  */
    /* From here on text_list, freed by args_clear. */
    OPTION_LIST,     /* text_list: the parts of "a,b"; "\," is a comma; given
                     * again, it adds to the list                            */
    OPTION_REPEATED, /* text_list: one entry for each time it is given       */
    OPTION_LAST,     /* text_list: the text that was given last              */
    OPTION_YES       /* text_list: no value; "yes" when given                */
} option_kind;

typedef struct {
    const char *name; /* "label" for --label                              */
    char letter;      /* 'o' for -o; 0: none                              */
    const char *word; /* what help calls the value: "COLUMN"; NULL: flag  */
    const char *help; /* one line, no full stop                           */
    option_kind kind;
    size_t at; /* offset of the field                             */

    const char *const *choices; /* NULL at the end                      */
    uint64_t least, most;
    double low, high;

    bool in_usage; /* shown in the usage line: nothing goes without it   */
    bool ends;     /* the rest of the line does not matter: --help       */
    bool hidden;   /* not shown: what only the build asks for            */
} option_spec;

/* Whether a text follows the option. */
bool args_has_value(const option_spec *spec);

/* Options that belong together, under one heading. */
typedef struct {
    const char *title;
    const option_spec *options;
    size_t n_options;
} option_group;

/* A group, and the struct that its values go to. */
typedef struct {
    const option_group *group;
    void *settings;
} option_set;

typedef struct {
    const char **operands; /* the words that are not options, in order; lent by argv */
    size_t n_operands;
    size_t n_taken; /* words of argv that were looked at */
} parsed_args;

/* Reads the words of argv behind the first.  Options may stand anywhere among the operands;
 * "--" ends them, and "-" alone is an operand.  to_first_operand: stops before the first
 * word that is no option.  who names the command in complaints, NULL is the program
 * itself.  False after a complaint on standard error; either way args_clear frees what was
 * stored. */
bool args_parse(const char *who, const option_set *sets, size_t n_sets,
                bool to_first_operand, int argc, char **argv, parsed_args *parsed);

/* Frees the lists in the settings and the operands. */
void args_clear(const option_set *sets, size_t n_sets, parsed_args *parsed);

/* "; did you mean X?" with the nearest of the n names, "" if none is near: the end of a
 * complaint.  Lent until the next call. */
const char *args_did_you_mean(const char *word, const char *before,
                              const char *const *names, size_t n);

#endif
