# SPDX-License-Identifier: MIT
"""Random frames and constraints: whatever was asked for holds in every answer."""
import numpy as np
import pandas as pd
from hypothesis import given, settings
from hypothesis import strategies as st

from otherwise import CircuitClassifier, Explainer

ORDER = ["low", "mid", "high"]


def draw_frame(seed, n=60):
    rng = np.random.default_rng(seed)
    frame = pd.DataFrame({
        "x": rng.normal(size=n).round(2),
        "n": rng.integers(0, 30, n),
        "word": rng.choice(["a", "b", "c"], n),
        "grade": pd.Categorical(rng.choice(ORDER, n), categories=ORDER, ordered=True),
        "flag": rng.random(n) < 0.5,
        "gaps": pd.array(np.where(rng.random(n) < 0.2, None, rng.integers(0, 9, n)), dtype="Int64"),
    })
    y = np.where(frame["x"] + 0.1 * frame["n"] + (frame["word"] == "a") + rng.normal(size=n) > 2, "yes", "no")
    y[:2] = ["yes", "no"]
    return frame, y


CONSTRAINTS = st.fixed_dictionaries({}, optional={
    "immutable": st.lists(st.sampled_from(["word", "grade", "flag", "gaps"]), unique=True, max_size=2),
    "ranges": st.fixed_dictionaries({}, optional={
        "x": st.tuples(st.floats(-2, 0), st.floats(0, 2)), "n": st.tuples(st.just(None), st.integers(5, 25))}),
    "monotone": st.fixed_dictionaries({}, optional={
        "n": st.sampled_from(["up", "down"]), "grade": st.sampled_from(["up", "down"])}),
    "allow": st.just({"word": ["a", "b"]}),
    "rules": st.just(["x up => n up"]),
    "max_changes": st.integers(1, 3),
})


def holds(asked, before, after):
    """The sentence of what an answer breaks; None: nothing."""
    def moved(column):
        a, b = before[column], after[column]
        return not (a is b or a == b or (pd.isna(a) and pd.isna(b)))

    rank = {"n": lambda v: v, "grade": ORDER.index, "x": lambda v: v}
    changed = [c for c in before.index if moved(c)]
    for column in asked.get("immutable", ()):
        if moved(column):
            return f"{column} is immutable"
    for column, (low, high) in asked.get("ranges", {}).items():
        if moved(column) and not (low is None or after[column] >= low - 1e-9) & (after[column] <= high + 1e-9):
            return f"{column} leaves its range"
    for column, way in asked.get("monotone", {}).items():
        a, b = rank[column](before[column]), rank[column](after[column])
        if moved(column) and (b > a) != (way == "up"):
            return f"{column} does not go {way}"
    if "allow" in asked and moved("word") and after["word"] not in ("a", "b"):
        return "a word that is not allowed"
    if "rules" in asked and after["x"] > before["x"] and not after["n"] > before["n"]:
        return "x went up without n"
    if len(changed) > asked.get("max_changes", 9):
        return f"{len(changed)} changes"
    return None


@settings(max_examples=2 * settings.default.max_examples // 5)
@given(seed=st.integers(0, 2**20), asked=st.lists(CONSTRAINTS, min_size=4, max_size=4), k=st.integers(1, 3))
def test_constraints_are_never_broken_and_values_come_back(seed, asked, k):
    frame, y = draw_frame(seed)
    model = CircuitClassifier(repetitions=2, inputs=2, epochs=3, infer={"no-relations": True}).fit(frame, y)
    pd.testing.assert_frame_equal(model.model_.table(model.model_.read(frame)), frame)
    explainer = Explainer(model)
    rows = frame[model.predict(frame) == "no"][:6]
    for one in asked:
        found = explainer.explain(rows, target="yes", k=k, **one)
        answers = found.frame()
        assert (model.predict(answers) == "yes").all() if len(answers) else True
        assert len(answers) == 0 or (answers.dtypes == frame.dtypes).all()
        for position, (_, after) in zip(found.positions(), answers.iterrows()):
            broken = holds(one, rows.iloc[position], after)
            assert broken is None, (broken, one)


def test_what_holds_is_no_empty_promise():
    frame, _ = draw_frame(1)
    row = frame.iloc[0]
    assert holds({"immutable": ["word"]}, row, row.replace({row["word"]: "zz"})) is not None
    up = row.copy()
    up["x"] += 1
    assert holds({"rules": [1]}, row, up) is not None and holds({"ranges": {"x": (-9, row["x"])}}, row, up) is not None
    assert holds({}, row, up) is None
