#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The user guide of the Python package as a static site: make_site.py OUT_FOLDER

Runs the notebooks of doc/notebooks from clean kernels and writes each as a page, with doc/python.md
before them and an index.  Every page stands alone: no request goes anywhere.  Ends with 1, and
prints the cell, where a notebook fails.  Needs nbconvert, ipykernel and what the notebooks import."""
import pathlib
import re
import resource
import sys
import time

import nbconvert
import nbformat
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError
from nbconvert.filters import markdown2html

ROOT = pathlib.Path(__file__).resolve().parent.parent
STYLE = ("body{font:16px/1.5 system-ui,sans-serif;max-width:46rem;margin:2rem auto;padding:0 1rem}"
         "pre{overflow:auto;padding:.7rem;background:#8881}"
         "@media(prefers-color-scheme:dark){body{background:#111;color:#ddd}a{color:#8bf}}")


def page(title, body):
    return (f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
            f'<meta name="viewport" content="width=device-width"><title>{title}</title>'
            f"<style>{STYLE}</style></head>\n<body>{body}</body></html>\n")


def title_of(notebook):
    return re.match(r"# (.*)", notebook.cells[0].source)[1]


def run(path):
    """The notebook with its outputs; its folder is where it runs."""
    notebook = nbformat.read(path, as_version=4)
    NotebookClient(notebook, timeout=300, resources={"metadata": {"path": str(path.parent)}}).execute()
    return notebook


def kernel_seconds():
    """Processor time of the kernels that have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def main():
    out = pathlib.Path(sys.argv[1])
    out.mkdir(parents=True, exist_ok=True)
    exporter = nbconvert.HTMLExporter(embed_images=True)
    exporter.mathjax_url = exporter.require_js_url = ""
    lines = ['<li><a href="guide.html">Guide</a></li>']
    for path in sorted((ROOT / "doc" / "notebooks").glob("*.ipynb")):
        began, used = time.perf_counter(), kernel_seconds()
        try:
            notebook = run(path)
        except CellExecutionError as error:
            print(f"{path.name} fails:\n{error}")
            return 1
        body, _ = exporter.from_notebook_node(notebook, {"metadata": {"name": title_of(notebook)}})
        body = re.sub(r"<script.*?</script>", "", body, flags=re.DOTALL)
        (out / f"{path.stem}.html").write_text(body, encoding="utf-8")
        lines.append(f'<li><a href="{path.stem}.html">{title_of(notebook)}</a></li>')
        print(f"{path.name}: {time.perf_counter() - began:.1f} s, {kernel_seconds() - used:.1f} s of processor", flush=True)
    guide = (ROOT / "doc" / "python.md").read_text(encoding="utf-8")
    (out / "guide.html").write_text(page("otherwise in Python", markdown2html(guide)), encoding="utf-8")
    index = page("otherwise", f"<h1>otherwise in Python</h1><ul>{''.join(lines)}</ul>")
    (out / "index.html").write_text(index, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
