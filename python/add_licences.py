#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Puts the licences of the libraries that a wheel is linked with into it: add_licences.py WHEEL ROOT PACKAGE...

ROOT is where the Debian packages were unpacked (fetch_packages.sh); each comes with its licence."""
import pathlib
import subprocess
import sys
import tempfile


def main():
    wheel, root = map(pathlib.Path, sys.argv[1:3])
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([sys.executable, "-m", "wheel", "unpack", "--dest", folder, wheel], check=True, stdout=subprocess.DEVNULL)
        (inside,) = pathlib.Path(folder).iterdir()
        (info,) = inside.glob("*.dist-info")
        bundled = list(inside.glob("*.libs/*"))
        if bundled:
            sys.exit(f"{bundled[0].name} is bundled, and nobody has said under which licence")
        for package in sys.argv[3:]:
            text = root / "usr/share/doc" / package / "copyright"
            target = info / "licenses" / f"{package.removesuffix('-dev')}.txt"
            target.parent.mkdir(exist_ok=True)
            target.write_bytes(text.read_bytes())
        subprocess.run([sys.executable, "-m", "wheel", "pack", "--dest-dir", wheel.parent, inside], check=True, stdout=subprocess.DEVNULL)


if __name__ == "__main__":
    main()
