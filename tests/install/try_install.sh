#!/bin/sh
# SPDX-License-Identifier: MIT
# Tries what `make install` installs:
#
#     try_install.sh copy PREFIX BUILD_FOLDER       install below DESTDIR, move to PREFIX, look
#     try_install.sh WAY PREFIX VERSION             build consumer/ against it and run it, where WAY
#                                                   is pkg-config-shared, pkg-config-static or
#                                                   find_package
set -eu
way=$1
prefix=$2
consumer=$(cd "$(dirname "$0")/consumer" && pwd)
work=$prefix.$way

rm -rf "$work"
mkdir -p "$work"

# expect_file NAME...: each is below the prefix.
expect_file() {
    for name; do
        [ -e "$prefix/$name" ] || { echo "not installed: $name"; exit 1; }
    done
}

# expect_run PROGRAM: it works and finds the version that it was built against.
expect_run() {
    got=$("$1")
    [ "$got" = "otherwise $version: a is integer, b is categorical" ] || {
        echo "$1 printed: $got"
        exit 1
    }
}

if [ "$way" = copy ]; then
    rm -rf "$prefix"
    DESTDIR=$work cmake --install "$3" --prefix /opt/otherwise >/dev/null
    mv "$work/opt/otherwise" "$prefix"
    expect_file include/otherwise/otherwise.h lib/libotherwise.a lib/libotherwise.so \
        lib/libotherwise.so.0 lib/pkgconfig/otherwise.pc lib/cmake/otherwise/otherwise-config.cmake \
        share/doc/otherwise/LICENSE share/man/man1/otherwise.1 \
        share/bash-completion/completions/otherwise
    "$prefix/bin/otherwise" --version >/dev/null
    if grep -rIl /opt/otherwise "$prefix"; then
        echo "these files name the prefix, so that a moved copy would not work"
        exit 1
    fi
    exit 0
fi

version=$3
export PKG_CONFIG_PATH="$prefix/lib/pkgconfig"
case $way in
pkg-config-shared)
    $CC -Wall -Wextra -Werror "$consumer/consumer.c" -o "$work/consumer" \
        $(pkg-config --cflags --libs "otherwise = $version")
    export LD_LIBRARY_PATH="$prefix/lib"
    readelf -d "$work/consumer" | grep -q 'NEEDED.*libotherwise\.so\.0'
    expect_run "$work/consumer"
    ;;
pkg-config-static)
    $CC -Wall -Wextra -Werror "$consumer/consumer.c" -o "$work/consumer" -static \
        $(pkg-config --static --cflags --libs otherwise)
    expect_run "$work/consumer"
    ;;
find_package)
    cmake -S "$consumer" -B "$work" -G Ninja -DCMAKE_PREFIX_PATH="$prefix" \
        -DOTHERWISE_VERSION="$version" >/dev/null
    cmake --build "$work" -- --quiet
    expect_run "$work/consumer_shared"
    expect_run "$work/consumer_static"
    ;;
esac
