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

# expect_run PROGRAM PRINTED: it works, and prints this after the version it was built against.
expect_run() {
    got=$("$1")
    [ "$got" = "otherwise $version: $2" ] || {
        echo "$1 printed: $got"
        exit 1
    }
}

# expect_core PROGRAM and expect_report PROGRAM: it works.
expect_core() { expect_run "$1" "a is integer, b is categorical"; }
expect_report() { expect_run "$1" "a page and a picture"; }

# expect_few_libraries PROGRAM: who embeds the core loads none of these.
expect_few_libraries() {
    ldd "$1" >"$work/libraries"
    if grep -E 'libpng|libjpeg|libcurl|libotherwise-report' "$work/libraries"; then
        echo "$1 loads libraries that the core does not need"
        exit 1
    fi
}

if [ "$way" = copy ]; then
    rm -rf "$prefix"
    DESTDIR=$work cmake --install "$3" --prefix /opt/otherwise >/dev/null
    mv "$work/opt/otherwise" "$prefix"
    for library in otherwise otherwise-report; do
        expect_file lib/lib$library.a lib/lib$library.so lib/pkgconfig/$library.pc
        # The name that programs look for carries major and minor version: 0.2 and 0.3 may differ.
        soname=$(readelf -d "$prefix/lib/lib$library.so" | sed -n 's/.*SONAME.*\[\(.*\)\]/\1/p')
        case $soname in
        lib$library.so.[0-9]*.[0-9]*) expect_file "lib/$soname" ;;
        *) echo "lib$library.so calls itself $soname" && exit 1 ;;
        esac
    done
    expect_file include/otherwise/otherwise.h include/otherwise/page.h \
        lib/cmake/otherwise/otherwise-config.cmake \
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
    $CC -Wall -Wextra -Werror "$consumer/report_consumer.c" -o "$work/report_consumer" \
        $(pkg-config --cflags --libs "otherwise-report = $version")
    export LD_LIBRARY_PATH="$prefix/lib"
    readelf -d "$work/consumer" | grep -q "NEEDED.*libotherwise\.so\.${version%.*}\]"
    expect_few_libraries "$work/consumer"
    expect_core "$work/consumer"
    expect_report "$work/report_consumer"
    ;;
pkg-config-static)
    $CC -Wall -Wextra -Werror "$consumer/consumer.c" -o "$work/consumer" -static \
        $(pkg-config --static --cflags --libs otherwise)
    $CC -Wall -Wextra -Werror "$consumer/report_consumer.c" -o "$work/report_consumer" -static \
        $(pkg-config --static --cflags --libs otherwise-report)
    expect_core "$work/consumer"
    expect_report "$work/report_consumer"
    ;;
find_package)
    cmake -S "$consumer" -B "$work" -G Ninja -DCMAKE_PREFIX_PATH="$prefix" \
        -DOTHERWISE_VERSION="$version" >/dev/null
    cmake --build "$work" -- --quiet
    for kind in shared static; do
        expect_few_libraries "$work/consumer_$kind"
        expect_core "$work/consumer_$kind"
        expect_report "$work/report_consumer_$kind"
    done
    ;;
esac
