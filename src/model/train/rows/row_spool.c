/* SPDX-License-Identifier: MIT */
/* The order.  The file is divided into 64 segments, and visited in runs of 16 rows: the
 * first run of every segment, then the second of every one, and so on, the segments in an
 * order drawn once.  What does not fill such a round, fewer than 1024 rows, comes last.
 *
 *     segment      0            1            2        rest
 *     run       | a d g . . | b e h . . | c f i . . | z |     read: a b c d e f g h i ...
 * z */
#include "model/train/rows/row_spool.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/io/temporary_file.h"
#include "base/memory/alloc.h"
#include "base/memory/sizes.h"
#include "base/numeric/rng.h"

enum { n_segments = 64, run_rows = 16 };

struct owi_row_spool {
    ow_context *ctx;
    FILE *file;
    size_t width, record; /* floats of a row; bytes of a row with its class */
    size_t n_rows, segment_runs;
    size_t order[n_segments];
    char *run; /* room for run_rows records */
    bool failed;
};

static ow_status failed(owi_row_spool *spool, const char *what)
{
    spool->failed = true;
    return owi_fail(OW_ERR_IO, "the training rows do not fit into memory, and %s: %s", what,
                    spool->file != NULL ? owi_temporary_reason(spool->file)
                                        : strerror(errno));
}

ow_status owi_row_spool_new(ow_context *ctx, size_t width, owi_row_spool **out)
{
    *out = NULL;
    owi_row_spool *spool = owi_alloc_zeroed(ctx, sizeof *spool);
    if (spool == NULL) return OW_ERR_MEMORY;
    spool->ctx = ctx;
    spool->width = width;
    spool->record = width * sizeof(float) + sizeof(int32_t);
    spool->run = owi_alloc_array(ctx, run_rows, spool->record);
    if (spool->run == NULL) {
        owi_row_spool_free(spool);
        return OW_ERR_MEMORY;
    }
    spool->file = owi_temporary_open(ctx);
    if (spool->file == NULL) {
        const ow_status status = failed(spool, "a temporary file for them cannot be made");
        owi_row_spool_free(spool);
        return status;
    }
    *out = spool;
    return OW_OK;
}

bool owi_row_spool_failed(const owi_row_spool *spool)
{
    return spool->failed;
}

size_t owi_row_spool_size(const owi_row_spool *spool)
{
    return spool->n_rows * spool->record;
}

void owi_row_spool_free(owi_row_spool *spool)
{
    if (spool == NULL) return;
    if (spool->file != NULL) (void)fclose(spool->file);
    owi_free(spool->ctx, spool->run);
    owi_free(spool->ctx, spool);
}

ow_status owi_row_spool_add(owi_row_spool *spool, size_t n, const float *rows,
                            const int32_t *classes)
{
    for (size_t i = 0; i < n; i++) {
        memcpy(spool->run, &classes[i], sizeof *classes);
        memcpy(spool->run + sizeof *classes, rows + i * spool->width,
               spool->width * sizeof *rows);
        if (fwrite(spool->run, spool->record, 1, spool->file) != 1)
            return failed(spool, "a temporary file for them cannot be written");
    }
    spool->n_rows += n;
    return OW_OK;
}

ow_status owi_row_spool_finish(owi_row_spool *spool, uint64_t seed)
{
    owi_rng rng;
    if (fflush(spool->file) != 0)
        return failed(spool, "a temporary file for them cannot be written");
    spool->segment_runs = spool->n_rows / (n_segments * run_rows);
    for (size_t i = 0; i < n_segments; i++) spool->order[i] = i;
    owi_rng_init(&rng, seed, 1);
    owi_rng_shuffle(&rng, n_segments, spool->order);
    return OW_OK;
}

/* Where row `at` of the order stands in the file, and how many that follow it stand behind
 * it. */
static size_t place_of(const owi_row_spool *spool, size_t at, size_t *n_behind)
{
    const size_t mixed = spool->segment_runs * n_segments * run_rows;
    const size_t run = at / run_rows, within = at % run_rows;
    *n_behind = at < mixed ? run_rows - within : owi_smaller(run_rows, spool->n_rows - at);
    if (at >= mixed) return at;
    const size_t segment = spool->order[run % n_segments];
    return (segment * spool->segment_runs + run / n_segments) * run_rows + within;
}

ow_status owi_row_spool_read(owi_row_spool *spool, size_t first, size_t max_rows,
                             float *rows, int32_t *classes, size_t *n_rows)
{
    *n_rows = 0;
    while (*n_rows < max_rows && first + *n_rows < spool->n_rows) {
        size_t n;
        const size_t place = place_of(spool, first + *n_rows, &n);
        n = owi_smaller(n, max_rows - *n_rows);
        if (fseeko(spool->file, (off_t)(place * spool->record), SEEK_SET) != 0 ||
            fread(spool->run, spool->record, n, spool->file) != n)
            return failed(spool, "the temporary file with them cannot be read");
        for (size_t i = 0; i < n; i++, ++*n_rows) {
            const char *record = spool->run + i * spool->record;
            memcpy(classes + *n_rows, record, sizeof *classes);
            memcpy(rows + *n_rows * spool->width, record + sizeof *classes,
                   spool->width * sizeof *rows);
        }
    }
    return OW_OK;
}
