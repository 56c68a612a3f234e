#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs a program, waits until it is where it should be, sends it a signal, and ends with its exit code.

    interrupt.py [--signals INT] [--terminal] WHEN PROGRAM [ARGUMENT...]

WHEN is never a time on the clock, since a busy machine may not even have begun by then, but

    asleep            it waits for something, such as a pipe's next bytes
    cpu:SECONDS       it has had so much of the processor
    file:PATTERN[:N]  there is a file of this name (with * for any text) of at least N bytes
    says:PATTERN      it has printed what this regular expression finds; with --terminal only

--signals takes several, one after the other: INT,INT.  With --terminal the program has a terminal of its own,
80 columns wide, and what it prints there comes out on standard output.  Where the program ends before its
time, no signal is sent and the exit code is its own.
"""
import argparse
import fcntl
import glob
import os
import pty
import re
import signal
import struct
import sys
import termios
import time

LOOK_EVERY = 0.02
# A sleep counts once it has been seen for so long without the program having run in between.
SLEEPS_FOR = 0.1


def field(pid, name):
    with open(f"/proc/{pid}/status", encoding="ascii", errors="replace") as status:
        return next(line.split()[1] for line in status if line.startswith(name + ":"))


class Asleep:
    """Sleeping, and not woken since some looks ago: the count of its switches stands still."""

    def __init__(self):
        self.since = self.switches = None

    def __call__(self, pid, _):
        switches = field(pid, "voluntary_ctxt_switches") + " " + field(pid, "nonvoluntary_ctxt_switches")
        if field(pid, "State") != "S" or switches != self.switches:
            self.since, self.switches = time.monotonic(), switches
            return False
        return time.monotonic() - self.since >= SLEEPS_FOR


def processor_seconds(pid):
    with open(f"/proc/{pid}/stat", encoding="ascii", errors="replace") as stat:
        fields = stat.read().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def make_condition(text):
    kind, _, rest = text.partition(":")
    if kind == "asleep":
        return Asleep()
    if kind == "cpu":
        return lambda pid, _: processor_seconds(pid) >= float(rest)
    if kind == "file":
        pattern, _, size = rest.partition(":")
        return lambda *_: any(os.path.getsize(path) >= int(size or 0) for path in glob.glob(pattern))
    if kind == "says":
        return lambda _, said: re.search(rest.encode(), said) is not None
    sys.exit(f"interrupt.py: {text} is no condition")


def start(command, terminal):
    """The program's process, and the file that its terminal is read from."""
    pid, master = pty.fork() if terminal else (os.fork(), None)
    if pid == 0:
        for name in ("SIGINT", "SIGPIPE"):  # which shells and Python may have set to be ignored
            signal.signal(getattr(signal, name), signal.SIG_DFL)
        if terminal:
            fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
            os.environ["TERM"] = "xterm"
        os.execvp(command[0], command)
    return pid, master


def listen(master, said):
    """Passes on what the terminal shows; b"" once it has been left."""
    try:
        piece = os.read(master, 1 << 16)
    except BlockingIOError:
        return None
    except OSError:  # its program has ended
        piece = b""
    os.write(1, piece)
    return said + piece


def run(arguments):
    condition = make_condition(arguments.when)
    signals = [getattr(signal, "SIG" + name) for name in arguments.signals.split(",")]
    pid, master = start(arguments.command, arguments.terminal)
    said = b""
    if master is not None:
        os.set_blocking(master, False)
    while True:
        # First whether it has ended, then what it said: so nothing that it said is lost.
        done, status = os.waitpid(pid, os.WNOHANG)
        if master is not None:
            while (more := listen(master, said)) is not None and more != said:
                said = more
        if done:
            code = os.waitstatus_to_exitcode(status)
            return code if code >= 0 else 128 - code
        if signals and condition(pid, said):
            for number in signals:
                os.kill(pid, number)
            signals = []
        time.sleep(LOOK_EVERY)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--signals", default="INT")
    parser.add_argument("--terminal", action="store_true")
    parser.add_argument("when")
    parser.add_argument("command", nargs=argparse.REMAINDER)
    return run(parser.parse_args())


if __name__ == "__main__":
    sys.exit(main())
