/* SPDX-License-Identifier: MIT */
#include "options/contestants.h"

#include <stdlib.h>
#include <string.h>

#include "terminal/memory.h"
#include "terminal/message.h"

/* A copy of so much of a text that lives as long as the contestants. */
static const char *keep(contestants *all, const char *text, size_t length)
{
    args_add_item(&all->names, text, length);
    return all->names.items[all->names.n - 1];
}

/* preset NULL: none. */
static bool add_method(contestants *all, const char *name, const char *preset,
                       bool with_background)
{
    const ow_method *method = NULL;
    if (ow_method_find(name, &method) != OW_OK) {
        message(OW_LOG_ERROR, "--methods: %s", ow_error_message());
        return false;
    }
    if (method->needs_background && !with_background) {
        message(OW_LOG_ERROR,
                "method %s needs --background ROWS, the known rows that it looks for "
                "answers among",
                method->name);
        return false;
    }
    all->methods = memory_grow(all->methods, all->n, sizeof *all->methods);
    all->settings = memory_grow(all->settings, all->n, sizeof *all->settings);
    all->settings[all->n] = NULL;
    all->methods[all->n++] = (ow_contestant){.method = name, .preset = preset};
    return true;
}

/* "method", "method:preset", or all methods there are as "all". */
static bool add_methods(contestants *all, const char *text, const char *preset,
                        bool with_background)
{
    const size_t length = strcspn(text, ":");
    const char *name = keep(all, text, length);
    if (text[length] == ':') preset = text + length + 1;
    if (strcmp(name, "all") != 0) return add_method(all, name, preset, with_background);
    const ow_method *method;
    for (size_t i = 0; (method = ow_method_get(i)) != NULL; i++)
        if (!add_method(all, method->name, preset, with_background)) return false;
    return true;
}

static bool has_parameter(const char *name, const char *parameter, size_t length)
{
    const ow_method *method = NULL;
    if (ow_method_find(name, &method) != OW_OK) return false;
    for (size_t k = 0; k < method->n_params; k++)
        if (strlen(ow_method_param(method, k)->name) == length &&
            strncmp(ow_method_param(method, k)->name, parameter, length) == 0)
            return true;
    return false;
}

static void give(contestants *all, size_t m, const char *name, const char *value)
{
    ow_contestant *method = &all->methods[m];
    all->settings[m] =
        memory_grow(all->settings[m], method->n_settings, sizeof **all->settings);
    all->settings[m][method->n_settings++] = (ow_setting){name, value};
    method->settings = all->settings[m];
}

/* No method has such a parameter: the nearest that one of them has. */
static void complain_parameter(const contestants *all, const char *name)
{
    const char **names = NULL;
    size_t n = 0;
    for (size_t m = 0; m < all->n; m++) {
        const ow_method *method = NULL;
        if (ow_method_find(all->methods[m].method, &method) != OW_OK) continue;
        for (size_t k = 0; k < method->n_params; k++) {
            names = memory_grow(names, n, sizeof *names);
            names[n++] = ow_method_param(method, k)->name;
        }
    }
    message(OW_LOG_ERROR, "--set: none of the --methods has a parameter \"%s\"%s", name,
            args_did_you_mean(name, "", names, n));
    free(names);
}

/* "method.name=value" or "name=value". */
static bool add_setting(contestants *all, const char *text)
{
    const char *equals = strchr(text, '=');
    if (equals == NULL) {
        message(OW_LOG_ERROR, "--set: expected NAME=VALUE or METHOD.NAME=VALUE, got \"%s\"",
                text);
        return false;
    }
    const char *dot = memchr(text, '.', (size_t)(equals - text));
    const char *name = dot != NULL ? dot + 1 : text;
    const size_t length = (size_t)(equals - name);
    const char *kept = keep(all, name, length);
    size_t n_given = 0;
    for (size_t m = 0; m < all->n; m++) {
        const char *method = all->methods[m].method;
        const size_t named = dot != NULL ? (size_t)(dot - text) : 0;
        if (dot != NULL ? strlen(method) != named || strncmp(method, text, named) != 0
                        : !has_parameter(method, name, length))
            continue;
        give(all, m, kept, equals + 1);
        n_given++;
    }
    if (n_given > 0) return true;
    if (dot != NULL)
        message(OW_LOG_ERROR, "--set: %.*s is none of the --methods", (int)(dot - text),
                text);
    else
        complain_parameter(all, kept);
    return false;
}

bool contestants_make(const text_list *methods, const char *preset, const text_list *set,
                      bool with_background, contestants *out)
{
    *out = (contestants){0};
    for (size_t i = 0; i < methods->n; i++)
        if (!add_methods(out, methods->items[i], preset, with_background)) return false;
    for (size_t i = 0; i < set->n; i++)
        if (!add_setting(out, set->items[i])) return false;
    return true;
}

void contestants_clear(contestants *all)
{
    for (size_t m = 0; m < all->n; m++) free(all->settings[m]);
    free(all->settings);
    free(all->methods);
    args_clear_list(&all->names);
}
