# SPDX-License-Identifier: MIT
"""Answers of dice-ml and NICE (nicex), by their own defaults, one for each query.

Both are made once for a model.  `answers(queries, ...)` returns a frame of objects with a row for each query, NaN where the tool finds
nothing."""
import contextlib
import io

import numpy
import pandas


class Dice:
    """method: random, genetic or kdtree.  model has predict and predict_proba for frames; y has 1 where a training row is of the target."""

    def __init__(self, method, model, train, y, numbers):
        import dice_ml
        self.method, self.columns = method, list(train.columns)
        data = dice_ml.Data(dataframe=train.assign(outcome_=y), continuous_features=list(numbers), outcome_name="outcome_")
        self.explainer = dice_ml.Dice(data, dice_ml.Model(model=model, backend="sklearn", model_type="classifier"), method=method)

    def answers(self, queries, locked):
        rows = [self.answer(queries[self.columns].iloc[i:i + 1], [c for c in self.columns if c not in locked]) for i in range(len(queries))]
        return pandas.DataFrame(rows, columns=self.columns, dtype=object)

    def answer(self, query, open_columns):
        seed = {"random_seed": 0} if self.method == "random" else {}
        try:
            with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
                found = self.explainer.generate_counterfactuals(query, total_CFs=1, desired_class=1, features_to_vary=open_columns,
                                                                verbose=False, **seed).cf_examples_list[0].final_cfs_df
        except Exception as error:  # noqa: BLE001  (the type that it raises where it finds nothing differs between versions)
            if "No counterfactuals found" not in str(error):
                print(f"    DiCE {self.method}: {type(error).__name__}: {error}", flush=True)
            found = None
        if found is None or len(found) == 0:
            return [numpy.nan] * len(self.columns)
        return found.iloc[0][self.columns].tolist()


class Nice:
    """probabilities takes frames of the columns of train; y has the number of each training row's class.  NICE knows no locks."""

    def __init__(self, probabilities, train, y, numbers):
        from nice import NICE
        self.columns = list(train.columns)
        is_number = [c in numbers for c in self.columns]
        self.nice = NICE(predict_fn=lambda values: probabilities(self.frame(values)), X_train=train.to_numpy(dtype=object),
                         y_train=numpy.asarray(y), cat_feat=[j for j, number in enumerate(is_number) if not number],
                         num_feat=[j for j, number in enumerate(is_number) if number], optimization="sparsity")

    def frame(self, values):
        return pandas.DataFrame(values, columns=self.columns)

    def answers(self, queries, target=1):
        rows = queries[self.columns].to_numpy(dtype=object)
        return self.frame(numpy.array([self.nice.explain(rows[i:i + 1].copy(), [target])[0] for i in range(len(rows))], dtype=object))
