#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Puts the licences of the shared libraries that a wheel bundles into it: add_licences.py WHEEL

auditwheel has copied them from this system's packages, so their licences are those that the packages
came with.  A library without one is an error."""
import pathlib
import re
import subprocess
import sys
import tempfile


def package_of(library):
    """The Debian package of a bundled library: libpng16-1a2b3c4d.so.16.39.0 was libpng16.so.16.39.0."""
    name = re.sub(r"-[0-9a-f]{8}(?=\.so)", "", library)
    stem = name.split(".so")[0]
    found = subprocess.run(["dpkg", "-S", f"*/{stem}.so.*"], capture_output=True, text=True, check=False).stdout
    packages = {line.split(":")[0] for line in found.splitlines() if "/usr/lib" in line or "/lib/" in line}
    return sorted(packages)[0] if packages else None


def main():
    wheel = pathlib.Path(sys.argv[1])
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([sys.executable, "-m", "wheel", "unpack", "--dest", folder, wheel], check=True, stdout=subprocess.DEVNULL)
        (inside,) = pathlib.Path(folder).iterdir()
        (info,) = inside.glob("*.dist-info")
        for library in sorted(inside.glob("*.libs/*.so*")):
            package = package_of(library.name)
            text = pathlib.Path(f"/usr/share/doc/{package}/copyright")
            if package is None or not text.exists():
                sys.exit(f"{library.name}: no licence was found for it")
            target = info / "licenses" / f"{package}.txt"
            target.parent.mkdir(exist_ok=True)
            target.write_bytes(text.read_bytes())
            print(f"{library.name}: licence of {package}")
        subprocess.run([sys.executable, "-m", "wheel", "pack", "--dest-dir", wheel.parent, inside], check=True, stdout=subprocess.DEVNULL)


if __name__ == "__main__":
    main()
