/* SPDX-License-Identifier: MIT */
/* Options structs across versions.  A public options struct begins with its size, as the
 * program that fills it knows the struct; later versions of the library append fields.  At
 * the public entry the options are taken once, into a struct as this version has it:
 *
 *     ow_read_options own = {0};                    (or the defaults)
 *     OWI_TRY(OWI_OPTIONS_TAKE(ow_read_options, options, &own));
 *
 * and nobody further in looks at the caller's.
 *
 * Padding.  A field that is appended must make the struct longer.  One that would fit into
 * the padding at its end (a bool behind a bool) leaves sizeof as it was: the library could
 * not tell programs that set it from older ones, whose padding is undefined.  So append a
 * field at least as wide as the struct is aligned, or grow an array of reserved zeros. */
#ifndef OWI_OPTIONS_H
#define OWI_OPTIONS_H

#include <stddef.h>

#include "base/options_copy.h"
#include "otherwise/status.h"

/* given (NULL: all defaults) into own, which has own_size bytes and holds the defaults.
 * Fields that the caller's struct does not have keep them.  Fields that this version does
 * not have must be zero: OW_ERR_ARGUMENT.  type is the struct's name, for the sentence. */
ow_status owi_options_take(const char *type, const void *given, void *own, size_t own_size);
#define OWI_OPTIONS_TAKE(type, given, own) owi_options_take(#type, given, own, sizeof(type))

/* For setters that write a field of the caller's struct: fails if its size cannot be, or if
 * the struct ends before the field's `length` bytes from `place` on do. */
ow_status owi_options_reach(const char *type, const void *given, size_t own_size,
                            const char *option, size_t place, size_t length);

/* For _init functions: the first `size` bytes of the defaults to the caller's struct, zero
 * where it has more, and its own size at its beginning. */
void owi_options_give(const void *defaults, size_t own_size, void *out, size_t size);

#endif
