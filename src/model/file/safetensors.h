/* SPDX-License-Identifier: MIT */
/* The safetensors container: eight bytes with the length of a JSON header, the header, then
 * the tensors, little-endian and without holes.  Any safetensors reader opens what is
 * written here. */
#ifndef OWI_SAFETENSORS_H
#define OWI_SAFETENSORS_H

#include <jansson.h>
#include <stddef.h>
#include <stdint.h>

#include "otherwise/context.h"

typedef enum {
    OWI_TENSOR_F32,
    OWI_TENSOR_F64,
    OWI_TENSOR_U32,
    OWI_TENSOR_I64,
    OWI_TENSOR_U8
} owi_tensor_type;
size_t owi_tensor_type_size(owi_tensor_type type);

typedef struct {
    const char *name;
    owi_tensor_type type;
    size_t rank, shape[3];
    const void *data;
} owi_tensor;

typedef struct {
    const char *key, *value;
} owi_metadata;

/* All that stands in a container.  Tensors should come in order of falling element size, so
 * that each is aligned. */
typedef struct {
    size_t n_metadata;
    const owi_metadata *metadata;
    size_t n_tensors;
    const owi_tensor *tensors;
} owi_container;

/* To a file, whole or not at all. */
ow_status owi_safetensors_save(ow_context *ctx, const owi_container *container,
                               const char *path);
/* To memory, which the caller frees with owi_free. */
ow_status owi_safetensors_format(ow_context *ctx, const owi_container *container,
                                 char **bytes, size_t *size);

/* A container in memory, its header checked: every tensor lies within the bytes. */
typedef struct {
    const char *name; /* of the file, for messages */
    const unsigned char *data;
    size_t data_size;
    json_t *header;
} owi_safetensors;

/* The bytes are borrowed. */
ow_status owi_safetensors_open(owi_safetensors *file, const void *bytes, size_t size,
                               const char *name);
void owi_safetensors_close(owi_safetensors *file);

/* A metadata text; missing: OW_ERR_FORMAT. */
ow_status owi_safetensors_text(const owi_safetensors *file, const char *key,
                               const char **text);
/* Whether there is a tensor of this name. */
bool owi_safetensors_has(const owi_safetensors *file, const char *name);
/* How many elements a tensor of this type has; missing or of another type:
 * OW_ERR_FORMAT. */
ow_status owi_safetensors_count(const owi_safetensors *file, const char *name,
                                owi_tensor_type type, size_t *count);
/* Copies a tensor that must have exactly this many elements. */
ow_status owi_safetensors_read(const owi_safetensors *file, const char *name,
                               owi_tensor_type type, size_t count, void *to);

#endif
