/* SPDX-License-Identifier: MIT */
#include "base/processor.h"

#if defined(__x86_64__) && defined(__GNUC__)
bool owi_processor_has_avx2(void)
{
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
}

bool owi_processor_has_avx512(void)
{
    return __builtin_cpu_supports("avx512f") && owi_processor_has_avx2();
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
#endif
