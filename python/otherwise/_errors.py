# SPDX-License-Identifier: MIT
"""The library's failures as exceptions: each is an OtherwiseError and the built-in that fits."""
from __future__ import annotations


class OtherwiseError(Exception):
    """Something could not be done; the message is the library's sentence."""


class ArgumentError(OtherwiseError, ValueError):
    """An argument is not possible: a column that is not there, a range upside down."""


class DataError(OtherwiseError, ValueError):
    """Data or a file that are not what they should be."""


class FileError(OtherwiseError, OSError):
    """A file that cannot be opened, read or written."""


class OutOfMemoryError(OtherwiseError, MemoryError):
    """There is not enough memory."""


class NumericError(OtherwiseError, ArithmeticError):
    """NaN or an infinity where a number is needed."""


class UnsupportedError(OtherwiseError, ValueError):
    """Valid, but nothing that this library does."""


class StoppedError(OtherwiseError, TimeoutError):
    """The time limit was reached before there was a result."""


class OtherwiseWarning(UserWarning):
    """Something was decided for the user, or looks odd; the message says how to undo it."""
