/* SPDX-License-Identifier: MIT */
/* Linked into every program of a sanitized build: what the sanitizers may overlook, and how
 * they speak.  They find these functions by name. */
const char *__lsan_default_options(void);
const char *__lsan_default_suppressions(void);

/* Without it a summary of the suppressions goes to standard error. */
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
