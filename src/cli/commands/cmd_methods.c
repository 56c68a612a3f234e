/* SPDX-License-Identifier: MIT */
/* otherwise methods: what looks for answers, with every parameter, as the methods
 * themselves declare it. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "commands/command.h"
#include "otherwise/explain.h"
#include "otherwise/json.h"
#include "output/output.h"
#include "terminal/display_text.h"
#include "terminal/exit_codes.h"
#include "terminal/terminal.h"
#include "terminal/text_build.h"

typedef struct {
    bool json;
} settings;

static const char *or_initial(const ow_param *param, const char *preset)
{
    return preset != NULL ? preset : param->initial;
}

/* ---- For people ---- */

/* "0 to 100", "1 or more", "log or raw", "yes or no"; "or auto" where that is a value
 * too. */
static char *add_values(char *text, const ow_param *param)
{
    if (param->kind == OW_PARAM_FLAG) return text_add(text, "yes or no");
    if (param->kind == OW_PARAM_CHOICE)
        for (size_t i = 0; param->choices[i] != NULL; i++)
            text = text_add(text, "%s%s", i > 0 ? " or " : "", param->choices[i]);
    else if (isfinite(param->high))
        text = text_add(text, "%.9g to %.9g", param->low, param->high);
    else
        text = text_add(text, "%.9g or more", param->low);
    return param->has_auto ? text_add(text, " or auto") : text;
}

/* " (paper: 10)" where a preset has another value than there is without one. */
static char *add_presets(char *text, const ow_param *param)
{
    const bool paper = strcmp(or_initial(param, param->paper), param->initial) != 0;
    const bool reference = strcmp(or_initial(param, param->reference), param->initial) != 0;
    if (paper) text = text_add(text, " (paper: %s", param->paper);
    if (reference)
        text = text_add(text, "%sreference: %s", paper ? ", " : " (", param->reference);
    return paper || reference ? text_add(text, ")") : text;
}

static void print_params(const ow_method *method)
{
    enum { margin = 2, gap = 2 };
    size_t width = 0;
    for (size_t i = 0; i < method->n_params; i++) {
        const size_t wanted = strlen(ow_method_param(method, i)->name);
        if (wanted > width) width = wanted;
    }
    for (size_t i = 0; i < method->n_params; i++) {
        const ow_param *param = ow_method_param(method, i);
        output_print(stdout, "%*s%-*s", margin, "", (int)(width + gap), param->name);
        char *text = text_add(NULL, "%s; ", param->summary);
        text = text_add(add_values(text, param), "; %s by default", param->initial);
        text = add_presets(text, param);
        display_wrap(stdout, text, margin + width + gap, terminal_width(stdout));
        free(text);
    }
}

static void print_method(const ow_method *method)
{
    output_print(stdout, "%s%s%s: ", terminal_colour(stdout, TERMINAL_BOLD), method->name,
                 terminal_colour(stdout, TERMINAL_PLAIN));
    char *text = text_add(NULL, "%s", method->summary);
    if (method->needs_background) text = text_add(text, "; needs --background");
    display_wrap(stdout, text, strlen(method->name) + 2, terminal_width(stdout));
    free(text);
    print_params(method);
}

/* ---- The command ---- */

static int run(const invocation *call)
{
    const settings *set = call->settings;
    if (set->json) {
        char *text = NULL;
        size_t size = 0;
        const ow_status status = ow_methods_json(call->ctx, &text, &size);
        return command_give(status, text, size);
    }
    for (size_t i = 0; ow_method_get(i) != NULL; i++) {
        if (i > 0) output_print(stdout, "\n");
        print_method(ow_method_get(i));
    }
    return EXIT_DONE;
}

static const option_spec options[] = {
    {.name = "json",
     .help = "print the methods as JSON",
     .kind = OPTION_FLAG,
     .at = offsetof(settings, json)},
};
static const option_group group = {"Options", options, sizeof options / sizeof *options};
static const option_use uses[] = {{&group, 0}};

static const char *const examples[] = {
    "otherwise methods",
    "otherwise explain credit.ow applicants.csv --target good --method two-step "
    "--set class-step=3",
    NULL,
};

const command_spec cmd_methods = {
    .name = "methods",
    .summary = "list the methods that look for answers, with their parameters",
    .about =
        "Lists the methods that explain can use (--method), and for each parameter "
        "(--set NAME=VALUE) the values that it can have, the default, and what it is "
        "in the presets: paper, the settings of the paper, and reference, those of the "
        "implementation that others compare with.",
    .uses = uses,
    .n_uses = sizeof uses / sizeof *uses,
    .examples = examples,
    .settings_size = sizeof(settings),
    .run = run,
};
