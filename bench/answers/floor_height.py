#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""How high the density floor should be: changes against plausibility, for q0, q5, q10, q25 and q50.

    bench/answers/floor_height.py [TABLE ...] [--program P] [--rows N] [--svg FILE]

The tables of tables.py (FLOORS), or those of bench/write_tables.py that are named.  Each is divided 70/30; a model is trained on the larger part (locks off), and up to N rows of the
smaller part that are not predicted the most frequent class are explained with each floor.  Judges that know nothing of circuits look at the answers (judges.py).
Printed for each floor, in the mean over the tables:

    changes   columns changed;  reached: share of queries with an answer that reaches the floor
    LOF       share of answers that are outliers to scikit-learn's LOF on training rows of the class
    rules     share that break a rule of the table (in 99.5 % of its rows) that the query keeps
    near      mean Gower distance to the nearest training row of the class, over that of unseen rows of the class
    forest    share that a random forest calls the class, over that of unseen rows of the class

The last line has what unseen rows of the class get.  --svg draws changes against the first three.  The packages are installed into build/answers-python."""
import argparse
import sys
import tempfile

import answers_environment

answers_environment.enter()

import numpy  # noqa: E402

from answers import frame_of_answers  # noqa: E402
from judges import Judges  # noqa: E402
from tables import FLOORS, Program, read_table  # noqa: E402

HEIGHTS = (0, 5, 10, 25, 50)
NAMES = ("changes", "reached", "LOF", "rules", "near", "forest")


def look_at(program, table, n_rows):
    """(heights + 1, names): the last line is of unseen rows of the class."""
    train, test = table.divided(0)
    schema, codes = program.train(table, train)
    judges = Judges(table, train, schema, codes)
    wrong = numpy.array([row["class"] != table.target for row in program.classes(test)])
    queries = test[wrong].head(n_rows).reset_index(drop=True)
    unseen = test[test[table.label] == table.target].head(500).reset_index(drop=True)
    near, agrees = judges.nearest(unseen), judges.agrees(unseen)
    lines = []
    for height in HEIGHTS:
        frame, has, dense, changes, _ = frame_of_answers(program, table, queries, "--min-density", f"q{height}")
        q, a = queries[has], frame[has]
        lines.append((changes[has].mean(), dense.mean(), judges.outliers(a), judges.broken(q, a), judges.nearest(a) / near, judges.agrees(a) / agrees))
    broken = float(judges.broken_each(unseen).any(axis=0).mean()) if judges.n_rules else 0.0
    lines.append((0.0, 1.0, judges.outliers(unseen), broken, 1.0, 1.0))
    return numpy.array(lines), len(queries)


def show(title, lines):
    print(f"{title:16s} " + " ".join(f"{name:>8s}" for name in NAMES))
    for name, line in zip([*(f"q{h}" for h in HEIGHTS), "unseen rows"], lines):
        print(f"  {name:14s} " + " ".join(f"{x:8.3f}" for x in line), flush=True)


def write_svg(path, lines):
    """Changes to the right; LOF, rules (left axis) and nearness above it."""
    colours = {"LOF": "#1b6ca8", "rules": "#b5482a", "near": "#3a7d44"}
    scale = {"LOF": 0.5 / 0.5, "rules": 0.5 / 0.5, "near": 0.25}
    most = max(float(line[0]) for line in lines[:-1]) * 1.05
    out = ['<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 560 320" font-family="sans-serif" font-size="12">',
           '<rect width="560" height="320" fill="white"/>',
           '<path d="M50 20V280H540" fill="none" stroke="#444"/><text x="295" y="308" text-anchor="middle">columns changed, in the mean</text>']
    for share in (0.0, 0.1, 0.2, 0.3, 0.4, 0.5):
        y = 280 - 260 * share / 0.5
        out.append(f'<text x="44" y="{y + 4:.0f}" text-anchor="end">{share:.1f}</text>')
    for i, (name, colour) in enumerate(colours.items()):
        column = NAMES.index(name)
        points = [(50 + 490 * float(line[0]) / most, 280 - 260 * min(float(line[column]) * scale[name], 0.5) / 0.5) for line in lines[:-1]]
        out.append(f'<polyline points="{" ".join(f"{x:.1f},{y:.1f}" for x, y in points)}" fill="none" stroke="{colour}" stroke-width="2"/>')
        for h, (x, y) in zip(HEIGHTS, points):
            out.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{colour}"/>')
            if i == 0:
                out.append(f'<text x="{x:.1f}" y="{y - 8:.1f}" text-anchor="middle">q{h}</text>')
        said = {"LOF": "LOF calls an outlier", "rules": "breaks a rule of the table", "near": "distance to the nearest real row / 4 times that of real rows"}[name]
        out.append(f'<text x="180" y="{34 + 16 * i}" fill="{colour}">{said}</text>')
    with open(path, "w", encoding="utf-8") as file:
        file.write("\n".join([*out, "</svg>"]) + "\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tables", nargs="*", metavar="TABLE")
    parser.add_argument("--program", default="build/release/otherwise")
    parser.add_argument("--rows", type=int, default=60, help="most rows to explain")
    parser.add_argument("--svg", metavar="FILE", help="draw the means")
    args = parser.parse_args()
    everything = []
    for name in args.tables or FLOORS:
        with tempfile.TemporaryDirectory() as folder:
            lines, n = look_at(Program(args.program, folder), read_table(name), args.rows)
        show(f"{name} ({n})", lines)
        everything.append(lines)
    mean = numpy.mean(everything, axis=0)
    show(f"mean of {len(everything)}", mean)
    if args.svg:
        write_svg(args.svg, mean)
    return 0


if __name__ == "__main__":
    sys.exit(main())
