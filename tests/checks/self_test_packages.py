#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""tools/install_packages.sh on machines made of four small scripts: it installs what is missing as root
or through sudo, prints the line to run where it cannot, and touches nothing when all is there."""
import subprocess
import tempfile
import unittest
from pathlib import Path

SCRIPT = Path(__file__).resolve().parents[2] / "tools" / "install_packages.sh"


class InstallPackages(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.bin = Path(folder.name)
        self.log = self.bin / "log"
        self.log.write_text("")

    def add(self, name, body):
        path = self.bin / name
        path.write_text("#!/bin/sh\n" + body + "\n")
        path.chmod(0o755)

    def machine(self, user, installed, sudo=False):
        """A machine with these packages, on which this user's name is 0 or not."""
        pattern = "|".join(installed) if installed else "none"
        self.add("dpkg-query", f'for p; do :; done; case $p in {pattern}) printf installed;; '
                 '*) exit 1;; esac')
        self.add("id", f"echo {user}")
        self.add("apt-get", f'echo "apt-get $*" >> "{self.log}"')
        self.add("env", "shift; \"$@\"")
        if sudo:
            self.add("sudo", f'echo "sudo $*" >> "{self.log}"; "$@"')

    def run_script(self, *arguments):
        result = subprocess.run(["/bin/sh", str(SCRIPT), *arguments], env={"PATH": str(self.bin)},
                                stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        return result.returncode, result.stdout, self.log.read_text().splitlines()

    def test_root_installs_what_is_missing_and_only_that(self):
        self.machine(0, ["gcc", "cmake"])
        status, _, calls = self.run_script("build")
        self.assertEqual(status, 0)
        self.assertEqual(calls[0], "apt-get update -qq")
        self.assertTrue(calls[1].startswith("apt-get install -y -qq --no-install-recommends "))
        words = calls[1].split()
        self.assertIn("ninja-build", words)
        self.assertNotIn("gcc", words)
        self.assertNotIn("clang", words)

    def test_tests_need_what_building_needs_and_more(self):
        self.machine(0, [])
        self.run_script("build")
        self.run_script("test")
        calls = self.log.read_text().splitlines()
        self.assertLess(set(calls[1].split()), set(calls[3].split()))
        self.assertIn("libcmocka-dev", calls[3].split())

    def test_sudo_is_used_where_there_is_one(self):
        self.machine(1000, [], sudo=True)
        status, _, calls = self.run_script("build")
        self.assertEqual(status, 0)
        self.assertEqual(calls[0], "sudo apt-get update -qq")

    def test_without_root_or_sudo_the_line_to_run_is_printed(self):
        self.machine(1000, ["gcc"])
        status, text, calls = self.run_script("build")
        self.assertEqual((status, calls), (1, []))
        self.assertIn("apt-get update && apt-get install -y --no-install-recommends libc6-dev cmake",
                      text)

    def test_nothing_happens_when_all_is_there(self):
        self.machine(0, ["*"])
        self.assertEqual(self.run_script("test"), (0, "", []))

    def test_elsewhere_the_names_are_said_and_the_build_goes_on(self):
        status, text, _ = self.run_script("build")
        self.assertEqual(status, 0)
        self.assertIn("libjansson-dev", text)

    def test_another_word_is_a_usage_error(self):
        self.machine(0, ["*"])
        self.assertEqual(self.run_script("tests")[0], 2)


if __name__ == "__main__":
    unittest.main()
