# SPDX-License-Identifier: MIT
"""The tree models of libotherwise.so in Python, by ctypes: as much of otherwise/trees.h as the checks and benchmarks need."""
import ctypes

DOUBLES = ctypes.POINTER(ctypes.c_double)


class Call(ctypes.Structure):
    _fields_ = [("size", ctypes.c_size_t), ("progress", ctypes.c_void_p), ("progress_user", ctypes.c_void_p),
                ("cancel", ctypes.c_void_p), ("time_limit", ctypes.c_double), ("seed", ctypes.c_uint64),
                ("threads", ctypes.c_size_t)]


class Library:
    def __init__(self, path):
        self.c = c = ctypes.CDLL(str(path))
        pointer, size, text = ctypes.c_void_p, ctypes.c_size_t, ctypes.c_char_p
        signatures = {
            "ow_context_new": (ctypes.c_int, pointer, ctypes.POINTER(pointer)),
            "ow_error_message": (text,),
            "ow_trees_load": (ctypes.c_int, pointer, text, pointer, ctypes.POINTER(pointer)),
            "ow_trees_free": (None, pointer),
            "ow_trees_package": (text, pointer),
            "ow_trees_n_features": (size, pointer),
            "ow_trees_n_classes": (size, pointer),
            "ow_trees_n_scores": (size, pointer),
            "ow_trees_get_kind": (ctypes.c_int, pointer),
            "ow_trees_level": (text, pointer, size, size),
            "ow_trees_predict": (ctypes.c_int, pointer, size, DOUBLES, pointer, DOUBLES),
            "ow_trees_score": (ctypes.c_int, pointer, size, DOUBLES, pointer, DOUBLES),
        }
        for name, (result, *arguments) in signatures.items():
            function = getattr(c, name)
            function.restype, function.argtypes = result, arguments
        self.context = pointer()
        self.check(c.ow_context_new(None, ctypes.byref(self.context)))
        self.call = Call(size=ctypes.sizeof(Call), threads=1)

    def check(self, status):
        if status != 0:
            raise RuntimeError(self.c.ow_error_message().decode())

    def load(self, path):
        model = ctypes.c_void_p()
        self.check(self.c.ow_trees_load(self.context, str(path).encode(), None, ctypes.byref(model)))
        return Model(self, model)


class Model:
    BINARY = 1

    def __init__(self, library, model):
        self.library, self.model, c = library, model, library.c
        self.n_features, self.n_classes, self.n_scores = (
            f(model) for f in (c.ow_trees_n_features, c.ow_trees_n_classes, c.ow_trees_n_scores))
        self.is_binary = c.ow_trees_get_kind(model) == self.BINARY

    def free(self):
        self.library.c.ow_trees_free(self.model)

    def fill(self, function, n_rows, rows, out):
        """rows and out: addresses of doubles."""
        self.library.check(function(self.model, n_rows, rows, ctypes.byref(self.library.call), out))

    def ask(self, function, rows, width):
        """Rows as lists of floats to rows of results."""
        flat = [x for row in rows for x in row[:self.n_features]]
        given, out = (ctypes.c_double * len(flat))(*flat), (ctypes.c_double * (len(rows) * width))()
        self.fill(function, len(rows), given, out)
        return [list(out[i * width:(i + 1) * width]) for i in range(len(rows))]

    def score(self, rows):
        return self.ask(self.library.c.ow_trees_score, rows, self.n_scores)

    def predict(self, rows):
        return self.ask(self.library.c.ow_trees_predict, rows, self.n_classes)
