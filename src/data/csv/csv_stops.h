/* SPDX-License-Identifier: MIT */
/* Finds the next byte at which the scan of a record has to decide something: a mark (the
 * delimiter, or the quote inside quotes), CR, LF, NUL, or a byte that is not ASCII.
 *
 * With SSE2, which every x86-64 has, a window of 64 bytes is compared at once into one bit
 * for each byte, and the fields that follow are found in those bits.  A window must lie
 * within the text: less than 64 bytes from its end, and on other processors, bytes are
 * looked up one by one. */
#ifndef OWI_CSV_STOPS_H
#define OWI_CSV_STOPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/compiler.h"
#include "data/csv/csv.h"

#if defined(__SSE2__) && defined(__GNUC__)
#include <emmintrin.h>
#define OWI_CSV_WINDOW 64
#endif

/* Before a record: keeps the window of the record before, which mostly reaches into this
 * one, if the same stops were looked for. */
static OWI_INLINE void owi_csv_stops_begin(owi_csv_window *window, char mark)
{
    if (window->mark == mark && window->high) return;
    *window = (owi_csv_window){.mark = mark, .high = true};
}

/* From now on bytes that are not ASCII need not be found: one is enough to know that the
 * record has some.  Without a window they still are. */
static OWI_INLINE void owi_csv_stops_pass_high(owi_csv_window *window)
{
    window->high = false;
    window->from = 0;
}

#if defined(OWI_CSV_WINDOW)

/* The stops among 16 bytes; marks: 16 times the mark, high: all ones or all zeros. */
static OWI_INLINE uint64_t owi_csv_stops_of_16(const char *p, __m128i marks, __m128i high)
{
    const __m128i x = _mm_loadu_si128((const void *)p);
    const __m128i ends = _mm_or_si128(_mm_cmpeq_epi8(x, _mm_set1_epi8('\n')),
                                      _mm_cmpeq_epi8(x, _mm_set1_epi8('\r')));
    const __m128i others =
        _mm_or_si128(_mm_cmpeq_epi8(x, marks), _mm_cmpeq_epi8(x, _mm_setzero_si128()));
    const __m128i all = _mm_or_si128(_mm_or_si128(ends, others), _mm_and_si128(x, high));
    return (unsigned)_mm_movemask_epi8(all);
}

/* The mark is multiplied to four of it: gcc fills a register with a byte through memory,
 * and waits for that as long as a short record takes. */
static OWI_INLINE void owi_csv_stops_look(owi_csv_window *window, const char *p)
{
    const unsigned four_marks = (unsigned char)window->mark * 0x01010101U;
    const __m128i marks = _mm_set1_epi32((int)four_marks);
    const __m128i high = _mm_set1_epi32(window->high ? -1 : 0);
    window->from = (uintptr_t)p;
    uint64_t places = 0;
    for (int i = 0; i < OWI_CSV_WINDOW / 16; i++)
        places |= owi_csv_stops_of_16(p + 16 * i, marks, high) << (16 * i);
    window->places = places;
}

/* The first stop at p or behind it.  stops: for each byte value, whether it is one; the NUL
 * at `end` always is. */
static OWI_INLINE char *owi_csv_next_stop(owi_csv_window *window, const bool *stops,
                                          const char *end, char *p)
{
    for (;;) {
        uintptr_t at = (uintptr_t)p - window->from;
        if (at >= OWI_CSV_WINDOW) {
            if (end - p < OWI_CSV_WINDOW - 1) break;
            owi_csv_stops_look(window, p);
            at = 0;
        }
        const uint64_t places = window->places >> at;
        if (places != 0) return p + __builtin_ctzll(places);
        p += OWI_CSV_WINDOW - at;
    }
    while (!stops[(unsigned char)*p]) p++;
    return p;
}

#else

static OWI_INLINE char *owi_csv_next_stop(owi_csv_window *window, const bool *stops,
                                          const char *end, char *p)
{
    (void)window, (void)end;
    while (!stops[(unsigned char)*p]) p++;
    return p;
}

#endif

#endif
