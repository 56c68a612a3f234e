#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What goes wrong while processes train together, and how they end.

    faults.py PROGRAM [--launcher sockets|openmpi|mpich] [--kills 10] [--seed 1]

Three processes train on four parts of a table made here.  Each line is one fault: the processes must all fail, leave
no model, and tell it once.  "told" is who told it: the program, in one sentence with these words, or, where a process
below mpirun was killed, the launcher.  Fails if a line does.

Over sockets the network is cut, too, between two network namespaces: both sides tell it, each with a sentence of its
own.  That is skipped where such cannot be made, which takes root.
"""
import argparse
import os
import random
import re
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests" / "team"))
from start_team import LAUNCHERS, end_team, start_team  # noqa: E402  (found through the line above)

SIZE, N_ROWS, N_PARTS = 3, 20000, 4
KILLED = re.compile(r"signal 9 \(Killed\)|Killed \(signal 9\)|process manager error")  # of Open MPI and MPICH
HEADER = "age,job,amount,risk\n"


def write_parts(folder):
    draw = random.Random(7)
    for part in range(N_PARTS):
        lines = [HEADER]
        for _ in range(N_ROWS // N_PARTS):
            age, job = draw.randrange(20, 70), draw.choice(("none", "part", "full"))
            bad = draw.random() < (0.7 if job == "none" else 0.2)
            lines.append(f"{age},{job},{draw.lognormvariate(7, 1):.2f},{'bad' if bad else 'good'}\n")
        (folder / f"part-{part}.csv").write_text("".join(lines))


def children_of(process):
    """Process ids that a process has started, and those that these have started."""
    found = []
    for child in Path(f"/proc/{process}/task/{process}/children").read_text().split():
        found += [int(child), *children_of(int(child))]
    return found


def ranks(team, launcher, program):
    """Process ids by rank; below a launcher they start in that order."""
    if launcher == "sockets":
        return [process.pid for process in team]
    while True:
        ids = []
        for child in sorted(children_of(team[0].pid)):
            try:
                if os.readlink(f"/proc/{child}/exe") == str(program):
                    ids.append(child)
            except FileNotFoundError:  # one that has just ended
                pass
        if len(ids) == SIZE:
            return ids
        if team[0].poll() is not None:
            sys.exit("the launcher ended before the processes were there")
        time.sleep(0.02)


def start(launcher, command):
    if launcher == "sockets":
        return start_team(SIZE, command)
    return [subprocess.Popen(LAUNCHERS[launcher] + [str(SIZE)] + command, stdout=subprocess.PIPE,
                             stderr=subprocess.PIPE, text=True)]


def try_fault(given, folder, model, words, kill=None):
    """One run.  kill is (rank, seconds) or None.  How it ended, in words, and whether it did as it should."""
    command = [str(given.program), "train", str(folder / "part-*.csv"), "--label", "risk", "--threads", "1", "--wait",
               "20", "-o", str(model)] + (["--tune", "--epochs", "300"] if kill else ["--epochs", "1"])
    team = start(given.launcher, command)
    began = time.monotonic()
    if kill:
        ids = ranks(team, given.launcher, given.program)
        time.sleep(kill[1])
        os.kill(ids[kill[0]], signal.SIGKILL)
        began = time.monotonic()
    said = end_team(team, seconds=600)
    seconds = time.monotonic() - began
    told = [line for _, _, err in said for line in err.splitlines()
            if line.startswith("otherwise: ") and "warning" not in line and "note" not in line]
    failed = all(code != 0 for code, _, _ in said)
    left = sorted(path.name for path in folder.iterdir() if ".ow" in path.name)
    if len(told) == 1 and all(word in told[0] for word in words):
        by = told[0].replace(str(folder) + "/", "")
    elif kill and len(told) <= 1 and any(KILLED.search(out + err) for _, out, err in said):
        by = "by the launcher"
    else:
        said = " ".join((out + err)[-300:] for _, out, err in said)
        by, failed = f"NOT ONE SENTENCE with {words}: {told} {said!r}", False
    return failed and not left, f"{seconds:5.1f} s  {'all ended, no file' if failed and not left else 'FAILED'}  {by}"


class Network:
    """Two namespaces joined by a cable: process 0 is in one, all others in the other."""

    def __init__(self):
        self.names = [f"ow{os.getpid()}{side}" for side in "ab"]
        self.where = "10.213.7.1:7000"

    @staticmethod
    def ip(*words):
        subprocess.run(["ip", *words], check=True, capture_output=True)

    def __enter__(self):
        try:
            for name in self.names:
                self.ip("netns", "add", name)
            self.ip("link", "add", self.names[0], "netns", self.names[0], "type", "veth", "peer", "name", self.names[1],
                    "netns", self.names[1])
            for i, name in enumerate(self.names):
                self.ip("-n", name, "address", "add", f"10.213.7.{i + 1}/24", "dev", name)
                self.ip("-n", name, "link", "set", name, "up")
        except (OSError, subprocess.CalledProcessError) as error:
            self.__exit__()
            self.names = []
            print(f"{'the network is cut':34} skipped: no network namespaces here ({error})", flush=True)
        return self

    def before(self, rank):
        return ["ip", "netns", "exec", self.names[min(rank, 1)]]

    def cut(self):
        self.ip("-n", self.names[0], "link", "set", self.names[0], "down")

    def __exit__(self, *what):
        for name in self.names:
            subprocess.run(["ip", "netns", "del", name], check=False, capture_output=True)


def try_cut(given, folder, seconds):
    """Whether a cut network ends all processes, with one sentence on each side that names one of the other."""
    with Network() as network:
        if not network.names:
            return True
        command = [str(given.program), "train", str(folder / "part-*.csv"), "--label", "risk", "--threads", "1", "--wait",
                   "5", "-o", str(folder / "m.ow"), "--tune", "--epochs", "300"]
        team = start_team(SIZE, command, where=network.where, before=[network.before(rank) for rank in range(SIZE)])
        time.sleep(seconds)
        network.cut()
        began = time.monotonic()
        said = end_team(team, seconds=600)
    took = time.monotonic() - began
    told = [[line for line in err.splitlines() if line.startswith("otherwise: ") and "warning" not in line
             and "note" not in line] for _, _, err in said]
    left = [path.name for path in folder.iterdir() if ".ow" in path.name]
    sides = told[0], told[1] + told[2]
    holds = all(code != 0 for code, _, _ in said) and not left and all(len(side) == 1 for side in sides) and any(
        f"process {rank} of 3" in sides[0][0] for rank in (1, 2)) and "process 0 of 3" in sides[1][0]
    how = f"{sides[0][0]} / {sides[1][0]}" if holds else f"NOT ONE SENTENCE on each side: {told}"
    print(f"{f'the network is cut after {seconds:.2f} s':34} {took:5.1f} s  "
          f"{'all ended, no file' if holds else 'FAILED'}  {how}", flush=True)
    return holds


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("program", type=lambda path: Path(path).resolve())
    arguments.add_argument("--launcher", choices=("sockets", *LAUNCHERS), default="sockets")
    arguments.add_argument("--kills", type=int, default=10)
    arguments.add_argument("--seed", type=int, default=1)
    given = arguments.parse_args()
    draw, good = random.Random(given.seed), True
    with tempfile.TemporaryDirectory(prefix="ow-faults-") as name:
        folder = Path(name)
        model, last = folder / "m.ow", folder / f"part-{N_PARTS - 1}.csv"

        def line(fault, words, where=model, kill=None):
            nonlocal good
            holds, how = try_fault(given, folder, where, words, kill)
            good &= holds
            print(f"{fault:34} {how}", flush=True)

        write_parts(folder)
        for i in range(given.kills):
            rank, at = i % SIZE, 0.05 + 2.0 * draw.random()
            line(f"kill -9 of process {rank} after {at:.2f} s", [f"process {rank} of {SIZE}"], kill=(rank, at))
        whole = last.read_text()
        last.write_text(whole.replace("\n", "\nno,row\n", 1))
        line("a ragged line", ["part-3.csv:2"])
        last.write_text(whole.replace("age", "years", 1))
        line("another header", ["part-3.csv", "years"])
        last.unlink()
        last.symlink_to(folder / "nowhere")
        line("a part that is not there", ["part-3.csv"])
        last.unlink()
        last.write_text(whole)
        line("a full disk at process 0", ["/dev/full"], where=Path("/dev/full"))
        for _ in range(2 if given.launcher == "sockets" else 0):
            good &= try_cut(given, folder, 1.0 + 2.0 * draw.random())
    sys.exit(0 if good else "a fault did not end as it should")


if __name__ == "__main__":
    main()
