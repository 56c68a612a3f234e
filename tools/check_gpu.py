#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs what needs a GPU, from a folder of programs that tools/pack_programs.sh has made.

    check_gpu.py PROGRAMS [--plugin FILE] [--data FOLDER] [--out FOLDER] [--seconds N] [--only PART,PART] [--cases N] [--rehearse]

The parts: checks (every kernel and the pass against ref, golden circuits), speed (bench_device, bench_gpu), whole (train, predict and
explain on MNIST beside the processor's; ten runs, same bytes), profile (ncu), slow (compute-sanitizer), reproduce
(reproduce mnist --quick on both).  A part that fails or takes too long does not keep the others from running.  OUT/log.txt has everything that was printed, part after part,
OUT/summary.txt the table that is printed at the end.  --data: the folder with mnist/, for what reads it.  --rehearse: little work, for a
device that is emulated.  Ends with 1 if anything failed.
"""
import argparse
import concurrent.futures
import gzip
import hashlib
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

SOURCES = Path(__file__).resolve().parent.parent
KERNELS = ("leaf_forward leaf_backward leaf_statistics normalize sum_forward sum_backward "
           "root_forward root_backward tree_forward tree_backward").split()
DIGITS = (1, 3, 4, 7, 8)
TRAINING_ROWS, QUERIES = 24576, 4000


class Runner:
    """Commands with time limits, their output in one log, and a line about each for the summary."""

    def __init__(self, arguments):
        self.out = arguments.out
        self.end = time.monotonic() + arguments.seconds
        self.lines = []
        self.failed = 0
        self.log = open(self.out / "log.txt", "w", encoding="utf-8", errors="replace")

    def left(self):
        return self.end - time.monotonic()

    def note(self, line, ok=True):
        self.failed += not ok
        self.lines.append(line)
        print(line, flush=True)
        (self.out / "summary.txt").write_text("\n".join(self.lines) + "\n", encoding="utf-8")

    def command(self, name, command, limit, environment=None):
        """(exit code, None where it took too long; seconds; output)"""
        limit = min(limit, self.left())
        start = time.monotonic()
        if limit <= 0:
            return None, 0.0, "not begun: no time is left\n"
        with tempfile.TemporaryFile() as output:
            try:
                process = subprocess.Popen([str(word) for word in command], stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT,
                                           env={**os.environ, **(environment or {})}, start_new_session=True)
            except OSError as error:
                return 127, 0.0, f"{error}\n"
            try:
                code = process.wait(timeout=limit)
            except subprocess.TimeoutExpired:
                code = None
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()
            seconds = time.monotonic() - start
            output.seek(0)
            return code, seconds, output.read().decode("utf-8", "replace")

    def write(self, name, command, code, seconds, text):
        self.log.write(f"\n==== {name}: {' '.join(map(str, command))}\n{text}==== ended with {code} after {seconds:.2f} s\n")
        self.log.flush()

    def run(self, name, command, limit, environment=None, accept=(0,), quiet=False):
        """The output, or None where it failed, which the summary says."""
        code, seconds, text = self.command(name, command, limit, environment)
        self.write(name, command, code, seconds, text)
        self.tell(name, code, seconds, text, accept, quiet)
        return text if code in accept else None

    def tell(self, name, code, seconds, text, accept=(0,), quiet=False):
        if code in accept:
            if not quiet:
                self.note(f"ok      {name:44} {seconds:6.2f} s")
            return
        last = [line for line in text.splitlines() if line.strip()][-4:]
        how = "TOO LONG" if code is None else "SKIPPED" if code == 77 else f"FAILED {code}"
        self.note(f"{how:7} {name:44} {seconds:6.2f} s  " + " | ".join(last)[:300], ok=False)

    def all(self, jobs, n_workers):
        """[(name, command, limit, environment)], several at once."""
        def one(job):
            name, command, limit, environment = job
            return job, self.command(name, command, limit, environment)
        with concurrent.futures.ThreadPoolExecutor(n_workers) as pool:
            for job, (code, seconds, text) in pool.map(one, jobs):
                self.write(job[0], job[1], code, seconds, text)
                self.tell(job[0], code, seconds, text)
                yield job[0], code, text


def tool(name):
    """A program of CUDA's, on the PATH or where the toolkit usually is."""
    for folder in (None, "/usr/local/cuda/bin", "/opt/cuda/bin"):
        found = shutil.which(name, path=folder)
        if found:
            return found
    return name


def checks(runner, a):
    """Every kernel against ref, the pass against ref, golden circuits through the program."""
    jobs = [(f"kernel {k}", [a.programs / f"kernels/check_{k}", "--device", a.plugin, *(["--cases", "4"] if a.rehearse else [])], 60, None)
            for k in KERNELS]
    if not a.rehearse:
        jobs.append(("unit device_pass", [a.programs / "tests/unit_circuit", "device_pass"], 60, {"OTHERWISE_GPU_PLUGIN": str(a.plugin)}))
    for circuit in sorted((SOURCES / "tests/golden/circuits").glob("*.json")):
        for script in ("check_import", "check_two_step"):
            jobs.append((f"golden {script} {circuit.stem}",
                         [sys.executable, "-B", SOURCES / f"tests/golden/{script}.py", "--program", a.programs / "otherwise",
                          "--backend", f"cuda:{a.plugin}", circuit], 60, None))
    for _ in runner.all(jobs, 2 if a.rehearse else 12):
        pass


def speed(runner, a):
    """bench_device and bench_gpu, whose tables go to the summary."""
    for name, extra in (("bench_device", ["64"] if a.rehearse else []), ("bench_gpu", [])):
        if a.rehearse and name == "bench_gpu":
            continue
        command = [a.programs / "bench" / name, f"cuda:{a.plugin}", *extra]
        code, seconds, text = runner.command(name, command, 40)
        runner.write(name, command, code, seconds, text)
        runner.tell(name, code, seconds, text)
        for line in text.splitlines():  # what there is of it, if it failed
            runner.note("        " + line)


def write_idx(path, header, rows):
    with open(path, "wb") as file:
        file.write(header)
        file.writelines(rows)


def digits(a, which, most, folder):
    """Uncompressed IDX files of the first rows of some digits: images and labels."""
    def opened(kind):
        return gzip.open(a.data / "mnist" / f"{which}-{kind}-ubyte.gz", "rb").read()
    labels, images = opened("labels-idx1")[8:], opened("images-idx3")
    size = 28 * 28
    chosen = [i for i, label in enumerate(labels) if label in DIGITS][:most]
    number = len(chosen).to_bytes(4, "big")
    paths = folder / f"{which}-images.idx", folder / f"{which}-labels.idx"
    write_idx(paths[0], images[:4] + number + images[8:16], (images[16 + i * size:16 + (i + 1) * size] for i in chosen))
    write_idx(paths[1], bytes((0, 0, 8, 1)) + number, (labels[i:i + 1] for i in chosen))
    return paths


def sum_of(path):
    """Of a file without the times that documents tell."""
    if not path.exists():
        return "nothing"
    return hashlib.sha256(re.sub(rb'"time_ms": *[-+.0-9e]+', b"", path.read_bytes())).hexdigest()[:16]


def numbers(text):
    return [float(x) for x in re.findall(r"-?\d+\.\d+(?:e-?\d+)?", text)]


def whole(runner, a):
    """train, predict and explain on MNIST: how long, whether as the processor's, whether the same bytes again."""
    if a.data is None or not (a.data / "mnist").is_dir():
        runner.note("SKIPPED whole calls: no mnist/ in --data", ok=False)
        return
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        n, queries = (512, 40) if a.rehearse else (TRAINING_ROWS, QUERIES)
        images, labels = digits(a, "train", n, folder)
        asked, asked_labels = digits(a, "t10k", queries, folder)
        program, gpu = a.programs / "otherwise", f"cuda:{a.plugin}"
        same = ["--circuit", "shared", "--leaf", "gaussian", "--repetitions", "19", "--inputs", "20", "--depth", "1", "--structure", "random",
                "--test-share", "0", "--discriminative", "0", "--quiet"]

        def train(backend, out, *more):
            return [program, "train", images, "--labels", labels, "-o", folder / out, "--backend", backend, *same, *more]

        passes = "1" if a.rehearse else "12"
        if not a.rehearse:  # what is not a pass
            runner.run(f"train {n} rows, 1 pass, batch 0, gpu", train(gpu, "one.ow", "--epochs", "1", "--batch", "0"), 60)
        for batch in ("0", "2048"):
            for backend, out in ((gpu, "gpu"), (gpu, "again"), ("cpu", "cpu")):
                if out == "again" and a.rehearse or out == "cpu" and batch != "0":
                    continue
                runner.run(f"train {n} rows, {passes} passes, batch {batch}, {out}",
                           train(backend, f"{out}{batch}.ow", "--epochs", passes, "--batch", batch), 60)
        predict = [program, "predict", folder / "cpu0.ow", asked, "--labels", asked_labels]
        found = {}
        for backend, out in ((gpu, "gpu"), ("cpu", "cpu")):
            for model in ("gpu0", "cpu0"):
                predict[2] = folder / f"{model}.ow"
                found[out, model] = runner.run(f"predict {queries} rows by {model}.ow on {out}", [*predict, "--backend", backend], 30) or ""
        for model in ("gpu0", "cpu0"):
            x, y = numbers(found["gpu", model]), numbers(found["cpu", model])
            most = max((abs(p - q) / max(1.0, abs(q)) for p, q in zip(x, y)), default=-1.0)
            runner.note(f"        predict {model}: {len(x)} and {len(y)} numbers printed, largest relative difference {most:.2g}",
                        ok=len(x) == len(y) > 0 and most < 1e-3)
        explain = [program, "explain", folder / "cpu0.ow", asked, "--target", "8", "--method", "two-step", "--format", "json", "--quiet"]
        for backend, out in ((gpu, "gpu"), (gpu, "again"), ("cpu", "cpu")):
            runner.run(f"explain {queries} rows by two-step on {out}", [*explain, "--backend", backend, "-o", folder / f"{out}.json"], 60, accept=(0, 1))
        compare_answers(runner, folder)
        again(runner, a, folder, train, explain, gpu)


def compare_answers(runner, folder):
    try:
        documents = [json.loads((folder / f"{name}.json").read_text(encoding="utf-8"))["results"] for name in ("gpu", "cpu")]
    except (OSError, ValueError, KeyError) as error:
        runner.note(f"FAILED  answers on GPU and processor: {error}", ok=False)
        return
    counts = [sum(result.get("outcome") == "found" or bool(result.get("counterfactuals")) for result in results) for results in documents]
    differing, most = 0, 0.0
    for got, want in zip(*documents):
        x, y = ([answer.get("encoded", []) for answer in result.get("counterfactuals", [])] for result in (got, want))
        differing += len(x) != len(y)
        for p, q in zip(x, y):
            most = max([most, *(abs(u - v) for u, v in zip(p, q) if u is not None and v is not None)])
    runner.note(f"        two-step: {counts[0]} answers on the GPU, {counts[1]} on the processor, {differing} rows differ in their number; "
                f"largest difference of a value {most:.2g}")


def again(runner, a, folder, train, explain, gpu):
    """Ten runs, several at once: the same bytes, and processes that share a GPU."""
    n = 2 if a.rehearse else 10
    jobs = [(f"train again {i}", train(gpu, f"same{i}.ow", "--epochs", "1", "--batch", "2048"), 60, None) for i in range(n)]
    jobs += [(f"explain again {i}", [*explain, "--backend", gpu, "--row", "1-2000", "-o", folder / f"same{i}.json"], 60, None) for i in range(n)]
    # explain ends with 1 where a row has no answer; what counts is the bytes.
    with concurrent.futures.ThreadPoolExecutor(5) as pool:
        for job, (code, seconds, text) in pool.map(lambda job: (job, runner.command(*job)), jobs):
            runner.write(job[0], job[1], code, seconds, text)
    for kind in ("ow", "json"):
        sums = {sum_of(folder / f"same{i}.{kind}") for i in range(n)}
        runner.note(f"{'ok' if len(sums) == 1 and 'nothing' not in sums else 'FAILED':7} {n} runs, five at once, .{kind}: "
                    f"{len(sums)} different files {' '.join(sorted(sums))}", ok=len(sums) == 1 and "nothing" not in sums)


def figures(folder):
    """What `reproduce` has written about methods and models: densities, success, accuracy."""
    tables = [Path(folder) / f"{name}.csv" for name in ("results", "ablation")]
    return [line for table in tables for line in (table.read_text().splitlines() if table.is_file() else [f"no {table.name}"])]


def reproduce(runner, a):
    """`reproduce mnist --quick` on GPU and processor, at once."""
    if a.data is None:
        return
    with tempfile.TemporaryDirectory() as folder:
        jobs = [(f"reproduce mnist --quick on {out}",
                 [a.programs / "otherwise", "reproduce", "mnist", "--quick", "--data", a.data, "--backend", backend, "--threads", "8",
                  "-o", Path(folder) / out], 240, None) for backend, out in ((f"cuda:{a.plugin}", "GPU"), ("cpu", "processor"))]
        for _ in runner.all(jobs, 2):
            pass
        for out in ("GPU", "processor"):
            for line in figures(Path(folder) / out):
                runner.note(f"        {out}: {line}")


def slow(runner, a):
    """compute-sanitizer over a few cases of every kernel and over a pass."""
    name = tool("compute-sanitizer")
    jobs = []
    for kind, cases in (("memcheck", a.cases), ("racecheck", a.cases)):
        options = [name, "--tool", kind, "--error-exitcode", "9", "--print-limit", "5"]
        if kind == "memcheck":
            options += ["--leak-check", "full"]
        for k in KERNELS:
            jobs.append((f"{kind} {k}", [*options, a.programs / f"kernels/check_{k}", "--device", a.plugin, "--cases", cases], 45, None))
    jobs.append(("memcheck device_pass", [name, "--tool", "memcheck", "--leak-check", "full", "--error-exitcode", "9", "--print-limit", "5",
                                          a.programs / "tests/unit_circuit", "device_pass"], 45, {"OTHERWISE_GPU_PLUGIN": str(a.plugin)}))
    for tool_kind in ("initcheck", "synccheck"):
        jobs.append((f"{tool_kind} sum_backward", [name, "--tool", tool_kind, "--error-exitcode", "9", "--print-limit", "5",
                                                   a.programs / "kernels/check_sum_backward", "--device", a.plugin, "--cases", a.cases], 45, None))
    jobs.sort(key=lambda job: "device_pass" not in job[0])
    for done, code, text in runner.all(jobs, 2 if a.rehearse else 16):
        for line in text.splitlines():
            if "ERROR SUMMARY" in line or "RACECHECK SUMMARY" in line or "LEAK SUMMARY" in line:
                if " 0 " not in line:
                    runner.note(f"        {done}: {line.strip()}")


def profile(runner, a):
    """ncu over one launch of each kernel that matters: why it is as fast as it is."""
    wanted = "leaf_up_20|leaf_down_20|leaf_tile_20|moments|pair_up_20|pair_down_20|rows_in|rows_out|add_slices|totals|seeds"
    sections = "SpeedOfLight Occupancy WarpStateStats SchedulerStats LaunchStats MemoryWorkloadAnalysis".split()
    command = [tool("ncu"), "--clock-control", "none", *(word for s in sections for word in ("--section", s)),
               "--kernel-name", f"regex:{wanted}", a.programs / "bench/bench_device", f"cuda:{a.plugin}", "17385", "once"]
    text = runner.run("ncu", command, 30)
    for line in (text or "").splitlines():
        if re.search(r"^\s+\w+ \(\d+, \d+, \d+\)x|Duration|SM Throughput|Memory Throughput +%|L1/TEX Cache Throughput|"
                     r"Registers Per|Achieved Occ|Executed Ipc Active|No Eligible", line):
            runner.note("        " + re.sub(r"\s+", " ", line.strip()))


PARTS = {"checks": checks, "speed": speed, "whole": whole, "profile": profile, "slow": slow, "reproduce": reproduce}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("programs", type=Path)
    parser.add_argument("--plugin", type=Path)
    parser.add_argument("--data", type=Path)
    parser.add_argument("--out", type=Path, default=Path("gpu-report"))
    parser.add_argument("--seconds", type=float, default=600.0)
    parser.add_argument("--only", default=",".join(PARTS))
    parser.add_argument("--cases", default="8", help="cases of each kernel that compute-sanitizer looks at")
    parser.add_argument("--rehearse", action="store_true")
    a = parser.parse_args()
    a.programs, a.out = a.programs.resolve(), a.out.resolve()
    a.plugin = (a.plugin or a.programs / "libotherwise-cuda.so").resolve()
    a.out.mkdir(parents=True, exist_ok=True)
    runner = Runner(a)
    if not a.rehearse:
        runner.run("nvidia-smi", ["nvidia-smi", "--query-gpu=name,driver_version,memory.total,clocks.sm,clocks.mem", "--format=csv"], 20, quiet=True)
    for part in a.only.split(","):
        start = time.monotonic()
        try:
            PARTS[part](runner, a)
        except Exception as error:  # noqa: BLE001: the other parts matter more
            runner.note(f"FAILED  {part}: {type(error).__name__}: {error}", ok=False)
        runner.note(f"-- {part}: {time.monotonic() - start:.1f} s, {max(0.0, runner.left()):.0f} s left")
    runner.note(f"{runner.failed} failed")
    return 1 if runner.failed else 0


if __name__ == "__main__":
    sys.exit(main())
