# SPDX-License-Identifier: MIT
"""What an installed wheel has to do with NumPy alone: try_wheel.py PROGRAM

Import quickly, learn, explain; and the program that came with it explains and serves."""
import os
import platform
import subprocess
import sys
import tempfile
import time
import urllib.request

import numpy

began = time.process_time()
import otherwise  # noqa: E402

print(f"otherwise {otherwise.__version__}, Python {platform.python_version()} on {platform.machine()}, "
      f"NumPy {numpy.__version__}: imported in {time.process_time() - began:.3f} s of processor beyond NumPy")
rows = numpy.random.default_rng(0).normal(size=(300, 3))
model = otherwise.CircuitClassifier().fit(rows, rows[:, 1] > 0)
result = otherwise.Explainer(model).explain(rows[rows[:, 1] < -0.3][:5], target=True)
assert all(result) and (model.predict(result.frame()) == True).all()  # noqa: E712
print(result)
assert not {"pandas", "sklearn", "polars", "pyarrow"} & set(sys.modules)

# On other processors the words are an emulator and the program.
program = sys.argv[1:]
with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    model.model_.save("model.ow")
    header = ",".join(model.model_._restorer.form.names)
    numpy.savetxt("rows.csv", rows[:20], delimiter=",", header=header, comments="")
    explain = [*program, "explain", "model.ow", "rows.csv", "--target", "True", "--quiet"]
    assert "->" in subprocess.run(explain, capture_output=True, text=True, check=True).stdout
    with subprocess.Popen([*program, "serve", "model.ow", "rows.csv"], stdout=subprocess.PIPE, text=True) as server:
        address, _, token = server.stdout.readline().strip().partition("?token=")
        try:
            request = urllib.request.Request(address, headers={"Authorization": f"Bearer {token}"})
            page = urllib.request.urlopen(request).read().decode()
        finally:
            server.terminate()
    assert "<html" in page
    os.chdir("/")
print(subprocess.run([*program, "--version"], capture_output=True, text=True, check=True).stdout.strip(), "explains and serves")
