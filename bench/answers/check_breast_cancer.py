#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Whether area, perimeter and radius go together in answers as they do in real rows.

    bench/answers/check_breast_cancer.py [TABLE.csv] [--label NAME] [--program P] [--methods A,B]

Without a table, scikit-learn's Breast cancer (installed into build/answers-python).  A line log y = a + b log radius is fitted for area and perimeter, of the mean and of the
worst cells; printed is the share of rows, and of answers to all rows, more than 3 standard deviations off it.  The aim is at most 2 %; exit code 1 says that it is
missed."""
import argparse
import sys
import tempfile

import answers_environment

answers_environment.enter()

import json  # noqa: E402
import pathlib  # noqa: E402
import subprocess  # noqa: E402

import numpy  # noqa: E402
import pandas  # noqa: E402


def read(args):
    if args.table:
        return pandas.read_csv(args.table)
    from sklearn.datasets import load_breast_cancer
    data = load_breast_cancer(as_frame=True)
    rows = data.frame.rename(columns=lambda name: name.replace(" ", "_"))
    rows["target"] = rows["target"].map({0: "malignant", 1: "benign"})
    return rows


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("table", nargs="?")
    parser.add_argument("--label", default="target")
    parser.add_argument("--program", default="build/release/otherwise")
    parser.add_argument("--methods", default="guided")
    args = parser.parse_args()
    rows, lines, missed = read(args), [], 0
    for group in ("mean", "worst"):
        for what in ("area", "perimeter"):
            x, y = numpy.log(rows[f"{group}_radius"]), numpy.log(rows[f"{group}_{what}"])
            b, a = numpy.polyfit(x, y, 1)
            lines.append((f"{group}_{what}", f"{group}_radius", a, b, float((y - a - b * x).std())))

    def beyond(frame):
        return numpy.array([[abs(numpy.log(frame[y]) - a - b * numpy.log(frame[x])) > 3 * s for y, x, a, b, s in lines]]).reshape(len(lines), -1)

    print(f"{'':22s} {'answers':>8s} " + " ".join(f"{y:>16s}" for y, *_ in lines))
    real = beyond(rows).mean(axis=1)
    print(f"{'real rows':22s} {len(rows):8d} " + " ".join(f"{x:16.4f}" for x in real))
    with tempfile.TemporaryDirectory() as folder:
        table, model = pathlib.Path(folder, "rows.csv"), pathlib.Path(folder, "m.ow")
        rows.to_csv(table, index=False)
        subprocess.run([args.program, "train", table, "--label", args.label, "-o", model, "--quiet"], check=True, capture_output=True)
        for method in args.methods.split(","):
            done = subprocess.run([args.program, "explain", model, table, "--method", method, "--format", "json", "--background", table, "--surer", "off", "--quiet"],
                                  capture_output=True, text=True, check=False)
            if done.returncode not in (0, 1):
                sys.exit(done.stderr)
            found = [r for r in json.loads(done.stdout)["results"] if r["status"] == "found"]
            got = beyond(pandas.DataFrame([r["counterfactuals"][0]["values"] for r in found])).mean(axis=1)
            moved = numpy.mean([len(r["counterfactuals"][0]["changes"]) for r in found])
            bad = any(g > 0.02 for g in got)
            missed += bad
            print(f"{method:22s} {len(found):8d} " + " ".join(f"{x:16.4f}" for x in got) + f"  changes {moved:.2f}" + ("  MISSED" if bad else ""), flush=True)
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
