#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Known rows, answers, and what scikit-learn says of their neighbours (python3-sklearn).

Distances are computed here, in float64 and by the definition of doc/metrics.md; neighbours and factors are scikit-learn's.
Writes known.csv, answers.csv and figures.txt (ynn and lof, one line for each answer) beside itself.
"""
from pathlib import Path

import numpy as np
from sklearn.neighbors import LocalOutlierFactor, NearestNeighbors

HERE = Path(__file__).parent
N_KNOWN, N_ANSWERS = 150, 40
LEVELS = ["blue", "green", "red"]


def draw(rng, n):
    """Two clouds in three numbers and a category, with gaps."""
    label = rng.integers(0, 2, n)
    numbers = rng.normal(size=(n, 3)) * [1.0, 30.0, 0.01] + np.outer(label, [2.0, 20.0, 0.02])
    numbers[rng.random((n, 3)) < 0.04] = np.nan
    return label, np.round(numbers, 6), rng.integers(0, 3, n)


def distances(a, b, scale):
    """Numbers by the range, a category one unit, a gap on one side only one unit."""
    difference = np.abs(a[1][:, None, :] - b[1][None, :, :]) / scale
    gaps = np.isnan(a[1])[:, None, :].astype(int) + np.isnan(b[1])[None, :, :]
    difference = np.where(gaps == 0, difference, gaps == 1)
    return difference.sum(axis=2) + (a[2][:, None] != b[2][None, :])


def write(path, rows):
    with open(path, "w", encoding="ascii") as file:
        file.write("weight,height,depth,colour,answer\n")
        for label, numbers, level in zip(*rows):
            cells = ["" if np.isnan(x) else f"{x:.6f}" for x in numbers]
            file.write(",".join(cells + [LEVELS[level], ["no", "yes"][label]]) + "\n")


def main():
    rng = np.random.default_rng(5)
    known, answers = draw(rng, N_KNOWN), draw(rng, N_ANSWERS)
    scale = np.nanmax(known[1], axis=0) - np.nanmin(known[1], axis=0)
    between, within = distances(answers, known, scale), distances(known, known, scale)
    lof = LocalOutlierFactor(n_neighbors=20, novelty=True, metric="precomputed").fit(within)
    nearest = NearestNeighbors(n_neighbors=5, metric="precomputed").fit(within)
    five = nearest.kneighbors(between, return_distance=False)
    ynn = (known[0][five] == answers[0][:, None]).mean(axis=1)
    write(HERE / "known.csv", known)
    write(HERE / "answers.csv", answers)
    with open(HERE / "figures.txt", "w", encoding="ascii") as file:
        for share, factor in zip(ynn, -lof.score_samples(between)):
            file.write(f"{share:.17g} {factor:.17g}\n")


if __name__ == "__main__":
    main()
