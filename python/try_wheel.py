# SPDX-License-Identifier: MIT
"""What an installed wheel has to do with NumPy alone: import quickly, learn, explain."""
import sys
import time

import numpy

began = time.perf_counter()
import otherwise  # noqa: E402

print(f"otherwise {otherwise.__version__}: imported in {time.perf_counter() - began:.3f} s "
      f"beyond NumPy {numpy.__version__}")
rows = numpy.random.default_rng(0).normal(size=(300, 3))
model = otherwise.CircuitClassifier().fit(rows, rows[:, 1] > 0)
result = otherwise.Explainer(model).explain(rows[rows[:, 1] < -0.3][:5], target=True)
assert all(result) and (model.predict(result.frame()) == True).all()  # noqa: E712
print(result)
assert not {"pandas", "sklearn", "polars", "pyarrow"} & set(sys.modules)
