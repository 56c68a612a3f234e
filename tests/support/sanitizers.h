/* SPDX-License-Identifier: MIT */
/* Which sanitizer a test is built with: OW_TEST_ASAN, OW_TEST_TSAN.  gcc says so by a
 * macro, clang by a feature. */
#ifndef OW_SANITIZERS_H
#define OW_SANITIZERS_H

#if defined(__SANITIZE_ADDRESS__)
#define OW_TEST_ASAN 1
#endif
#if defined(__SANITIZE_THREAD__)
#define OW_TEST_TSAN 1
#endif
#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define OW_TEST_ASAN 1
#endif
#if __has_feature(thread_sanitizer)
#define OW_TEST_TSAN 1
#endif
#endif

#endif
