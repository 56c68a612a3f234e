# SPDX-License-Identifier: MIT
"""Enumerating changes apart from the library's search, for tools/check_least.py.

Circuit computes densities in double with NumPy from a model file, as tests/format/read_model.py reads it.  Referee tries all
changes of one and two columns (of three where no more may change, or on request) and judges answers by what it finds."""

import json
import math
import pathlib
import sys

import numpy

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "tests" / "format"))
import read_model  # noqa: E402
from referee_relations import Relations  # noqa: E402


def log_sum(values, axis):
    top = values.max(axis=axis, keepdims=True)
    safe = numpy.where(numpy.isfinite(top), top, 0.0)
    with numpy.errstate(divide="ignore"):
        return numpy.log(numpy.exp(values - safe).sum(axis=axis)) + safe.squeeze(axis)


class Circuit:
    """The circuit of a model file in NumPy, in double."""

    def __init__(self, path):
        self.model = model = read_model.Model(path)
        self.R, self.I, self.D, self.C, self.d = model.R, model.I, model.D, model.C, model.d
        self.parts = model.G
        self.n_regions = self.R * self.parts
        start = model.tensor("circuit.region_start")
        scope = model.tensor("circuit.region_columns")
        leaf, at = numpy.array(model.tensor("circuit.leaf"), dtype=float), 0
        self.place = numpy.zeros((model.copies, self.d, self.R), dtype=int)
        self.parameters = [[numpy.zeros((self.R, self.I, model.owner[j].n_parameters(model.variance)))
                            for j in range(self.d)] for _ in range(model.copies)]
        for r in range(model.copies * self.n_regions):
            copy, region = divmod(r, self.n_regions)
            columns = scope[start[r]:start[r + 1]]
            for i in range(self.I):
                for j in columns:
                    n = self.parameters[copy][j].shape[2]
                    self.place[copy, j, region // self.parts] = region
                    self.parameters[copy][j][region // self.parts, i] = leaf[at:at + n]
                    at += n
        weight, at = numpy.array(model.tensor("circuit.log_weight"), dtype=float), 0
        self.inner, self.parents = {}, None
        if model.trees:
            self.parents = numpy.array(model.tensor("circuit.parents")).reshape(self.R, self.parts)
            shape = (model.copies, self.R, self.parts - 1, self.I, self.I)
            at = math.prod(shape)
            self.edge = numpy.exp(weight[:at].reshape(shape))
        for depth in range(self.D - 1, 0, -1):
            below = self.I if depth == self.D - 1 else model.S
            shape = (model.copies, self.R * 2 ** depth, model.S, below, below)
            self.inner[depth] = weight[at:at + math.prod(shape)].reshape(shape)
            at += math.prod(shape)
        block = (self.C, self.R, model.K) + ((model.K,) if self.D > 0 else ())
        self.root = weight[at:].reshape(block)
        self.log_prior = numpy.array(model.tensor("circuit.log_prior"))

    def copy_of(self, c):
        return 0 if self.model.shared else c

    def log_leaves(self, copy, j, values):
        """log p of encoded values of one column under all its leaves: (values, R, I)."""
        column, parameters, x = self.model.owner[j], self.parameters[copy][j], numpy.asarray(values, dtype=float)
        result = numpy.zeros((len(x), self.R, self.I))
        there = ~numpy.isnan(x)
        if column.follows:
            return result
        if column.kind in ("levels", "values"):
            result[there] = numpy.moveaxis(parameters[:, :, x[there].astype(int)], 2, 0)
            return result
        slab, log_p = there.copy(), 0.0
        if column.kind == "masses":
            for k, mass in enumerate(column.masses):
                result[x == mass] = parameters[:, :, k]
                slab &= x != mass
            log_p, parameters = parameters[:, :, len(column.masses)], parameters[:, :, len(column.masses) + 1:]
        mean = parameters[:, :, 0]
        v = self.model.variance if self.model.variance > 0 else parameters[:, :, 1]
        number = numpy.clip(x[slab], *column.tails)[:, None, None]
        result[slab] = (log_p - (number - mean) ** 2 / (2 * v) - numpy.log(2 * math.pi * v) / 2 + column.log_cell
                        - 2 * numpy.log1p(numpy.abs(x[slab][:, None, None] - number)))
        return result

    def regions(self, copy, rows):
        """Log-values of all leaf components: (rows, regions, I)."""
        total = numpy.zeros((len(rows), self.n_regions, self.I))
        for j in range(self.d):
            total[:, self.place[copy, j]] += self.log_leaves(copy, j, rows[:, j])
        return total

    def climb_trees(self, copy, level):
        """The log-values of the roots of all trees, (rows, trees, I), from those of their nodes; a child stands behind its parent."""
        level = level.reshape(len(level), self.R, self.parts, self.I).copy()
        for tree in range(self.R):
            for child in range(self.parts - 1, 0, -1):
                top = level[:, tree, child].max(axis=1, keepdims=True)
                sums = numpy.exp(level[:, tree, child] - top) @ self.edge[copy, tree, child - 1].T
                with numpy.errstate(divide="ignore"):
                    level[:, tree, self.parents[tree, child]] += numpy.log(sums) + top
        return level[:, :, 0]

    def root_of(self, c, level):
        """log S(given c) from the log-values of leaf regions (rows, regions, I), by the definition."""
        copy = self.copy_of(c)
        if self.parents is not None:
            level = self.climb_trees(copy, level)
        for depth in range(self.D - 1, 0, -1):
            left, right = level[:, 0::2], level[:, 1::2]
            pair = self.inner[depth][copy] + (left[:, :, :, None] + right[:, :, None, :])[:, :, None]
            level = log_sum(pair.reshape(*pair.shape[:3], -1), 3)
        if self.D == 0:
            return log_sum((self.root[c] + level).reshape(len(level), -1), 1)
        pair = self.root[c] + level[:, 0::2, :, None] + level[:, 1::2, None, :]
        return log_sum(pair.reshape(len(level), -1), 1)

    def log_class(self, rows):
        """(rows, classes), a few rows at a time."""
        rows, result = numpy.asarray(rows, dtype=float), []
        for first in range(0, len(rows), 512):
            part = rows[first:first + 512]
            levels = [self.regions(copy, part) for copy in range(self.model.copies)]
            on_sheets = numpy.array([math.fsum(sheet.log_density(row) for sheet in self.model.sheets) for row in part])
            result.append(numpy.stack([self.root_of(c, levels[self.copy_of(c)]) + on_sheets for c in range(self.C)], axis=1))
        return numpy.concatenate(result) if result else numpy.zeros((0, self.C))


class Changes:
    """Everything that may be changed in one row: units (a column, or linked ones) and their candidate values."""

    def __init__(self, referee, query, asked):
        self.units, model = [], referee.circuit.model
        linked = [set(names) for names in referee.schema.get("linked", [])]
        vary, frozen = set(asked["vary"]), set(asked["immutable"])
        frozen |= {c["name"] for c in referee.schema["columns"] if c.get("immutable")}
        free = {c.name: c.name not in frozen and (not vary or c.name in vary) for c in model.columns}
        for names in linked:
            together = all(n not in frozen for n in names) and (not vary or bool(vary & names))
            free.update({name: together for name in names})
        free.update({name: name not in frozen for name in referee.relations.names})
        referee.relations.freeze(free)
        self.frozen = [name for name in free if not free[name]]
        for names, values in zip(referee.schema.get("linked", []), referee.schema.get("linked_values", [])):
            if not free[names[0]] or any(query[name] is None for name in names):
                continue
            combinations = [dict(zip(names, value)) for value in values]
            self.add(referee, query, asked, [c for c in combinations if any(c[n] != query[n] for n in names)])
        for column in model.columns:
            name = column.name
            if free[name] and query[name] is not None and not any(name in names for names in [referee.relations.names, *linked]):
                self.add(referee, query, asked, [{name: v} for v in referee.seen[name] if v != query[name]])

    def add(self, referee, query, asked, candidates):
        kept = [c for c in candidates if all(self.allows(referee, query, asked, n, v) for n, v in c.items())]
        if kept:
            self.units.append(kept)

    def complete(self, referee, query, asked, change):
        """The change with what the schema's relations make of the columns that follow others; None where they refuse it."""
        return referee.relations.complete(
            query, change, lambda name, value: name not in self.frozen and self.allows(referee, query, asked, name, value))

    @staticmethod
    def allows(referee, query, asked, name, value):
        if value == query[name]:
            return True
        if name in asked["allow"] and value not in asked["allow"][name]:
            return False
        column = referee.columns[name]
        direction = asked["monotone"].get(name, column.get("monotone", "none"))
        if column["type"] in ("categorical", "ordinal"):
            order = column["levels"].index
            if direction in ("up", "down") and column["type"] == "ordinal":
                return (order(value) > order(query[name])) == (direction == "up")
            return True
        if name not in asked["allow"] and not referee.is_usual(name, value):
            return False
        low, high = asked["range"].get(name, column.get("range", (-math.inf, math.inf)))
        if not (low if low is not None else -math.inf) <= value <= (high if high is not None else math.inf):
            return False
        return direction == "none" or (value > query[name]) == (direction == "up")


class Referee:
    def __init__(self, model, table):
        self.circuit = Circuit(model)
        self.schema = json.loads(self.circuit.model.metadata["schema"])
        self.columns = {column["name"]: column for column in self.schema["columns"]}
        self.relations = Relations(self.schema["columns"])
        self.classes = self.circuit.model.classes
        self.table = table
        self.seen = {name: self.seen_values(name) for name in self.columns}
        self.samples = {}
        self.with_triples = False  # all changes of three columns, too, for answers of more
        self.target = None  # the class that changes are looked for

    def is_usual(self, name, value):
        """Whether rows of the target class have such numbers (doc/format.md, classes.limits)."""
        if "classes.limits" not in self.circuit.model.tensors or self.target is None:
            return True
        limits, n = self.circuit.model.tensor("classes.limits"), len(self.columns)
        at = 2 * (self.target * n + list(self.columns).index(name))
        return len(limits) == 0 or limits[at] <= value <= limits[at + 1]

    def is_number(self, name):
        return self.columns[name]["type"] in ("integer", "continuous")

    def value(self, name, cell):
        if cell is None or (isinstance(cell, str) and cell.strip() in read_model.MISSING):
            return None
        return float(cell) if self.is_number(name) else cell

    def seen_values(self, name):
        values = {self.value(name, row[name]) for row in self.table} - {None}
        return sorted(values) if self.is_number(name) else [v for v in self.columns[name]["levels"]]

    def encode(self, row):
        text = {name: None if value is None else (f"{value:.17g}" if self.is_number(name) else value)
                for name, value in row.items()}
        return numpy.array(self.circuit.model.encode(text), dtype=float)

    def encode_cell(self, name, value):
        column = next(c for c in self.circuit.model.columns if c.name == name)
        return column.encode(f"{value:.17g}" if self.is_number(name) else value)

    def first(self, name):
        at = 0
        for column in self.circuit.model.columns:
            if column.name == name:
                return at, column.width
            at += column.width
        raise KeyError(name)

    def distance(self, query, change):
        total = 0.0
        for name, value in change.items():
            if value == query[name]:
                continue
            if self.is_number(name):
                low, high = self.columns[name]["range"]
                total += abs(value - query[name]) / (high - low) if high > low else 1.0
            else:
                total += 1.0
        return total

    # ---- The density that is asked for ----

    def mask(self, frozen):
        mask = numpy.zeros(self.circuit.d, dtype=bool)
        for name in frozen:
            first, width = self.first(name)
            mask[first:first + width] = True
        return mask

    def given_frozen(self, rows, mask, there, t):
        """log S(row on what is there given t) - log S(row on what is there and frozen given t)."""
        whole = numpy.where(there, rows, numpy.nan)
        result = self.circuit.log_class(whole)[:, t]
        if (mask & there).any():
            result = result - self.circuit.log_class(numpy.where(mask, whole, numpy.nan))[:, t]
        return result

    def quantile(self, mask, there, t, quantile):
        key = (mask.tobytes(), there.tobytes(), t)
        if key not in self.samples:
            rows = numpy.array(self.circuit.model.samples(t), dtype=float)
            self.samples[key] = numpy.sort(self.given_frozen(rows, mask, there, t))
        return float(numpy.quantile(self.samples[key], quantile))

    def threshold(self, x, frozen, t, quantile):
        if quantile is None:
            return -math.inf
        mask, there = self.mask(frozen), ~numpy.isnan(x)
        own = self.circuit.log_class(numpy.where(mask, x, numpy.nan)[None])[0, t]
        return self.quantile(mask, there, t, quantile) + own

    # ---- Enumeration ----

    def passes(self, log_class, t, threshold, asked):
        """Which rows of log S(x given c) are of the class, with the probability, and dense enough."""
        joint = log_class + self.circuit.log_prior
        others = numpy.delete(joint, t, axis=1)
        passed = (joint[:, t] > others.max(axis=1)) & (log_class[:, t] >= threshold)
        least = asked["prob"][0]
        if least > 0:
            passed &= joint[:, t] - log_sum(others, 1) >= math.log(least) - math.log1p(-least)
        return passed

    def shifts(self, x, units):
        """For each copy and unit: what its candidates add to the leaf components, (candidates, regions, I)."""
        result = []
        for copy in range(self.circuit.model.copies):
            per_unit = []
            for unit in units:
                total = numpy.zeros((len(unit), self.circuit.n_regions, self.circuit.I))
                for name in unit[0]:
                    first, width = self.first(name)
                    cells = numpy.array([self.encode_cell(name, change[name]) for change in unit], dtype=float)
                    for k in range(width):
                        added = self.circuit.log_leaves(copy, first + k, cells[:, k])
                        added = added - self.circuit.log_leaves(copy, first + k, x[first + k:first + k + 1])
                        numpy.add.at(total, (slice(None), self.circuit.place[copy, first + k]), added)
                per_unit.append(total)
            result.append(per_unit)
        return result

    def pairs_of(self, base, one, others, c):
        """log S(given c) for one change (regions, I) with each of others (candidates, regions, I).  At depth 1 as products of
        linear values relative to their largest; otherwise, and wherever that underflows, by the definition."""
        level = base + one
        if self.circuit.D != 1:
            return self.circuit.root_of(c, level + others)
        both = level + others
        top = both.max(axis=2, keepdims=True)
        value = numpy.exp(both - top)
        left, right = value[:, 0::2], value[:, 1::2]
        sums = (numpy.matmul(left.transpose(1, 0, 2), numpy.exp(self.circuit.root[c])).transpose(1, 0, 2) * right).sum(2)
        scale = top[:, 0::2, 0] + top[:, 1::2, 0]
        with numpy.errstate(divide="ignore"):
            return log_sum(numpy.log(sums) + scale, 1)

    def single_changes(self, base, units, shifts):
        return [numpy.stack([self.circuit.root_of(c, base[self.circuit.copy_of(c)] + shifts[self.circuit.copy_of(c)][u])
                             for c in range(self.circuit.C)], axis=1) for u in range(len(units))]

    def best_pair(self, base, units, shifts, price, pass_, best):
        """The nearest pair of changes that passes and is nearer than `best`, which is returned otherwise."""
        for u in range(len(units)):
            for w in range(u + 1, len(units)):
                a, b = (u, w) if len(units[u]) <= len(units[w]) else (w, u)
                for i in range(len(units[a])):
                    near = numpy.arange(len(units[b]))
                    if best is not None:
                        near = near[price[a][i] + price[b] < best[0]]
                    if len(near) == 0:
                        continue
                    log_class = numpy.stack(
                        [self.pairs_of(base[self.circuit.copy_of(c)], shifts[self.circuit.copy_of(c)][a][i],
                                       shifts[self.circuit.copy_of(c)][b][near], c)
                         for c in range(self.circuit.C)], axis=1)
                    passed = near[pass_(log_class)]
                    if len(passed):
                        last = passed[numpy.argmin(price[b][passed])]
                        best = (float(price[a][i] + price[b][last]), {**units[a][i], **units[b][last]})
        return best

    def best_triple(self, base, units, shifts, price, pass_):
        """Every unit's candidates in turn, the smallest unit first, each with all pairs of units behind it."""
        order = sorted(range(len(units)), key=lambda u: len(units[u]))
        best = None
        for at, first in enumerate(order[:-2]):
            rest = order[at + 1:]
            for i, change in enumerate(units[first]):
                moved = [base[copy] + shifts[copy][first][i] for copy in range(len(base))]
                found = self.best_pair(moved, [units[u] for u in rest], [[of[u] for u in rest] for of in shifts],
                                       [price[u] for u in rest], pass_, None if best is None else
                                       (best[0] - price[first][i], {}))
                if found is not None and found[1]:
                    best = (found[0] + float(price[first][i]), {**change, **found[1]})
        return best

    def enumerate(self, query, asked, t, threshold, with_pairs, with_triples=False):
        """The nearest single change that passes, pair and, with_triples or where no more than three units may change, triple; each
        with its distance, None where none passes."""
        if self.relations.ordered or self.circuit.model.sheets:
            sys.exit("columns of this model follow others, which tables of all pairs do not know: bench/check_foreign.py goes through rows")
        x, changes = self.encode(query), Changes(self, query, asked)
        units, most = changes.units, asked["max_changes"] or 2
        shifts = self.shifts(x, units)
        base = [self.circuit.regions(copy, x[None])[0] for copy in range(self.circuit.model.copies)]
        price = [numpy.array([self.distance(query, change) for change in unit]) for unit in units]
        def pass_(log_class):
            return self.passes(log_class, t, threshold, asked)

        single = pair = triple = None
        for u, log_class in enumerate(self.single_changes(base, units, shifts)):
            for i in numpy.flatnonzero(pass_(log_class)):
                if single is None or price[u][i] < single[0]:
                    single = (float(price[u][i]), dict(units[u][i]))
        if with_pairs and most > 1:
            pair = self.best_pair(base, units, shifts, price, pass_, None)
        some = with_triples or with_pairs and len(units) == 3
        if some and (asked["max_changes"] or 3) > 2 and single is None and pair is None:
            triple = self.best_triple(base, units, shifts, price, pass_)
        for found in (single, pair, triple):
            if found is not None and not self.row_passes(query, found[1], t, threshold, asked, 1e-7):
                raise AssertionError(f"{found[1]} does not pass when it is evaluated by itself")
        return single, pair, triple

    def row_passes(self, query, change, t, threshold, asked, slack=0.0):
        row = self.encode({**query, **change})
        return bool(self.passes(self.circuit.log_class(row[None]), t, threshold - slack, asked)[0])

    # ---- One answer ----

    def units_of(self, change):
        """What a change counts: columns and links, without what only follows."""
        linked = [set(names) for names in self.schema.get("linked", [])]
        groups, rest = [], {name: value for name, value in change.items() if name not in self.relations.names}
        for names in linked:
            together = {name: rest.pop(name) for name in list(rest) if name in names}
            if together:
                groups.append(together)
        return groups + [{name: value} for name, value in rest.items()]

    def step(self, name, value):
        """One step of a number's printed precision or, where larger, the gap to the next seen value; over its range."""
        low, high = self.columns[name]["range"]
        seen = numpy.array(self.seen[name])
        below, above = seen[seen < value], seen[seen > value]
        gaps = [abs(value - near) for near in (*below[-1:], *above[:1])]
        grid = 10.0 ** -self.columns[name].get("decimals", 0)
        return max([grid, *gaps]) / (high - low) if high > low else 0.0

    def tolerance(self, *changes):
        return max([self.step(name, value) for change in changes for name, value in change.items()
                    if self.is_number(name)], default=0.0) + 1e-9

    def shorter(self, query, change, name):
        """The change with seven tenths of a number's way; None where that rounds to the same."""
        grid = 10.0 ** -self.columns[name].get("decimals", 0)
        value = round((query[name] + 0.7 * (change[name] - query[name])) / grid) * grid
        if abs(value - change[name]) < grid / 2 or abs(value - query[name]) < grid / 2:
            return None
        return {**change, name: value}

    def judge(self, result, asked):
        t = self.target = self.classes.index(result["target"])
        query = {name: self.value(name, value) for name, value in result["query"]["values"].items()}
        changes = Changes(self, query, asked)
        threshold = self.threshold(self.encode(query), changes.frozen, t, asked["quantile"])
        answer = (result["counterfactuals"] or [None])[0]
        reached = answer is not None and result["status"] == "found"
        verdict = {"row": result["row"], "answered": reached}
        change = {} if answer is None else {c["column"]: self.value(c["column"], c["to"]) for c in answer["changes"]}
        if reached:
            mine = self.circuit.log_class(self.encode({**query, **change})[None])[0, t]
            assert abs(mine - answer["log_density_target"]) < 1e-3, "the densities here are not the program's"
        passes = reached and self.row_passes(query, change, t, threshold, asked, 1e-4)
        n = len(self.units_of(change))
        if not reached and not asked["required"]:
            threshold = -math.inf  # the density was only wished for: a refusal says that the class is out of reach
        with_triples = self.with_triples and passes and n > 3
        single, pair, triple = self.enumerate(query, asked, t, threshold, not passes or n > 1, with_triples)
        least = 1 if single is not None else 2 if pair is not None else 4 if with_triples and triple is None else 3
        verdict.update(passes=passes, least=least, changes=n if passes else None, single=single, pair=pair)
        if not passes:
            verdict["false_refusal"] = least < 3 or triple is not None
            verdict["triple"] = triple
            return verdict
        best = single if n == 1 else pair if n == 2 else None
        far = self.distance(query, change)
        verdict["fewer"] = least < min(n, 4 if with_triples else 3)
        verdict["nearer"] = best is not None and bool(best[0] < far - self.tolerance(change, best[1]))
        groups = self.units_of(change)
        verdict["back"] = n > 1 and any(
            self.row_passes(query, {k: v for k, v in change.items() if k not in group}, t, threshold, asked)
            for group in groups)
        numbers = [name for name in change if self.is_number(name) and not any(
            name in names for names in self.schema.get("linked", []))]
        shorter = [self.shorter(query, change, name) for name in numbers]
        verdict["number"] = bool(numbers)
        verdict["short"] = any(s is not None and self.row_passes(query, s, t, threshold, asked) for s in shorter)
        return verdict

    def share_below(self, rows, target, asked):
        """Share of rows labelled the target that lie below the quantile, each given its own frozen columns."""
        label = self.schema["label"]["name"]
        t, below, n = self.classes.index(target), 0, 0
        for row in rows:
            if row[label] != target:
                continue
            query = {name: self.value(name, row[name]) for name in self.columns}
            x, frozen = self.encode(query), Changes(self, query, asked).frozen
            threshold = self.threshold(x, frozen, t, asked["quantile"])
            below += self.circuit.log_class(x[None])[0, t] < threshold
            n += 1
        return below / n if n else math.nan
