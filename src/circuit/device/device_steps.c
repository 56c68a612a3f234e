/* SPDX-License-Identifier: MIT */
#include "circuit/device/device_steps.h"

#include <string.h>

#include "base/error.h"
#include "base/memory/alloc.h"
#include "base/memory/sizes.h"
#include "circuit/device/device_private.h"
#include "circuit/device/device_room.h"

/* Rows of a chunk, about: as many as a large GPU has threads for.  What has so few numbers
 * is one chunk that goes there and comes back in one piece. */
enum { chunk_rows = 4608, chunk_multiple = 128, few_numbers = 1 << 16 };

/* Where a chunk's rows are, and the marks that its copies and its steps wait for. */
typedef struct {
    float *given, *between, *after; /* rows x D                                       */
    void *come, *half, *made,
        *gone; /* given is there; one step, both are taken; all is back */
} step_slot;

/* Two chunks take turns: while one is computed, the next one comes, and the one before
 * goes. */
enum { n_slots = 2, n_slot_marks = 4 };

/* What a captured graph of few rows depends on. */
typedef struct {
    size_t n_rows;
    const void *room;
    bool with_sums;
    double class_step, density_step;
} graph_key;

struct owi_step_room {
    size_t n_rows, chunk;   /* of all, and of a slot */
    void *block, *in, *out; /* memory of the device; streams */
    step_slot slots[n_slots];
    int32_t *origin, *target;
    float *moves;

    /* Of few rows: from given on as much as goes there, from between on as much as comes
     * back, and the same in memory of the host that need not be gone round. */
    size_t size_there, size_back;
    char *pinned;
    uint32_t *odd; /* the last that comes back: whether a chunk has met what is odd */
    void *graph;
    graph_key key;
};

/* ---- Calls of the runtime, unless one has failed ---- */

#define TRY(device, call)                                                                  \
    do {                                                                                   \
        if ((device)->error == 0) (device)->error = (device)->api->call;                   \
    } while (0)

static void upload(owi_device *device, void *stream, void *to, const void *from,
                   size_t size)
{
    TRY(device, to_device(stream, to, from, size));
}

static void download(owi_device *device, void *stream, void *to, const void *from,
                     size_t size)
{
    TRY(device, from_device(stream, to, from, size));
}

/* ---- Steps of rows that are there ---- */

/* One step along the gradient of what the seeds say, from rows to rows on the device. */
static void take_step(owi_device_pass *pass, const owi_seed_args *seeds, const float *moves,
                      double step, const float *from, float *to)
{
    const ow_circuit *circuit = pass->circuit;
    const owi_rows_out_args out = {.n = (uint32_t)pass->n_rows,
                                   .n_columns = (uint32_t)circuit->spec.n_columns,
                                   .d_features = pass->d_features,
                                   .features = pass->features,
                                   .adjoint_sum = pass->adjoint_sum,
                                   .precision = (float)(1.0 / circuit->spec.variance),
                                   .from = from,
                                   .moves = moves,
                                   .step = step,
                                   .to = to,
                                   .odd = pass->odd};
    owi_device_rows_up(pass, from);
    owi_device_seeds(&pass->device, seeds);
    owi_device_inputs_down(pass);
    owi_device_rows_out(&pass->device, &out);
}

void owi_device_launch_steps(owi_device_pass *pass, const owi_two_steps *there, void *half)
{
    owi_device *device = &pass->device;
    owi_seed_args seeds = owi_device_seed_args(pass);
    seeds.plus = there->target;
    seeds.minus = there->origin;
    take_step(pass, &seeds, there->moves, there->class_step, there->rows, there->between);
    if (half != NULL) TRY(device, set_mark(device->stream, half));
    seeds.plus = seeds.minus = NULL;
    seeds.density = 1.0;
    take_step(pass, &seeds, there->moves, there->density_step, there->between,
              there->after);
}

/* The steps on rows of a slot, from row `first` of all on. */
static owi_two_steps steps_there(const owi_two_steps *steps, const owi_step_room *room,
                                 const step_slot *slot, size_t first)
{
    owi_two_steps there = *steps;
    there.rows = slot->given;
    there.between = slot->between;
    there.after = slot->after;
    there.origin = room->origin + first;
    there.target = room->target + first;
    there.moves = room->moves;
    return there;
}

/* ---- Memory, streams and marks, kept from call to call ---- */

static void **mark_of(step_slot *slot, size_t i)
{
    void **const marks[n_slot_marks] = {&slot->come, &slot->half, &slot->made, &slot->gone};
    return marks[i];
}

void owi_device_steps_free(owi_device_pass *pass)
{
    owi_step_room *room = pass->steps;
    const owi_device_api *api = pass->device.api;
    if (room == NULL) return;
    if (room->graph != NULL) api->release_graph(room->graph);
    for (size_t s = 0; s < n_slots; s++)
        for (size_t i = 0; i < n_slot_marks; i++) {
            void *mark = *mark_of(&room->slots[s], i);
            if (mark != NULL) api->close_mark(mark);
        }
    if (room->in != NULL) api->close_stream(room->in);
    if (room->out != NULL) api->close_stream(room->out);
    if (room->pinned != NULL) api->release_pinned(room->pinned);
    api->release(room->block);
    owi_free(pass->circuit->ctx, room);
    pass->steps = NULL;
}

static bool are_few(const owi_device_pass *pass, size_t n_rows)
{
    return n_rows * pass->circuit->spec.n_columns <= few_numbers;
}

/* Pieces of the block for chunks of so many rows; its size.  What few rows need lies one
 * behind the other. */
static size_t take_pieces(owi_step_room *room, size_t D, char *block)
{
    owi_device_room pieces = {block, 0};
    for (size_t s = 0; s < n_slots && (s == 0 || room->chunk < room->n_rows); s++) {
        step_slot *slot = &room->slots[s];
        slot->given = owi_device_take(&pieces, room->chunk * D, sizeof(float));
        if (s == 0) {
            room->origin = owi_device_take(&pieces, room->n_rows, sizeof(int32_t));
            room->target = owi_device_take(&pieces, room->n_rows, sizeof(int32_t));
            room->moves = owi_device_take(&pieces, D, sizeof(float));
            room->size_there = pieces.size;
        }
        slot->between = owi_device_take(&pieces, room->chunk * D, sizeof(float));
        slot->after = owi_device_take(&pieces, room->chunk * D, sizeof(float));
        if (s == 0) room->odd = owi_device_take(&pieces, 1, sizeof *room->odd);
        if (s == 0) room->size_back = pieces.size - room->size_there;
    }
    return pieces.size;
}

/* Streams and marks of what comes and goes at once; memory for what does so in one piece.
 * */
static void open_ways(owi_device *device, owi_step_room *room, bool few)
{
    if (few) {
        room->pinned = device->api->alloc_pinned(room->size_there + room->size_back);
        if (room->pinned == NULL) device->error = owi_device_no_memory;
        return;
    }
    TRY(device, open_stream(&room->in));
    TRY(device, open_stream(&room->out));
    for (size_t s = 0; s < n_slots; s++)
        for (size_t i = 0; i < n_slot_marks; i++)
            TRY(device, open_mark(mark_of(&room->slots[s], i)));
}

/* Rows of a chunk of so many: all chunks are about as large. */
static size_t chunk_of(size_t n_rows)
{
    const size_t n = (n_rows + chunk_rows - 1) / chunk_rows;
    const size_t each = (n_rows + n - 1) / n;
    return owi_smaller(n_rows,
                       (each + chunk_multiple - 1) / chunk_multiple * chunk_multiple);
}

/* The room for so many rows; *chunk is made smaller where the pass has no memory for more.
 * */
static ow_status make_room(owi_device_pass *pass, size_t n_rows, owi_step_room **out)
{
    const size_t D = pass->circuit->spec.n_columns;
    owi_device *device = &pass->device;
    size_t chunk = chunk_of(n_rows);
    OWI_TRY(owi_device_make_room(pass, &chunk, false));
    *out = pass->steps;
    if (pass->steps != NULL && pass->steps->n_rows == n_rows && pass->steps->chunk == chunk)
        return OW_OK;
    owi_device_steps_free(pass);
    owi_step_room *room = owi_alloc_zeroed(pass->circuit->ctx, sizeof *room);
    if (room == NULL) return OW_ERR_MEMORY;
    pass->steps = *out = room;
    room->n_rows = n_rows;
    room->chunk = chunk;
    room->block = owi_device_alloc(device, take_pieces(room, D, NULL));
    if (room->block != NULL) (void)take_pieces(room, D, room->block);
    open_ways(device, room, are_few(pass, n_rows));
    const ow_status status = owi_device_status(pass);
    if (status != OW_OK) {
        owi_device_steps_free(pass);
        device->error = 0; /* the host can take the steps */
    }
    return status;
}

/* ---- Few rows: one copy there, one graph, one copy back ---- */

static void pack(const owi_step_room *room, const owi_two_steps *steps, size_t D)
{
    const char *base = room->block;
    const size_t n = steps->n_rows;
    memcpy(room->pinned, steps->rows, n * D * sizeof(float));
    memcpy(room->pinned + ((char *)room->origin - base), steps->origin,
           n * sizeof *steps->origin);
    memcpy(room->pinned + ((char *)room->target - base), steps->target,
           n * sizeof *steps->target);
    memcpy(room->pinned + ((char *)room->moves - base), steps->moves, D * sizeof(float));
}

/* Whether nothing was odd. */
static bool unpack(const owi_step_room *room, const owi_two_steps *steps, size_t D)
{
    const char *base = room->block;
    const step_slot *slot = &room->slots[0];
    const size_t size = steps->n_rows * D * sizeof(float);
    uint32_t odd;
    memcpy(&odd, room->pinned + ((char *)room->odd - base), sizeof odd);
    memcpy(steps->between, room->pinned + ((char *)slot->between - base), size);
    memcpy(steps->after, room->pinned + ((char *)slot->after - base), size);
    return odd == 0;
}

/* What is captured. */
static void few_steps(owi_device_pass *pass, const owi_step_room *room,
                      const owi_two_steps *steps)
{
    owi_device *device = &pass->device;
    const owi_two_steps there = steps_there(steps, room, &room->slots[0], 0);
    upload(device, device->stream, room->block, room->pinned, room->size_there);
    TRY(device, clear(device->stream, room->odd, sizeof *room->odd));
    owi_device_launch_steps(pass, &there, NULL);
    download(device, device->stream, room->pinned + room->size_there,
             (char *)room->block + room->size_there, room->size_back);
}

static void capture(owi_device_pass *pass, owi_step_room *room, const owi_two_steps *steps)
{
    owi_device *device = &pass->device;
    TRY(device, begin_graph(device->stream));
    if (device->error != 0) return;
    few_steps(pass, room, steps);
    /* A capture is ended in any case; what failed first is told. */
    const int error = device->api->end_graph(device->stream, &room->graph);
    if (device->error == 0) device->error = error;
}

static bool same_key(graph_key a, graph_key b)
{
    return a.n_rows == b.n_rows && a.room == b.room && a.with_sums == b.with_sums &&
           !(a.class_step < b.class_step) && !(a.class_step > b.class_step) &&
           !(a.density_step < b.density_step) && !(a.density_step > b.density_step);
}

static ow_status take_few(owi_device_pass *pass, owi_step_room *room,
                          const owi_two_steps *steps, bool *done)
{
    const size_t D = pass->circuit->spec.n_columns;
    owi_device *device = &pass->device;
    const graph_key key = {steps->n_rows, pass->room, pass->with_sums, steps->class_step,
                           steps->density_step};
    pack(room, steps, D);
    owi_device_begin(pass, steps->n_rows, steps->rows);
    pass->odd = room->odd;
    if (!same_key(key, room->key)) { /* once is not worth a graph */
        if (room->graph != NULL) device->api->release_graph(room->graph);
        room->graph = NULL;
        room->key = key;
        few_steps(pass, room, steps);
    } else {
        if (room->graph == NULL) capture(pass, room, steps);
        if (room->graph != NULL) TRY(device, replay(device->stream, room->graph));
    }
    TRY(device, finish(device->stream));
    OWI_TRY(owi_device_status(pass));
    *done = unpack(room, steps, D);
    return OW_OK;
}

/* ---- Many rows, chunk after chunk ---- */

/* Numbers of the chunk that begins at row `first`. */
static size_t chunk_size(const owi_step_room *room, size_t first, size_t D)
{
    return owi_smaller(room->chunk, room->n_rows - first) * D * sizeof(float);
}

static void bring_back(owi_device_pass *pass, owi_step_room *room,
                       const owi_two_steps *steps, size_t first)
{
    const size_t D = pass->circuit->spec.n_columns, size = chunk_size(room, first, D);
    owi_device *device = &pass->device;
    const step_slot *slot = &room->slots[first / room->chunk % n_slots];
    TRY(device, wait_mark(room->out, slot->half));
    download(device, room->out, steps->between + first * D, slot->between, size);
    TRY(device, wait_mark(room->out, slot->made));
    download(device, room->out, steps->after + first * D, slot->after, size);
    TRY(device, set_mark(room->out, slot->gone));
}

static ow_status take_chunk(owi_device_pass *pass, owi_step_room *room,
                            const owi_two_steps *steps, size_t first)
{
    const size_t D = pass->circuit->spec.n_columns, number = first / room->chunk;
    owi_device *device = &pass->device;
    const step_slot *slot = &room->slots[number % n_slots];
    const owi_two_steps there = steps_there(steps, room, slot, first);
    size_t n = owi_smaller(room->chunk, room->n_rows - first);
    OWI_TRY(owi_device_make_room(pass, &n, false));
    owi_device_begin(pass, n, steps->rows + first * D);
    pass->odd = room->odd; /* the pass's own is elsewhere in each size of batch */
    if (number >= n_slots) {
        TRY(device, wait_mark(room->in, slot->made));
        TRY(device, wait_mark(device->stream, slot->gone));
    }
    upload(device, room->in, slot->given, steps->rows + first * D,
           chunk_size(room, first, D));
    TRY(device, set_mark(room->in, slot->come));
    TRY(device, wait_mark(device->stream, slot->come));
    if (first == 0) TRY(device, clear(device->stream, room->odd, sizeof *room->odd));
    owi_device_launch_steps(pass, &there, slot->half);
    TRY(device, set_mark(device->stream, slot->made));
    return OW_OK;
}

/* Everything up to the last chunk's way back is under way. */
static ow_status all_chunks(const owi_call *call, owi_device_pass *pass,
                            owi_step_room *room, const owi_two_steps *steps)
{
    owi_device *device = &pass->device;
    const size_t n = steps->n_rows, D = pass->circuit->spec.n_columns;
    upload(device, room->in, room->origin, steps->origin, n * sizeof *room->origin);
    upload(device, room->in, room->target, steps->target, n * sizeof *room->target);
    upload(device, room->in, room->moves, steps->moves, D * sizeof *room->moves);
    for (size_t first = 0; first < n; first += room->chunk) {
        OWI_TRY(owi_call_tick(call));
        OWI_TRY(take_chunk(pass, room, steps, first));
        if (first > 0) bring_back(pass, room, steps, first - room->chunk);
    }
    bring_back(pass, room, steps, (n - 1) / room->chunk * room->chunk);
    return OW_OK;
}

static ow_status take_many(const owi_call *call, owi_device_pass *pass, owi_step_room *room,
                           const owi_two_steps *steps, bool *done)
{
    owi_device *device = &pass->device;
    void *const streams[] = {room->in, device->stream, room->out};
    uint32_t odd = 0;
    ow_status status = all_chunks(call, pass, room, steps);
    if (status == OW_OK) download(device, device->stream, &odd, room->odd, sizeof odd);
    /* Nothing is under way in the caller's memory when this returns. */
    for (size_t i = 0; i < sizeof streams / sizeof *streams; i++) {
        const int error = device->api->finish(streams[i]);
        if (device->error == 0) device->error = error;
    }
    if (status == OW_OK) status = owi_device_status(pass);
    *done = status == OW_OK && odd == 0;
    return status;
}

ow_status owi_device_take_steps(const owi_call *call, owi_device_pass *pass,
                                const owi_two_steps *steps, bool *done)
{
    owi_step_room *room;
    *done = false;
    if (!pass->is_plain || steps->n_rows == 0) return OW_OK;
    OWI_TRY(owi_call_tick(call));
    OWI_TRY(owi_device_give_parameters(pass));
    OWI_TRY(make_room(pass, steps->n_rows, &room));
    return room->pinned != NULL ? take_few(pass, room, steps, done)
                                : take_many(call, pass, room, steps, done);
}
