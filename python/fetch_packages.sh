#!/bin/sh
# SPDX-License-Identifier: MIT
# Debian packages of any architecture, unpacked into a folder: fetch_packages.sh ARCH FOLDER PACKAGE...
#
# SOURCE:NAME is the source package NAME, unpacked as it came from its authors into FOLDER/NAME.
# apt works on lists of its own below FOLDER, so nothing of the system changes and root is not needed.
# What the packages depend on is not fetched.
set -eu
arch=$1
mkdir -p "$2/apt/lists/partial" "$2/apt/archives/partial" "$2/debs"
folder=$(cd "$2" && pwd)
shift 2
if [ "$(cat "$folder/complete" 2>/dev/null)" = "$arch $*" ]; then exit 0; fi
: >"$folder/apt/status"
apt() {
    apt-get -qq -o APT::Architecture="$arch" -o APT::Architectures="$arch" -o APT::Sandbox::User= \
        -o Dir::State::lists="$folder/apt/lists" -o Dir::State::status="$folder/apt/status" \
        -o Dir::Cache="$folder/apt" -o Dir::Etc::sourcelist=/dev/null -o Dir::Etc::sourceparts="$folder/apt/sources" \
        -o Debug::NoLocking=1 "$@"
}
# The system's sources, and their source packages.
mkdir -p "$folder/apt/sources"
for file in /etc/apt/sources.list /etc/apt/sources.list.d/*; do
    [ -f "$file" ] && sed 's/^Types: deb$/Types: deb deb-src/; s/^deb \(.*\)/&\ndeb-src \1/' "$file" >"$folder/apt/sources/${file##*/}"
done
apt update
for package; do
    case $package in
    SOURCE:*)
        (cd "$folder/debs" && apt source --download-only "${package#*:}")
        mkdir -p "$folder/${package#*:}"
        tar -xf "$folder/debs/${package#*:}"_*.orig.tar.* -C "$folder/${package#*:}" --strip-components=1
        ;;
    *) (cd "$folder/debs" && apt download "$package") ;;
    esac
done
for package in "$folder"/debs/*.deb; do
    dpkg-deb -x "$package" "$folder/root"
done
echo "$arch $*" >"$folder/complete"
