/* SPDX-License-Identifier: MIT */
/* Arrow streams.  The bytes choose the columns' formats and, batch by batch, lengths,
 * offsets, null counts and what the buffers hold.  A producer's one duty that nobody can
 * check is kept: each buffer is as large as its array says (here exactly, in a block of its
 * own, so that a sanitizer sees a read beyond it); data of texts are as large as the last
 * offset, which is made to fit.  What is refused is refused with a sentence; what is read
 * comes again after a rewind; everything is released once. */
#include <math.h>
#include <string.h>

#include "data/rows/reader.h"
#include "fuzz_target.h"
#include "otherwise/arrow.h"

/* ---- Bytes that choose ---- */

typedef struct {
    const uint8_t *at, *end;
} chooser;

static uint8_t byte(chooser *c)
{
    return c->at < c->end ? *c->at++ : 0;
}

/* Mostly small, sometimes anything. */
static int64_t number(chooser *c)
{
    const uint8_t first = byte(c);
    if (first < 240) return first % 40;
    uint64_t bits = 0;
    for (int i = 0; i < 8; i++) bits = bits << 8 | byte(c);
    return first < 248 ? (int64_t)bits : -(int64_t)(bits % 8);
}

/* ---- Blocks that live as long as the input ---- */

enum { most_blocks = 4096, most_bytes = 1 << 16 };
typedef struct {
    void *blocks[most_blocks];
    size_t n, n_bytes;
} heap;

static void *block(heap *h, size_t size)
{
    expect(h->n < most_blocks);
    void *made = calloc(size > 0 ? size : 1, 1);
    expect(made != NULL);
    h->blocks[h->n++] = made;
    h->n_bytes += size;
    return made;
}

static void *filled(heap *h, chooser *c, size_t size)
{
    unsigned char *made = block(h, size);
    for (size_t i = 0; i < size; i++) made[i] = byte(c);
    return made;
}

/* ---- The stream ---- */

enum { most_columns = 4 };
typedef struct {
    chooser bytes;
    heap heap;
    size_t n_columns, n_batches;
    const char *formats[most_columns], *dictionaries[most_columns];
    int n_live;
} fuzzed;

static const char *choose_format(chooser *c)
{
    static const char *const formats[] = {
        "n",       "b",     "c",        "C",          "s",    "S",    "i",
        "I",       "l",     "L",        "e",          "f",    "g",    "u",
        "U",       "vu",    "tdD",      "tdm",        "tss:", "tsm:", "tsu:Z",
        "tsn:UTC", "d:9,2", "d:38,-38", "d:1,38,128", "z",    "+l",   "d:5",
    };
    return formats[byte(c) % (sizeof formats / sizeof *formats)];
}

static size_t value_bits(const char *format)
{
    switch (format[0]) {
    case 'b':
        return 1;
    case 'c':
    case 'C':
        return 8;
    case 's':
    case 'S':
    case 'e':
        return 16;
    case 'i':
    case 'I':
    case 'f':
    case 'u':
        return 32;
    case 'd':
    case 'v':
        return 128;
    default:
        return strcmp(format, "tdD") == 0 ? 32 : 64;
    }
}

/* Offsets of which the last says how many bytes there are. */
static void make_utf8(fuzzed *f, struct ArrowArray *array, size_t width, size_t places)
{
    const size_t size = f->heap.n_bytes < most_bytes ? byte(&f->bytes) : 0;
    unsigned char *offsets = filled(&f->heap, &f->bytes, (places + 1) * width);
    for (size_t i = 0; i <= places; i++) { /* small numbers, most of them in order */
        const int64_t offset = i == places ? (int64_t)size : number(&f->bytes);
        const int32_t narrow = (int32_t)offset;
        memcpy(offsets + i * width, width == 4 ? (const void *)&narrow : &offset, width);
    }
    array->buffers[1] = offsets;
    array->buffers[2] = filled(&f->heap, &f->bytes, size);
}

static void make_views(fuzzed *f, struct ArrowArray *array, size_t places)
{
    unsigned char *views = block(&f->heap, places * 16);
    const int64_t size = byte(&f->bytes);
    for (size_t i = 0; i < places; i++) {
        const int32_t parts[4] = {(int32_t)number(&f->bytes), (int32_t)number(&f->bytes),
                                  (int32_t)number(&f->bytes), (int32_t)number(&f->bytes)};
        memcpy(views + i * 16, parts, sizeof parts);
    }
    array->buffers[1] = views;
    array->n_buffers = 3;
    if (byte(&f->bytes) % 4 == 0) return;
    array->n_buffers = 4;
    array->buffers[2] = filled(&f->heap, &f->bytes, (size_t)size);
    int64_t *lengths = block(&f->heap, sizeof *lengths);
    *lengths = size;
    array->buffers[3] = lengths;
}

/* An array whose buffers have room for offset + length values, as far as these are possible
 * at all; otherwise none. */
static struct ArrowArray *make_array(fuzzed *f, const char *format, const char *dictionary,
                                     int64_t wanted)
{
    struct ArrowArray *array = block(&f->heap, sizeof *array);
    chooser *c = &f->bytes;
    if (byte(c) % 64 == 63) return NULL;
    array->offset = byte(c) % 4 == 0 ? number(c) : 0;
    array->length = byte(c) % 4 == 0 ? number(c) : wanted;
    array->null_count = byte(c) % 2 == 0 ? number(c) : 0;
    array->n_buffers = format[0] == 'n' ? 0 : format[0] == 'u' || format[0] == 'U' ? 3 : 2;
    array->buffers = block(&f->heap, 4 * sizeof *array->buffers);
    const bool possible = array->offset >= 0 && array->length >= 0 &&
                          array->offset <= 4096 && array->length <= 4096 &&
                          f->heap.n_bytes < most_bytes;
    if (!possible) { /* lengths that nobody has the buffers for */
        if (array->offset <= 4096 && array->length <= 4096) array->length = 0;
        if (byte(c) % 2 == 0) array->buffers = NULL;
        return array;
    }
    const size_t places = (size_t)(array->offset + array->length);
    if (byte(c) % 4 != 0) array->buffers[0] = filled(&f->heap, c, (places + 7) / 8);
    if (format[0] == 'u' || format[0] == 'U')
        make_utf8(f, array, value_bits(format) / 8, places);
    else if (format[0] == 'v')
        make_views(f, array, places);
    else
        array->buffers[1] = filled(&f->heap, c, (places * value_bits(format) + 7) / 8);
    if (byte(c) % 64 == 63) array->n_buffers -= 1;
    if (dictionary != NULL && byte(c) % 32 != 31)
        array->dictionary = make_array(f, dictionary, NULL, byte(c) % 8);
    return array;
}

static void release_batch(struct ArrowArray *array)
{
    fuzzed *f = array->private_data;
    expect(array->release != NULL);
    array->release = NULL;
    f->n_live--;
}

static int get_next(struct ArrowArrayStream *stream, struct ArrowArray *out)
{
    fuzzed *f = stream->private_data;
    *out = (struct ArrowArray){0};
    if (f->n_batches-- == 0) {
        f->n_batches = 0;
        return byte(&f->bytes) % 16 == 15 ? 5 : 0;
    }
    chooser *c = &f->bytes;
    out->length = number(c);
    if (out->length > 4096) out->length = -out->length; /* nobody waits for so many rows */
    out->offset = byte(c) % 4 == 0 ? number(c) : 0;
    out->null_count = byte(c) % 8 == 0 ? -1 : 0;
    out->n_buffers = 1;
    out->n_children = (int64_t)f->n_columns - (byte(c) % 64 == 63);
    out->buffers = block(&f->heap, sizeof *out->buffers);
    const bool possible =
        out->length >= 0 && out->length <= 4096 && out->offset >= 0 && out->offset <= 4096;
    if (possible)
        out->buffers[0] =
            filled(&f->heap, c, ((size_t)(out->length + out->offset) + 7) / 8);
    out->children = block(&f->heap, most_columns * sizeof *out->children);
    for (size_t j = 0; j < f->n_columns; j++)
        out->children[j] = make_array(f, f->formats[j], f->dictionaries[j],
                                      possible ? out->length + out->offset : 0);
    out->release = release_batch;
    out->private_data = f;
    f->n_live++;
    return 0;
}

static void release_schema(struct ArrowSchema *schema)
{
    fuzzed *f = schema->private_data;
    schema->release = NULL;
    f->n_live--;
}

static int get_schema(struct ArrowArrayStream *stream, struct ArrowSchema *out)
{
    static const char *const names[most_columns] = {"a", "b", NULL, ""};
    fuzzed *f = stream->private_data;
    *out = (struct ArrowSchema){.format = "+s", .n_children = (int64_t)f->n_columns};
    out->children = block(&f->heap, most_columns * sizeof *out->children);
    for (size_t j = 0; j < f->n_columns; j++) {
        struct ArrowSchema *child = out->children[j] = block(&f->heap, sizeof *child);
        child->format = f->formats[j] = choose_format(&f->bytes);
        child->name = names[byte(&f->bytes) % 16 == 15 ? 0 : j];
        if (byte(&f->bytes) % 2 == 0) continue;
        f->dictionaries[j] = choose_format(&f->bytes);
        child->dictionary = block(&f->heap, sizeof *child);
        child->dictionary->format = f->dictionaries[j];
    }
    out->release = release_schema;
    out->private_data = f;
    f->n_live++;
    return 0;
}

static const char *get_last_error(struct ArrowArrayStream *stream)
{
    (void)stream;
    return NULL;
}

static void release_stream(struct ArrowArrayStream *stream)
{
    fuzzed *f = stream->private_data;
    stream->release = NULL;
    f->n_live--;
}

/* ---- Reading ---- */

/* A hash of all cells; the status of the end. */
static ow_status read_rows(ow_reader *reader, uint64_t *hash, size_t *n_rows)
{
    *hash = UINT64_C(1469598103934665603);
    for (*n_rows = 0;; ++*n_rows) {
        const owi_cell *cells;
        bool at_end;
        const ow_status status = owi_reader_next_cells(reader, &cells, &at_end);
        if (status != OW_OK || at_end) return status;
        for (size_t j = 0; j < ow_reader_n_columns(reader); j++) {
            const owi_cell *cell = &cells[j];
            const unsigned char *bytes = (const unsigned char *)cell->text;
            expect(bytes == NULL || memchr(bytes, '\0', cell->length) == NULL);
            expect(bytes != NULL || !isinf(cell->number));
            uint64_t bits = 0;
            if (bytes == NULL && !isnan(cell->number))
                memcpy(&bits, &cell->number, sizeof bits);
            for (size_t i = 0; bytes != NULL && i < cell->length; i++)
                bits = (bits ^ bytes[i]) * UINT64_C(1099511628211);
            *hash = (*hash ^ bits) * UINT64_C(1099511628211);
        }
    }
}

static void read_stream(ow_reader *reader, bool keep)
{
    uint64_t hash, again;
    size_t n_rows, n_again;
    const ow_status status = read_rows(reader, &hash, &n_rows);
    if (status != OW_OK) {
        expect(status == OW_ERR_FORMAT || status == OW_ERR_IO);
        expect(strncmp(ow_error_message(), "fuzz: ", 6) == 0);
        return;
    }
    const ow_status rewound = ow_reader_rewind(reader);
    expect(rewound == OW_OK || !keep);
    if (rewound != OW_OK) return;
    expect(read_rows(reader, &again, &n_again) == OW_OK);
    expect(again == hash && n_again == n_rows);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static fuzzed f;
    ow_context *ctx;
    ow_reader *reader;
    f = (fuzzed){.bytes = {data, data + size}, .n_live = 1};
    const bool keep = byte(&f.bytes) % 4 != 0;
    f.n_columns = byte(&f.bytes) % (most_columns + 1);
    f.n_batches = byte(&f.bytes) % 4;
    struct ArrowArrayStream stream = {get_schema, get_next, get_last_error, release_stream,
                                      &f};
    expect(ow_context_new(NULL, &ctx) == OW_OK);
    const ow_status status = ow_reader_open_arrow(ctx, &stream, "fuzz", keep, &reader);
    expect(stream.release == NULL && (status == OW_OK) == (reader != NULL));
    if (status == OW_OK)
        read_stream(reader, keep);
    else
        expect(strncmp(ow_error_message(), "fuzz: ", 6) == 0);
    ow_reader_free(reader);
    expect(f.n_live == 0);
    ow_context_free(ctx);
    for (size_t i = 0; i < f.heap.n; i++) free(f.heap.blocks[i]);
    return 0;
}
