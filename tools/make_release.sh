#!/bin/sh
# SPDX-License-Identifier: MIT
# Everything that a release is: make_release.sh [--draft] OUT_FOLDER
#
# The source archive, the Debian package, the wheels, and a list of their SHA-256 sums, from the commit
# that is checked out.  The version of CMakeLists.txt has to be the newest dated one of CHANGELOG.md,
# and nothing may be uncommitted; --draft leaves both unchecked.  The tag is set at the end.
set -eu
draft=no
if [ "${1-}" = --draft ]; then
    draft=yes
    shift
fi
root=$(cd "$(dirname "$0")/.." && pwd)
mkdir -p "$1"
out=$(cd "$1" && pwd)
cd "$root"
version=$(sed -n 's/^project(otherwise VERSION \([0-9.]*\).*/\1/p' CMakeLists.txt)
if [ $draft = no ]; then
    newest=$(sed -n 's/^## \([0-9][0-9.]*\) *(20[0-9-]*).*/\1/p' CHANGELOG.md | head -1)
    if [ "$version" != "$newest" ]; then
        echo "CMakeLists.txt says $version, the newest dated version of CHANGELOG.md is ${newest:-none}." >&2
        exit 1
    fi
    if [ -n "$(git status --porcelain)" ]; then
        echo "Something is not committed: git status" >&2
        exit 1
    fi
    if git rev-parse -q --verify "refs/tags/v$version" >/dev/null; then
        echo "There is a tag v$version already." >&2
        exit 1
    fi
fi
tools/install_packages.sh wheel

git archive --format=tar.gz --prefix="otherwise-$version/" -o "$out/otherwise-$version.tar.gz" HEAD
echo "== the Debian package, from the archive"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
tar -xzf "$out/otherwise-$version.tar.gz" -C "$work"
cd "$work/otherwise-$version"
cmake --preset release >/dev/null
cmake --build --preset release -- --quiet
(cd build/release && cpack -G DEB -B "$work/deb" >"$work/cpack.log") || { cat "$work/cpack.log"; exit 1; }
cp "$work"/deb/*.deb "$out"
echo "== the wheels, from the archive"
python/make_wheel.sh "$work/wheel"
cp "$work"/wheel/*.whl "$out"
cd "$out"
sha256sum "otherwise-$version.tar.gz" ./*.deb ./*.whl | tee SHA256SUMS
if [ $draft = no ]; then
    git -C "$root" tag -a "v$version" -m "otherwise $version"
    echo "The tag v$version is set."
fi
