#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The runner of the command line's tests notices what differs, and accepts what it is told to."""
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path


class Running(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.case = Path(folder.name) / "case.sh"
        self.case.write_text('"$OTHERWISE" result; echo complaint >&2; exit 3\n')

    def beside(self, ending, text):
        (self.case.parent / f"case.sh.{ending}").write_text(text)

    def run_it(self, *more):
        runner = [sys.executable, "-B", str(Path(__file__).with_name("run.py")), "--program",
                  "/bin/echo", "--data", "."]
        return subprocess.run(runner + list(more) + [str(self.case)], check=False,
                              capture_output=True, text=True)

    def expect(self, stdout="result\n", stderr="compl*\n", code="3\n"):
        self.beside("stdout.exact", stdout)
        self.beside("stderr.glob", stderr)
        self.beside("exit", code)

    def test_what_agrees_passes(self):
        self.expect()
        self.assertEqual(self.run_it().returncode, 0)

    def test_each_difference_is_noticed_and_shown(self):
        for wrong in ({"stdout": "other\n"}, {"stderr": "other\n"}, {"code": "0\n"}):
            self.expect(**wrong)
            done = self.run_it()
            self.assertEqual(done.returncode, 1, wrong)
            self.assertIn("case.sh", done.stdout)

    def test_no_expectation_means_silence_and_zero(self):
        self.assertEqual(self.run_it().returncode, 1)

    def test_accepting_writes_down_what_the_next_run_agrees_with(self):
        self.expect(stdout="other\n", code="1\n")
        self.assertEqual(self.run_it("--accept").returncode, 0)
        self.assertEqual(self.run_it().returncode, 0)
        self.assertEqual((self.case.parent / "case.sh.stderr.glob").read_text(), "compl*\n")

    def test_nothing_survives_its_case_nor_is_waited_for(self):
        self.case.write_text("sleep 3600 & echo $!\n")
        self.run_it("--accept")
        process = int((self.case.parent / "case.sh.stdout.exact").read_text())
        for _ in range(15000):  # until the system has taken the dead process away
            if not Path(f"/proc/{process}").exists() or "State:\tZ" in Path(
                    f"/proc/{process}/status").read_text():
                return
            time.sleep(0.02)
        self.fail("still running")

    def test_a_case_that_cannot_run_is_skipped(self):
        self.case.write_text("echo no such tool >&2; exit 77\n")
        done = self.run_it()
        self.assertEqual((done.returncode, done.stdout), (77, "skipped: no such tool\n"))


if __name__ == "__main__":
    unittest.main()
