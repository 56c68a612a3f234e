#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""One model file from several processes, and what it takes.

    together.py PROGRAM [--launcher sockets|openmpi|mpich] [--processes 1,2,3] [--threads 1,2] -- train DATA ...
    together.py PROGRAM [--launcher ...] --rounds 5 -- train DATA ...

Trains with each number of processes and threads; prints a line for each and fails unless all files are the same.
Processor seconds are those of all processes together; sent is what process 0 has told all others.

With --rounds, two processes of one thread and one process of two threads in turn, so many times; at the end the best
of each, and how fast the processes are in terms of the threads, by the clock and by the processor.
"""
import argparse
import hashlib
import os
import re
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests" / "team"))
from start_team import LAUNCHERS, end_team, start_team  # noqa: E402  (found through the line above)


def run(launcher, size, command):
    """Standard error of all; fails as they do."""
    if launcher == "sockets":
        said = end_team(start_team(size, command), seconds=None)
        code, errors = max(code for code, _, _ in said), "".join(err for _, _, err in said)
    else:
        done = subprocess.run(LAUNCHERS[launcher] + [str(size)] + command, capture_output=True, text=True)
        code, errors = done.returncode, done.stderr
    if code != 0:
        sys.exit(f"{launcher}, {size} processes: exit code {code}\n{errors}")
    return errors


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("program", type=Path)
    arguments.add_argument("--launcher", choices=("sockets", *LAUNCHERS), default="sockets")
    arguments.add_argument("--processes", default="1,2,3")
    arguments.add_argument("--threads", default="1")
    arguments.add_argument("command", nargs="+", help="train DATA and its options, without -o")
    arguments.add_argument("--rounds", type=int, default=0)
    given = arguments.parse_args()
    runs = [(size, threads) for size in map(int, given.processes.split(",")) for threads in given.threads.split(",")]
    if given.rounds:
        runs = [(2, "1"), (1, "2")] * given.rounds
    best = {}
    print(f"{'processes':>9} {'threads':>7} {'seconds':>8} {'processor s':>11} {'most MB':>8} {'exchanges':>9}"
          f" {'sent MB':>8}  file", flush=True)
    seen = set()
    with tempfile.TemporaryDirectory(prefix="ow-together-") as folder:
        model = os.path.join(folder, "m.ow")
        for size, threads in runs:
            before, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
            errors = run(given.launcher, size, [str(given.program.resolve()), *given.command, "-o", model,
                                                "--threads", threads, "--count-bytes", "--wait", "3600"])
            after, seconds = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic() - began
            spent = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
            told = re.search(r"(\d+) exchanges, (\d+) bytes", errors)
            n, sent = map(int, told.groups()) if told else (0, 0)
            digest = hashlib.sha256(Path(model).read_bytes()).hexdigest()
            seen.add(digest)
            print(f"{size:9} {threads:>7} {seconds:8.1f} {spent:11.1f} {after.ru_maxrss / 1024:8.0f} {n:9}"
                  f" {sent / 1e6:8.1f}  {digest[:16]}", flush=True)
            os.remove(model)
            least = best.get(size, (seconds, spent))
            best[size] = min(seconds, least[0]), min(spent, least[1])
    if given.rounds:
        clock, processor = (best[1][i] / best[2][i] for i in range(2))
        print(f"two processes are {clock:.2f} times as fast as two threads by the clock, {processor:.2f} by the processor")
    if len(seen) != 1:
        sys.exit("not one and the same file")


if __name__ == "__main__":
    main()
