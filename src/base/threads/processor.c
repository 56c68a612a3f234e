/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* sched_getaffinity: a process may be kept to some of the processors */
#include "base/threads/processor.h"

#include <sched.h>
#include <unistd.h>

size_t owi_processor_count(void)
{
#if defined(__linux__)
    cpu_set_t mine;
    if (sched_getaffinity(0, sizeof mine, &mine) == 0 && CPU_COUNT(&mine) > 0)
        return (size_t)CPU_COUNT(&mine);
#endif
    const long n = sysconf(_SC_NPROCESSORS_ONLN);
    return n > 0 ? (size_t)n : 1;
}

#if defined(__x86_64__) && defined(__GNUC__)
bool owi_processor_has_avx2(void)
{
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
}

bool owi_processor_has_avx512(void)
{
    return __builtin_cpu_supports("avx512f") && owi_processor_has_avx2();
}

bool owi_processor_has_avx512_bytes(void)
{
    return owi_processor_has_avx512() && __builtin_cpu_supports("avx512bw") &&
           __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
}
#else
bool owi_processor_has_avx2(void)
{
    return false;
}

bool owi_processor_has_avx512(void)
{
    return false;
}

bool owi_processor_has_avx512_bytes(void)
{
    return false;
}
#endif
