# SPDX-License-Identifier: MIT
"""Explaining the decisions of any model."""
from __future__ import annotations

import os
import threading
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from . import _foreign
from ._constraints import Constraints
from ._errors import ArgumentError
from ._model import Model
from ._native import c_text, calling, check, ffi, lib, owned, text
from ._onnx import OnnxFunction, is_onnx
from ._preferences import add_preferences, load_preferences
from ._results import Explanations, Outcomes
from ._tables import family
from ._torch import TorchFunction

_PREFER = {"least": lib.OW_PREFER_LEAST, "typical": lib.OW_PREFER_TYPICAL,
           "robust": lib.OW_PREFER_ROBUST, "cheapest": lib.OW_PREFER_CHEAPEST}
_FORMS = {"otherwise": lib.OW_FORM_OTHERWISE, "dice": lib.OW_FORM_DICE}


class Explainer:
    """Says what would have to be different for a model to decide otherwise.

    Parameters
    ----------
    model
        A fitted ``CircuitClassifier``, a :class:`Model`, a model of XGBoost, LightGBM or ONNX, a
        PyTorch module, any object with ``predict_proba``, or any callable that takes a table and
        returns probabilities.  It gets tables in original units and dtypes, in large batches, on
        the calling thread.  Or the path of a file: .ow, or, with ``data``, what XGBoost, LightGBM
        and ONNX exporters write.
    data
        Rows of the table, for models that are not of this library: their density is learned from
        these, and the model's decisions on them are the classes.  For this library's models they
        are optional, and serve methods that need real rows (``nearest``, ``face``).
    classes
        The names of a foreign model's classes in the order of its probabilities.  Default:
        ``model.classes_``, else 0, 1, ...
    method
        ``guided`` (the default) or another method; ``Explainer.methods()`` lists them.
    params
        Parameters of the method by name.
    seed, threads
        As for every call: the same seed gives the same answers on any number of threads.

    Examples
    --------
    >>> import numpy as np
    >>> from otherwise import Explainer
    >>> rows = np.random.default_rng(0).normal(size=(300, 3))
    >>> explainer = Explainer(lambda X: 1 / (1 + np.exp(-4 * X[:, 1])), rows)
    >>> outcome = explainer.explain(rows[rows[:, 1] < -0.5][:1], target=1)[0]
    >>> [change.column for change in outcome.answers[0].changes]
    [1]
    """

    def __init__(self, model: Any, data: Any = None, *, classes: Sequence[Any] | None = None,
                 method: str = "guided", params: Mapping[str, Any] | None = None,
                 preset: str | None = None, options: Mapping[str, Any] | None = None,
                 infer: Mapping[str, Any] | None = None, seed: int = 0,
                 threads: int | None = None, progress: Any = None) -> None:
        self.method = method
        self.params = dict(params or {})
        self.preset = preset
        self.seed = seed
        self.threads = threads
        self.progress = progress
        self._foreign_model: Any = None   # of another package
        self._foreign_columns: Any = None  # for each class its column of probabilities
        self._foreign_classes: list[str] = []
        self._foreign: Any = None
        self._process = 0
        self._ready = threading.local()
        self._background: np.ndarray | None = None
        circuit = getattr(model, "model_", None)
        if isinstance(model, Model):
            self.model = model
        elif isinstance(circuit, Model):
            self.model = circuit
        elif isinstance(model, (str, os.PathLike)) and not is_onnx(model):
            path = os.fspath(model)
            if data is None or path.endswith(".ow"):
                self.model = Model.load(path)
            else:
                self.model = Model.train(data, options=options, infer=infer, seed=seed,
                                         threads=threads, progress=progress, foreign=path,
                                         foreign_classes=classes)
        else:
            self._learn(model, data, classes, options, infer)
            return
        if data is not None:
            self._background = self.model.read(data)

    def _learn(self, model: Any, data: Any, classes: Sequence[Any] | None, options: Any,
               infer: Any) -> None:
        """The density of the rows, with the model's decisions as classes."""
        function = _foreign.predictor_of(model)
        if data is None:
            raise ArgumentError("a model of another package is explained with the help of rows: "
                                "give data, the table that it was trained on")
        if family(data) == "file":
            raise ArgumentError("a model of another package needs a table that it can read, "
                                "not a path")
        n_rows = len(data) if family(data) != "dict" else len(next(iter(data.values())))
        proba = _foreign.probabilities(function, data, n_rows)
        if classes is None:
            classes = getattr(model, "classes_", getattr(function, "classes_", None))
        names = list(range(proba.shape[1])) if classes is None else list(classes)
        if len(names) != proba.shape[1]:
            raise ArgumentError(f"{len(names)} classes for {proba.shape[1]} probabilities")
        decided = proba.argmax(axis=1)
        present = np.unique(decided)
        if len(present) < 2:
            raise ArgumentError(f"the model decides {names[present[0]]} for every row of data: "
                                "there is nothing to explain")
        infer = dict(infer or {})
        self.model = Model.train(data, np.array(names, dtype=object)[decided], options=options,
                                 infer={"lock_found": True, **infer}, seed=self.seed,
                                 threads=self.threads, progress=self.progress)
        texts = [str(name) for name in names]
        # A function of ours keeps what it has found out, and pickles where objects of onnxruntime
        # do not.
        own = isinstance(function, (OnnxFunction, TorchFunction))
        self._foreign_model = function if own else model
        self._foreign_classes = texts
        self._foreign_columns = np.array([texts.index(c) for c in self.model._class_names])
        self._background = self.model.read(data)

    def _classifier(self) -> Any:
        """The other package's model as a classifier of the library, made in this process; None:
        the model of the library decides itself."""
        if self._foreign_model is not None and self._process != os.getpid():
            function = _foreign.predictor_of(self._foreign_model)
            rows = self._background if self._background is not None else np.empty((0, 0))
            self._foreign = _foreign.take_trees(
                self.model, self._foreign_model, self._foreign_classes, function,
                self._foreign_columns, rows[:1000]) or \
                _foreign.ForeignClassifier(self.model, function, self._foreign_columns)
            self._process = os.getpid()
        return self._foreign

    def __getstate__(self) -> dict[str, Any]:
        state = {**self.__dict__, "_foreign": None, "_process": 0}
        del state["_ready"]
        return state

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._ready = threading.local()

    @staticmethod
    def methods() -> dict[str, str]:
        """The methods and what they do."""
        found = {}
        index = 0
        while (method := lib.ow_method_get(index)) != ffi.NULL:
            found[text(method.name)] = text(method.summary)
            index += 1
        return found

    def explain(self, X: Any, target: Any = None, *, immutable: Any = None, vary: Any = None,
                ranges: Mapping[Any, Any] | None = None, allow: Mapping[Any, Any] | None = None,
                monotone: Mapping[Any, Any] | None = None, costs: Mapping[Any, Any] | None = None,
                rules: Any = None, derive: Any = None, relations: bool = True,
                max_changes: int | None = None, k: int = 1, prefer: str = "least",
                min_density: float = 0.25, density_required: bool = False,
                min_proba: float = 0.0, surer: float = 0.0, steps: bool = False,
                time_limit: float | None = None, preferences: Any = None,
                features_to_vary: Any = None,
                permitted_range: Mapping[Any, Any] | None = None, total_CFs: int | None = None,
                desired_class: Any = None) -> Explanations:
        """Explains rows.

        Parameters
        ----------
        X
            The rows: any kind of table, or a single row as a pandas Series or a dict of values.
        target
            The class that is wanted.  Default: any other than the predicted one.
        immutable, vary
            Columns that must not change; or the only ones that may.
        ranges
            ``{"amount": (500, 4000)}``, with None for an open end; or relative to the row,
            ``{"income": "+0:+20%"}``.
        allow
            ``{"housing": ["own"]}``, or moves ``{"housing": {"rent": ["own"]}}``.
        monotone
            ``{"age": "up"}``.
        costs
            ``{"income": 2}`` or ``{"income": {"up": 3}}``.
        rules, derive
            Conditions between columns, and formulas of columns that follow others.
        k
            How many answers for each row.
        prefer
            "least", "typical", "robust" or "cheapest".
        min_density
            The quantile of the densities of real rows of the class that an answer should reach.
        preferences
            What the page of ``otherwise serve`` saves, as the path of the file or as a dict with its
            keys (doc/serve.md).  Other arguments go before its target, answers and prefer, and
            restrict its constraints further.
        features_to_vary, permitted_range, total_CFs, desired_class
            DiCE's words for ``vary``, ``ranges``, ``k`` and ``target``.
        """
        if desired_class is not None and desired_class != "opposite":
            target = desired_class
        if features_to_vary is not None and features_to_vary != "all":
            vary = features_to_vary
        constraints = Constraints(self.model)
        wanted = {} if preferences is None else load_preferences(preferences)
        add_preferences(constraints, wanted)
        target = wanted.get("target") if target is None else target
        k = wanted.get("answers", 1) if k == 1 else k
        prefer = wanted.get("prefer", "least") if prefer == "least" else prefer
        constraints.fill(immutable=immutable, vary=vary, ranges={**(ranges or {}),
                                                                **(permitted_range or {})},
                         allow=allow, monotone=monotone, costs=costs, rules=rules, derive=derive,
                         max_changes=max_changes, relations=relations)
        if prefer not in _PREFER:
            raise ArgumentError(f"prefer is {prefer!r}, expected least, typical, robust or cheapest")
        options = ffi.new("ow_explain_options *")
        lib.ow_explain_options_init(options, ffi.sizeof("ow_explain_options"))
        if target is not None:
            options.target = self.model.class_index(target)
        options.n_answers = total_CFs if total_CFs is not None else k
        options.prefer = _PREFER[prefer]
        density = wanted.get("min_density") or {}
        if min_density == 0.25:
            min_density = density.get("quantile", min_density)
        options.density_quantile = min_density
        options.density_required = density_required or density.get("required", False)
        low, high = wanted.get("prob") or (0.0, 1.0)
        options.least_proba = max(min_proba, low)
        options.most_proba = high
        options.surer_proba = surer
        options.steps = steps or wanted.get("steps", False)
        table, labels = _table_of(X)
        return self._run(table, labels, constraints, options, time_limit)

    def _run(self, table: Any, labels: Sequence[Any] | None, constraints: Constraints,
             options: Any, time_limit: float | None) -> Explanations:
        classifier = self._classifier()
        queries = np.ascontiguousarray(self.model.read(table))
        if labels is None:
            labels = range(len(queries))
        explainer = self._explainer()
        out = ffi.new("ow_explanation **")
        with calling(self.seed, self.threads, time_limit, self.progress) as call:
            status = lib.ow_explainer_explain(explainer, constraints.pointer, options,
                                              len(queries), _doubles(queries), call.pointer, out)
            explanation = owned(out[0], lib.ow_explanation_free, explainer)
            if classifier is not None:
                classifier.raise_error()
            call.check(status)

        def write(form: str) -> str:
            about = ffi.new("ow_explain_about *")
            about.size = ffi.sizeof("ow_explain_about")
            about.explainer = explainer
            about.constraints = constraints.pointer
            about.options = options
            about.form = _FORMS[form]
            pointer, size = ffi.new("char **"), ffi.new("size_t *")
            check(lib.ow_explanation_json(about, explanation, _doubles(queries), pointer, size))
            document = ffi.string(pointer[0], size[0]).decode("utf-8")
            lib.ow_bytes_free(pointer[0])
            return document

        outcomes = Outcomes(self.model, explanation, queries, labels)
        return Explanations(self.model, queries, labels, outcomes, table, write)

    def _explainer(self) -> Any:
        """An ow_explainer, kept for each thread: what it prepares is good for many calls."""
        settings = (os.getpid(), self.method, self.preset, tuple(self.params.items()))
        if getattr(self._ready, "settings", None) != settings:
            self._ready.explainer = self._new_explainer()
            self._ready.settings = settings
        return self._ready.explainer

    def _new_explainer(self) -> Any:
        parts = ffi.new("ow_explain_model *")
        parts.size = ffi.sizeof("ow_explain_model")
        parts.model = self.model._pointer
        classifier = self._classifier()
        if classifier is not None:
            parts.classifier = classifier.pointer
        out = ffi.new("ow_explainer **")
        check(lib.ow_explainer_new(parts, c_text(self.method), out))
        explainer = owned(
            out[0], lib.ow_explainer_free, self.model._pointer, self._background,
            None if classifier is None else classifier.pointer)
        if self.preset is not None:
            check(lib.ow_explainer_preset(explainer, c_text(self.preset)))
        for name, value in self.params.items():
            word = ("yes" if value else "no") if isinstance(value, bool) else str(value)
            check(lib.ow_explainer_set(explainer, c_text(name.replace("_", "-")), c_text(word)))
        if self._background is not None and self._needs_background():
            check(lib.ow_explainer_set_background(explainer, len(self._background),
                                                  _doubles(self._background)))
        return explainer

    def _needs_background(self) -> bool:
        """Methods that return real rows; the others have what they need in the model."""
        out = ffi.new("const ow_method **")
        check(lib.ow_method_find(c_text(self.method), out))
        return bool(out[0].needs_background)


def _table_of(X: Any) -> tuple[Any, Sequence[Any] | None]:
    """The rows as a table, and their names: pandas' index, where there is one."""
    if type(X).__module__.startswith("pandas"):
        if type(X).__name__ == "Series":
            X = X.to_frame().T.infer_objects()
        return X, list(X.index)
    if isinstance(X, Mapping) and X and not any(
            isinstance(v, (Sequence, np.ndarray)) and not isinstance(v, str) for v in X.values()):
        X = {key: np.array([value]) for key, value in X.items()}
    elif isinstance(X, np.ndarray) and X.ndim == 1:
        X = X.reshape(1, -1)
    return X, None


def _doubles(values: np.ndarray) -> Any:
    return ffi.cast("double *", values.ctypes.data)
