/* SPDX-License-Identifier: MIT */
/* Linked into every program of a sanitized build: what the sanitizers may overlook, and how
 * they work.  They find these functions by name. */
const char *__asan_default_options(void);
const char *__lsan_default_options(void);
const char *__lsan_default_suppressions(void);

/* Otherwise clang 14's leak search gets lost in glibc's thread storage. */
const char *__asan_default_options(void)
{
    return "intercept_tls_get_addr=0";
}

/* Otherwise a summary of the suppressions goes to standard error. */
const char *__lsan_default_options(void)
{
    return "print_suppressions=0";
}

/* LLVM's OpenMP keeps the buffers of a team of threads that has grown, a few kilobytes in all,
 * until the process ends. */
const char *__lsan_default_suppressions(void)
{
    return "leak:libomp.so\n";
}
