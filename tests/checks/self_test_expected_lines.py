#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What is written down matches what it should, and nothing else."""
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
from expected_lines import line_matches, lines_match  # noqa: E402  (found through the line above)


class Matching(unittest.TestCase):
    def test_a_star_is_any_text_and_nothing_else_is_special(self):
        self.assertTrue(line_matches("a * [b]?", "a long [b]?", "*"))
        self.assertFalse(line_matches("a * [b]?", "a long b!", "*"))
        self.assertFalse(line_matches("a*", "ba", "*"))

    def test_the_wildcard_may_be_another(self):
        self.assertTrue(line_matches("took ... ms *", "took 3.5 ms *", "..."))
        self.assertFalse(line_matches("took ... ms *", "took 3.5 ms now", "..."))

    def test_three_dots_are_any_number_of_lines(self):
        self.assertTrue(lines_match(["a", "...", "d"], ["a", "d"], "*"))
        self.assertTrue(lines_match(["a", "...", "d"], ["a", "d", "c", "d"], "*"))
        self.assertTrue(lines_match(["..."], [], "*"))
        self.assertTrue(lines_match(["...", "b", "...", "d"], ["b", "c", "b", "d"], "*"))
        self.assertFalse(lines_match(["a", "...", "d"], ["a", "b", "c"], "*"))
        self.assertFalse(lines_match(["a"], ["a", "b"], "*"))
        self.assertFalse(lines_match(["a", "b"], ["a"], "*"))


if __name__ == "__main__":
    unittest.main()
