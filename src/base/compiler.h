/* SPDX-License-Identifier: MIT */
/* The one place for what standard C cannot say. */
#ifndef OWI_COMPILER_H
#define OWI_COMPILER_H

#if defined(__GNUC__)
/* Inlined whatever the compiler thinks of it: for kernels with constant trip counts. */
#define OWI_INLINE   inline __attribute__((always_inline))
#define OWI_NOINLINE __attribute__((noinline))
#define OWI_PRINTF(format_at, first_argument)                                              \
    __attribute__((format(printf, format_at, first_argument)))
#else
#define OWI_INLINE inline
#define OWI_NOINLINE
#define OWI_PRINTF(format_at, first_argument)
#endif

/* typedef float four OWI_VECTOR(4): a register of so many floats, with the operators of float for each
 * of them. */
#if defined(__GNUC__)
#define OWI_VECTOR(n) __attribute__((vector_size((n) * sizeof(float))))
#endif

/* Before a short loop whose end costs gcc as much as a few of its turns; clang unrolls by itself. */
#if defined(__GNUC__) && !defined(__clang__)
#define OWI_UNROLL_4 _Pragma("GCC unroll 4")
#else
#define OWI_UNROLL_4
#endif

/* AddressSanitizer: make a range of memory untouchable, or touchable again. */
#if defined(__SANITIZE_ADDRESS__)
#define OWI_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define OWI_ASAN 1
#endif
#endif
#if defined(OWI_ASAN)
#include <sanitizer/asan_interface.h>
#define OWI_POISON(start, size)   __asan_poison_memory_region((start), (size))
#define OWI_UNPOISON(start, size) __asan_unpoison_memory_region((start), (size))
#else
#define OWI_POISON(start, size)   ((void)(start), (void)(size))
#define OWI_UNPOISON(start, size) ((void)(start), (void)(size))
#endif

#endif
