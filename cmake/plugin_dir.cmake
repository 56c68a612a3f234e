# SPDX-License-Identifier: MIT
# Where plugins are installed, seen from the folder above the program's.
file(RELATIVE_PATH plugin_dir /prefix/bin /prefix/${CMAKE_INSTALL_LIBDIR}/otherwise)
string(REGEX REPLACE "^\\.\\./" "" plugin_dir ${plugin_dir})
