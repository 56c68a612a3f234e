# SPDX-License-Identifier: MIT
"""Tables as people have them, made by a seed, each with the schema that a person would write for it.

TABLES lists them.  A table is a list of columns; a column has a name, what a schema must say of it, and how its cells
are written.  What a schema must say, in this order:

    integer | continuous | categorical      its type; numbers with a pattern: "continuous € 1,234.5", "integer dd.mm.yyyy"
    locked                                  no answer changes it unless somebody says so
    missing A|B                             words among the numbers that stand for a missing value
    (rare)                                  rare levels are learned together
    carried, carried id                     no part of the model; id: it names the rows
    left out                                no part of anything: it has no value at all

Every table has the label "decision", which depends on the person's income, debt and rate.
"""
import csv
import datetime
import io
import random
from dataclasses import dataclass, field
from typing import Callable

N_ROWS = 160
FIRST_NAMES = ("Anna", "Ben", "Clara", "David", "Eva", "Felix", "Greta", "Hugo", "Ida", "Jan", "Kim", "Lars", "Mia")


@dataclass
class Column:
    name: str
    expected: str
    cell: Callable  # of a person: a text
    called: str = ""  # by the program, if not by its name


@dataclass
class Table:
    name: str
    columns: list
    delimiter: str = ","
    line_end: str = "\n"
    first_line: str = ""
    last_line: str = ""
    encoding: str = "utf-8"
    quote_all: bool = False
    n_rows: int = N_ROWS
    options: tuple = ()  # of schema and train
    says: tuple = ()  # parts of what schema and train say on the way
    labels: tuple = ("no", "yes")
    extra: bool = False  # an empty field behind every row, but not the header
    header_again: int = -1  # before this row
    below: tuple = ()  # lines below the header that are no rows
    names: tuple = ()  # the header, if it is not that of the columns


@dataclass
class Person:
    """What a row is about, before it is written down."""
    number: int
    rng: random.Random
    income: float = 0.0
    debt: float = 0.0
    rate: float = 0.0
    age: int = 0
    day: datetime.datetime = field(default_factory=lambda: datetime.datetime(2023, 1, 1))

    def __post_init__(self):
        rng = self.rng
        self.income = round(rng.uniform(12000, 90000), 2)
        self.debt = round(rng.uniform(-4000, 30000), 2)
        self.rate = round(rng.uniform(2, 14), 1)
        self.age = rng.randint(18, 79)
        self.day += datetime.timedelta(seconds=rng.randrange(700 * 86400))
        self.approved = self.income - 1.4 * self.debt - 2000 * self.rate + rng.gauss(0, 6000) > 16000

    def pick(self, *texts):
        return self.rng.choice(texts)

    def digits(self, n):
        return "".join(self.rng.choice("0123456789") for _ in range(n))

    def sometimes(self, share, text, other):
        return text if self.rng.random() < share else other

    def at(self, row, text, other):
        """text in one row only."""
        return text if self.number == row else other


def grouped(value, mark, decimal, digits=2):
    text = f"{value:,.{digits}f}"
    return text.replace(",", "\0").replace(".", decimal).replace("\0", mark)


def by_hundreds(digits):
    """12,34,567"""
    head, tail = digits[:-3], digits[-3:]
    pairs = [head[max(0, i - 2):i] for i in range(len(head), 0, -2)][::-1]
    return ",".join([*pairs, tail])


def negative_in_parentheses(value):
    return f"({-value:,.2f})" if value < 0 else f"{value:,.2f}"


def minus_behind(value):
    return f"{-value:.2f}-" if value < 0 else f"{value:.2f}"


def note(p):
    return (f"Called on the {p.day.day}., {p.pick('wants', 'asked for', 'was told about')} a loan of {p.debt:.0f}; "
            f"reference {p.digits(6)}")


def full_name(p):
    return f"{p.pick(*FIRST_NAMES)} {p.pick('Sch', 'M', 'W', 'L')}{p.digits(3)}"


INCOME = Column("income", "continuous", lambda p: f"{p.income:.2f}")
DEBT = Column("debt", "continuous", lambda p: f"{p.debt:.2f}")
RATE = Column("rate", "continuous", lambda p: f"{p.rate:.1f}")
REGION = Column("region", "categorical", lambda p: p.pick("north", "south", "east", "west"))

TABLES = [
    Table("american", [
        Column("Annual Income", "continuous $1,234.5", lambda p: f"${p.income:,.2f}"),
        Column("Debt", "integer $1,234.5", lambda p: f"{'-' if p.debt < 0 else ''}${abs(p.debt):,.0f}"),
        Column("APR", "continuous 1234.5%", lambda p: f"{p.rate:.1f}%"),
        Column("Opened", "integer mm/dd/yyyy locked", lambda p: f"{p.day:%m/%d/%Y}"),
        Column("Zip", "carried", lambda p: f"0{p.digits(4)}"),
        Column("Phone", "carried id", lambda p: f"({p.digits(3)}) {p.digits(3)}-{p.digits(4)}")]),
    Table("german", [
        Column("Kundennummer", "carried id", lambda p: f"K-{10000 + 7 * p.number}"),
        Column("Einkommen", "continuous 1.234,5 €", lambda p: grouped(p.income, ".", ",") + " €"),
        Column("Schulden", "continuous 1.234,5", lambda p: grouped(p.debt, ".", ",")),
        Column("Zinssatz", "continuous 1234,5 %", lambda p: f"{p.rate:.1f} %".replace(".", ",")),
        Column("Antragsdatum", "integer dd.mm.yyyy locked", lambda p: f"{p.day:%d.%m.%Y}"),
        Column("Geschlecht", "categorical locked", lambda p: p.pick("w", "m", "d")),
        Column("PLZ", "carried", lambda p: p.pick("0", "1", "9") + p.digits(4)),
        Column("Straße", "carried", lambda p: f"Gasse {p.digits(3)} {p.pick('a', 'b')}")],
          delimiter=";", line_end="\r\n"),
    Table("swiss", [
        Column("income", "continuous CHF 1'234.5", lambda p: "CHF " + grouped(p.income, "'", ".")),
        Column("debt", "continuous 1'234.5", lambda p: grouped(p.debt, "'", ".")),
        RATE, Column("Zivilstand", "categorical locked", lambda p: p.pick("ledig", "verheiratet", "geschieden"))]),
    Table("french", [
        Column("revenu", "continuous 1\u202f234,5 €", lambda p: grouped(p.income, "\u202f", ",") + " €"),
        Column("dette", "continuous 1 234,5", lambda p: grouped(p.debt, " ", ",")),
        Column("taux", "continuous 1234,5", lambda p: f"{p.rate:.1f}".replace(".", ",")), REGION],
          delimiter=";"),
    Table("ledger", [
        INCOME,
        Column("balance", "continuous (1,234.5)", lambda p: negative_in_parentheses(p.debt)),
        Column("transfer", "continuous 1234.5-", lambda p: minus_behind(p.debt / 10)),
        Column("fee", "continuous 1234.5 EUR", lambda p: f"{p.rate * 3:.2f} EUR"), RATE]),
    Table("times", [
        Column("phone", "carried", lambda p: "+49 " + p.digits(9)),
        Column("uuid", "carried id", lambda p: f"{p.rng.getrandbits(128):032x}"),
        Column("seen_at", "continuous yyyy-mm-ddTHH:MM:SSZ locked", lambda p: f"{p.day:%Y-%m-%dT%H:%M:%SZ}"),
        Column("stamp", "continuous yyyy-mm-dd HH:MM locked", lambda p: f"{p.day:%Y-%m-%d %H:%M}"),
        Column("day", "integer yyyy/mm/dd locked", lambda p: f"{p.day:%Y/%m/%d}"),
        Column("seq", "carried", lambda p: str(p.number + 1)), INCOME, DEBT, RATE]),
    Table("from_a_spreadsheet", [
        Column("Nr", "carried id", lambda p: str(p.number + 1001)),
        Column("Betrag", "continuous 1.234,5", lambda p: grouped(p.income, ".", ",")),
        Column("Rest", "integer", lambda p: f"{p.debt:.0f}"),
        Column("Satz", "continuous 1234,5%", lambda p: f"{p.rate:.1f}%".replace(".", ",")),
        Column("Termin", "continuous dd.mm.yyyy HH:MM locked", lambda p: f"{p.day:%d.%m.%Y %H:%M}")],
          delimiter=";", line_end="\r\n", first_line="sep=;", encoding="utf-8-sig"),
    Table("words_for_missing", [
        Column("income", "continuous missing n/a|unknown",
               lambda p: p.sometimes(.05, "n/a", p.sometimes(.05, "unknown", f"{p.income:.2f}"))),
        Column("debt", "continuous missing -", lambda p: p.sometimes(.1, "-", f"{p.debt:.2f}")),
        Column("rate", "continuous missing #N/A|inf",
               lambda p: p.at(3, "#N/A", p.sometimes(.04, "inf", f"{p.rate:.1f}"))),
        Column("visits", "integer missing None", lambda p: p.at(9, "None", p.digits(1))),
        Column("opened", "integer yyyy-mm-dd locked missing k.A.", lambda p: p.sometimes(.1, "k.A.", f"{p.day:%Y-%m-%d}")),
        REGION]),
    Table("said_to_be_missing", [
        Column("income", "continuous missing nix", INCOME.cell), Column("debt", "continuous missing nix", DEBT.cell),
        Column("rate", "continuous missing nix", lambda p: p.sometimes(.3, "nix", f"{p.rate:.1f}")),
        Column("region", "categorical missing nix", lambda p: p.sometimes(.3, "nix", p.pick("north", "south")))],
          options=("--missing", "nix")),
    Table("stray_words", [
        Column("age", "integer locked missing forty", lambda p: p.at(20, "forty", str(p.age))),
        Column("income", "continuous missing ask her", lambda p: p.at(77, "ask her", f"{p.income:.2f}")), DEBT, RATE],
          says=('column "age" holds numbers; 1 of its cells ("forty")', '("ask her")')),
    Table("many_levels", [
        Column("merchant", "categorical (rare)", lambda p: p.sometimes(.4, p.pick("Bakery", "Kiosk"), "M" + p.digits(2))),
        INCOME, DEBT, RATE], n_rows=240, says=("are rare and learned together as (rare)",)),
    Table("protected_words", [
        Column("DateOfBirth", "integer yyyy-mm-dd locked", lambda p: f"{2024 - p.age}-{p.day:%m-%d}"),
        Column("maritalStatus", "categorical locked", lambda p: p.pick("S", "M", "D", "W")),
        Column("race", "categorical locked", lambda p: p.pick("A", "B", "C")),
        Column("Citizenship", "categorical locked", lambda p: p.pick("US", "other")),
        Column("applicant_sex", "integer locked", lambda p: p.pick("1", "2")),
        Column("customer since", "integer locked", lambda p: str(2023 - p.rng.randrange(15))),
        Column("prior_convictions", "integer locked", lambda p: p.pick("0", "0", "1", "3")),
        Column("credit_history", "categorical locked", lambda p: p.pick("clean", "late", "none")),
        Column("mileage", "integer", lambda p: str(1000 + 3 * p.rng.randrange(9000))),
        Column("stage", "categorical", lambda p: p.pick("first", "second")), INCOME, DEBT, RATE]),
    Table("geschuetzt", [
        Column("Alter", "integer locked", lambda p: str(p.age)),
        Column("Geburtsdatum", "integer dd.mm.yyyy locked", lambda p: f"{p.day:%d.%m}.{2024 - p.age}"),
        Column("Familienstand", "categorical locked", lambda p: p.pick("ledig", "verheiratet", "verwitwet")),
        Column("Staatsangehörigkeit", "categorical locked", lambda p: p.pick("deutsch", "italienisch", "andere")),
        Column("Kunde seit", "integer locked", lambda p: str(2023 - p.rng.randrange(20))),
        Column("Konfession", "categorical locked", lambda p: p.pick("ev", "rk", "keine")),
        Column("Vorstrafen", "integer locked", lambda p: p.pick("0", "0", "0", "1", "2")),
        Column("Einkommen", "continuous 1234,5", lambda p: f"{p.income:.2f}".replace(".", ",")),
        Column("Schulden", "continuous 1234,5", lambda p: f"{p.debt:.2f}".replace(".", ",")),
        Column("Zins", "continuous 1234,5", lambda p: f"{p.rate:.1f}".replace(".", ","))], delimiter=";"),
    Table("told_by_levels", [
        Column("x1", "categorical locked", lambda p: p.pick("Male", "Female")),
        Column("x2", "categorical locked", lambda p: p.pick("married", "single", "divorced")),
        Column("x3", "categorical locked", lambda p: p.pick("White", "Black", "Asian", "Other")),
        Column("x4", "categorical", lambda p: p.pick("red", "black", "white shirt")), INCOME, DEBT, RATE]),
    Table("constant_and_empty", [
        Column("currency", "categorical", lambda p: "EUR"), Column("version", "integer", lambda p: "3"),
        Column("remark", "left out", lambda p: ""), INCOME, DEBT, RATE, REGION],
          says=('"currency" is "EUR" in every row', '"version" is "3" in every row', '"remark" has no value in any row')),
    Table("people", [
        Column("customer_id", "carried id", lambda p: f"C{p.number * 37 % 997:06d}"),
        Column("name", "carried", full_name),
        Column("e_mail", "carried", lambda p: f"{p.pick(*FIRST_NAMES).lower()}.{p.digits(2)}@example.org"),
        Column("phone", "carried", lambda p: "+49 " + p.digits(9)),
        Column("note", "carried", note), INCOME, DEBT, RATE, REGION]),
    Table("quoted_with_line_breaks", [
        Column("comment", "carried", lambda p: f'She said "{p.digits(5)}",\nthen left {p.digits(3)}; \'really\''),
        Column("iban", "carried id", lambda p: "DE" + p.digits(20)),
        INCOME, DEBT, RATE, Column("shop, branch", "categorical", lambda p: p.pick("a, b", 'the "best"', "c\nd"))],
          quote_all=True, delimiter="\t"),
    Table("dates_without_zeros", [
        Column("from", "integer m/d/yyyy locked", lambda p: f"{p.day.month}/{p.day.day}/{p.day.year}"),
        Column("bis", "integer d.m.yyyy locked", lambda p: f"{p.day.day}.{p.day.month}.{p.day.year}"),
        Column("until", "integer dd/mm/yyyy locked", lambda p: f"{p.day:%d/%m/%Y}"), INCOME, DEBT, RATE]),
    Table("dates_either_way", [
        Column("met", "categorical locked", lambda p: f"0{p.rng.randint(1, 3)}/0{p.rng.randint(1, 4)}/2024"),
        INCOME, DEBT, RATE], says=('"met"', "day and month")),
    Table("codes_and_yes_no", [
        Column("smoker", "categorical", lambda p: p.pick("yes", "no")), Column("raucht", "categorical", lambda p: p.pick("ja", "nein")),
        Column("insured", "categorical", lambda p: p.pick("TRUE", "FALSE")), Column("car", "integer", lambda p: p.pick("0", "1")),
        Column("branch", "categorical", lambda p: p.pick("007", "012", "120")),
        Column("icd", "categorical", lambda p: p.pick("E11.9", "I10", "J45")),
        Column("time", "categorical", lambda p: p.pick("08:00", "12:30", "17:15")), INCOME, DEBT, RATE]),
    Table("blanks_and_capitals", [
        Column(" income ", "continuous", lambda p: f"  {p.income:.2f} "), Column("debt", "continuous", lambda p: f"{p.debt:.2f} "),
        Column("rate", "continuous missing N/A", lambda p: p.sometimes(.1, " N/A", f" {p.rate:.1f}")), REGION],
          line_end="\r\n", says=("differ by capitals or blanks",), labels=("No", "yes", "no")),
    Table("row_names", [
        Column("", "carried id", lambda p: str(p.number), called="x0"), INCOME, DEBT, RATE, REGION]),
    Table("large_and_small", [
        Column("population", "integer 1.234,5", lambda p: grouped(p.income * 1000, ".", ",", 0)),
        Column("share", "continuous", lambda p: f"{p.rate / 1e4:.2e}"),
        Column("debt", "continuous USD -1,234.5", lambda p: f"USD {p.debt:,.2f}"),
        Column("part_number", "carried id", lambda p: str(4000000 + 17 * p.number + p.rng.randrange(16)))]),
    Table("bars_and_comments", [INCOME, DEBT, RATE, REGION], delimiter="|",
          first_line="# exported on 2024-01-02; 160 rows\n# by the loan desk", says=("the first 2 lines begin with #",)),
    Table("header_with_hash", [Column("#income", "continuous", INCOME.cell), DEBT, RATE]),
    Table("old_line_ends", [INCOME, DEBT, RATE, REGION], line_end="\r"),
    Table("measures", [
        Column("height", "integer 1234.5 cm", lambda p: f"{p.rng.randint(150, 199)} cm"),
        Column("weight", "continuous 1234.5kg", lambda p: f"{p.rng.uniform(50, 99):.1f}kg"),
        Column("term", "integer 1234.5 months", lambda p: p.pick("1 month", "12 months", "36 months", "60 months")),
        Column("Laufzeit", "integer 1234.5 Jahre", lambda p: p.pick("1 Jahr", "2 Jahre", "10 Jahre")), INCOME, DEBT, RATE]),
    Table("few_measures", [
        Column("minutes", "integer missing 12 min", lambda p: p.at(5, "12 min", p.digits(2).lstrip("0") or "0")),
        INCOME, DEBT, RATE], says=('("12 min")',)),
    Table("swiss_typographic", [
        Column("income", "continuous Fr. 1\u2019234.5", lambda p: "Fr. " + grouped(p.income, "\u2019", ".")),
        Column("debt", "continuous 1\u2019234.5", lambda p: grouped(p.debt, "\u2019", ".")), RATE]),
    Table("years_of_two_digits", [
        Column("seit", "integer dd.mm.yy locked", lambda p: f"{p.day:%d.%m.%y}"),
        Column("until", "integer m/d/yy locked", lambda p: f"{p.day.month}/{p.day.day}/{p.day:%y}"),
        Column("at", "continuous dd.mm.yy HH:MM locked", lambda p: f"{p.day:%d.%m.%y %H:%M}"), INCOME, DEBT, RATE]),
    Table("sums_at_the_end", [INCOME, DEBT, RATE, REGION], last_line="8123456.78,2123456.78,,Total,",
          says=("1 of 161 rows has no label",)),
    Table("average_at_the_end", [Column("income", "continuous missing Average", INCOME.cell), DEBT, RATE], last_line="Average,13000.00,8.0,", says=("has no label",)),
    Table("long_numbers", [
        Column("card", "carried id", lambda p: "4" + p.digits(18)),
        Column("mobile", "carried", lambda p: f"49151{p.digits(8)}"),
        Column("parcel", "integer", lambda p: str(10**12 + p.rng.randrange(10**12))), INCOME, DEBT, RATE]),
    Table("several_currencies", [
        Column("salary", "carried", lambda p: p.pick("€", "$", "£") + f"{p.income:,.2f}"), INCOME, DEBT, RATE],
          says=('column "salary" holds amounts in several units',)),
    Table("some_without_percent", [
        INCOME, DEBT, Column("rate", "continuous 1234.5%", lambda p: p.sometimes(.1, f"{p.rate / 100:.3f}", f"{p.rate:.1f}%"))],
          says=('column "rate" holds percentages',)),
    Table("nothing_common", [
        Column("merchant", "carried", lambda p: "M" + p.digits(3)), INCOME, DEBT, RATE], n_rows=320),
    Table("labels_of_numbers", [INCOME, DEBT, RATE, Column("car", "integer", lambda p: p.pick("0", "1"))],
          labels=("0", "1")),
    Table("some_without_label", [INCOME, DEBT, RATE], labels=("no", "yes", ""), says=("rows have no label",)),
    Table("empty_fields_last", [
        INCOME, DEBT, RATE, Column("", "left out", lambda p: "", called="x3"), REGION]),
    Table("bands", [
        Column("age_band", "categorical locked", lambda p: p.pick("18-24", "25-34", "35-49", "50+")),
        Column("income_band", "categorical", lambda p: p.pick("<10k", "10k-20k", ">20k")), INCOME, DEBT, RATE]),
    Table("missing_in_exports", [
        Column("pivot", "continuous missing (blank)", lambda p: p.sometimes(.1, "(blank)", f"{p.debt:.1f}")),
        Column("database", "continuous missing \\N", lambda p: p.sometimes(.1, "\\N", f"{p.debt / 2:.1f}")),
        Column("frame", "continuous missing <NA>|NaT", lambda p: p.at(7, "NaT", p.sometimes(.1, "<NA>", f"{p.rate:.1f}"))),
        Column("sheet", "integer missing #NAME?|#NUM!", lambda p: p.at(5, "#NUM!", p.sometimes(.1, "#NAME?", p.digits(2).lstrip("0") or "0"))),
        INCOME]),
    Table("measurements", [
        Column("crp", "continuous <5 or 1234.5", lambda p: "<5" if p.rate < 6 else f"{p.rate:.1f}"),
        Column("counted", "integer 1234.5 or >500", lambda p: ">500" if p.income > 50000 else f"{p.income // 100:.0f}"),
        Column("both", "continuous <0.2 or 1234.5 or > 0.9",
               lambda p: p.pick("<0.2", "> 0.9", "0.35", "0.41", "0.525", "0.58", "0.6", "0.777", "0.8")),
        Column("pain", "integer 1234.5/10", lambda p: f"{p.rng.randrange(11)}/10"),
        Column("pressure", "categorical", lambda p: p.pick("120/80", "140/90", "130/85")), INCOME, DEBT, RATE],
          says=('"<5" counts as a number just below 5',)),
    Table("codes_without_zeros", [
        Column("plz", "carried", lambda p: str(10000 + 560 * p.number + p.rng.randrange(500))),
        Column("Zip Code", "carried", lambda p: str(11000 + 550 * (p.number * 7 % 160) + p.rng.randrange(500))),
        Column("kto", "carried", lambda p: str(100000000 + 5000000 * p.number + p.rng.randrange(4000000))),
        Column("tel", "carried", lambda p: str(491510000000 + 900000 * p.number + p.rng.randrange(800000))),
        Column("case_id", "carried id", lambda p: str(7000 + 3 * (p.number * 11 % 160))), INCOME, DEBT, RATE]),
    Table("dates_with_names", [
        Column("oracle", "integer dd-Mon-yyyy locked", lambda p: f"{p.day:%d-%b-%Y}"),
        Column("letter", "integer d Month yyyy locked", lambda p: f"{p.day.day} {p.day:%B %Y}"),
        Column("american", "continuous m/d/yyyy H:MM AM locked",
               lambda p: f"{p.day.month}/{p.day.day}/{p.day:%Y} {(p.day.hour + 11) % 12 + 1}:{p.day:%M %p}"),
        Column("month", "integer yyyy-mm locked", lambda p: f"{p.day:%Y-%m}"),
        Column("issued", "integer Mon-yyyy locked missing n/a", lambda p: p.at(4, "n/a", f"{p.day:%b-%Y}")),
        Column("compact", "integer yyyymmdd locked", lambda p: f"{p.day:%Y%m%d}"),
        Column("compact_or_not", "integer yyyymmdd locked missing unknown",
               lambda p: p.sometimes(.1, "unknown", f"{p.day:%Y%m%d}")),
        Column("to_the_second", "continuous yyyymmddHHMMSS locked", lambda p: f"{p.day:%Y%m%d%H%M%S}"),
        Column("amount", "integer", lambda p: str(19500101 + p.rng.randrange(800000))),
        Column("zones", "categorical locked",
               lambda p: f"2024-{p.day.month:02d}-01T08:00:00+0{1 + (3 < p.day.month < 11)}:00"),
        Column("either", "carried", lambda p: f"{p.day:%Y-%m-%d %H:%M}" if p.number % 2 else f"{p.day:%d.%m.%Y %H:%M}"),
        INCOME, DEBT, RATE],
          says=('column "zones" holds dates such as', "in several formats or time zones")),
    Table("joined_files", [INCOME, DEBT, RATE, REGION], header_again=90, says=(":92: this line is the header once more",)),
    Table("delimiter_behind_rows", [INCOME, DEBT, RATE, REGION], extra=True, says=("one delimiter more than the header",)),
    Table("windows_1252", [
        Column("Größe", "integer 1234,5 cm", lambda p: f"{p.rng.randint(150, 199)} cm"),
        Column("Umsatz", "continuous 1.234,5 €", lambda p: grouped(p.income, ".", ",") + " €"),
        Column("Schulden", "continuous 1.234,5", lambda p: grouped(p.debt, ".", ",")),
        Column("Eröffnet am", "integer dd.mm.yyyy locked", lambda p: f"{p.day:%d.%m.%Y}"),
        Column("Gebiet", "categorical", lambda p: p.pick("Süd", "Nord", "Öst", "„West“")),
        Column("Anrede", "categorical locked", lambda p: p.pick("Herr", "Frau"))],
          delimiter=";", line_end="\r\n", encoding="cp1252", says=("is not UTF-8", "Windows-1252")),
    Table("bank_statement", [
        Column("Buchungstag", "integer dd.mm.yy locked", lambda p: f"{p.day:%d.%m.%y}"),
        Column("Verwendungszweck", "carried", note),
        Column("Betrag", "continuous 1.234,5", lambda p: grouped(p.income, ".", ",")),
        Column("Saldo", "continuous 1.234,5", lambda p: grouped(p.debt, ".", ",")),
        Column("S/H", "categorical", lambda p: p.pick("S", "H")),
        Column("Währung", "categorical", lambda p: p.pick("EUR", "USD"))],
          delimiter=";", quote_all=True, first_line='"Konto:";"DE12 3456"\n"Von, bis:";"30 Tage"\n',
          says=("the table starts in line 4",)),
    Table("web_analytics", [
        Column("Page", "categorical", lambda p: f"/page/{p.pick('a', 'b', 'c')}.html"),
        Column("Sessions", "integer 1,234.5", lambda p: f"{p.rng.randrange(1, 99999):,}"),
        Column("Bounce Rate", "continuous 1234.5%", lambda p: f"{p.rate:.2f}%"),
        Column("Revenue", "continuous US$1,234.5 missing (not set)",
               lambda p: p.sometimes(.1, "(not set)", f"US${p.income:,.2f}")), DEBT],
          first_line="# ---------\n# All Web Site Data\n# ---------\n", says=("the first 3 lines begin with #",)),
    Table("qualtrics", [
        Column("StartDate", "continuous yyyy-mm-dd HH:MM:SS locked", lambda p: f"{p.day:%Y-%m-%d %H:%M:%S}"),
        Column("How old are you?", "integer locked", lambda p: str(p.age)),
        Column("Q2", "categorical locked", lambda p: p.pick("Male", "Female", "Non-binary")),
        Column("Q3_1", "integer", lambda p: str(p.rng.randint(1, 10))), INCOME, DEBT, RATE],
          below=(["Start Date", "How old are you?", "What is your gender, if any?", "Rate us", "a", "b", "c", "d"],
                 [f'{{"ImportId":"QID{k}"}}' for k in range(8)]),
          says=("import ids of Qualtrics",)),
    Table("limesurvey", [
        Column("Antwort ID", "carried id", lambda p: str(p.number + 1)),
        Column("Datum Abgeschickt", "continuous yyyy-mm-dd HH:MM:SS locked", lambda p: f"{p.day:%Y-%m-%d %H:%M:%S}"),
        Column("Mit welchem Geschlecht identifizieren Sie sich?", "categorical locked", lambda p: p.pick("Frau", "Mann", "divers")),
        Column("In welche Gruppe gehören Sie?", "categorical locked", lambda p: p.pick("18-24", "25-34", "35-44", "45+")),
        Column("Bitte bewerten Sie [Preis]", "integer missing Keine Angabe", lambda p: p.sometimes(.1, "Keine Angabe", p.pick("1", "2", "3", "4"))),
        INCOME, DEBT, RATE], quote_all=True),
    Table("mysql_dump", [
        Column("CREATED", "integer yyyy-mm-dd locked", lambda p: f"{p.day:%Y-%m-%d}"),
        Column("CLOSED", "integer yyyy-mm-dd locked missing 0000-00-00", lambda p: p.sometimes(.3, "0000-00-00", f"{p.day:%Y-%m-%d}")),
        Column("SEEN", "continuous yyyy-mm-dd HH:MM:SS locked missing 0000-00-00 00:00:00",
               lambda p: p.sometimes(.3, "0000-00-00 00:00:00", f"{p.day:%Y-%m-%d %H:%M:%S}")),
        Column("SAP_DATE", "integer dd.mm.yyyy locked missing 00.00.0000", lambda p: p.sometimes(.2, "00.00.0000", f"{p.day:%d.%m.%Y}")),
        Column("AMOUNT", "continuous", lambda p: p.sometimes(.1, "NULL", f"{p.income:.2f}")), DEBT, RATE]),
    Table("accents", [
        Column("Âge", "integer locked", lambda p: str(p.age)),
        Column("GÉNERO", "categorical locked", lambda p: p.pick("F1", "M1")),
        Column("Estado Civil", "categorical locked", lambda p: p.pick("a", "b", "c")),
        Column("Ancienneté", "integer locked", lambda p: p.digits(1)), INCOME, DEBT, RATE]),
    Table("more_measures", [
        Column("volt", "continuous 1234.5 V", lambda p: f"{p.rate:.2f} V"),
        Column("pressure", "integer 1234.5 mmHg", lambda p: f"{p.rng.randint(90, 180)} mmHg"),
        Column("Glucose", "continuous 1234.5 mmol/L", lambda p: f"{p.rng.uniform(3, 12):.1f} mmol/L"),
        Column("years_old", "integer 1234.5y locked", lambda p: f"{p.age}y"),
        Column("followers", "continuous 1234.5K", lambda p: f"{p.rng.uniform(1, 99):.1f}K"),
        Column("installs", "integer 1,234.5+", lambda p: p.pick("1,000+", "5,000+", "10,000+", "500,000+")),
        Column("seat", "categorical", lambda p: p.pick("12A", "12B", "14C")), INCOME, DEBT, RATE]),
    Table("indian", [
        Column("income", "integer 12,34,567.5", lambda p: by_hundreds(f"{p.income * 20:.0f}")),
        Column("loan", "continuous ₹12,34,567.5", lambda p: "₹" + by_hundreds(f"{abs(p.debt) * 9:.0f}") + ".50"),
        Column("timestamp", "integer locked", lambda p: str(int(p.day.timestamp()))), RATE]),
    Table("of_r", [
        Column("rownames", "carried id", lambda p: str(p.number + 1)), INCOME, DEBT, RATE, REGION],
          quote_all=True, names=('"income","debt","rate","region","decision"',), says=("one field more than the header",)),
    Table("zones", [
        Column("at", "continuous yyyy-mm-ddTHH:MM:SS+01:00 locked", lambda p: f"{p.day:%Y-%m-%dT%H:%M:%S}+01:00"),
        Column("ms", "continuous yyyy-mm-dd HH:MM:SS.fff locked", lambda p: f"{p.day:%Y-%m-%d %H:%M:%S}.{p.digits(3)}"),
        INCOME, DEBT, RATE]),
]


def write(table, path):
    """The file of a table: the same bytes on every machine."""
    rng = random.Random(f"messy {table.name}")
    out = io.StringIO()
    writer = csv.writer(out, delimiter=table.delimiter, lineterminator=table.line_end,
                        quoting=csv.QUOTE_ALL if table.quote_all else csv.QUOTE_MINIMAL)
    if table.first_line:
        out.write(table.first_line + table.line_end)
    if table.names:
        out.write(table.names[0] + table.line_end)
    else:
        writer.writerow([column.name for column in table.columns] + ["decision"])
    writer.writerows(table.below)
    for number in range(table.n_rows):
        p = Person(number, rng)
        if number == table.header_again:
            writer.writerow([column.name for column in table.columns] + ["decision"])
        label = table.labels[1 if p.approved else 0]
        if len(table.labels) > 2 and number % 10 == 0 and not p.approved:
            label = table.labels[2]
        writer.writerow([column.cell(p) for column in table.columns] + [label] + ([""] if table.extra else []))
    if table.last_line:
        out.write(table.last_line + table.line_end)
    path.write_bytes(out.getvalue().encode(table.encoding))
