/* SPDX-License-Identifier: MIT */
#include "model/foreign/onnx_library.h"

#include <dlfcn.h>
#include <glob.h>
#include <string.h>

#include "base/error.h"
#include "base/memory/alloc.h"

/* What OrtGetApiBase gives. */
typedef struct {
    const void *const *(*get_api)(uint32_t version);
    const char *(*version)(void);
} api_base;

/* ---- Finding ---- */

/* The first of the files that a pattern names; the caller frees it. */
static char *first_match(ow_context *ctx, const char *folder, const char *pattern)
{
    glob_t found;
    char *path = NULL;
    char *whole = owi_format_text(ctx, "%s%s", folder, pattern);
    if (whole == NULL) return NULL;
    if (glob(whole, 0, NULL, &found) == 0) {
        path = owi_copy_text(ctx, found.gl_pathv[0], strlen(found.gl_pathv[0]));
        globfree(&found);
    }
    owi_free(ctx, whole);
    return path;
}

/* That of an installed Python package, as far as the system's. */
static void *open_package(ow_context *ctx)
{
    static const char in_lib[] =
        "/lib*/python3*/*-packages/onnxruntime/capi/libonnxruntime.so*";
    static const char *const folders[] = {"/usr/local", "/usr"};
    void *library = NULL;
    for (size_t i = 0; i < sizeof folders / sizeof *folders && library == NULL; i++) {
        char *path = first_match(ctx, folders[i], in_lib);
        if (path != NULL) library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
        owi_free(ctx, path);
    }
    return library;
}

static ow_status open_named(ow_context *ctx, const char *path, void **library)
{
    char *inside = first_match(ctx, path, "/libonnxruntime.so*");
    *library = dlopen(inside != NULL ? inside : path, RTLD_NOW | RTLD_LOCAL);
    owi_free(ctx, inside);
    if (*library != NULL) return OW_OK;
    return owi_fail(OW_ERR_IO, "%s is no onnxruntime library, nor a folder with one: %s",
                    path, dlerror());
}

static ow_status open_library(ow_context *ctx, const char *path, void **library)
{
    if (path != NULL) return open_named(ctx, path, library);
    *library = dlopen("libonnxruntime.so.1", RTLD_NOW | RTLD_LOCAL);
    if (*library == NULL) *library = dlopen("libonnxruntime.so", RTLD_NOW | RTLD_LOCAL);
    if (*library == NULL) *library = open_package(ctx);
    if (*library != NULL) return OW_OK;
    return owi_fail(OW_ERR_UNSUPPORTED,
                    "models in ONNX format need onnxruntime, which is not installed: pip "
                    "install onnxruntime, or name its library (--onnxruntime PATH)");
}

/* ---- The table ---- */

/* ISO C has no way from an object's address to a function's; POSIX says that their bytes
 * are the same. */
#define TAKE(name, slot) memcpy(&api->name, &table[slot], sizeof api->name)

/* The numbers are the places in the table of version 1. */
static void take_functions(const void *const *table, owi_ort_api *api)
{
    TAKE(error_message, 2);
    TAKE(create_env, 3);
    TAKE(create_session, 8);
    TAKE(run, 9);
    TAKE(create_options, 10);
    TAKE(set_threads, 24);
    TAKE(count_inputs, 30);
    TAKE(count_outputs, 31);
    TAKE(input_type, 33);
    TAKE(output_type, 34);
    TAKE(input_name, 36);
    TAKE(output_name, 37);
    TAKE(create_tensor, 48);
    TAKE(tensor_data, 51);
    TAKE(fill_strings, 52);
    TAKE(strings_size, 53);
    TAKE(read_strings, 54);
    TAKE(as_tensor_type, 55);
    TAKE(kind_of_type, 56);
    TAKE(element_type, 60);
    TAKE(rank, 61);
    TAKE(dimensions, 62);
    TAKE(count_elements, 64);
    TAKE(shape_of, 65);
    TAKE(kind_of_value, 67);
    TAKE(allocator_free, 76);
    TAKE(default_allocator, 78);
    TAKE(get_value, 80);
    TAKE(count_values, 81);
    TAKE(release_env, 92);
    TAKE(release_status, 93);
    TAKE(release_session, 95);
    TAKE(release_value, 96);
    TAKE(release_type, 98);
    TAKE(release_shape, 99);
    TAKE(release_options, 100);
}

ow_status owi_onnx_library_load(ow_context *ctx, const char *path, owi_ort_api *api)
{
    void *library = NULL;
    const api_base *(*get_base)(void) = NULL;
    OWI_TRY(open_library(ctx, path, &library));
    void *address = dlsym(library, "OrtGetApiBase");
    memcpy(&get_base, &address, sizeof address);
    const api_base *base = get_base != NULL ? get_base() : NULL;
    const void *const *table = base != NULL ? base->get_api(1) : NULL;
    if (table == NULL)
        return owi_fail(OW_ERR_UNSUPPORTED,
                        "%s is a library, but not onnxruntime with its C interface",
                        path != NULL ? path : "libonnxruntime.so");
    take_functions(table, api);
    return OW_OK;
}
