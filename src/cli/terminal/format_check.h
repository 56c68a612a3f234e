/* SPDX-License-Identifier: MIT */
/* Lets the compiler check the arguments of functions that format as printf does. */
#ifndef CLI_FORMAT_CHECK_H
#define CLI_FORMAT_CHECK_H

#if defined(__GNUC__)
#define CLI_PRINTF(format_at, first_argument)                                              \
    __attribute__((format(printf, format_at, first_argument)))
#else
#define CLI_PRINTF(format_at, first_argument)
#endif

#endif
