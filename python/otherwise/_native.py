# SPDX-License-Identifier: MIT
"""The C library: its context, its statuses as exceptions, and calls that Ctrl-C can stop."""
from __future__ import annotations

import itertools
import os
import re
import sys
import threading
import time
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from . import _errors
from ._library import ffi as ffi
from ._library import lib as lib

_ERRORS: dict[int, type[_errors.OtherwiseError]] = {
    lib.OW_ERR_ARGUMENT: _errors.ArgumentError,
    lib.OW_ERR_MEMORY: _errors.OutOfMemoryError,
    lib.OW_ERR_IO: _errors.FileError,
    lib.OW_ERR_FORMAT: _errors.DataError,
    lib.OW_ERR_SCHEMA: _errors.DataError,
    lib.OW_ERR_NUMERIC: _errors.NumericError,
    lib.OW_ERR_UNSUPPORTED: _errors.UnsupportedError,
    lib.OW_ERR_CANCELLED: _errors.StoppedError,
}


def version() -> str:
    """The library's version."""
    return text(lib.ow_version())


def text(pointer: Any) -> str:
    """A text of the library."""
    return ffi.string(pointer).decode("utf-8", "replace")


def check(status: int) -> None:
    """Raises the exception of a status other than OW_OK, with the library's sentence."""
    if status != lib.OW_OK:
        raise _ERRORS.get(status, _errors.OtherwiseError)(text(lib.ow_error_message()))


_parents: dict[int, tuple[Any, ...]] = {}
_numbers = itertools.count()


def owned(pointer: Any, free: Any, *parents: Any) -> Any:
    """An object of the library, freed when nobody has it any more, and always before its parents:
    those that it borrows from.  They are held from here, since the order in which the collector
    takes a cycle apart is anybody's guess; so none of them may lead back to the object."""
    number = next(_numbers)
    _parents[number] = parents

    def destroy(what: Any, held: dict[int, tuple[Any, ...]] = _parents) -> None:
        free(what)
        held.pop(number, None)

    return ffi.gc(pointer, destroy)


def c_text(value: Any) -> Any:
    """A C string, which lives as long as the result."""
    return ffi.new("char[]", str(value).encode("utf-8"))


def c_texts(values: Any) -> tuple[Any, list[Any]]:
    """An array of C strings, and what keeps them alive."""
    kept = [c_text(v) for v in values]
    return ffi.new("const char *[]", kept), kept


def take_text(pointer: Any) -> str:
    """The text behind a char ** that the library has filled; its memory is freed."""
    result = text(pointer[0])
    lib.ow_bytes_free(pointer[0])
    return result


# ---- The context: one for the process, made anew after a fork ----

_context: Any = None
_context_of = 0
_context_lock = threading.Lock()


def context() -> Any:
    """The context of this process.  Threads do not survive a fork, so a child makes its own."""
    global _context, _context_of
    with _context_lock:
        if _context is None or _context_of != os.getpid():
            out = ffi.new("ow_context **")
            check(lib.ow_context_new(ffi.NULL, out))
            lib.ow_context_set_log(out[0], lib.otherwise_log, ffi.NULL, lib.OW_LOG_WARN)
            _context, _context_of = out[0], os.getpid()
        return _context


@ffi.def_extern()
def otherwise_log(_user: Any, level: int, message: Any) -> None:
    if level >= lib.OW_LOG_WARN:
        _heard.messages.append(text(message))


class _Heard(threading.local):
    """What the library says while a call runs: it becomes warnings when the call has ended, since
    a warning that is an error cannot pass through C."""

    def __init__(self) -> None:
        self.messages: list[str] = []
        self.stray: BaseException | None = None  # raised in a callback, of nobody knows whom


_heard = _Heard()


def tell_warnings() -> None:
    """Turns what the library has said into Python's warnings."""
    messages, _heard.messages = _heard.messages, []
    for message in messages:
        warnings.warn(_in_python(message), _errors.OtherwiseWarning, stacklevel=_callers_level())


def _in_python(message: str) -> str:
    """Options of the program as arguments: --keep COLUMN is infer={"keep": ["COLUMN"]}."""
    return re.sub(r"--(keep|unlock|immutable|missing) ([A-Za-z]+)", r'infer={"\1": ["\2"]}', message)


def _callers_level() -> int:
    """The stack level, as warnings count from tell_warnings, of the first line outside the
    package."""
    home = os.path.dirname(__file__)
    frame, level = sys._getframe(1), 1
    while frame.f_back is not None and (
            os.path.dirname(frame.f_code.co_filename) == home
            or frame.f_code.co_filename.endswith("contextlib.py")):
        frame, level = frame.f_back, level + 1
    return level


# ---- Calls ----

Progress = Callable[[str, int, int], Any]
_SECONDS_BEFORE_BAR = 2.0


class _Listener:
    """Hears how far a call has come.  Python's signal handlers run here, so that Ctrl-C arrives."""

    def __init__(self, progress: Progress | bool | None) -> None:
        self.error: BaseException | None = None
        self.began = time.monotonic()
        self.progress = progress
        self.bar: Any = None

    def hear(self, stage: str, done: int, total: int) -> None:
        if callable(self.progress):
            self.progress(stage, done, total)
        elif self.progress is not False and time.monotonic() - self.began > _SECONDS_BEFORE_BAR:
            self._show(stage, done, total)

    def _show(self, stage: str, done: int, total: int) -> None:
        if self.bar is None:
            if self.progress is None and not sys.stderr.isatty():
                self.progress = False
                return
            try:
                from tqdm.auto import tqdm
            except ImportError:
                self.progress = False
                return
            self.bar = tqdm(leave=False)
        self.bar.set_description_str(stage, refresh=False)
        self.bar.total = total or None
        self.bar.n = done
        self.bar.update(0)

    def close(self) -> None:
        if self.bar is not None:
            self.bar.close()


def remember(_type: Any, error: BaseException, traceback: Any) -> bool:
    """An exception inside a callback, Ctrl-C among them, waits until the call has come back: with
    the object behind the callback's `user`.  Ctrl-C may come before the callback's first line, so
    only the argument itself is sure to be there."""
    if traceback is not None and "user" in traceback.tb_frame.f_locals:
        ffi.from_handle(traceback.tb_frame.f_locals["user"]).error = error
    else:
        _heard.stray = error
    return False


@ffi.def_extern(error=False, onerror=remember)
def otherwise_progress(user: Any, progress: Any) -> bool:
    listener = ffi.from_handle(user)
    if listener.error is not None:
        return False
    listener.hear(text(progress.stage), progress.done, progress.total)
    return True


class Call:
    """The settings of a call; afterwards what was raised inside its callbacks."""

    def __init__(self, seed: int, threads: int, time_limit: float,
                 progress: Progress | bool | None) -> None:
        self.listener = _Listener(progress)
        self._handle = ffi.new_handle(self.listener)
        self.pointer = ffi.new("ow_call *")
        self.pointer.size = ffi.sizeof("ow_call")
        self.pointer.progress = lib.otherwise_progress
        self.pointer.progress_user = self._handle
        self.pointer.seed = seed
        self.pointer.threads = threads
        self.pointer.time_limit = time_limit

    def check(self, status: int) -> None:
        """Raises what a callback has raised, else what the status says."""
        error, self.listener.error = self.listener.error, None
        stray, _heard.stray = _heard.stray, None
        if error is not None or stray is not None:
            raise error or stray  # type: ignore[misc]
        check(status)


@contextmanager
def calling(seed: int = 0, threads: int | None = None, time_limit: float | None = None,
            progress: Progress | bool | None = None) -> Iterator[Call]:
    """A call of the library; its warnings are told when it has ended."""
    if seed is None:
        seed = 0
    call = Call(int(seed), threads or 0, time_limit or 0.0, progress)
    try:
        yield call
    finally:
        call.listener.close()
    tell_warnings()
