/* SPDX-License-Identifier: MIT */
#include "options/args.h"

#include <ctype.h>
#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "options/decimal.h"
#include "otherwise/status.h"
#include "terminal/memory.h"
#include "terminal/message.h"
#include "terminal/text_build.h"

/* An option with its field: the tables of all sets, one behind the other. */
typedef struct {
    const option_spec *spec;
    void *field;
} option_slot;

/* What getopt_long() returns: 1 for an operand, first_slot + index for an option. */
enum { is_operand = 1, first_slot = 256 };

static option_slot *flatten(const option_set *sets, size_t n_sets, size_t *n_slots)
{
    size_t n = 0;
    for (size_t s = 0; s < n_sets; s++) n += sets[s].group->n_options;
    option_slot *slots = memory_new(n, sizeof *slots);
    *n_slots = 0;
    for (size_t s = 0; s < n_sets; s++)
        for (size_t o = 0; o < sets[s].group->n_options; o++) {
            const option_spec *spec = &sets[s].group->options[o];
            char *field = (char *)sets[s].settings + spec->at;
            slots[(*n_slots)++] = (option_slot){spec, field};
        }
    return slots;
}

/* ---- Values ---- */

bool args_has_value(const option_spec *spec)
{
    return spec->kind != OPTION_FLAG && spec->kind != OPTION_YES;
}

void args_add_item(text_list *list, const char *text, size_t length)
{
    list->items = memory_grow(list->items, list->n, sizeof *list->items);
    list->items[list->n++] = memory_copy(text, length);
}

void args_clear_list(text_list *list)
{
    for (size_t i = 0; i < list->n; i++) free(list->items[i]);
    free(list->items);
    *list = (text_list){0};
}

/* Splits at commas; a backslash before a comma keeps it.  Empty parts are passed over. */
static void add_parts(text_list *list, const char *value)
{
    char *part = memory_new(strlen(value) + 1, 1);
    size_t length = 0;
    for (;; value++) {
        if (value[0] == '\\' && value[1] == ',') {
            part[length++] = *++value;
        } else if (*value == ',' || *value == '\0') {
            if (length > 0) args_add_item(list, part, length);
            length = 0;
            if (*value == '\0') break;
        } else {
            part[length++] = *value;
        }
    }
    free(part);
}

static bool store_integer(const option_spec *spec, uint64_t *field, const char *value)
{
    char *end = NULL;
    errno = 0;
    const bool digits = isdigit((unsigned char)value[0]);
    const unsigned long long number = digits ? strtoull(value, &end, 10) : 0;
    if (digits && *end == '\0' && errno == 0 && number >= spec->least &&
        number <= spec->most) {
        *field = number;
        return true;
    }
    if (spec->most == UINT64_MAX && spec->least == 0)
        message(OW_LOG_ERROR, "--%s: expected a whole number, got \"%s\"", spec->name,
                value);
    else if (spec->most == UINT64_MAX)
        message(OW_LOG_ERROR,
                "--%s: expected a whole number from %" PRIu64 " on, got \"%s\"", spec->name,
                spec->least, value);
    else
        message(OW_LOG_ERROR,
                "--%s: expected a whole number from %" PRIu64 " to %" PRIu64 ", got \"%s\"",
                spec->name, spec->least, spec->most, value);
    return false;
}

static bool store_number(const option_spec *spec, double *field, const char *value)
{
    double number;
    if (decimal_read(value, &number) && number >= spec->low && number <= spec->high) {
        *field = number;
        return true;
    }
    message(OW_LOG_ERROR, "--%s: expected a number from %g to %g, got \"%s\"", spec->name,
            spec->low, spec->high, value);
    return false;
}

static bool store_choice(const option_spec *spec, int *field, const char *value)
{
    char *list = NULL;
    size_t n = 0;
    for (; spec->choices[n] != NULL; n++) {
        if (strcmp(spec->choices[n], value) == 0) {
            *field = (int)n;
            free(list);
            return true;
        }
        const char *before = n == 0 ? "" : spec->choices[n + 1] == NULL ? " or " : ", ";
        list = text_add(list, "%s%s", before, spec->choices[n]);
    }
    message(OW_LOG_ERROR, "--%s: expected %s, got \"%s\"%s", spec->name, list, value,
            args_did_you_mean(value, "", spec->choices, n));
    free(list);
    return false;
}

static bool store(const option_slot *slot, const char *value)
{
    const option_spec *spec = slot->spec;
    switch (spec->kind) {
    case OPTION_FLAG:
        *(bool *)slot->field = true;
        return true;
    case OPTION_TEXT:
        *(const char **)slot->field = value;
        return true;
    case OPTION_INTEGER:
        return store_integer(spec, slot->field, value);
    case OPTION_NUMBER:
        return store_number(spec, slot->field, value);
    case OPTION_CHOICE:
        return store_choice(spec, slot->field, value);
    case OPTION_LIST:
        add_parts(slot->field, value);
        return true;
    case OPTION_LAST:
    case OPTION_YES:
        args_clear_list(slot->field);
        if (spec->kind == OPTION_YES) value = "yes";
        /* fall through */
    case OPTION_REPEATED:
        args_add_item(slot->field, value, strlen(value));
        return true;
    }
    return false;
}

/* ---- Complaints ---- */

const char *args_did_you_mean(const char *word, const char *before,
                              const char *const *names, size_t n)
{
    static char text[256];
    const size_t nearest = ow_name_nearest(word, names, n);
    text[0] = '\0';
    if (nearest < n)
        snprintf(text, sizeof text, "; did you mean %s%s?", before, names[nearest]);
    return text;
}

static void complain_no_option(const char *who, const char *dashes, const char *name,
                               const char *near)
{
    message(OW_LOG_ERROR, "%s%s no option %s%s%s", who != NULL ? who : "there",
            who != NULL ? " has" : " is", dashes, name, near);
}

/* --l where both --label and --labels exist.  Says so and returns true if it is that. */
static bool complain_ambiguous(const option_slot *slots, size_t n, const char *name,
                               size_t length)
{
    char *list = NULL;
    size_t n_found = 0;
    for (size_t i = 0; i < n; i++) {
        if (slots[i].spec->hidden || strncmp(slots[i].spec->name, name, length) != 0)
            continue;
        list = text_add(list, "%s--%s", n_found++ == 0 ? "" : ", ", slots[i].spec->name);
    }
    if (n_found > 1)
        message(OW_LOG_ERROR, "--%.*s is short for several options: %s", (int)length, name,
                list);
    free(list);
    return n_found > 1;
}

static void complain_unknown(const char *who, const option_slot *slots, size_t n,
                             const char *word)
{
    const char *name = word + 2;
    const size_t length = strcspn(name, "=");
    for (size_t i = 0; i < n; i++)
        if (strlen(slots[i].spec->name) == length &&
            strncmp(slots[i].spec->name, name, length) == 0) {
            message(OW_LOG_ERROR, "--%s takes no value, got \"%s\"", slots[i].spec->name,
                    name + length + 1);
            return;
        }
    if (complain_ambiguous(slots, n, name, length)) return;

    const char **names = memory_new(n, sizeof *names);
    size_t n_names = 0;
    for (size_t i = 0; i < n; i++)
        if (!slots[i].spec->hidden) names[n_names++] = slots[i].spec->name;
    char *wrong = memory_copy(name, length);
    complain_no_option(who, "--", wrong, args_did_you_mean(wrong, "--", names, n_names));
    free(wrong);
    free(names);
}

/* ---- getopt_long() ---- */

/* Our tables in the form of getopt_long.  The '-' has operands returned in their place,
 * whatever POSIXLY_CORRECT says ('+' stops at the first), the ':' tells a missing value
 * from an unknown option. */
static struct option *getopt_tables(const option_slot *slots, size_t n,
                                    bool to_first_operand, char **letters)
{
    struct option *longs = memory_new(n + 1, sizeof *longs);
    char *end = *letters = memory_new(2 * n + 3, 1);
    *end++ = to_first_operand ? '+' : '-';
    *end++ = ':';
    for (size_t i = 0; i < n; i++) {
        const option_spec *spec = slots[i].spec;
        const bool has_value = args_has_value(spec);
        longs[i] = (struct option){spec->name, has_value, NULL, first_slot + (int)i};
        if (spec->letter == 0) continue;
        *end++ = spec->letter;
        if (has_value) *end++ = ':';
    }
    return longs;
}

static const option_slot *find_slot(const option_slot *slots, size_t n, int code)
{
    if (code >= first_slot) return &slots[code - first_slot];
    for (size_t i = 0; i < n; i++)
        if (slots[i].spec->letter != 0 && slots[i].spec->letter == code) return &slots[i];
    return NULL;
}

static void add_operand(parsed_args *parsed, const char *word)
{
    parsed->operands =
        memory_grow(parsed->operands, parsed->n_operands, sizeof *parsed->operands);
    parsed->operands[parsed->n_operands++] = word;
}

/* What getopt_long() found wrong, in our words. */
static void complain(const char *who, int code, const option_slot *slots, size_t n,
                     char **argv)
{
    const option_slot *slot = find_slot(slots, n, optopt);
    if (code == ':' && slot != NULL)
        message(OW_LOG_ERROR, "--%s needs a value: %s", slot->spec->name, slot->spec->word);
    else if (strncmp(argv[optind - 1], "--", 2) == 0)
        complain_unknown(who, slots, n, argv[optind - 1]);
    else
        complain_no_option(who, "-", (const char[]){(char)optopt, '\0'}, "");
}

bool args_parse(const char *who, const option_set *sets, size_t n_sets,
                bool to_first_operand, int argc, char **argv, parsed_args *parsed)
{
    size_t n;
    char *letters;
    option_slot *slots = flatten(sets, n_sets, &n);
    struct option *longs = getopt_tables(slots, n, to_first_operand, &letters);
    bool good = true, ended = false;

    optind = 0; /* from the beginning, also the second time */
    opterr = 0;
    while (good && !ended) {
        const int code = getopt_long(argc, argv, letters, longs, NULL);
        if (code == -1) break;
        const option_slot *slot = find_slot(slots, n, code);
        if (code == is_operand) {
            add_operand(parsed, optarg);
        } else if (slot == NULL) {
            complain(who, code, slots, n, argv);
            good = false;
        } else {
            good = store(slot, optarg);
            ended = slot->spec->ends;
        }
    }
    parsed->n_taken = (size_t)optind;
    if (good && !to_first_operand)
        for (int i = optind; i < argc && !ended; i++) add_operand(parsed, argv[i]);

    free(longs);
    free(letters);
    free(slots);
    return good;
}

void args_clear(const option_set *sets, size_t n_sets, parsed_args *parsed)
{
    size_t n;
    option_slot *slots = flatten(sets, n_sets, &n);
    for (size_t i = 0; i < n; i++) {
        if (slots[i].spec->kind >= OPTION_LIST) args_clear_list(slots[i].field);
    }
    free(slots);
    free(parsed->operands);
    *parsed = (parsed_args){0};
}
