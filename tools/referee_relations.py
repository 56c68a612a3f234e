# SPDX-License-Identifier: MIT
"""Columns that follow others, for tools/least_referee.py: formulas and tables of pairs as doc/expressions.md defines them.

Formula evaluates one formula.  Relations completes a change with all that follows from it, or says that it is not possible.
Nothing of the library is used."""

import math
import re

TOKEN = re.compile(r"""\s*(?:(?P<number>(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)
                           |(?P<bare>[^\W\d][\w.]*)
                           |`(?P<ticked>(?:[^`]|``)+)`
                           |"(?P<quoted>(?:[^"]|"")+)"
                           |(?P<sign>[-+*/^(),]))""", re.VERBOSE)
FUNCTIONS = {"log": math.log, "exp": math.exp, "min": min, "max": max, "round": lambda x, d=0: round(x, int(d))}


def tokens_of(text):
    tokens, at, text = [], 0, text.rstrip()
    while at < len(text):
        match = TOKEN.match(text, at)
        if match is None:
            raise ValueError(f"{text}: nothing is known that begins with {text[at:]}")
        kind, word = match.lastgroup, match[match.lastgroup]
        if kind in ("ticked", "quoted"):
            mark = "`" if kind == "ticked" else '"'
            word = word.replace(2 * mark, mark)
        tokens.append(("column" if kind in ("ticked", "quoted") else kind, word))
        at = match.end()
    return tokens


class Formula:
    """A formula as a function of a row; the names of its columns are `parents`."""

    def __init__(self, text):
        self.text, self.tokens, self.parents = text, tokens_of(text), []
        self.function = self.sum()
        if self.tokens:
            raise ValueError(f"{text}: nothing may stand behind the formula")

    def value(self, row):
        """None where there is no value: a column is missing, or the result is not a finite number."""
        if any(row[name] is None for name in self.parents):
            return None
        try:
            result = self.function(row)
        except (ArithmeticError, ValueError):
            return None
        return result if math.isfinite(result) else None

    def next_is(self, *signs):
        return bool(self.tokens) and self.tokens[0][0] == "sign" and self.tokens[0][1] in signs

    def expect(self, sign):
        if not self.next_is(sign):
            raise ValueError(f"{self.text}: expected {sign}")
        self.tokens.pop(0)

    def chain(self, operand, operations):
        """Operands between signs of one rank, from left to right."""
        result = operand()
        while self.next_is(*operations):
            result = self.join(operations[self.tokens.pop(0)[1]], result, operand())
        return result

    @staticmethod
    def join(operation, left, right):
        return lambda row: operation(left(row), right(row))

    def sum(self):
        return self.chain(self.product, {"+": lambda a, b: a + b, "-": lambda a, b: a - b})

    def product(self):
        return self.chain(self.sign, {"*": lambda a, b: a * b, "/": lambda a, b: a / b})

    def sign(self):
        if not self.next_is("+", "-"):
            return self.power()
        sign, operand = self.tokens.pop(0)[1], self.sign()
        return operand if sign == "+" else lambda row: -operand(row)

    def power(self):
        base = self.operand()
        if not self.next_is("^"):
            return base
        self.tokens.pop(0)
        return self.join(math.pow, base, self.sign())

    def operand(self):
        if self.next_is("("):
            self.tokens.pop(0)
            inside = self.sum()
            self.expect(")")
            return inside
        kind, word = self.tokens.pop(0) if self.tokens else ("end", "")
        if kind == "number":
            return lambda row: float(word)
        if kind == "bare" and self.next_is("("):
            return self.call(word)
        if kind in ("bare", "column"):
            self.parents.append(word)
            return lambda row: row[word]
        raise ValueError(f"{self.text}: expected a number, a column or (")

    def call(self, name):
        function = FUNCTIONS[name]
        self.expect("(")
        arguments = [self.sum()]
        while self.next_is(","):
            self.tokens.pop(0)
            arguments.append(self.sum())
        self.expect(")")
        return lambda row: function(*(argument(row) for argument in arguments))


class Relation:
    """One column that follows others."""

    def __init__(self, column):
        self.name, self.decimals = column["name"], 0 if column["type"] == "integer" else column.get("decimals")
        self.is_near = "nearly" in column
        self.within = column.get("nearly_within", (-math.inf, math.inf))
        self.is_ratio = column.get("range", (0, 0))[0] > 0
        self.pairs, self.formula = None, None
        if "follows" in column:
            self.pairs = dict(map(tuple, column["follows"]["values"]))
            self.parents = [column["follows"]["column"]]
        else:
            self.formula = Formula(column["nearly" if self.is_near else "derived"])
            self.parents = self.formula.parents

    def value(self, query, row):
        """What the column has in the row; None where that is not possible."""
        if self.pairs is not None:
            return self.pairs.get(row[self.parents[0]])
        value = self.formula.value(row)
        if self.is_near and value is not None:
            value = self.deviating(query, value)
        return value if value is None or self.decimals is None else round(value, self.decimals)

    def deviating(self, query, value):
        own = self.formula.value(query)
        if own is None or (self.is_ratio and own == 0):
            return None
        deviation = query[self.name] / own if self.is_ratio else query[self.name] - own
        if (self.within[0] > 0) == self.is_ratio:
            deviation = min(max(deviation, self.within[0]), self.within[1])
        return value * deviation if self.is_ratio else value + deviation


class Relations:
    """All of a schema, those first that others build on."""

    def __init__(self, columns):
        waiting = [Relation(c) for c in columns if {"derived", "nearly", "follows"} & set(c)]
        self.ordered = []
        while waiting:
            open_names = {relation.name for relation in waiting}
            ready = [relation for relation in waiting if not open_names & set(relation.parents)]
            if not ready:
                raise ValueError(f"{', '.join(sorted(open_names))} follow each other in a circle")
            self.ordered += ready
            waiting = [relation for relation in waiting if relation.name in open_names - {r.name for r in ready}]
        self.names = {relation.name for relation in self.ordered}

    def freeze(self, free):
        """Puts into `free` whether the columns that follow others may change: one of those that they follow may."""
        for relation in self.ordered:
            free[relation.name] = free[relation.name] and any(free[name] for name in relation.parents)

    def complete(self, query, change, allows):
        """The change with what follows from it; None where that is not possible.  allows(name, value): whether the column may
        have the value."""
        row, result = {**query, **change}, dict(change)
        for relation in self.ordered:
            name, before = relation.name, query[relation.name]
            if before is None or all(row[n] == query[n] for n in relation.parents) or any(query[n] is None for n in relation.parents):
                continue
            value = relation.value(query, row)
            if value is None or (value != before and not allows(name, value)):
                return None
            row[name] = value
            if value != before:
                result[name] = value
        return result
