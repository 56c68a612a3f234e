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

/* typedef float four OWI_VECTOR(4): a register of so many floats, with the operators of
 * float for each of them. */
#if defined(__GNUC__)
#define OWI_VECTOR(n) __attribute__((vector_size((n) * sizeof(float))))
#endif

/* Four of the eight floats of two such registers of four, by number: 0 to 3 are a's, 4 to 7
 * are b's. */
#if defined(__clang__)
#define OWI_PICK_4(a, b, i, j, k, l) __builtin_shufflevector((a), (b), (i), (j), (k), (l))
#elif defined(__GNUC__)
typedef int owi_four_places OWI_VECTOR(4);
#define OWI_PICK_4(a, b, i, j, k, l)                                                       \
    __builtin_shuffle((a), (b), (owi_four_places){(i), (j), (k), (l)})
#endif

/* Before a short loop whose end costs gcc as much as a few of its turns; clang unrolls by
 * itself. */
#if defined(__GNUC__) && !defined(__clang__)
#define OWI_UNROLL_4 _Pragma("GCC unroll 4")
#else
#define OWI_UNROLL_4
#endif

/* What will be read before long: memory that no run of addresses announces. */
#if defined(__GNUC__)
#define OWI_PREFETCH(address) __builtin_prefetch(address)
#else
#define OWI_PREFETCH(address) ((void)(address))
#endif

/* Before a static function with loops over numbers (others would be seen from outside the
 * library): compiled for wider registers too, and chosen when the program is loaded.  The
 * same operations in the same order, so the same bytes.  Sanitizers are not ready when that
 * choice is made. */
#if defined(__x86_64__) && defined(__gnu_linux__) && !defined(__SANITIZE_ADDRESS__) &&     \
    !defined(__SANITIZE_THREAD__) && !defined(__clang__)
#define OWI_WIDE __attribute__((target_clones("avx2", "default")))
#else
#define OWI_WIDE
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
