#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What a structure of the circuit costs: training and explaining, in seconds of processor.

    bench/answers/structure_speed.py TABLE.csv --label NAME --target CLASS [--rows N] [--structures random,auto] [--program P]

Trains a model with each structure and explains the first N rows on one thread.  Printed for each: the processor time of training, explained rows a second of
processor, their mean changes, and how much is known of the answers' being the least (`least`).
"""
import argparse
import collections
import json
import resource
import subprocess
import sys
import tempfile


def run(program, *words):
    """What the program prints, and the processor time that it took."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run([program, *words], capture_output=True, text=True, check=False)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode not in (0, 1):
        sys.exit(done.stderr)
    return done.stdout, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("table")
    parser.add_argument("--label", required=True)
    parser.add_argument("--target", required=True)
    parser.add_argument("--rows", type=int, default=1000)
    parser.add_argument("--structures", default="random,auto")
    parser.add_argument("--program", default="build/release/otherwise")
    args = parser.parse_args()
    for structure in args.structures.split(","):
        with tempfile.TemporaryDirectory() as folder:
            model = f"{folder}/m.ow"
            _, training = run(args.program, "train", args.table, "--label", args.label, "--structure", structure, "-o", model, "--quiet")
            text, seconds = run(args.program, "explain", model, args.table, "--target", args.target, "--row", f"1-{args.rows}", "--threads", "1",
                                "--format", "json", "--quiet")
        answers = [r["counterfactuals"][0] for r in json.loads(text)["results"] if r["status"] == "found"]
        changes = sum(len(answer["changes"]) for answer in answers) / max(1, len(answers))
        least = collections.Counter(answer["least"] for answer in answers)
        print(f"{structure:8} trained in {training:.1f} s; {len(answers)} rows explained, {len(answers) / seconds:.0f} a second, {changes:.2f} changes; "
              + ", ".join(f"{word} {n}" for word, n in least.most_common()), flush=True)


if __name__ == "__main__":
    main()
