#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compiles the example in a header's opening comment: compile_example.py HEADER COMPILER ARGUMENT...

The example is the block indented by four blanks.  It may use what the frame below gives it, and a line
of dots for what the reader puts there."""
import re
import subprocess
import sys

FRAME = """#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <otherwise/otherwise.h>
#include <otherwise/page.h>
#include <otherwise/report.h>

void print_line(void *user, ow_log_level level, const char *text);
int example(ow_context *ctx, ow_schema *schema, ow_model *model, size_t n, double *values);

int example(ow_context *ctx, ow_schema *schema, ow_model *model, size_t n, double *values)
{
    (void)ctx, (void)schema, (void)model, (void)n, (void)values;
    {
%s
    }
    return 0;
}
"""


def example_of(text):
    """The lines indented by four blanks in the first comment after the SPDX line."""
    comment = re.search(r"/\*(?! SPDX)(.*?)\*/", text, re.DOTALL).group(1)
    lines = [match.group(1) for match in re.finditer(r"^ \*     (.*)$", comment, re.MULTILINE)]
    return "\n".join(line for line in lines if line.strip() != "...")


def main():
    header, *command = sys.argv[1:]
    with open(header, encoding="utf-8") as file:
        example = example_of(file.read())
    if not example:
        sys.exit(f"{header}: its opening comment gives no example")
    return subprocess.run([*command, "-x", "c", "-"], input=FRAME % example, text=True).returncode


if __name__ == "__main__":
    sys.exit(main())
