#!/bin/sh
# SPDX-License-Identifier: MIT
# Compiles and links libotherwise-cuda.so, and looks into it: build_gpu_code.sh SOURCES FOLDER.  nvcc is
# that of the PATH, or comes from PyPI's packages into a virtual environment below FOLDER.
set -eu
sources=$1 folder=$2
mkdir -p "$folder"
nvcc=$(command -v nvcc || true)
if [ -z "$nvcc" ]; then
    python3 -m venv "$folder/venv"
    "$folder/venv/bin/pip" install --quiet --disable-pip-version-check nvidia-cuda-nvcc nvidia-cuda-runtime nvidia-cuda-crt
    nvcc=$(find "$folder/venv" -name nvcc -type f | head -n 1)
fi
if [ -z "$nvcc" ]; then
    echo "no nvcc on the PATH, and none in PyPI's packages" >&2
    exit 1
fi
"$nvcc" -std=c++17 -O3 -shared -cudart static -Xcompiler -fPIC,-fvisibility=hidden -Xptxas -v \
    -gencode arch=compute_80,code=sm_80 -gencode arch=compute_90,code=sm_90 \
    -gencode arch=compute_90,code=compute_90 -I"$sources/src" \
    -o "$folder/libotherwise-cuda.so" "$sources/src/backend/cuda/device_cuda.cu" > "$folder/log" 2>&1 ||
    { cat "$folder/log"; exit 1; }
spills=$(grep -c 'spill stores' "$folder/log" || true)
clean=$(grep -c ' 0 bytes spill stores, 0 bytes spill loads' "$folder/log" || true)
echo "$spills kernels compiled, $clean of them without spills"
[ "$spills" -gt 0 ] && [ "$spills" = "$clean" ]
nm -D --defined-only "$folder/libotherwise-cuda.so" | grep -q otherwise_cuda_device
if nm -D --undefined-only "$folder/libotherwise-cuda.so" | grep -Eq ' (cublas|cu[A-Z]|cuda[A-Z])'; then
    echo "libotherwise-cuda.so asks for a library of CUDA when it is loaded" >&2
    exit 1
fi
