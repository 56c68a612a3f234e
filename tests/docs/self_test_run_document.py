#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The document runner runs what it should and notices what does not come out as written."""
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

RUNNER = Path(__file__).resolve().parent / "run_document.py"


class RunDocument(unittest.TestCase):
    def run_document(self, *blocks):
        with tempfile.TemporaryDirectory() as folder:
            document = Path(folder) / "page.md"
            document.write_text("# Page\n" + "".join(f"```{block}\n```\n" for block in blocks))
            program = Path(folder) / "program"
            program.write_text("#!/bin/sh\necho program $*\n")
            program.chmod(0o755)
            result = subprocess.run([sys.executable, "-B", RUNNER, "--program", program, "--prefix",
                                     folder, document], stdout=subprocess.PIPE, text=True)
            return result.returncode, result.stdout

    def test_what_comes_out_as_written_passes(self):
        self.assertEqual(self.run_document(
            "sh\n$ echo one; echo two >&2\none\ntwo\n$ true\n$ echo a \\\n    b\na b\n",
            "sh\n$ otherwise schema x\nprogram schema x\n$ build/release/otherwise\nprogram",
            "sh\nfalse, but this is no transcript", "text\n$ false"),
            (0, "page.md: 5 commands run, 0 went otherwise\n"))

    def test_dots_stand_for_any_text_or_any_lines(self):
        status, text = self.run_document("sh\n$ seq 9; echo took 3 ms\n1\n2\n...\n9\ntook ... ms\n",
                                         "sh\n$ seq 2\n1\n2\n...")
        self.assertEqual(status, 0, text)

    def test_another_output_is_shown_with_its_line(self):
        status, text = self.run_document("sh\n$ echo one\n1")
        self.assertEqual(status, 1)
        self.assertIn("page.md:3: $ echo one", text)
        self.assertIn("-1\n+one", text)

    def test_more_and_less_output_than_written_fails(self):
        self.assertEqual(self.run_document("sh\n$ seq 3\n1\n2")[0], 1)
        self.assertEqual(self.run_document("sh\n$ seq 3\n1\n2\n3\n4")[0], 1)
        self.assertEqual(self.run_document("sh\n$ seq 3\n1\n...\n4")[0], 1)

    def test_an_exit_status_fails_unless_it_is_shown(self):
        self.assertIn("exit status 3", self.run_document("sh\n$ exit 3")[1])
        self.assertEqual(self.run_document("sh\n$ (exit 3); echo $?\n3")[0], 0)

    def test_commands_share_a_folder_with_the_data_and_the_c_programs(self):
        status, text = self.run_document(
            "c\n/* answer.c: the answer. */\nint main(void) { return 42; }",
            "sh\n$ cc answer.c -o answer\n$ ./answer; echo $?\n42\n$ head -c 15 data/credit.csv; echo\n"
            "checking_status")
        self.assertEqual(status, 0, text)

    def test_a_document_without_commands_fails(self):
        self.assertEqual(self.run_document("text\nnothing")[0], 1)


if __name__ == "__main__":
    unittest.main()
