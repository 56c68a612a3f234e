/* SPDX-License-Identifier: MIT */
/* onnxruntime, loaded when a model wants it.  Its C interface is a table of functions whose
 * order never changes: those of version 1, of which a few are used here.  All but the
 * releasing ones and error_message return NULL or a status, whose error_message says what
 * is wrong; every status is released. */
#ifndef OWI_ONNX_LIBRARY_H
#define OWI_ONNX_LIBRARY_H

#include <stddef.h>
#include <stdint.h>

#include "otherwise/context.h"
#include "otherwise/status.h"

/* What onnxruntime makes, of which nobody knows the inside. */
typedef struct OrtStatus owi_ort_status;
typedef struct OrtEnv owi_ort_env;
typedef struct OrtSession owi_ort_session;
typedef struct OrtSessionOptions owi_ort_options;
typedef struct OrtValue owi_ort_value;
typedef struct OrtTypeInfo owi_ort_type;
typedef struct OrtTensorTypeAndShapeInfo owi_ort_shape;
typedef struct OrtMemoryInfo owi_ort_memory;
typedef struct OrtAllocator owi_ort_allocator;

/* Kinds of values, and of the elements of tensors. */
enum { owi_ort_tensor = 1, owi_ort_sequence = 2, owi_ort_map = 3 };
enum {
    owi_ort_float = 1,
    owi_ort_int32 = 6,
    owi_ort_int64 = 7,
    owi_ort_string = 8,
    owi_ort_bool = 9,
    owi_ort_double = 11
};

typedef struct {
    const char *(*error_message)(const owi_ort_status *status);
    owi_ort_status *(*create_env)(int level, const char *name, owi_ort_env **out);
    owi_ort_status *(*create_session)(const owi_ort_env *env, const void *bytes, size_t n,
                                      const owi_ort_options *options,
                                      owi_ort_session **out);
    owi_ort_status *(*run)(owi_ort_session *session, const void *run_options,
                           const char *const *input_names,
                           const owi_ort_value *const *inputs, size_t n_inputs,
                           const char *const *output_names, size_t n_outputs,
                           owi_ort_value **outputs);
    owi_ort_status *(*create_options)(owi_ort_options **out);
    owi_ort_status *(*set_threads)(owi_ort_options *options, int n);
    owi_ort_status *(*count_inputs)(const owi_ort_session *session, size_t *n);
    owi_ort_status *(*count_outputs)(const owi_ort_session *session, size_t *n);
    owi_ort_status *(*input_type)(const owi_ort_session *session, size_t i,
                                  owi_ort_type **out);
    owi_ort_status *(*output_type)(const owi_ort_session *session, size_t i,
                                   owi_ort_type **out);
    owi_ort_status *(*input_name)(const owi_ort_session *session, size_t i,
                                  owi_ort_allocator *allocator, char **out);
    owi_ort_status *(*output_name)(const owi_ort_session *session, size_t i,
                                   owi_ort_allocator *allocator, char **out);
    owi_ort_status *(*create_tensor)(owi_ort_allocator *allocator, const int64_t *shape,
                                     size_t rank, int type, owi_ort_value **out);
    owi_ort_status *(*tensor_data)(owi_ort_value *tensor, void **data);
    owi_ort_status *(*fill_strings)(owi_ort_value *tensor, const char *const *texts,
                                    size_t n);
    /* Bytes of all texts together; and these, with where each begins. */
    owi_ort_status *(*strings_size)(const owi_ort_value *tensor, size_t *size);
    owi_ort_status *(*read_strings)(const owi_ort_value *tensor, void *bytes, size_t size,
                                    size_t *start, size_t n);
    owi_ort_status *(*as_tensor_type)(const owi_ort_type *type, const owi_ort_shape **out);
    owi_ort_status *(*kind_of_type)(const owi_ort_type *type, int *kind);
    owi_ort_status *(*element_type)(const owi_ort_shape *shape, int *type);
    owi_ort_status *(*rank)(const owi_ort_shape *shape, size_t *rank);
    owi_ort_status *(*dimensions)(const owi_ort_shape *shape, int64_t *sizes, size_t rank);
    owi_ort_status *(*count_elements)(const owi_ort_shape *shape, size_t *n);
    owi_ort_status *(*shape_of)(const owi_ort_value *tensor, owi_ort_shape **out);
    owi_ort_status *(*kind_of_value)(const owi_ort_value *value, int *kind);
    owi_ort_status *(*allocator_free)(owi_ort_allocator *allocator, void *block);
    owi_ort_status *(*default_allocator)(owi_ort_allocator **out);
    owi_ort_status *(*get_value)(const owi_ort_value *value, int i,
                                 owi_ort_allocator *allocator, owi_ort_value **out);
    owi_ort_status *(*count_values)(const owi_ort_value *value, size_t *n);
    void (*release_env)(owi_ort_env *env);
    void (*release_status)(owi_ort_status *status);
    void (*release_session)(owi_ort_session *session);
    void (*release_value)(owi_ort_value *value);
    void (*release_type)(owi_ort_type *type);
    void (*release_shape)(owi_ort_shape *shape);
    void (*release_options)(owi_ort_options *options);
} owi_ort_api;

/* Loads onnxruntime from `path`, a file or a folder that has it; NULL: as a system library,
 * else from a Python package that is installed for all.  It stays loaded until the program
 * ends. */
ow_status owi_onnx_library_load(ow_context *ctx, const char *path, owi_ort_api *api);

#endif
