#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""tests/support/interrupt.py waits for the moment it is told, and passes on how the program ended."""
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

SCRIPT = Path(__file__).resolve().parents[1] / "support" / "interrupt.py"
# Ends by itself when nobody interrupts it, so that a signal that never comes is seen.
HEARD = "trap 'echo heard; exit 5' INT TERM; "


class Interrupt(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def run_it(self, *words):
        done = subprocess.run([sys.executable, "-B", str(SCRIPT), *words], cwd=self.folder, check=False,
                              stdin=subprocess.DEVNULL, capture_output=True, text=True)
        return done.returncode, done.stdout.replace("\r", "")

    def test_one_that_waits_is_woken(self):
        self.assertEqual(self.run_it("asleep", "sleep", "3600"), (130, ""))
        self.assertEqual(self.run_it("--signals", "TERM", "asleep", "sleep", "3600"), (143, ""))

    def test_one_that_works_is_let_work(self):
        busy = "i=0; while [ $i -lt 300000 ]; do i=$((i+1)); done; echo done; exit 3"
        self.assertEqual(self.run_it("asleep", "sh", "-c", HEARD + busy), (3, "done\n"))

    def test_processor_time_is_counted(self):
        self.assertEqual(self.run_it("cpu:0.2", "sh", "-c", HEARD + "while :; do :; done"), (5, "heard\n"))
        self.assertEqual(self.run_it("cpu:1000", "sh", "-c", HEARD + "exit 4"), (4, ""))

    def test_a_file_of_some_size_is_waited_for(self):
        script = HEARD + "echo a >a.txt; echo >b.txt; while [ -e b.txt ]; do echo b >>b.txt; done"
        self.assertEqual(self.run_it("file:b*.txt:1000", "sh", "-c", script), (5, "heard\n"))
        self.assertGreaterEqual((self.folder / "b.txt").stat().st_size, 1000)

    def test_what_a_terminal_shows_is_waited_for_and_passed_on(self):
        script = HEARD + "[ -t 1 ] && echo 50 percent; while :; do sleep 0.01; done"
        self.assertEqual(self.run_it("--terminal", "says:[0-9]+ percent", "sh", "-c", script),
                         (5, "50 percent\nheard\n"))

    def test_a_moment_that_does_not_come_sends_nothing(self):
        self.assertEqual(self.run_it("file:never", "sh", "-c", HEARD + "exit 7"), (7, ""))

    def test_another_condition_is_an_error(self):
        self.assertNotEqual(self.run_it("soon", "true")[0], 0)


if __name__ == "__main__":
    unittest.main()
