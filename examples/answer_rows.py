#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# A program for --model-command (doc/own_models.md) around any model that predicts data frames:
#     otherwise train credit.csv --label risk --model-command 'answer_rows.py model.pkl' -o credit.ow
import io
import pickle
import sys

import pandas

model = pickle.load(open(sys.argv[1], "rb"))  # has predict_proba, as scikit-learn's models do
block = []
for line in sys.stdin:
    block.append(line)
    if line == "\n":  # the block is complete: header, rows, empty line
        for proba in model.predict_proba(pandas.read_csv(io.StringIO("".join(block)))):
            print(*proba, sep=",")
        sys.stdout.flush()
        block = []
