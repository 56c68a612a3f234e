#!/bin/sh
# SPDX-License-Identifier: MIT
# Puts what tools/check_gpu.py runs into one folder, with the libraries that it needs, for a machine that has a GPU but none of the packages:
#
#     cmake --preset cuda && ninja -C build/cuda && tools/pack_programs.sh build/cuda build/gpu-kit
#
# The programs look for libraries in the folder lib/ beside them (preset cuda's CMAKE_BUILD_RPATH).  Symbols for debuggers stay here.
set -eu
build=$1 kit=$2
rm -rf "$kit"
mkdir -p "$kit/lib" "$kit/kernels" "$kit/bench" "$kit/tests"
cp "$build/libotherwise-cuda.so" "$kit"
cp "$build"/tests/kernels/libotherwise-cuda-emulated.so "$kit"
cp "$build/otherwise" "$kit"
cp "$build"/kernels/check_* "$kit/kernels"
cp "$build/bench/bench_gpu" "$build/bench/bench_device" "$kit/bench"
cp "$build/tests/unit_circuit" "$kit/tests"
# All but the C library, which every machine has.
for program in "$kit/otherwise" "$kit"/*/[bcu]*_*; do
    ldd "$program" | awk '$3 ~ /^\// && $1 !~ /^lib(c|m|dl|rt|pthread)\.so/ { print $3 }'
done | sort -u | xargs -I{} cp -Lf {} "$kit/lib"
strip --strip-debug "$kit/otherwise" "$kit"/kernels/* "$kit"/bench/* "$kit"/tests/* "$kit"/lib/* "$kit"/libotherwise-cuda-emulated.so
missing=$(for program in "$kit/otherwise" "$kit"/*/[bcu]*_*; do
    env -i /usr/bin/ldd "$program" | awk -v kit="$(cd "$kit" && pwd)" '$1 ~ /^linux-vdso|ld-linux|^lib(c|m|dl|rt|pthread)\.so/ { next }
        index($3, kit) != 1 { print $1 }'
done | sort -u)
if [ -n "$missing" ]; then
    echo "not found in $kit/lib: $missing" >&2
    exit 1
fi
du -sh "$kit"
