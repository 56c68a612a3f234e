#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Whether answers keep the arithmetic of a table of loans.

    bench/answers/check_loan.py LOAN_CLEAN.csv [--program P] [--rows N] [--methods A,B]

The table has income, amount, term_months, rate_pct, monthly_payment (an annuity of the three before it), dti (1200 monthly_payment / income, one decimal), a label
`approved` and others.  A model is trained, and rows are explained by each method with the table as a background: once with the relations that training has found, once with both
columns declared by --derive.  Printed: the share of answers in which dti is what it should be to its rounding, in which the payment is within 10 % of the annuity, and in which it is
the annuity to the cent.  Exit code 1 where one of the aims, .98 and .98, and 1 for both declared, is missed."""
import argparse
import csv
import json
import pathlib
import subprocess
import sys
import tempfile

DERIVED = ("monthly_payment = round(amount * rate_pct / 1200 / (1 - (1 + rate_pct / 1200) ^ (0 - term_months)), 2)",
           "dti = round(1200 * monthly_payment / income, 1)")


def shares(program, model, table, rows, words, target):
    done = subprocess.run([program, "explain", model, table, "--target", target, "--format", "json", "--background", table, "--row", f"1-{rows}", "--surer", "off",
                           *words], capture_output=True, text=True, check=False)
    if done.returncode not in (0, 1):
        sys.exit(done.stderr)
    n = dti = near = exact = 0
    for result in json.loads(done.stdout)["results"]:
        if result["status"] != "found":
            continue
        a = result["counterfactuals"][0]["values"]
        monthly = a["rate_pct"] / 1200
        annuity = a["amount"] * monthly / (1 - (1 + monthly) ** -a["term_months"])
        # The payment itself is rounded to a cent.
        dti += abs(a["dti"] - 1200 * a["monthly_payment"] / a["income"]) <= 0.0501 + 0.5 * 0.01 * 1200 / a["income"]
        near += abs(a["monthly_payment"] / annuity - 1) <= 0.10
        exact += abs(a["monthly_payment"] - annuity) <= 0.0051
        n += 1
    return n, dti / max(n, 1), near / max(n, 1), exact / max(n, 1)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("table")
    parser.add_argument("--label", default=None, help="the last column by default")
    parser.add_argument("--target", default="approved")
    parser.add_argument("--program", default="build/release/otherwise")
    parser.add_argument("--rows", type=int, default=600)
    parser.add_argument("--methods", default="guided,nearest,two-step")
    args = parser.parse_args()
    with open(args.table, newline="", encoding="utf-8") as file:
        label = args.label or next(csv.reader(file))[-1]
    missed = 0
    print(f"{'':28s} {'answers':>8s} {'dti':>7s} {'pay 10%':>8s} {'pay':>7s}")
    with tempfile.TemporaryDirectory() as folder:
        model = str(pathlib.Path(folder, "loan.ow"))
        subprocess.run([args.program, "train", args.table, "--label", label, "-o", model, "--quiet"], check=True, capture_output=True)
        for method in args.methods.split(","):
            for name, words, aims in (("found", [], (0.98, 0.98, 0.0)),
                                      ("declared", [w for d in DERIVED for w in ("--derive", d)], (1.0, 1.0, 1.0))):
                n, *got = shares(args.program, model, args.table, args.rows, ["--method", method, *words], args.target)
                bad = n == 0 or any(g < a for g, a in zip(got, aims))
                missed += bad
                print(f"{method + ', ' + name:28s} {n:8d} {got[0]:7.4f} {got[1]:8.4f} {got[2]:7.4f}{'  MISSED' if bad else ''}", flush=True)
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
