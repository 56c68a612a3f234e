#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Each check of tools/ accepts a good tree and names the fault of a bad one."""
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

TOOLS = Path(__file__).resolve().parents[2] / "tools"
SPDX = "/* SPDX-License-Identifier: MIT */\n"


class CheckCase(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name)

    def write(self, name, text):
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        return path

    def run_check(self, *command):
        return subprocess.run([str(part) for part in command], stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True)

    def assert_accepts(self, *command):
        result = self.run_check(*command)
        self.assertEqual((result.returncode, result.stdout), (0, ""))

    def assert_complains(self, sentence, *command):
        result = self.run_check(*command)
        self.assertNotEqual(result.returncode, 0, result.stdout)
        self.assertIn(sentence, result.stdout)


class PythonCheckCase(CheckCase):
    def command(self):
        return (sys.executable, "-B", TOOLS / self.script, "--root", self.root)

    def accepts(self):
        self.assert_accepts(*self.command())

    def complains(self, sentence):
        self.assert_complains(sentence, *self.command())


class Layers(PythonCheckCase):
    script = "check_layers.py"

    def setUp(self):
        super().setUp()
        for header in ("src/base/rng.h", "src/data/table.h", "src/circuit/circuit.h",
                       "src/cli/args.h", "include/otherwise/status.h"):
            self.write(header, SPDX)

    def test_downwards_sideways_within_a_folder_and_public_is_fine(self):
        self.write("src/data/csv.c", '#include "data/table.h"\n#include "base/rng.h"\n'
                   '#include "otherwise/status.h"\n#include <rng.h>\n')
        self.write("src/cli/main.c", '#include "args.h"\n#include <otherwise/status.h>\n')
        self.write("tests/unit/test_rng.c", '#include "base/rng.h"\n')
        self.accepts()

    def test_upwards_is_not(self):
        self.write("src/base/rng.c", '#include "base/rng.h"\n\n#include "data/table.h"\n')
        self.complains("src/base/rng.c:3: base may not include src/data/table.h")

    def test_data_and_circuit_do_not_know_each_other(self):
        self.write("src/circuit/circuit.c", '#include "data/table.h"\n')
        self.complains("src/circuit/circuit.c:1: circuit may not include src/data/table.h")

    def test_the_program_sees_public_headers_only(self):
        self.write("src/cli/main.c", '#include "base/rng.h"\n')
        self.complains("src/cli/main.c:1: cli may not include src/base/rng.h")

    def test_angle_brackets_and_dots_are_no_way_around(self):
        self.write("src/cli/main.c", '#  include <base/rng.h>\n')
        self.complains("cli may not include src/base/rng.h")
        self.write("src/cli/main.c", '#include "../base/rng.h"\n')
        self.complains("cli may not include")

    def test_a_public_header_sees_public_headers_only(self):
        self.write("include/otherwise/data.h", '#include "data/table.h"\n')
        self.complains("include/otherwise/data.h:1: public may not include src/data/table.h")

    def test_examples_see_public_headers_only(self):
        self.write("examples/first.c", '#include "base/rng.h"\n')
        self.complains("examples may not include src/base/rng.h")

    def test_an_unknown_module_is_named(self):
        self.write("src/stuff/thing.c", "")
        self.complains("stuff is no module")

    def test_an_include_that_names_no_file_is_named(self):
        self.write("src/base/rng.c", '#include "base/gone.h"\n')
        self.complains('src/base/rng.c:1: "base/gone.h" is no file')


class Sources(PythonCheckCase):
    script = "check_sources.py"

    def test_a_good_tree_is_accepted(self):
        self.write("src/base/rng.c", SPDX + "int f(void)\n{\n" + "    f();\n" * 98 + "}\n")
        self.write("tools/run.sh", "#!/bin/sh\n# SPDX-License-Identifier: MIT\n")
        self.write("include/otherwise/data.h", SPDX)
        self.write("src/data/data.h", SPDX)
        self.accepts()

    def test_a_file_without_licence_is_named(self):
        self.write("src/base/rng.c", "int x;\n" + SPDX)
        self.complains("src/base/rng.c:1: the first line is not the SPDX line")

    def test_an_empty_file_is_named(self):
        self.write("src/base/rng.c", "")
        self.complains("src/base/rng.c:1: the first line")

    def test_the_same_name_twice_is_named(self):
        self.write("src/base/text.c", SPDX)
        self.write("src/data/text.c", SPDX)
        self.complains("src/data/text.c: the name text.c is taken by src/base/text.c")

    def test_a_name_that_says_nothing_is_named(self):
        self.write("src/base/utils.c", SPDX)
        self.complains('"utils" says nothing')

    def test_a_file_that_outgrew_its_room_is_named(self):
        self.write("src/base/rng.c", SPDX + "int x;\n" * 600)
        self.complains("src/base/rng.c: 601 lines")

    def test_a_function_that_outgrew_its_room_is_named(self):
        self.write("src/base/rng.c", SPDX + "int f(void)\n{\n" + "    f();\n" * 99 + "}\n")
        self.complains("src/base/rng.c:3: a function of 101 lines")

    def test_a_wide_line_is_named_in_comments_too(self):
        self.write("src/base/rng.c", SPDX + "/* " + "\u00e4" * 86 + " */\n")
        self.accepts()
        self.write("src/base/rng.c", SPDX + "\n/* " + "x" * 87 + " */\n")
        self.complains("src/base/rng.c:3: 93 columns, at most 92")

    def test_a_folder_that_became_a_hall_is_named(self):
        for i in range(35):
            self.write(f"src/base/part_{i}.c", SPDX)
            self.write(f"tests/unit/base/test_{i}.c", SPDX)
            self.write(f"tests/unit/base/more_{i}.c", SPDX)
        self.accepts()
        self.write("src/base/part_35.c", SPDX)
        self.complains("src/base: 36 files, at most 35")

    def test_a_path_of_one_machine_is_named(self):
        self.write("doc/manual.md", "\nSee /" + "work/data and /home/you/data.\n")
        self.complains("doc/manual.md:2: names a path of one machine")
        self.write("doc/manual.md", "See /home/you/data and http://x.org/work/y.\n")
        self.accepts()

    def test_what_lies_outside_is_named(self):
        self.write("doc/manual.md", "See ../" + "shared/data.\n")
        self.complains("which is not part of the repository")

    def test_a_promise_is_named(self):
        self.write("src/base/rng.c", SPDX + "/* TO" + "DO: later */\n")
        self.complains("src/base/rng.c:2: says what is left to do")


class Wrapping(PythonCheckCase):
    script = "wrap_comments.py"

    def wrapped(self, text):
        path = self.write("src/base/rng.c", text)
        self.accepts()
        return path.read_text()

    def test_a_wide_paragraph_is_laid_out_anew_to_its_end(self):
        words = "word " * 17
        self.assertEqual(self.wrapped(f"/* {words}wide wide.  End.\n * more */\nint x;\n"),
                         f"/* {words}wide\n * wide.  End. more */\nint x;\n")
        self.assertEqual(self.wrapped(f"    /* a\n     * {words}wide\n     * b\n     *\n     * c */\n"),
                         f"    /* a\n     * {words.rstrip()}\n     * wide b\n     *\n     * c */\n")

    def test_the_rest_is_left_alone(self):
        for text in ("/* narrow\n * lines */\n", " *     " + "table " * 20 + "\n", "int " + "x" * 100 + ";\n",
                     " * - " + "x" * 100 + "\n"):
            self.assertEqual(self.wrapped(text), text)


class Docs(PythonCheckCase):
    script = "check_docs.py"

    def test_links_and_files_that_exist_are_accepted(self):
        self.write("src/base/rng.c", "")
        self.write("README.md", "# Read me\n[tour](doc/tour.md#the-tour), [here](#read-me), "
                   "[web](https://example.org/x) `[a](b)`\n```\n[x](y)\n```\n")
        self.write("doc/tour.md", "# The tour\n`src/base/rng.c`, `src/base/`, `src/*/rng.c`, `ow_x`\n")
        self.accepts()

    def test_a_broken_link_is_named(self):
        self.write("README.md", "```\n```\n[tour](doc/tour.md)\n")
        self.complains("README.md:3: the link doc/tour.md leads nowhere")

    def test_a_heading_that_is_not_there_is_named(self):
        self.write("README.md", "# One\n[two](#two)\n")
        self.complains("README.md:2: README.md has no heading #two")

    def test_a_stale_tour_is_named(self):
        self.write("doc/tour.md", "Begin with\n`src/base/gone.c`.\n")
        self.complains("doc/tour.md:2: there is no src/base/gone.c")


    def test_a_page_that_a_source_names_must_be_there(self):
        self.write("src/base/rng.c", SPDX + "/* See doc/method.md. */\n")
        self.complains("src/base/rng.c:2: there is no doc/method.md")
        self.write("doc/method.md", "# Method\n")
        self.accepts()


class Format(CheckCase):
    def setUp(self):
        super().setUp()
        self.write(".clang-format", (TOOLS.parent / ".clang-format").read_text())

    def test_our_layout_is_accepted_and_another_is_not(self):
        self.write("src/f.c", "int f(void)\n{\n    return 1;\n}\n")
        self.assert_accepts(TOOLS / "check_format.sh", self.root)
        self.write("src/g.c", "int g(void) { return 1; }\n")
        self.assert_complains("src/g.c:1", TOOLS / "check_format.sh", self.root)

    def test_fix_lays_it_out(self):
        path = self.write("src/g.c", "int g(void) { return 1; }\n")
        self.assert_accepts(TOOLS / "check_format.sh", "--fix", self.root)
        self.assertEqual(path.read_text(), "int g(void)\n{\n    return 1;\n}\n")


class Symbols(CheckCase):
    HEAD = "#define API __attribute__((visibility(\"default\")))\n"

    def build(self, text):
        compiler = os.environ.get("CC", "cc")
        source = self.write("thing.c", self.HEAD + text)
        thing, shared, static = (self.root / name for name in ("thing.c.o", "t.so", "t.a"))
        for command in ([compiler, "-O0", "-fPIC", "-fvisibility=hidden", "-c", source, "-o", thing],
                        [compiler, "-shared", thing, "-o", shared], ["ar", "rc", static, thing]):
            subprocess.run(command, check=True)
        return TOOLS / "check_symbols.sh", shared, static

    def test_prefixes_constants_and_thread_locals_are_fine(self):
        self.assert_accepts(*self.build(
            "API int ow_f(void);\nint owi_g(void);\nstatic _Thread_local int n;\n"
            'static const char *const names[] = {"a", "b"};\n'
            "int owi_g(void) { return ++n + names[0][0]; }\nint ow_f(void) { return owi_g(); }\n"))

    def test_an_exported_name_without_prefix_is_named(self):
        self.assert_complains("exported by the shared library, without the prefix ow_: owi_f",
                              *self.build("API int owi_f(void) { return 1; }\n"))

    def test_a_shared_name_without_prefix_is_named(self):
        self.assert_complains("thing.c.o: visible outside its file, without the prefix ow_ or owi_: f",
                              *self.build("int f(void) { return 1; }\n"))

    def test_a_variable_shared_by_all_callers_is_named(self):
        for variable in ("static int ow_n;", "static int ow_n = 3;", "int ow_n;"):
            self.assert_complains("thing.c.o: a variable that all callers would share: ow_n",
                                  *self.build(variable + " int ow_f(void) { return ow_n++; }\n"))

    def test_printing_exiting_and_the_environment_are_named(self):
        for header, call, name in (("stdio.h", 'printf("%d", 1)', "printf"), ("stdlib.h", "exit(1)", "exit"),
                                   ("stdlib.h", 'getenv("HOME")', "getenv"),
                                   ("stdio.h", 'fputs("x", stderr)', "stderr")):
            self.assert_complains(f"thing.c.o: the library may not use {name}", *self.build(
                f"#include <{header}>\nvoid ow_f(void);\nvoid ow_f(void) {{ {call}; }}\n"))

    def test_allocating_past_the_context_is_named(self):
        self.assert_complains("thing.c.o: calls malloc", *self.build(
            "#include <stdlib.h>\nvoid *ow_f(void);\nvoid *ow_f(void) { return malloc(7); }\n"))

    def test_a_library_that_is_not_there_fails(self):
        self.assert_complains("gone.so", TOOLS / "check_symbols.sh", "gone.so", "gone.a")


if __name__ == "__main__":
    unittest.main()
