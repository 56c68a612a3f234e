# SPDX-License-Identifier: MIT
# Compiles for a glibc that is older than this machine's, and for other processors (make_wheel.sh): zig
# as the compiler, and static libraries of Debian.  From the environment: OW_WHEEL_ARCH (x86_64 or
# aarch64), OW_WHEEL_TOOLS (zig-cc, zig-ar, zig-ranlib), OW_WHEEL_LIBRARIES (what fetch_libraries.sh made).
set(arch $ENV{OW_WHEEL_ARCH})
set(root $ENV{OW_WHEEL_LIBRARIES})
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR ${arch})
set(CMAKE_C_COMPILER $ENV{OW_WHEEL_TOOLS}/zig-cc)
set(CMAKE_AR $ENV{OW_WHEEL_TOOLS}/zig-ar CACHE FILEPATH "")
set(CMAKE_RANLIB $ENV{OW_WHEEL_TOOLS}/zig-ranlib CACHE FILEPATH "")

# Stripped by the linker: this system's strip knows its own processor only.
foreach(kind EXE MODULE)
  set(CMAKE_${kind}_LINKER_FLAGS_INIT -s)
endforeach()
set(CMAKE_STRIP true CACHE FILEPATH "")

set(libraries ${root}/usr/lib/${arch}-linux-gnu)
set(CMAKE_C_STANDARD_INCLUDE_DIRECTORIES ${root}/usr/include ${root}/usr/include/${arch}-linux-gnu)
set(ZLIB_LIBRARY ${libraries}/libz.a CACHE FILEPATH "")
set(PNG_LIBRARY ${libraries}/libpng16.a CACHE FILEPATH "")
set(JPEG_LIBRARY ${libraries}/libjpeg.a CACHE FILEPATH "")
foreach(name ZLIB_INCLUDE_DIR PNG_PNG_INCLUDE_DIR JPEG_INCLUDE_DIR)
  set(${name} ${root}/usr/include CACHE PATH "")
endforeach()
set(ENV{PKG_CONFIG_LIBDIR} ${libraries}/pkgconfig)
set(ENV{PKG_CONFIG_SYSROOT_DIR} ${root})
# zig's runtime library cannot tell processors apart (__builtin_cpu_supports); gcc's can.
file(GLOB libgcc ${root}/usr/lib/gcc/x86_64-linux-gnu/*/libgcc.a)
if(arch STREQUAL x86_64)
  set(CMAKE_C_STANDARD_LIBRARIES ${libgcc})
endif()
# Programs of the other processor are not run by the build.
set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)
