#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs the program as people do, and compares what it says with what is written down.

    run.py --program PROGRAM --data FOLDER [--models FOLDER] [--accept] CASE.sh ...

A case is a script for sh.  Beside it stands what it must print and end with:

    CASE.sh.stdout.exact   these bytes, or
    CASE.sh.stdout.glob    these lines, in which * is any text and a line ... any lines
    CASE.sh.stderr.exact, CASE.sh.stderr.glob
    CASE.sh.exit           the exit code

A file that is not there means: prints nothing, ends with 0.  The script runs in an empty folder of its own,
with OTHERWISE (the program), DATA (the repository's data folder), SUPPORT (tests/support), with --models
MODELS (tests/support/loans.sh) and, if the caller has OTHERWISE_DATA, PUBLISHED (that folder of data sets) set
and the rest of the environment bare.  What it
leaves running ends with it.  One that ends with 77 cannot run here and is skipped, its last line on standard
error being the reason.  --accept rewrites what does not agree.

A case does not look at the clock, since nobody knows how busy the machine is: what has to happen at some
moment of a run waits for that moment (tests/support/interrupt.py).
"""
import argparse
import os
import select
import signal
import subprocess
import sys
import tempfile
import threading
from pathlib import Path

SUPPORT = Path(__file__).resolve().parents[1] / "support"
sys.path.insert(0, str(SUPPORT))
from expected_lines import lines_match  # noqa: E402  (found through the line above)

SKIPPED = 77
TIMED_OUT = 124
TIME_LIMIT = 1500  # for what hangs, not for what a busy machine is slow with
# What the sanitizers and the loader need to know; nothing else of the caller's environment matters.
PASSED_ON = ("PATH", "LD_LIBRARY_PATH", "ASAN_OPTIONS", "LSAN_OPTIONS", "UBSAN_OPTIONS",
             "TSAN_OPTIONS")


def run_case(case, program, data, models):
    """The case's exit code, standard output and standard error."""
    with tempfile.TemporaryDirectory(prefix="ow-cli-") as folder:
        work = Path(folder) / "work"
        home = Path(folder) / "home"
        work.mkdir()
        home.mkdir()
        environment = {name: os.environ[name] for name in PASSED_ON if name in os.environ}
        environment.update(OTHERWISE=str(program), DATA=str(data), HOME=str(home),
                           TMPDIR=folder, SUPPORT=str(SUPPORT))
        if models is not None:
            environment["MODELS"] = str(models)
        if "OTHERWISE_DATA" in os.environ:
            environment["PUBLISHED"] = os.path.abspath(os.environ["OTHERWISE_DATA"])
        return run_script(case, work, environment)


def run_script(case, work, environment):
    """In a session of its own, so that whatever the script leaves behind is ended with it: that might hold its
    output open, and would be waited for."""
    said = {}
    with subprocess.Popen(["sh", str(case)], cwd=work, env=environment, stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          start_new_session=True) as script:
        listeners = [threading.Thread(target=lambda pipe=pipe: said.update({pipe: pipe.read()}))
                     for pipe in (script.stdout, script.stderr)]
        for listener in listeners:
            listener.start()
        has_ended = wait_for_end(script.pid)
        os.killpg(script.pid, signal.SIGKILL)  # nobody has asked for its exit code yet: the number is still its own
        for listener in listeners:
            listener.join()
        script.wait()
        if not has_ended:
            return TIMED_OUT, b"", f"not done after {TIME_LIMIT} seconds\n".encode()
        return script.returncode, said[script.stdout], said[script.stderr]


def wait_for_end(pid):
    """Whether the process has ended by the time limit."""
    handle = os.pidfd_open(pid)
    try:
        return bool(select.select([handle], [], [], TIME_LIMIT)[0])
    finally:
        os.close(handle)


def beside(case, ending):
    return case.with_name(case.name + ending)


def expectation(case, stream):
    """The file that says what the stream must be, its bytes, and whether the bytes are a pattern."""
    for kind in ("exact", "glob"):
        path = beside(case, f".{stream}.{kind}")
        if path.exists():
            return path, path.read_bytes(), kind == "glob"
    return None, b"", False


def agrees(want, is_pattern, got):
    if not is_pattern:
        return want == got
    try:
        return lines_match(want.decode().splitlines(), got.decode().splitlines(), "*")
    except UnicodeDecodeError:
        return False


def indented(text):
    return "".join(f"    {line}\n" for line in text.decode(errors="replace").splitlines())


def accept(case, stream, path, got):
    if not got:
        if path is not None:
            path.unlink()
        return
    if path is None:
        path = beside(case, f".{stream}.exact")
    path.write_bytes(got)


def check_case(case, program, data, models, accepting):
    """0 if the case is as written down, 1 if not, 77 if it cannot run here."""
    code, *streams = run_case(case, program, data, models)
    if code == SKIPPED:
        print(f"skipped: {streams[1].decode(errors='replace').strip()}")
        return SKIPPED
    result = 0
    for stream, got in zip(("stdout", "stderr"), streams):
        path, want, is_pattern = expectation(case, stream)
        if agrees(want, is_pattern, got):
            continue
        if accepting:
            accept(case, stream, path, got)
            continue
        result = 1
        print(f"{case}: {stream} is not {path.name if path else 'empty'}; expected\n"
              f"{indented(want)}  got\n{indented(got)}", end="")
    exit_path = beside(case, ".exit")
    want_code = int(exit_path.read_text()) if exit_path.exists() else 0
    if code != want_code and accepting:
        if code == 0:
            exit_path.unlink()
        else:
            exit_path.write_text(f"{code}\n")
    elif code != want_code:
        result = 1
        print(f"{case}: ended with {code}, expected {want_code}; standard error was\n"
              f"{indented(streams[1])}", end="")
    return result


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--program", type=Path, required=True)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--models", type=Path)
    parser.add_argument("--accept", action="store_true")
    parser.add_argument("cases", type=Path, nargs="+", metavar="CASE.sh")
    arguments = parser.parse_args()
    program, data = arguments.program.resolve(), arguments.data.resolve()
    models = arguments.models.resolve() if arguments.models else None
    results = [check_case(case.resolve(), program, data, models, arguments.accept)
               for case in arguments.cases]
    if 1 in results:
        return 1
    return SKIPPED if SKIPPED in results else 0


if __name__ == "__main__":
    sys.exit(main())
