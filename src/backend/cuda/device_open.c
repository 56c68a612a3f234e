/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* dladdr */
#include "backend/cuda/device_open.h"

#include <dlfcn.h>
#include <string.h>
#include <unistd.h>

#include "base/context.h"
#include "base/error.h"
#include "base/memory/alloc.h"

static const char plugin_name[] = "libotherwise-cuda.so";

bool owi_device_is_named(const char *backend)
{
    return backend != NULL &&
           (strcmp(backend, "cuda") == 0 || strcmp(backend, "auto") == 0 ||
            strncmp(backend, "cuda:", 5) == 0);
}

/* The folder of the file that this code was loaded from, the library or a program, with a
 * slash at its end; "" where nobody knows. */
static char *own_folder(ow_context *ctx)
{
    Dl_info info;
    const char *slash = NULL;
    if (dladdr(plugin_name, &info) != 0 && info.dli_fname != NULL)
        slash = strrchr(info.dli_fname, '/');
    return owi_copy_text(ctx, slash != NULL ? info.dli_fname : "",
                         slash != NULL ? (size_t)(slash + 1 - info.dli_fname) : 0);
}

/* Beside the library or the program, or where it is installed; NULL: in neither place.  The
 * library stays loaded: CUDA's runtime cannot be unloaded. */
static ow_status find_plugin(ow_context *ctx, void **library)
{
    static const char *const folders[] = {"", "otherwise/", "../" OW_PLUGIN_DIR "/"};
    char *own = own_folder(ctx);
    *library = NULL;
    if (own == NULL) return OW_ERR_MEMORY;
    ow_status status = OW_OK;
    for (size_t i = 0; i < sizeof folders / sizeof *folders && *library == NULL; i++) {
        char *path = owi_format_text(ctx, "%s%s%s", own, folders[i], plugin_name);
        if (path == NULL)
            status = OW_ERR_MEMORY;
        else if (access(path, R_OK) == 0)
            *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
        owi_free(ctx, path);
    }
    owi_free(ctx, own);
    return status;
}

static ow_status load_plugin(ow_context *ctx, const char *file, void **library)
{
    if (file != NULL) {
        *library = dlopen(file, RTLD_NOW | RTLD_LOCAL);
        if (*library != NULL) return OW_OK;
        return owi_fail(OW_ERR_UNSUPPORTED, "backend cuda: cannot load %s: %s", file,
                        dlerror());
    }
    OWI_TRY(find_plugin(ctx, library));
    if (*library == NULL) *library = dlopen(plugin_name, RTLD_NOW | RTLD_LOCAL);
    if (*library != NULL) return OW_OK;
    return owi_fail(
        OW_ERR_UNSUPPORTED,
        "backend cuda: there is no %s beside the program or the library, nor in "
        "%s; build it with cmake --preset cuda",
        plugin_name, OW_PLUGIN_DIR);
}

static ow_status open_device(ow_context *ctx, const char *file, const owi_device_api **out)
{
    void *library = NULL;
    OWI_TRY(load_plugin(ctx, file, &library));
    const owi_device_api *api = dlsym(library, OWI_DEVICE_SYMBOL);
    if (api == NULL || api->version != owi_device_version)
        return owi_fail(OW_ERR_UNSUPPORTED, "backend cuda: %s is of another version",
                        file != NULL ? file : plugin_name);
    const int error = api->start(0);
    if (error != 0)
        return owi_fail(OW_ERR_UNSUPPORTED, "backend cuda: %s", api->explain(error));
    *out = api;
    return OW_OK;
}

ow_status owi_device_open(ow_context *ctx, const char *backend, const owi_device_api **out)
{
    *out = NULL;
    if (!owi_device_is_named(backend)) return OW_OK;
    const bool is_needed = strcmp(backend, "auto") != 0;
    const char *colon = strchr(backend, ':');
    const ow_status status = open_device(ctx, colon != NULL ? colon + 1 : NULL, out);
    if (status != OW_ERR_UNSUPPORTED || is_needed) return status;
    owi_log(ctx, OW_LOG_INFO, "the processor computes: %s", ow_error_message());
    return OW_OK;
}
