/* SPDX-License-Identifier: MIT */
#include "support/arrow_stream.h"

static void *room(size_t count, size_t size)
{
    void *block = calloc(count > 0 ? count : 1, size);
    if (block == NULL) abort();
    return block;
}

/* ---- Schemas ---- */

static void free_schema(struct ArrowSchema *schema)
{
    for (int64_t j = 0; schema->children != NULL && j < schema->n_children; j++) {
        free(schema->children[j]->dictionary);
        free(schema->children[j]);
    }
    free(schema->children);
}

static void release_schema(struct ArrowSchema *schema)
{
    ow_test_arrow *made = schema->private_data;
    free_schema(schema);
    schema->release = NULL;
    made->n_live--;
}

static int get_schema(struct ArrowArrayStream *stream, struct ArrowSchema *out)
{
    ow_test_arrow *made = stream->private_data;
    if (made->schema_error != 0) return made->schema_error;
    *out = (struct ArrowSchema){.format = made->format != NULL ? made->format : "+s",
                                .n_children = made->n_fields,
                                .release = release_schema,
                                .private_data = made};
    out->children = room((size_t)made->n_fields, sizeof *out->children);
    for (int64_t j = 0; j < made->n_fields; j++) {
        const ow_test_arrow_field *field = &made->fields[j];
        struct ArrowSchema *child = out->children[j] = room(1, sizeof *child);
        child->format = field->format;
        child->name = field->name;
        child->flags = ARROW_FLAG_NULLABLE;
        if (field->dictionary == NULL) continue;
        child->dictionary = room(1, sizeof *child->dictionary);
        child->dictionary->format = field->dictionary;
    }
    made->n_live++;
    return 0;
}

/* ---- Arrays ---- */

static void free_column(struct ArrowArray *array)
{
    if (array == NULL) return;
    free_column(array->dictionary);
    free(array->buffers);
    free(array);
}

static struct ArrowArray *make_column(const ow_test_arrow_array *from)
{
    if (from == NULL) return NULL;
    struct ArrowArray *array = room(1, sizeof *array);
    *array = (struct ArrowArray){.length = from->length,
                                 .null_count = from->null_count,
                                 .offset = from->offset,
                                 .n_buffers = from->n_buffers};
    array->buffers = room(ow_test_arrow_buffers, sizeof *array->buffers);
    memcpy(array->buffers, from->buffers, sizeof from->buffers);
    array->dictionary = make_column(from->dictionary);
    return array;
}

static void release_batch(struct ArrowArray *array)
{
    ow_test_arrow *made = array->private_data;
    for (int64_t j = 0; j < made->n_fields; j++) free_column(array->children[j]);
    free(array->children);
    free(array->buffers);
    array->release = NULL;
    made->n_live--;
}

static int get_next(struct ArrowArrayStream *stream, struct ArrowArray *out)
{
    ow_test_arrow *made = stream->private_data;
    *out = (struct ArrowArray){0};
    if (made->n_given == made->n_batches) return made->next_error;
    const ow_test_arrow_batch *batch = &made->batches[made->n_given++];
    *out = (struct ArrowArray){.length = batch->length,
                               .offset = batch->offset,
                               .null_count = batch->null_count,
                               .n_buffers = 1,
                               .n_children = made->n_fields,
                               .release = release_batch,
                               .private_data = made};
    out->buffers = room(1, sizeof *out->buffers);
    out->buffers[0] = batch->validity;
    out->children = room((size_t)made->n_fields, sizeof *out->children);
    for (int64_t j = 0; j < made->n_fields; j++)
        out->children[j] = make_column(&batch->columns[j]);
    made->n_live++;
    return 0;
}

/* ---- Streams ---- */

static const char *get_last_error(struct ArrowArrayStream *stream)
{
    return ((ow_test_arrow *)stream->private_data)->reason;
}

static void release_stream(struct ArrowArrayStream *stream)
{
    ow_test_arrow *made = stream->private_data;
    stream->release = NULL;
    made->n_live--;
}

void ow_test_arrow_open(ow_test_arrow *made, struct ArrowArrayStream *stream)
{
    made->n_given = 0;
    made->n_live = 1;
    *stream = (struct ArrowArrayStream){.get_schema = get_schema,
                                        .get_next = get_next,
                                        .get_last_error = get_last_error,
                                        .release = release_stream,
                                        .private_data = made};
}
