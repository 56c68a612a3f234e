#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The referee's formulas and relations are those of doc/expressions.md."""
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tools"))
from referee_relations import Formula, Relations  # noqa: E402  (found through the line above)

PRICES = [{"name": "price", "type": "continuous", "range": [1, 3]},
          {"name": "saving", "type": "continuous", "range": [0, 1]},
          {"name": "share", "type": "continuous", "range": [0, 1], "decimals": 3, "derived": "saving / paid"},
          {"name": "paid", "type": "continuous", "range": [1, 3], "decimals": 2, "derived": "price - saving"},
          {"name": "shop", "type": "categorical", "follows": {"column": "price", "values": [[2.0, "dear"], [1.0, "cheap"]]}}]


def anything(_name, _value):
    return True


class Formulas(unittest.TestCase):
    def test_ranks_and_directions(self):
        for text, value in (("2 ^ 3 ^ 2", 512), ("-a ^ 2", -9), ("10 - 4 - 3", 3), ("8 / 4 / 2", 1), ("2 + a * -2", -4),
                            ("2 ^ -1", 0.5), ("(1 + 2) * .5e1", 15), ("max(1, a, 2) - min(4, 2)", 1), ("round(0.125, 2)", 0.12),
                            ("round(25, -1)", 20), ("round(a / 2)", 2), ("log(exp(a))", 3), ("log + `b ``c` + \"d e\"", 6)):
            self.assertAlmostEqual(Formula(text).value({"a": 3.0, "log": 1.0, "b `c": 2.0, "d e": 3.0}), value, msg=text)

    def test_what_has_no_value(self):
        for text in ("1 / a", "log(a - 1)", "(a - 1) ^ 0.5", "exp(1000)", "b"):
            self.assertIsNone(Formula(text).value({"a": 0.0, "b": None}), text)

    def test_what_is_no_formula(self):
        for text in ("", "1 +", "a b", "(a", "a ?", "max(a"):
            self.assertRaises(ValueError, Formula, text)


class Following(unittest.TestCase):
    query = {"price": 2.0, "saving": 0.5, "share": 0.4, "paid": 1.5, "shop": "dear"}

    def test_formulas_build_on_each_other(self):
        self.assertEqual(Relations(PRICES).complete(self.query, {"saving": 0.25}, anything),
                         {"saving": 0.25, "share": 0.143, "paid": 1.75})

    def test_what_nothing_changes_stays_whether_it_fits_or_not(self):
        self.assertEqual(Relations(PRICES).complete(self.query, {}, anything), {})

    def test_what_is_not_possible_is_refused(self):
        relations = Relations(PRICES)
        self.assertIsNone(relations.complete(self.query, {"price": 2.5}, anything), "no shop is known")
        self.assertEqual(relations.complete(self.query, {"price": 1.0}, anything),
                         {"price": 1.0, "paid": 0.5, "share": 1.0, "shop": "cheap"})
        self.assertIsNone(relations.complete(self.query, {"price": 1.0}, lambda name, value: name != "paid" or value >= 1))

    def test_a_row_without_one_of_the_columns_keeps_what_it_has(self):
        self.assertEqual(Relations(PRICES).complete({**self.query, "saving": None}, {"price": 1.0}, anything),
                         {"price": 1.0, "shop": "cheap"})

    def test_deviations_are_kept_and_drawn_in(self):
        for low, within, own, expected in ((1, [0.9, 1.1], 2.1, 4.2), (1, [0.9, 1.1], 3.0, 4.4), (0, [-1.0, 0.5], 2.4, 4.4),
                                           (0, [-1.0, 0.5], 3.0, 4.5)):
            near = {"name": "y", "type": "continuous", "range": [low, 9], "decimals": 2, "nearly": "2 * x", "nearly_within": within}
            changed = Relations([near]).complete({"x": 1.0, "y": own}, {"x": 2.0}, anything)
            self.assertEqual(changed, {"x": 2.0, "y": expected})

    def test_circles_are_refused(self):
        self.assertRaises(ValueError, Relations, [{"name": a, "type": "continuous", "derived": b} for a, b in ("xy", "yx")])


if __name__ == "__main__":
    unittest.main()
