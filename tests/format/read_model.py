# SPDX-License-Identifier: MIT
"""A second reader of model files, written from doc/format.md with the standard library alone.

It knows nothing of the C sources: where the two disagree, the page or the program is wrong.  Everything is
computed in double precision, without any of the tricks that make the program fast.

    model = Model(path)
    log_class = model.log_class({"age": "23", "housing": "rent"})      # missing columns are summed out
"""
import json
import math
import struct

TYPES = {"F32": ("f", 4), "F64": ("d", 8), "U32": ("I", 4), "I64": ("q", 8)}
MISSING = ("", "?", "NA", "NaN", "null")


def float32(number):
    return struct.unpack("<f", struct.pack("<f", number))[0]


def log_sum(terms):
    top = max(terms, default=-math.inf)
    if top == -math.inf:
        return -math.inf
    return top + math.log(math.fsum(math.exp(term - top) for term in terms))


def read_container(data):
    """The metadata and {name: (shape, values)} of a safetensors file, its layout checked."""
    (length,) = struct.unpack_from("<Q", data)
    assert (8 + length) % 64 == 0, "the tensors do not begin at a multiple of 64"
    header = json.loads(data[8:8 + length].decode("utf-8"))
    metadata = header.pop("__metadata__")
    tensors, expected = {}, 0
    for name, entry in header.items():
        letter, size = TYPES[entry["dtype"]]
        begin, end = entry["data_offsets"]
        count = math.prod(entry["shape"])
        assert begin == expected and end - begin == count * size, f"{name} lies elsewhere"
        assert begin % size == 0, f"{name} is not aligned"
        values = struct.unpack_from(f"<{count}{letter}", data, 8 + length + begin)
        tensors[name] = (tuple(entry["shape"]), values)
        expected = end
    assert expected == len(data) - 8 - length, "bytes behind the last tensor"
    return metadata, tensors


class Column:
    """One column of the schema: from a cell of text to the circuit's columns and their leaves."""

    def __init__(self, schema, encoding):
        self.name, self.levels = schema["name"], schema.get("levels")
        self.kind, self.values = encoding["kind"], encoding.get("values", [])
        self.log_cell = encoding.get("log_cell", 0.0)
        self.tails = encoding.get("tails", (-math.inf, math.inf))
        self.follows = False  # from others, by a sheet
        self.width = len(self.levels) if self.kind == "one-hot" else 1
        self.scaling = schema.get("scaling", "none")
        low, high = schema.get("range", (0.0, 0.0))
        self.centre, self.scale = {
            "none": (0.0, 1.0), "minmax": (low, high - low if high > low else 1.0),
            "standard": (schema.get("mean", 0.0), schema.get("deviation", 1.0)),
            "log1p": (schema.get("log_mean"), schema.get("log_deviation"))}[self.scaling]
        self.masses = [self.scaled(value) for value in self.values] if self.kind == "masses" else []

    def scaled(self, number):
        warped = math.log1p(number) if self.scaling == "log1p" and number > 0 else number
        return float32((warped - self.centre) / self.scale)

    def encode(self, cell):
        if cell is None or cell in MISSING:
            return [math.nan] * self.width
        if self.kind == "levels":
            return [self.levels.index(cell)]
        if self.kind == "one-hot":
            return [float(level == cell) for level in self.levels]
        number = float(cell)
        if self.kind == "values":
            return [min(range(len(self.values)), key=lambda i: (abs(self.values[i] - number), i))]
        return [self.scaled(number)]

    def entries(self, cell):
        """What a network sees of it."""
        encoded = self.encode(cell)
        if self.kind not in ("levels", "values"):
            return encoded
        levels = range(len(self.levels or self.values))
        return [math.nan if math.isnan(encoded[0]) else float(level == encoded[0]) for level in levels]

    def n_parameters(self, variance):
        """Of one component and one circuit column."""
        if self.follows:
            return 0
        if self.kind in ("levels", "values"):
            return len(self.levels or self.values)
        if self.kind == "masses":
            return len(self.masses) + 3
        return 1 if variance > 0 else 2

    def log_leaf(self, x, parameters, variance):
        if math.isnan(x) or self.follows:
            return 0.0
        if self.kind in ("levels", "values"):
            return parameters[int(x)]
        log_p = 0.0
        if self.kind == "masses":
            if x in self.masses:
                return parameters[self.masses.index(x)]
            log_p, parameters = parameters[len(self.masses)], parameters[len(self.masses) + 1:]
        mean, v = parameters[0], variance if variance > 0 else parameters[1]
        end = min(max(x, self.tails[0]), self.tails[1])  # farther out the density falls as (1 + distance)^-2
        return log_p - (end - mean) ** 2 / (2 * v) - math.log(2 * math.pi * v) / 2 + self.log_cell - 2 * math.log1p(abs(x - end))


class Sheet:
    """A number that follows from others."""

    def __init__(self, entry, owner):
        self.terms, self.constant = entry["terms"], entry["constant"]
        self.spread, self.freedom = entry["spread"], entry["freedom"]
        first = owner[self.terms[0]["column"]]
        first.follows = True
        self.log_cell = first.log_cell

    @staticmethod
    def unit(term, x):
        """u and du/dx."""
        if "levels" in term:
            return term["levels"][int(x)], 0.0
        y, slope = term["centre"] + term["scale"] * x, term["scale"]
        if term["log1p"] and y > 0:
            y, slope = math.expm1(y), slope * math.exp(y)
        least = term["least"]
        if least == 0:
            return y, slope
        if y < least:
            return math.log(least) + (y - least) / least, slope / least
        return math.log(y), slope / y

    def log_density(self, x):
        if any(math.isnan(x[term["column"]]) for term in self.terms):
            return 0.0
        rest, slope = self.unit(self.terms[0], x[self.terms[0]["column"]])
        rest -= self.constant
        for term in self.terms[1:]:
            rest -= term["factor"] * self.unit(term, x[term["column"]])[0]
        z, n = rest / self.spread, self.freedom
        return (math.lgamma((n + 1) / 2) - math.lgamma(n / 2) - math.log(n * math.pi) / 2 - math.log(self.spread)
                - (n + 1) / 2 * math.log1p(z * z / n) + math.log(slope) + self.log_cell)


class Model:
    def __init__(self, path):
        with open(path, "rb") as file:
            self.metadata, self.tensors = read_container(file.read())
        assert self.metadata["format"] == "otherwise-model"
        self.trees = "circuit.parents" in self.tensors
        assert int(self.metadata["format_version"]) == (
            3 if self.trees or "foreign" in self.metadata or "cutoffs" in self.metadata or "sheets" in self.metadata else 2 if "network" in self.metadata else 1)
        schema = json.loads(self.metadata["schema"])
        encoding = json.loads(self.metadata["encoding"])
        self.classes = schema["label"]["classes"]
        if "every_column" in schema:
            n = math.prod(schema["layout"]["shape"])
            columns = [dict(schema["every_column"], name=f"x{i}") for i in range(n)]
        else:
            columns = schema["columns"]
        assert len(columns) == len(encoding)
        self.columns = [Column(*pair) for pair in zip(columns, encoding)]
        self.owner = [column for column in self.columns for _ in range(column.width)]
        self.sheets = [Sheet(entry, self.owner) for entry in json.loads(self.metadata.get("sheets", "[]"))]
        size = json.loads(self.metadata["circuit"])
        self.D, self.R, self.S, self.I = (size[key] for key in ("depth", "repetitions", "sums", "inputs"))
        self.C, self.d, self.variance = size["classes"], size["columns"], size["variance"]
        self.shared = size["structure"] == "shared"
        self.copies = 1 if self.shared else self.C
        self.K = self.I if self.D <= 1 else self.S
        self.G = self.tensors["circuit.parents"][0][1] if self.trees else 2 ** self.D  # leaf regions of a repetition
        assert self.d == len(self.owner) and self.C == len(self.classes)
        self.training = json.loads(self.metadata["training"])
        self.hidden = json.loads(self.metadata["network"])["hidden"] if "network" in self.metadata else None

    def tensor(self, name, *shape):
        got, values = self.tensors[name]
        assert not shape or got == shape, f"{name} has shape {got}, expected {shape}"
        return values

    def encode(self, row):
        """The circuit's columns of a row, {column name: text}."""
        return [x for column in self.columns for x in column.encode(row.get(column.name))]

    def leaf_regions(self, x):
        """The I components of every leaf region, by copy, repetition and place."""
        n = self.copies * self.R * self.G
        start = self.tensor("circuit.region_start", n + 1)
        scope = self.tensor("circuit.region_columns", self.copies * self.R * self.d)
        leaf, at, regions = self.tensor("circuit.leaf"), 0, []
        for r in range(n):
            components = []
            for _ in range(self.I):
                total = 0.0
                for j in scope[start[r]:start[r + 1]]:
                    count = self.owner[j].n_parameters(self.variance)
                    total += self.owner[j].log_leaf(x[j], leaf[at:at + count], self.variance)
                    at += count
                components.append(total)
            regions.append(components)
        assert at == len(leaf), "leaf parameters are left over"
        return regions

    def log_class(self, row):
        """log S(x given c) for every class."""
        return self.log_class_encoded(self.encode(row))

    def climb_trees(self, leaves):
        """The I states of the root of every tree, by copy and tree, and how many weights that took."""
        parents, weight, at = self.tensor("circuit.parents", self.R, self.G), self.tensor("circuit.log_weight"), 0
        roots = []
        for tree in range(self.copies * self.R):
            nodes = [list(states) for states in leaves[tree * self.G:(tree + 1) * self.G]]
            for child in range(self.G - 1, 0, -1):
                parent, first = parents[tree % self.R * self.G + child], at + (child - 1) * self.I * self.I
                assert parent < child, "a region stands before its parent"
                for k in range(self.I):
                    nodes[parent][k] += log_sum([weight[first + k * self.I + j] + nodes[child][j] for j in range(self.I)])
            at += (self.G - 1) * self.I * self.I
            roots.append(nodes[0])
        return roots, at

    def log_class_encoded(self, x):
        level, weight, at = self.leaf_regions(x), self.tensor("circuit.log_weight"), 0
        if self.trees:
            level, at = self.climb_trees(level)
        for depth in range(self.D - 1, 0, -1):
            above = []
            for p in range(self.copies * self.R * 2 ** depth):
                left, right = level[2 * p], level[2 * p + 1]
                sums = []
                for _ in range(self.S):
                    sums.append(log_sum([weight[at + i * len(right) + j] + left[i] + right[j]
                                         for i in range(len(left)) for j in range(len(right))]))
                    at += len(left) * len(right)
                above.append(sums)
            level = above
        results = []
        for c in range(self.C):
            copy, terms = 0 if self.shared else c, []
            for p in range(self.R):
                if self.D == 0:
                    terms += [weight[at + i] + l for i, l in enumerate(level[copy * self.R + p])]
                    at += self.I
                    continue
                left, right = (level[2 * (copy * self.R + p) + side] for side in (0, 1))
                terms += [weight[at + i * self.K + j] + left[i] + right[j]
                          for i in range(self.K) for j in range(self.K)]
                at += self.K * self.K
            results.append(log_sum(terms))
        assert at == len(weight), "weights are left over"
        on_sheets = math.fsum(sheet.log_density(x) for sheet in self.sheets)
        return [result + on_sheets for result in results]

    def log_density(self, log_class):
        return log_sum([l + p for l, p in zip(log_class, self.tensor("circuit.log_prior", self.C))])

    def decide(self, row, log_class):
        """P(c given x) of who decides."""
        if self.hidden is None:
            return self.posterior(log_class)
        x = [entry for column in self.columns for entry in column.entries(row.get(column.name))]
        shift, scale = (self.tensor(f"network.{name}", len(x)) for name in ("shift", "scale"))
        z = [0.0 if math.isnan(e) else max(-2.0 ** 20, min((e - m) * s, 2.0 ** 20))
             for e, m, s in zip(x, shift, scale)]
        sizes = [len(x), *self.hidden, self.C]
        for l in range(1, len(sizes)):
            weight = self.tensor(f"network.weight.{l}", sizes[l], sizes[l - 1])
            bias = self.tensor(f"network.bias.{l}", sizes[l])
            z = [bias[k] + math.fsum(weight[k * len(z) + j] * z[j] for j in range(len(z)))
                 for k in range(sizes[l])]
            if l + 1 < len(sizes):
                z = [max(0.0, unit) for unit in z]
        total = log_sum(z)
        return [math.exp(output - total) for output in z]

    def posterior(self, log_class):
        total = self.log_density(log_class)
        return [math.exp(l + p - total) for l, p in zip(log_class, self.tensor("circuit.log_prior"))]

    def samples(self, c):
        """The rows drawn from the circuit of class c, encoded."""
        counts, values = self.tensor("classes.counts"), self.tensor("classes.samples")
        first = sum(counts[2 * k + 1] for k in range(c))
        return [values[i * self.d:(i + 1) * self.d] for i in range(first, first + counts[2 * c + 1])]

    def sorted_densities(self, c):
        """The log-densities of the training rows of class c."""
        counts = self.tensor("classes.counts", self.C, 2)
        first = sum(counts[2 * k] for k in range(c))
        return self.tensor("classes.log_densities")[first:first + counts[2 * c]]
