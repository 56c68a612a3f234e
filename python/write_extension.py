#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes the C source of the extension otherwise._library: write_extension.py INCLUDE_DIR OUT.c

The declarations that cffi reads are the public headers themselves, without comments, preprocessor
lines and attributes, in the order in which they include each other."""
import re
import sys
from pathlib import Path

import cffi

# What the library calls back.
CALLBACKS = """
extern "Python" bool otherwise_progress(void *user, const ow_progress *progress);
extern "Python" void otherwise_log(void *user, ow_log_level level, const char *text);
extern "Python" bool otherwise_classify(void *user, size_t n_rows, const double *values,
                                        double *log_proba);
"""


def plain(text: str) -> str:
    """The declarations of one header."""
    text = re.sub(r"/\*.*?\*/", " ", text, flags=re.DOTALL)
    text = re.sub(r"#ifdef __cplusplus.*?#endif", "", text, flags=re.DOTALL)
    text = re.sub(r"#if defined\(__GNUC__\).*?#endif", "", text, flags=re.DOTALL)
    text = re.sub(r"^#define (\w+) +(\d+)$", r"enum { \1 = \2 };", text, flags=re.MULTILINE)
    text = re.sub(r"^#.*(?:\\\n.*)*$", "", text, flags=re.MULTILINE)
    return re.sub(r"\b(OW_API|OW_MUST_CHECK)\b", "", text)


def declarations(include: Path) -> str:
    """Those of otherwise.h and all that it includes, each header once."""
    parts: list[str] = []
    seen: set[str] = set()

    def take(name: str) -> None:
        if name in seen:
            return
        seen.add(name)
        text = (include / name).read_text(encoding="utf-8")
        for other in re.findall(r'#include "(otherwise/\w+\.h)"', text):
            take(other)
        parts.append(plain(text))

    take("otherwise/otherwise.h")
    return "\n".join(parts)


def main() -> None:
    include, out = map(Path, sys.argv[1:])
    ffi = cffi.FFI()
    ffi.cdef(declarations(include) + CALLBACKS)
    ffi.set_source("otherwise._library", "#include <otherwise/otherwise.h>")
    ffi.emit_c_code(str(out))


if __name__ == "__main__":
    main()
