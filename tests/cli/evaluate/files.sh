# SPDX-License-Identifier: MIT
# A line for each method and row, a document with everything else and a page; --json prints the same document.
ln -s "$DATA/credit.csv" .
"$OTHERWISE" train credit.csv --label risk --unlock all --repetitions 2 --inputs 2 --epochs 2 --test-share 0 -o m.ow --quiet >/dev/null
"$OTHERWISE" evaluate m.ow credit.csv --limit 40 --target good --methods two-step:paper,nearest --set tries=9 \
    --background credit.csv --seeds 2 --seed 7 -o out --json --quiet >printed.json
cmp printed.json out/summary.json && echo same document
ls out
python3 - <<'END'
import csv, json
rows = list(csv.DictReader(open("out/rows.csv")))
document = json.load(open("out/summary.json"))
print(len(rows), "rows;", sorted({row["seed"] for row in rows}), sorted({row["method"] for row in rows}))
print(document["schema_version"], sorted(document), document["n"]["rows"])
print(document["meta"]["target"], document["meta"]["seed"], document["meta"]["interrupted"])
for method in document["methods"]:
    print(method["name"], method["seeds"], method["params"].get("tries"))
    for name in ("validity_target", "l1", "judge_plausible@25", "ynn"):
        # The document's means are those of the rows, seed by seed.
        means = []
        for seed in ("7", "8"):
            figures = [float(row[name]) for row in rows
                       if row["seed"] == seed and row["method"] == method["name"] and row[name]]
            means.append(sum(figures) / len(figures))
        assert abs(sum(means) / 2 - method["metrics"][name]["mean"]) < 1e-6, name
for metric in document["metrics"][:2]:
    print(metric)
assert all(row["l1"] == "" for row in rows if row["status"] != "found")

# The page: whole, without other files, and with the document's figures.
from html.parser import HTMLParser
class Page(HTMLParser):
    open, words, addresses = [], [], []
    def handle_starttag(self, tag, attrs):
        if tag not in ("meta", "link", "br", "img", "input", "hr", "rect", "line", "path", "circle"): self.open.append(tag)
        self.addresses += [v for k, v in attrs if k in ("src", "href") and not v.startswith(("#", "data:"))]
    def handle_endtag(self, tag):
        if self.open and self.open[-1] == tag: self.open.pop()
    def handle_data(self, data):
        self.words.append(data.strip())
page = Page()
page.feed(open("out/index.html").read())
print(page.open, page.addresses, [word for word in page.words if word.startswith("Each method was asked")])
for method in document["methods"]:
    assert method["name"] in page.words
    assert "%.3f" % method["metrics"]["validity_target"]["mean"] in page.words
END
"$OTHERWISE" evaluate m.ow credit.csv --limit 5 --methods two-step -o any --quiet >/dev/null
grep -o "decide otherwise on the same rows" any/index.html
