# SPDX-License-Identifier: MIT
"""Judges of answers that have not seen how they were made: local outlier factor, distance to real rows, a random forest, rules of the
table, quantiles and codes.  None of them looks at a circuit."""
import numpy
from sklearn.ensemble import RandomForestClassifier
from sklearn.neighbors import LocalOutlierFactor

HOLDS = 0.995     # a rule holds in this share of the training rows
ORDINARY = 0.95   # what holds in more rows anyway is no rule


class Judges:
    def __init__(self, table, train, schema, codes):
        self.columns = table.columns
        self.is_number = {c["name"]: c["type"] in ("continuous", "integer") for c in schema["columns"]}
        self.numbers = [c for c in self.columns if self.is_number.get(c, False)]
        self.levels = {c: sorted(set(train[c].astype(str))) for c in self.columns if c not in self.numbers}
        self.range = {c: float(numpy.ptp(train[c].to_numpy(dtype=float))) or 1.0 for c in self.numbers}
        self.codes = codes
        of_class = train[train[table.label] == table.target]
        self.limits = {c: numpy.quantile(without_codes(of_class[c], codes.get(c, ())), [0.01, 0.99]) for c in self.numbers}
        deviation = {c: float(train[c].std()) or 1.0 for c in self.numbers}
        self.deviation = deviation
        self.lof = LocalOutlierFactor(n_neighbors=min(20, len(of_class) - 1), novelty=True).fit(self.encoded(of_class))
        self.real = self.gower_space(of_class)
        self.forest = RandomForestClassifier(n_estimators=200, min_samples_leaf=5, random_state=0, n_jobs=1)
        self.forest.fit(self.encoded(train), (train[table.label] == table.target).to_numpy())
        self.atoms = self.find_atoms(train)
        self.find_rules(train)

    # ---- Rows as numbers ----

    def encoded(self, rows):
        """Numbers over their deviations; a category's two levels lie 1 apart."""
        parts = [rows[c].to_numpy(dtype=float)[:, None] / self.deviation[c] for c in self.numbers]
        for c, levels in self.levels.items():
            parts.append((rows[c].astype(str).to_numpy()[:, None] == numpy.array(levels)[None, :]) / numpy.sqrt(2))
        return numpy.hstack(parts)

    def gower_space(self, rows):
        """Half the city block distance of these rows is d times Gower's."""
        parts = [2 * rows[c].to_numpy(dtype=float)[:, None] / self.range[c] for c in self.numbers]
        for c, levels in self.levels.items():
            parts.append((rows[c].astype(str).to_numpy()[:, None] == numpy.array(levels)[None, :]).astype(float))
        return numpy.hstack(parts)

    def gower(self, a, b):
        """Row by row."""
        total = numpy.zeros(len(a))
        for c in self.columns:
            if c in self.numbers:
                total += numpy.abs(a[c].to_numpy(dtype=float) - b[c].to_numpy(dtype=float)) / self.range[c]
            else:
                total += a[c].astype(str).to_numpy() != b[c].astype(str).to_numpy()
        return total / len(self.columns)

    def changed(self, queries, answers):
        """[column] -> which rows have another value."""
        return {c: numpy.abs(queries[c].to_numpy(dtype=float) - answers[c].to_numpy(dtype=float)) > 1e-9 * self.range[c]
                if c in self.numbers else queries[c].astype(str).to_numpy() != answers[c].astype(str).to_numpy() for c in self.columns}

    # ---- What the judges say ----

    def outliers(self, rows):
        return float((self.lof.predict(self.encoded(rows)) == -1).mean())

    def nearest(self, rows):
        """Mean Gower distance to the nearest training row of the class."""
        return float(numpy.mean([0.5 * numpy.abs(self.real - x).sum(axis=1).min() for x in self.gower_space(rows)]) / len(self.columns))

    def agrees(self, rows):
        return float(self.forest.predict(self.encoded(rows)).mean())

    def beyond(self, queries, answers):
        """Answers that change a number to a value outside the class's 1 to 99 %, and away from it."""
        bad = numpy.zeros(len(answers), dtype=bool)
        for c, moved in self.changed(queries, answers).items():
            if c in self.numbers:
                x, (low, high) = answers[c].to_numpy(dtype=float), self.limits[c]
                bad |= moved & ((x < low - 1e-9 * self.range[c]) | (x > high + 1e-9 * self.range[c]))
        return float(bad.mean())

    def on_code(self, queries, answers):
        bad = numpy.zeros(len(answers), dtype=bool)
        for c, moved in self.changed(queries, answers).items():
            if c in self.codes:
                bad |= moved & numpy.isin(answers[c].to_numpy(dtype=float), self.codes[c])
        return float(bad.mean())

    # ---- Rules: "A => B" and "x <= y" ----

    def find_atoms(self, train):
        """[(column, which values: a function)]: each level and frequent value, and the outer tenths of numbers."""
        atoms, least = [], max(30, 0.01 * len(train))
        for c in self.columns:
            counts = train[c].value_counts()
            few = c not in self.numbers or len(counts) <= 10
            for value, count in counts.items():
                if count >= (least if few else max(least, 0.05 * len(train))):
                    atoms.append((c, lambda rows, c=c, value=value: (rows[c] == value).to_numpy()))
            if not few:
                low, high = numpy.quantile(train[c].to_numpy(dtype=float), [0.1, 0.9])
                atoms.append((c, lambda rows, c=c, low=low: rows[c].to_numpy(dtype=float) <= low))
                atoms.append((c, lambda rows, c=c, high=high: rows[c].to_numpy(dtype=float) >= high))
        return atoms

    def holds(self, rows):
        return numpy.array([atom(rows) for _, atom in self.atoms], dtype=numpy.float32).reshape(len(self.atoms), len(rows))

    def find_rules(self, train):
        table = self.holds(train)
        share, both = table.mean(axis=1), table @ table.T
        count = numpy.maximum(table.sum(axis=1), 1)
        other = numpy.array([[a[0] != b[0] for b in self.atoms] for a in self.atoms])
        wide = (count >= max(30, 0.01 * len(train)))[:, None]
        given = both / count[:, None]
        self.implied = other & wide & (given >= HOLDS) & (share <= ORDINARY)[None, :]
        self.excluded = other & wide & (given <= 1 - HOLDS) & (share >= 1 - ORDINARY)[None, :]
        self.ordered = []
        shuffled = numpy.random.default_rng(0).permutation(len(train))
        for a in self.numbers:
            for b in self.numbers:
                x, y = train[a].to_numpy(dtype=float), train[b].to_numpy(dtype=float)
                if a != b and (x <= y).mean() >= HOLDS and (x <= y[shuffled]).mean() <= ORDINARY:
                    self.ordered.append((a, b))
        self.n_rules = int(self.implied.sum() + self.excluded.sum() + len(self.ordered))

    def broken_each(self, rows):
        """Rules by rows: which row breaks which rule."""
        table = self.holds(rows) > 0
        parts = [table[a] & ~table[b] for a, b in numpy.argwhere(self.implied)]
        parts += [table[a] & table[b] for a, b in numpy.argwhere(self.excluded)]
        parts += [rows[a].to_numpy(dtype=float) > rows[b].to_numpy(dtype=float) for a, b in self.ordered]
        return numpy.array(parts, dtype=bool).reshape(len(parts), len(rows))

    def broken(self, queries, answers):
        """Share of the answers that break a rule which their queries keep."""
        return float((self.broken_each(answers) & ~self.broken_each(queries)).any(axis=0).mean())


def without_codes(values, codes):
    values = values.to_numpy(dtype=float)
    kept = values[~numpy.isin(values, codes)] if len(codes) else values
    return kept if len(kept) else values
