# SPDX-License-Identifier: MIT
# The warnings that all our code is free of, with gcc and with clang.
add_library(ow_warnings INTERFACE)
target_compile_options(ow_warnings INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wstrict-prototypes -Wmissing-prototypes
  -Wvla -Wundef -Wpointer-arith -Wwrite-strings -Wformat=2)
if(OW_WERROR)
  target_compile_options(ow_warnings INTERFACE -Werror)
endif()
