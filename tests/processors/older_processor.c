/* SPDX-License-Identifier: MIT */
/* src/base/threads/processor.c for a processor that has less than this one: no AVX-512, and
 * with OW_TEST_PLAIN no AVX2 either. */
#define owi_processor_has_avx512       owi_test_real_avx512
#define owi_processor_has_avx512_bytes owi_test_real_avx512_bytes
#define owi_processor_has_avx2         owi_test_real_avx2
#include "base/threads/processor.c"
#undef owi_processor_has_avx512
#undef owi_processor_has_avx512_bytes
#undef owi_processor_has_avx2

bool owi_processor_has_avx512(void);
bool owi_processor_has_avx512_bytes(void);
bool owi_processor_has_avx2(void);

bool owi_processor_has_avx512(void)
{
    return false;
}

bool owi_processor_has_avx512_bytes(void)
{
    return false;
}

bool owi_processor_has_avx2(void)
{
#ifdef OW_TEST_PLAIN
    return false;
#else
    return owi_test_real_avx2();
#endif
}
