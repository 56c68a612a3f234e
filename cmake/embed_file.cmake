# SPDX-License-Identifier: MIT
# cmake -DNAME=... -DFILE=... -DOUTPUT=... -P embed_file.cmake: writes a file's bytes as a C array.
file(READ ${FILE} hex HEX)
file(SIZE ${FILE} size)
string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${hex}")
string(REGEX REPLACE "(0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,)"
       "\\1\n" bytes "${bytes}")
file(WRITE ${OUTPUT} "/* Made from a file by cmake/embed_file.cmake. */
#include <stddef.h>
extern const unsigned char owi_embedded_${NAME}[];
extern const size_t owi_embedded_${NAME}_size;
const unsigned char owi_embedded_${NAME}[] = {
${bytes}0x00};
const size_t owi_embedded_${NAME}_size = ${size};
")
