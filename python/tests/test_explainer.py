# SPDX-License-Identifier: MIT
import json
import pickle
import threading

import numpy as np
import pandas as pd
import pytest

from otherwise import Explainer, Model, OtherwiseError


@pytest.fixture(scope="module")
def explainer(credit_model):
    return Explainer(credit_model)


@pytest.fixture(scope="module")
def refused(credit, credit_model):
    X, _ = credit
    return X[credit_model.predict(X) == "bad"][:30]


def test_answers_are_of_the_class_and_keep_what_is_locked(explainer, credit_model, refused):
    result = explainer.explain(refused, target="good", immutable=["age", "foreign_worker"])
    assert len(result) == len(refused)
    frame = result.frame()
    assert (credit_model.predict(frame) == "good").all()
    assert (frame.dtypes == refused.dtypes).all()
    for (row, _), answer in frame.iterrows():
        assert answer["age"] == refused.loc[row, "age"]
        assert answer["foreign_worker"] == refused.loc[row, "foreign_worker"]


def test_changes_are_those_between_query_and_answer(explainer, refused):
    result = explainer.explain(refused, target="good", k=2)
    frame, changes = result.frame(), result.changes()
    assert list(changes.columns) == ["row", "answer", "column", "from", "to", "enough"]
    for (row, answer), values in frame.iterrows():
        mine = changes[(changes["row"] == row) & (changes["answer"] == answer)]
        different = [c for c in refused.columns if values[c] != refused.loc[row, c]]
        assert sorted(mine["column"]) == sorted(different)
        for _, change in mine.iterrows():
            assert change["from"] == refused.loc[row, change["column"]]
            assert change["to"] == values[change["column"]]


def without_times(document):
    return [{**answer, "time_ms": 0} for result in document["results"] for answer in result["counterfactuals"]]


def test_preferences_are_the_same_as_arguments(explainer, refused, tmp_path):
    """A file as the page saves it, a dict, and what an explanation says of its constraints, given back."""
    wanted = {"target": "good", "answers": 2, "prefer": "cheapest", "steps": False, "immutable": ["age"],
              "range": {"amount": [250, None]}, "reach": {"duration": {"percent": [-60, 0]}},
              "allow": {"housing": ["own"]}, "moves": {"savings": [["below 100", "100 to 500"]]},
              "monotone": {"duration": "down"}, "cost": {"amount": 2, "purpose": {"up": 3, "down": 3}},
              "rules": ["duration down => amount not up"], "max_changes": 3, "prob": [0.55, 1]}
    (tmp_path / "preferences.json").write_text(json.dumps(wanted))
    ours = explainer.explain(refused, "good", k=2, prefer="cheapest", immutable=["age"],
                             ranges={"amount": (250, None), "duration": "-60%:+0%"},
                             allow={"housing": ["own"], "savings": {"below 100": ["100 to 500"]}},
                             monotone={"duration": "down"}, costs={"amount": 2, "purpose": 3},
                             rules=["duration down => amount not up"], max_changes=3, min_proba=0.55)
    document = json.loads(ours.to_json())
    again = {**document["meta"]["constraints"], "target": "good", "answers": 2, "prefer": "cheapest"}
    for preferences in (wanted, tmp_path / "preferences.json", again):
        theirs = json.loads(explainer.explain(refused, preferences=preferences).to_json())
        assert without_times(theirs) == without_times(document)
        assert theirs["meta"]["constraints"] == document["meta"]["constraints"]
    assert len(without_times(document)) > 10
    with pytest.raises(OtherwiseError, match="nothing"):
        explainer.explain(refused, preferences={"nothing": 1})


def test_words_of_dice(explainer, refused):
    ours = explainer.explain(refused, target="good", vary=["duration", "amount"], k=2,
                             ranges={"amount": (250, 5000)})
    theirs = explainer.explain(refused, desired_class="good", total_CFs=2,
                               features_to_vary=["duration", "amount"],
                               permitted_range={"amount": (250, 5000)})
    pd.testing.assert_frame_equal(ours.frame(), theirs.frame())
    assert set(ours.changes()["column"]) <= {"duration", "amount"}


def test_constraints_of_every_kind(explainer, refused):
    result = explainer.explain(
        refused, target="good", monotone={"age": "up"}, costs={"duration": {"down": 2}, "amount": 3},
        ranges={"amount": "-50%:+0", "duration": (None, 48)}, max_changes=2,
        rules=["amount up => duration up", "duration not up"])
    for outcome in result:
        for answer in outcome.answers:
            assert answer.n_changes <= 2
            for change in answer.changes:
                if change.column == "amount":
                    assert 0.5 * change.before - 1 <= change.after <= change.before
                if change.column == "age":
                    assert change.after > change.before
                assert change.column != "duration" or change.after < change.before


def test_json_is_that_of_the_program(explainer, refused):
    result = explainer.explain(refused, target="good")
    document = json.loads(result.to_json())
    assert [r["status"] for r in document["results"]] == result.status
    assert json.loads(result.to_dice())
    again = pickle.loads(pickle.dumps(result))
    assert json.loads(again.to_json()) == document
    assert "->" in repr(result)
    assert "<section>" in result._repr_html_()
    assert ".ow{" not in result._repr_html_()   # notebooks colour code by classes such as ow


def test_markup_in_values_stays_text():
    rng = np.random.default_rng(1)
    X = pd.DataFrame({"<b>": rng.normal(size=200), "c": rng.choice(["<i>x", "y"], 200)})
    y = np.where(X["<b>"] > 0, "<script>", "no")
    from otherwise import CircuitClassifier

    explainer = Explainer(CircuitClassifier(repetitions=2, inputs=2, epochs=3).fit(X, y))
    page = explainer.explain(X[y == "no"][:3], target="<script>")._repr_html_()
    assert "<script>" not in page and "<b>:" not in page and "<i>x" not in page


def test_failures_are_outcomes_with_a_reason(explainer, refused):
    result = explainer.explain(refused, target="good", vary=["telephone"])
    failed = [o for o in result if o.status == "not-found"]
    assert failed and all(o.reason for o in failed) and not any(failed)


def test_mistakes_are_sentences(explainer, refused):
    for wrong, words in (({"target": "goood"}, "good"), ({"immutable": ["agee"]}, "age"),
                         ({"ranges": {"amount": (5, 1)}}, "amount"), ({"prefer": "best"}, "least"),
                         ({"rules": ["age upp"]}, "upp"), ({"monotone": {"age": "left"}}, "up")):
        with pytest.raises(ValueError, match=words) as caught:
            explainer.explain(refused, **{"target": "good", **wrong})
        assert isinstance(caught.value, OtherwiseError)
    with pytest.raises(ValueError, match="guided"):
        Explainer(explainer.model, method="guidedd").explain(refused)
    with pytest.raises(OSError, match="absent.ow"):
        Explainer("absent.ow")


def test_a_model_file_explains_frames_and_files(tmp_path, explainer, refused):
    path = tmp_path / "credit.ow"
    explainer.model.save(path)
    assert Model.load(path).to_bytes() == explainer.model.to_bytes()
    want = explainer.explain(refused, target="good").frame()
    got = Explainer(path).explain(refused, target="good").frame()
    pd.testing.assert_frame_equal(got, want)
    rows = tmp_path / "rows.csv"
    refused.to_csv(rows, index=False)
    again = Explainer(path).explain(rows, target="good").frame()
    assert (again.astype(str).to_numpy() == want.astype(str).to_numpy()).all()


def test_one_row_as_series_dict_or_array(explainer, refused, numbers):
    row = refused.iloc[0]
    want = explainer.explain(refused[:1], target="good")[0].answers[0].values
    for one in (row, row.to_dict()):
        np.testing.assert_array_equal(explainer.explain(one, target="good")[0].answers[0].values,
                                      want)


def test_eight_threads_one_model(explainer, refused):
    want = explainer.explain(refused, target="good").to_json().split('"meta"')[0]
    frames, errors = [None] * 8, []

    def run(i):
        try:
            frames[i] = explainer.explain(refused, target="good").frame()
        except Exception as error:  # noqa: BLE001
            errors.append(error)

    threads = [threading.Thread(target=run, args=(i,)) for i in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not errors and want
    for frame in frames[1:]:
        pd.testing.assert_frame_equal(frame, frames[0])


def test_ctrl_c_stops_it(credit_model, credit):
    import _thread

    X, _ = credit
    calls = []

    def interrupt(stage, done, total):
        calls.append(stage)
        if len(calls) == 3:
            _thread.interrupt_main()

    with pytest.raises(KeyboardInterrupt):
        Explainer(credit_model, progress=interrupt).explain(pd.concat([X] * 20), target="good")


def test_a_signal_at_any_moment_is_a_keyboard_interrupt(credit_model, credit):
    import os
    import signal

    many = pd.concat([credit[0]] * 60)
    explainer = Explainer(credit_model)
    for moment in range(6):
        timer = threading.Timer(0.05 + 0.02 * moment, os.kill, (os.getpid(), signal.SIGINT))
        with pytest.raises(KeyboardInterrupt):
            timer.start()
            explainer.explain(many, target="good")
            timer.join()
            raise AssertionError("it was over before the signal came")
        timer.join()


def test_what_progress_raises_arrives(credit_model, credit):
    def fail(stage, done, total):
        raise RuntimeError("not today")

    with pytest.raises(RuntimeError, match="not today"):
        Explainer(credit_model, progress=fail).explain(credit[0], target="good")
