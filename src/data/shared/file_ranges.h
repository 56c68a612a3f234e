/* SPDX-License-Identifier: MIT */
/* Text files cut into ranges of bytes, which the processes of a team read together: in each
 * round every process reads one range, the next round begins where this one has ended.
 *
 *     | range 0 | range 1 | range 2 | range 3 | ...     with three processes
 *      process 0 process 1 process 2 process 0
 *
 * A range begins at a line.  Whether that is the beginning of a row, or lies within quotes,
 * the range before it knows: where the two disagree, the range is read once more from where
 * the one before has ended.
 *
 * Nothing unusual is handled here: where a process finds something that people have to be
 * told, an error or a warning, all of them give up, and have to read everything by
 * themselves. */
#ifndef OWI_FILE_RANGES_H
#define OWI_FILE_RANGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/call.h"
#include "data/rows/reader.h"

typedef struct {
    size_t file;
    uint64_t first, limit; /* rows that begin there, or behind, and before limit */
    bool is_first;         /* of its file */
} owi_file_range;

/* What a process has found in its range; sent as it is. */
typedef struct {
    uint64_t first, end; /* where its first row begins, and the first one behind it */
    uint64_t notes[2];   /* the caller's                                            */
    uint64_t is_unusual;
} owi_range_finding;

/* Reads the rows of one range, to their end, and notes what the others have to know of it.
 * Called again, maybe, for the same range, which it has to forget then. */
typedef struct {
    void *user;
    ow_status (*read)(void *user, ow_reader *file, uint64_t notes[2]);
} owi_range_reader;

typedef struct {
    ow_context *ctx;
    const owi_call *call;
    const ow_reader *reader; /* of all files; borrowed */
    owi_file_range *ranges;
    size_t n_ranges, capacity;
    size_t next;                 /* range that is read next                        */
    uint64_t carry;              /* where the range before it has ended            */
    owi_range_finding *findings; /* (processes) of the round last read             */
    bool gave_up;

    ow_context *quiet; /* what is said while ranges are read is only counted */
    size_t n_said;
    ow_reader *file;             /* the one that is open                          */
    size_t n_file;               /* its number; SIZE_MAX: none                    */
    uint64_t file_first, n_read; /* where its first row begins; bytes of earlier files */
    uint64_t began;              /* where the range last read begins                   */
    bool has_lines;              /* and its lines are numbered as those of the file    */
} owi_file_ranges;

/* *out is NULL where nothing is shared: there is no team, or the rows are not those of text
 * files alone.  Ranges have most bytes at most, and are shorter where files are.  sum is
 * what this process knows of the rows already, 0: nothing; fails where the processes know
 * other things, or see other files.  Where the reader is bound, so are the files. */
ow_status owi_file_ranges_new(const owi_call *call, const ow_reader *reader, uint64_t most,
                              uint64_t sum, owi_file_ranges **out);
/* Does nothing for NULL. */
void owi_file_ranges_free(owi_file_ranges *ranges);

/* How many ranges the next round has: one for each process, or what is left. */
size_t owi_file_ranges_left(const owi_file_ranges *ranges);
/* Each process reads its range.  Then findings has all of them, in order, unless they gave
 * up. */
ow_status owi_file_ranges_round(owi_file_ranges *ranges, const owi_range_reader *how);
/* Every process reads the next range, the same one. */
ow_status owi_file_ranges_all_read(owi_file_ranges *ranges, const owi_range_reader *how);
/* Goes on behind the first n ranges of the round, or the one that all have read. */
void owi_file_ranges_accept(owi_file_ranges *ranges, size_t n);

/* While a range is read: numbers the lines of places as those of the file.  For what has to
 * be told of few rows: the file is read up to the range. */
ow_status owi_file_ranges_number_lines(owi_file_ranges *ranges);

/* In the same range again, once it has been read: the row that begins at a byte, as cells
 * that are lent. */
ow_status owi_file_ranges_row(owi_file_ranges *ranges, uint64_t at, const owi_cell **cells);

/* Bytes of files that this process has read, all ranges together. */
uint64_t owi_file_ranges_bytes(const owi_file_ranges *ranges);

#endif
