/* SPDX-License-Identifier: MIT */
/* Linked into every program of a sanitized build: how the sanitizers work.  They
 * find this function by name. */
const char *__asan_default_options(void);

/* Otherwise clang 14's leak search gets lost in glibc's thread storage. */
const char *__asan_default_options(void)
{
    return "intercept_tls_get_addr=0";
}
