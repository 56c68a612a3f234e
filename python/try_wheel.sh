#!/bin/sh
# SPDX-License-Identifier: MIT
# Installs a wheel where there is nothing else, and uses it: try_wheel.sh WHEEL FOLDER
#
# First in a folder that has Debian's Python and the C library and nothing more, no compiler above all
# (a chroot, so this takes root; for another processor an emulator, qemu-user, runs its programs).  Then, on
# this processor, in an empty virtual environment of every CPython from 3.10 on that is installed.
set -eu
wheel=$(cd "$(dirname "$1")" && pwd)/${1##*/}
mkdir -p "$2"
folder=$(cd "$2" && pwd)
here=$(cd "$(dirname "$0")" && pwd)
case $wheel in *_x86_64.whl) arch=x86_64 debian=amd64 ;; *) arch=aarch64 debian=arm64 ;; esac

"$here/fetch_packages.sh" $debian "$folder" libc6 libgcc-s1 libstdc++6 zlib1g libffi8 libexpat1 libssl3 \
    libpython3.11-minimal libpython3.11-stdlib python3.11-minimal libbz2-1.0 liblzma5 libcrypt1
bare=$folder/root
rm -rf "$bare/wheels" "$bare/packages"
python3 -m pip install --quiet --disable-pip-version-check --root-user-action=ignore --target "$bare/packages" --only-binary :all: --python-version 3.11 \
    --implementation cp --abi cp311 --abi abi3 --abi none --platform "manylinux_2_28_$arch" --platform "manylinux_2_27_$arch" --platform "manylinux_2_17_$arch" \
    --platform "manylinux2014_$arch" --platform any "$wheel"
cp "$here/try_wheel.py" "$bare/"
mkdir -p "$bare/tmp" "$bare/dev"
if [ "$arch" = "$(uname -m)" ]; then
    if [ "$(id -u)" -eq 0 ]; then
        echo "-- beside Python and the C library alone"
        [ -e "$bare/dev/urandom" ] || mknod -m 666 "$bare/dev/urandom" c 1 9
        PYTHONPATH=/packages chroot "$bare" /usr/bin/python3.11 /try_wheel.py /packages/bin/otherwise
    else
        echo "chroot takes root: the wheel was not tried on a bare system"
    fi
    for python in $(for minor in 10 11 12 13 14; do
        for found in "$(command -v python3.$minor || true)" "${PYENV_ROOT:-$HOME/.pyenv}"/versions/3.$minor.*/bin/python3.$minor; do
            "$found" -c '' 2>/dev/null && echo "$found" && break
        done
    done); do
        rm -rf "$folder/empty"
        "$python" -m venv "$folder/empty"
        "$folder/empty/bin/pip" install --quiet --disable-pip-version-check --only-binary :all: "$wheel"
        (cd / && env -i PATH="$folder/empty/bin" "$folder/empty/bin/python" -I "$bare/try_wheel.py" "$folder/empty/bin/otherwise")
    done
elif command -v "qemu-$arch" >/dev/null; then
    echo "-- on $arch, emulated"
    PYTHONPATH=$bare/packages PYTHONHOME=$bare/usr "qemu-$arch" -L "$bare" "$bare/usr/bin/python3.11" "$bare/try_wheel.py" \
        "qemu-$arch" -L "$bare" "$bare/packages/bin/otherwise"
else
    echo "qemu-$arch is not installed: the wheel for $arch was not tried"
fi
