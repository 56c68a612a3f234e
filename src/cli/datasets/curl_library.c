/* SPDX-License-Identifier: MIT */
#include "datasets/curl_library.h"

#include <dlfcn.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "terminal/message.h"

/* ISO C has no way from an object's address to a function's; POSIX says that their bytes
 * are the same. */
static bool find(void *library, const char *name, void *function)
{
    void *address = dlsym(library, name);
    memcpy(function, &address, sizeof address);
    return address != NULL;
}

const curl_library *curl_library_get(void)
{
    static curl_library curl;
    static bool loaded = false;
    if (loaded) return &curl;

    void *library = dlopen("libcurl.so.4", RTLD_NOW | RTLD_LOCAL);
    if (library == NULL) {
        message(OW_LOG_ERROR,
                "downloading needs libcurl (Debian: libcurl4), which cannot be loaded: %s",
                dlerror());
        return NULL;
    }
    loaded = find(library, "curl_global_init", &curl.global_init) &&
             find(library, "curl_easy_init", &curl.easy_init) &&
             find(library, "curl_easy_cleanup", &curl.easy_cleanup) &&
             find(library, "curl_easy_setopt", &curl.easy_setopt) &&
             find(library, "curl_easy_getinfo", &curl.easy_getinfo) &&
             find(library, "curl_easy_perform", &curl.easy_perform) &&
             find(library, "curl_easy_strerror", &curl.easy_strerror) &&
             curl.global_init(CURL_GLOBAL_DEFAULT) == CURLE_OK;
    if (!loaded) message(OW_LOG_ERROR, "libcurl cannot be used");
    return loaded ? &curl : NULL;
}
