#!/bin/sh
# SPDX-License-Identifier: MIT
# Installs the Debian packages that are missing:
#
#     tools/install_packages.sh build    to build and run the program
#     tools/install_packages.sh test     and to run every test
#     tools/install_packages.sh bench    to build and run the benchmarks
#     tools/install_packages.sh wheel    to make the wheels and try them
#
# This is the only list of them.  Nothing is done, and no network used, when all are there.  As
# root or through sudo the rest is installed; otherwise the line to run is printed and the script
# fails.
set -eu

build_packages="gcc libc6-dev cmake ninja-build pkgconf zlib1g-dev libpng-dev
    libjpeg62-turbo-dev libjansson-dev libcurl4-openssl-dev"
test_packages="g++ clang clang-format-14 libclang-rt-14-dev lld libcmocka-dev python3 python3-dev python3-venv
    python3-jsonschema chromium"
bench_packages="libopenblas-dev hyperfine python3"
wheel_packages="python3 python3-dev python3-venv qemu-user"

case "${1-}" in
build) wanted=$build_packages ;;
test) wanted="$build_packages $test_packages" ;;
bench) wanted="$build_packages $bench_packages" ;;
wheel) wanted="$build_packages $wheel_packages" ;;
*)
    echo "usage: $0 build|test|bench|wheel" >&2
    exit 2
    ;;
esac

if ! command -v dpkg-query >/dev/null; then
    echo "This is not a Debian system; what is needed goes there by these names: $wanted" >&2
    exit 0
fi

missing=
for package in $wanted; do
    status=$(dpkg-query --show --showformat='${db:Status-Status}' "$package" 2>/dev/null) || status=
    case $status in
    installed*) ;;
    *) missing="$missing $package" ;;
    esac
done
[ -n "$missing" ] || exit 0

if [ "$(id -u)" -eq 0 ]; then
    as_root=
elif command -v sudo >/dev/null; then
    as_root=sudo
else
    echo "Some packages are missing, and installing them takes root. Please run" >&2
    echo "    su - -c 'apt-get update && apt-get install -y --no-install-recommends$missing'" >&2
    echo "and then the same command again." >&2
    exit 1
fi

echo "Installing:$missing"
$as_root apt-get update -qq
$as_root env DEBIAN_FRONTEND=noninteractive \
    apt-get install -y -qq --no-install-recommends $missing
