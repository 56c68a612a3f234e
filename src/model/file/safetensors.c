/* SPDX-License-Identifier: MIT */
#include "model/file/safetensors.h"

#include <string.h>

#include "base/error.h"
#include "base/memory/alloc.h"
#include "base/memory/sizes.h"
#include "base/text/json_read.h"
#include "base/text/json_write.h"
#include "otherwise/file.h"

/* Headers are padded with blanks so that the tensors begin at a multiple of this. */
enum { alignment = 64 };

/* As the format itself has it: more than this is no header. */
static const uint64_t most_header = 100000000;

static const char *const type_names[] = {"F32", "F64", "U32", "I64", "U8"};

size_t owi_tensor_type_size(owi_tensor_type type)
{
    if (type == OWI_TENSOR_U8) return 1;
    return type == OWI_TENSOR_F64 || type == OWI_TENSOR_I64 ? 8 : 4;
}

static size_t element_count(const owi_tensor *tensor)
{
    size_t n = 1;
    for (size_t r = 0; r < tensor->rank; r++) n *= tensor->shape[r];
    return n;
}

/* ---- Writing ---- */

/* Where the bytes go, one piece after the other. */
typedef struct {
    ow_context *ctx;
    ow_file_writer *writer; /* NULL: to memory */
    char *bytes;
    size_t size, capacity;
} byte_sink;

static ow_status put(byte_sink *sink, const void *bytes, size_t size)
{
    if (sink->writer != NULL) return ow_file_writer_write(sink->writer, bytes, size);
    OWI_TRY(owi_grow_bytes(sink->ctx, &sink->bytes, &sink->capacity, sink->size + size));
    memcpy(sink->bytes + sink->size, bytes, size);
    sink->size += size;
    return OW_OK;
}

static ow_status format_header(ow_context *ctx, const owi_container *container, char **text,
                               size_t *size)
{
    owi_json json;
    size_t offset = 0;

    owi_json_begin(&json, ctx);
    owi_json_open_object(&json, true);
    owi_json_key(&json, "__metadata__");
    owi_json_open_object(&json, true);
    for (size_t i = 0; i < container->n_metadata; i++) {
        owi_json_key(&json, container->metadata[i].key);
        owi_json_text(&json, container->metadata[i].value);
    }
    owi_json_close_object(&json);
    for (size_t i = 0; i < container->n_tensors; i++) {
        const owi_tensor *tensor = &container->tensors[i];
        owi_json_key(&json, tensor->name);
        owi_json_open_object(&json, true);
        owi_json_key(&json, "dtype");
        owi_json_text(&json, type_names[tensor->type]);
        owi_json_key(&json, "shape");
        owi_json_open_array(&json, true);
        for (size_t r = 0; r < tensor->rank; r++)
            owi_json_integer(&json, (int64_t)tensor->shape[r]);
        owi_json_close_array(&json);
        owi_json_key(&json, "data_offsets");
        owi_json_open_array(&json, true);
        owi_json_integer(&json, (int64_t)offset);
        offset += element_count(tensor) * owi_tensor_type_size(tensor->type);
        owi_json_integer(&json, (int64_t)offset);
        owi_json_close_array(&json);
        owi_json_close_object(&json);
    }
    owi_json_close_object(&json);
    return owi_json_end(&json, text, size);
}

static void store_length(uint64_t length, unsigned char bytes[8])
{
    for (int i = 0; i < 8; i++) bytes[i] = (unsigned char)(length >> (8 * i));
}

static uint64_t load_length(const unsigned char bytes[8])
{
    uint64_t length = 0;
    for (int i = 0; i < 8; i++) length |= (uint64_t)bytes[i] << (8 * i);
    return length;
}

/* Elements in little-endian order, whatever the machine: one at a time, cheap beside the
 * disk. */
static ow_status put_tensor(byte_sink *sink, const owi_tensor *tensor)
{
    const size_t size = owi_tensor_type_size(tensor->type), n = element_count(tensor);
    const unsigned char *from = tensor->data;
    unsigned char block[4096];

    if (size == 1) return put(sink, from, n);
    for (size_t first = 0; first < n * size; first += sizeof block) {
        const size_t used = owi_smaller(sizeof block, n * size - first);
        for (size_t i = 0; i < used; i += size) {
            uint64_t bits = 0;
            uint32_t half;
            if (size == 8) {
                memcpy(&bits, from + first + i, 8);
            } else {
                memcpy(&half, from + first + i, 4);
                bits = half;
            }
            for (size_t b = 0; b < size; b++)
                block[i + b] = (unsigned char)(bits >> (8 * b));
        }
        OWI_TRY(put(sink, block, used));
    }
    return OW_OK;
}

static ow_status put_all(byte_sink *sink, const owi_container *container)
{
    static const char blanks[alignment] = "                                "
                                          "                               ";
    unsigned char length[8];
    char *header = NULL;
    size_t size = 0;

    OWI_TRY(format_header(sink->ctx, container, &header, &size));
    const size_t padding = (alignment - (size + 8) % alignment) % alignment;
    store_length(size + padding, length);
    ow_status status = put(sink, length, sizeof length);
    if (status == OW_OK) status = put(sink, header, size);
    if (status == OW_OK) status = put(sink, blanks, padding);
    ow_bytes_free(header);
    for (size_t i = 0; i < container->n_tensors && status == OW_OK; i++)
        status = put_tensor(sink, &container->tensors[i]);
    return status;
}

ow_status owi_safetensors_save(ow_context *ctx, const owi_container *container,
                               const char *path)
{
    byte_sink sink = {.ctx = ctx};
    OWI_TRY(ow_file_writer_open(ctx, path, &sink.writer));
    const ow_status status = put_all(&sink, container);
    if (status == OW_OK) return ow_file_writer_commit(sink.writer);
    ow_file_writer_abort(sink.writer);
    return status;
}

ow_status owi_safetensors_format(ow_context *ctx, const owi_container *container,
                                 char **bytes, size_t *size)
{
    byte_sink sink = {.ctx = ctx};
    *bytes = NULL;
    const ow_status status = put_all(&sink, container);
    if (status != OW_OK) {
        ow_bytes_free(sink.bytes);
        return status;
    }
    *bytes = sink.bytes;
    *size = sink.size;
    return OW_OK;
}

/* ---- Reading ---- */

ow_status owi_safetensors_open(owi_safetensors *file, const void *bytes, size_t size,
                               const char *name)
{
    *file = (owi_safetensors){.name = name};
    if (size < 8)
        return owi_fail(OW_ERR_FORMAT, "%s: %zu bytes, too few for a model file", name,
                        size);
    const uint64_t length = load_length(bytes);
    if (length > most_header || (size > 8 && ((const char *)bytes)[8] != '{'))
        return owi_fail(OW_ERR_FORMAT, "%s: not a model file", name);
    if (length > size - 8)
        return owi_fail(OW_ERR_FORMAT,
                        "%s: its header should have %llu bytes, but %zu are left: "
                        "the file is cut off",
                        name, (unsigned long long)length, size - 8);
    OWI_TRY(owi_json_parse((const char *)bytes + 8, (size_t)length, name, &file->header));
    if (!json_is_object(file->header)) {
        owi_safetensors_close(file);
        return owi_fail(OW_ERR_FORMAT, "%s: its header is not a JSON object", name);
    }
    file->data = (const unsigned char *)bytes + 8 + length;
    file->data_size = size - 8 - (size_t)length;
    return OW_OK;
}

void owi_safetensors_close(owi_safetensors *file)
{
    json_decref(file->header);
    file->header = NULL;
}

ow_status owi_safetensors_text(const owi_safetensors *file, const char *key,
                               const char **text)
{
    const json_t *metadata = json_object_get(file->header, "__metadata__");
    *text = json_string_value(json_object_get(metadata, key));
    if (*text != NULL) return OW_OK;
    return owi_fail(OW_ERR_FORMAT, "%s: its metadata has no text \"%s\"", file->name, key);
}

/* Where a tensor lies; every number of it checked against the others. */
static ow_status find_tensor(const owi_safetensors *file, const char *name,
                             owi_tensor_type type, size_t *count, size_t *offset)
{
    const size_t most = SIZE_MAX / 16;
    const json_t *object = json_object_get(file->header, name);
    const json_t *shape = json_object_get(object, "shape");
    const json_t *offsets = json_object_get(object, "data_offsets");
    const char *dtype = json_string_value(json_object_get(object, "dtype"));
    const owi_json_fields fields = {.file = file->name, .object = object};
    size_t begin = 0, end = 0;

    if (dtype == NULL || !json_is_array(shape) || json_array_size(offsets) != 2)
        return owi_fail(OW_ERR_FORMAT, "%s: it has no tensor \"%s\"", file->name, name);
    if (strcmp(dtype, type_names[type]) != 0)
        return owi_fail(OW_ERR_FORMAT, "%s: tensor \"%s\" holds %.8s, expected %s",
                        file->name, name, dtype, type_names[type]);
    *count = 1;
    for (size_t r = 0; r < json_array_size(shape); r++) {
        size_t n = 0;
        OWI_TRY(owi_json_item_count(&fields, "shape", most, json_array_get(shape, r), &n));
        if (!owi_size_multiply(*count, n, count))
            return owi_fail(OW_ERR_FORMAT, "%s: tensor \"%s\" is too large", file->name,
                            name);
    }
    OWI_TRY(owi_json_item_count(&fields, "data_offsets", most, json_array_get(offsets, 0),
                                &begin));
    OWI_TRY(owi_json_item_count(&fields, "data_offsets", most, json_array_get(offsets, 1),
                                &end));
    const size_t each = owi_tensor_type_size(type);
    if (begin > end || end > file->data_size || (end - begin) / each != *count ||
        (end - begin) % each != 0)
        return owi_fail(OW_ERR_FORMAT,
                        "%s: tensor \"%s\" lies at bytes %zu to %zu of %zu, expected %zu "
                        "elements there: damaged or cut off",
                        file->name, name, begin, end, file->data_size, *count);
    *offset = begin;
    return OW_OK;
}

bool owi_safetensors_has(const owi_safetensors *file, const char *name)
{
    return json_object_get(file->header, name) != NULL;
}

ow_status owi_safetensors_count(const owi_safetensors *file, const char *name,
                                owi_tensor_type type, size_t *count)
{
    size_t offset;
    return find_tensor(file, name, type, count, &offset);
}

ow_status owi_safetensors_read(const owi_safetensors *file, const char *name,
                               owi_tensor_type type, size_t count, void *to)
{
    size_t found, offset;
    OWI_TRY(find_tensor(file, name, type, &found, &offset));
    if (found != count)
        return owi_fail(OW_ERR_FORMAT, "%s: tensor \"%s\" has %zu elements, expected %zu",
                        file->name, name, found, count);
    const size_t size = owi_tensor_type_size(type);
    unsigned char *out = to;
    if (size == 1) memcpy(out, file->data + offset, count);
    for (size_t i = 0; i < count && size > 1; i++) {
        const unsigned char *from = file->data + offset + i * size;
        uint64_t bits = 0;
        for (size_t b = 0; b < size; b++) bits |= (uint64_t)from[b] << (8 * b);
        const uint32_t half = (uint32_t)bits;
        memcpy(out + i * size, size == 8 ? (const void *)&bits : (const void *)&half, size);
    }
    return OW_OK;
}
