/* SPDX-License-Identifier: MIT */
#include "serve/state_store.h"

#include <errno.h>
#include <jansson.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/terminal/memory.h"
#include "cli/terminal/text_build.h"
#include "otherwise/file.h"
#include "serve/preferences.h"

struct state_store {
    ow_context *ctx;
    const ow_schema *schema;
    char *path, *text;
    pthread_mutex_t lock;
};

/* That preferences are some of this table's. */
static bool check_preferences(const state_store *store, const json_t *preferences,
                              char **error)
{
    ow_constraints *rules = NULL;
    ow_explain_options options;
    if (preferences == NULL || json_is_null(preferences)) return true;
    ow_explain_options_init(&options, sizeof options);
    if (ow_constraints_new(store->ctx, store->schema, &rules) != OW_OK) {
        *error = text_add(NULL, "%s", ow_error_message());
        return false;
    }
    const bool well = preferences_apply(preferences, store->schema, rules, &options, error);
    ow_constraints_free(rules);
    return well;
}

static bool check_state(const state_store *store, const json_t *state, char **error)
{
    static const char *const lists[] = {"stars", "corrections"};
    const char *key;
    json_t *value;
    size_t i;
    if (!json_is_object(state)) {
        *error =
            text_add(NULL, "expected an object with stars, corrections and preferences");
        return false;
    }
    json_object_foreach((json_t *)(uintptr_t)state, key, value)
    {
        if (strcmp(key, "stars") == 0 || strcmp(key, "corrections") == 0 ||
            strcmp(key, "preferences") == 0)
            continue;
        *error = text_add(NULL, "\"%s\": expected stars, corrections or preferences", key);
        return false;
    }
    for (size_t k = 0; k < sizeof lists / sizeof *lists; k++) {
        const json_t *list = json_object_get(state, lists[k]);
        bool well = list == NULL || json_is_array(list);
        json_array_foreach(list, i, value) well = well && json_is_object(value);
        if (well) continue;
        *error = text_add(NULL, "%s: expected a list of objects", lists[k]);
        return false;
    }
    return check_preferences(store, json_object_get(state, "preferences"), error);
}

static bool load(state_store *store, char **error)
{
    json_error_t problem;
    if (store->path == NULL || (access(store->path, F_OK) != 0 && errno == ENOENT)) {
        store->text = memory_copy("{}", 2);
        return true;
    }
    json_t *state = json_load_file(store->path, JSON_REJECT_DUPLICATES, &problem);
    if (state == NULL) {
        *error = text_add(NULL, "%s", problem.text);
        return false;
    }
    const bool well = check_state(store, state, error);
    if (well) store->text = memory_checked(json_dumps(state, JSON_COMPACT));
    json_decref(state);
    return well;
}

state_store *state_store_open(ow_context *ctx, const ow_schema *schema, const char *path,
                              char **error)
{
    state_store *store = memory_new(1, sizeof *store);
    store->ctx = ctx;
    store->schema = schema;
    if (path != NULL) store->path = memory_copy(path, strlen(path));
    pthread_mutex_init(&store->lock, NULL);
    if (load(store, error)) return store;
    state_store_free(store);
    return NULL;
}

void state_store_free(state_store *store)
{
    if (store == NULL) return;
    pthread_mutex_destroy(&store->lock);
    free(store->path);
    free(store->text);
    free(store);
}

char *state_store_text(state_store *store)
{
    pthread_mutex_lock(&store->lock);
    char *copy = memory_copy(store->text, strlen(store->text));
    pthread_mutex_unlock(&store->lock);
    return copy;
}

/* Puts the new text in its place, behind the file's. */
static bool replace(state_store *store, char *text, int *status, char **error)
{
    pthread_mutex_lock(&store->lock);
    const bool well = store->path == NULL ||
                      ow_file_write(store->ctx, store->path, text, strlen(text)) == OW_OK;
    char *old = text;
    if (well) {
        old = store->text;
        store->text = text;
    } else {
        *status = 500;
        *error = text_add(NULL, "%s", ow_error_message());
    }
    pthread_mutex_unlock(&store->lock);
    free(old);
    return well;
}

bool state_store_set(state_store *store, const char *text, size_t size, int *status,
                     char **error)
{
    json_error_t problem;
    json_t *state = json_loadb(text, size, JSON_REJECT_DUPLICATES, &problem);
    if (state == NULL) {
        *status = 400;
        *error = text_add(NULL, "line %d, column %d: %s", problem.line, problem.column,
                          problem.text);
        return false;
    }
    *status = 422;
    const bool well = check_state(store, state, error);
    char *own = well ? memory_checked(json_dumps(state, JSON_COMPACT)) : NULL;
    json_decref(state);
    return well && replace(store, own, status, error);
}
