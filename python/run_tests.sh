#!/bin/sh
# SPDX-License-Identifier: MIT
# Tests of the Python package: run_tests.sh BUILD_FOLDER CC [--site|--long] [PYTEST_ARGUMENTS...]
#
# --site: only runs the notebooks of the guide, into BUILD_FOLDER/python-site.  --long: that, and what
# goes with packages that take minutes to install (python/tests_long).
#
# The extension is compiled against the static library of BUILD_FOLDER, which takes seconds, and put
# beside a copy of the package there.  What the tests import comes from PyPI into a virtual
# environment of its own; where PyPI cannot be reached, the script says so and ends with 77, which
# ctest counts as skipped.
set -eu
build=$(cd "$1" && pwd)
cc=$2
shift 2
kind=test
case ${1:-} in --long | --site)
    kind=${1#--}
    shift ;;
esac
root=$(cd "$(dirname "$0")/.." && pwd)
place=$build/python
extra() { sed -n "s/^$1 = \\[\\(.*\\)\\]\$/\\1/p" "$root/pyproject.toml" | tr -d '",'; }
venv=$build/python-venv
wanted=$(extra test)
if [ $kind != test ]; then
    venv=$build/python-venv-long
    wanted="$wanted $(extra long)"
fi
if ! [ -f "$venv/complete" ] || [ "$wanted" != "$(cat "$venv/complete")" ]; then
    python3 -m venv "$venv"
    # shellcheck disable=SC2086
    if ! "$venv/bin/pip" install --quiet --no-compile --disable-pip-version-check cffi numpy $wanted; then
        echo "PyPI cannot be reached: the tests of the Python package are left out."
        exit 77
    fi
    echo "$wanted" >"$venv/complete"
fi

mkdir -p "$place"
rm -rf "$place/otherwise"
cp -r "$root/python/otherwise" "$place/otherwise"
"$venv/bin/python" "$root/python/write_extension.py" "$root/include" "$place/_library.c" >/dev/null
headers=$("$venv/bin/python" -c 'import sysconfig; print(sysconfig.get_path("include"))')
$cc -O1 -shared -fPIC -w -I "$headers" -I "$root/include" "$place/_library.c" \
    "$build/libotherwise.a" -lz -ljansson -lm -lpthread -o "$place/otherwise/_library.abi3.so"

if [ $kind != test ]; then
    PYTHONPATH=$place "$venv/bin/python" "$root/python/make_site.py" "$build/python-site"
    [ $kind = long ] || exit 0
    cd "$place"
    "$venv/bin/python" -m mypy.stubtest --mypy-config-file "$root/pyproject.toml" \
        --allowlist "$root/python/stubtest.txt" otherwise
    cd "$root"
    PYTHONPATH=$place:$root/python/tests_long exec "$venv/bin/python" -m pytest -q \
        -p no:cacheprovider "$@" python/tests_long
fi
cd "$place"
"$venv/bin/python" -m mypy --no-error-summary --cache-dir "$build/python-types" \
    --config-file "$root/pyproject.toml" otherwise
cd "$root"
PYTHONPATH=$place exec "$venv/bin/python" -m pytest -q -p no:cacheprovider --doctest-modules "$@" \
    "$place/otherwise" python/tests
