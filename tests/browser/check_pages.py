#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Opens the program's pages in a browser and uses them as people do.

    check_pages.py --program PROGRAM --data FOLDER [--pictures FOLDER] [--axe axe.min.js]

Each page, on a desk and on a phone, in light and in dark: no message of the browser, no request for anything but the page
itself, nothing that accessibility.js finds; its parts are clicked and typed into, and must do what they are there for.
--pictures keeps what was seen, and the pages on paper as PDF files.  --axe has the axe-core library look as well, which the
project does not bring along (several packages do, such as axe-playwright-python).  Ends with 77 where there is no browser.
"""
import argparse
import subprocess
import sys
import tempfile
from pathlib import Path

from devtools import Browser, find_browser

HERE = Path(__file__).resolve().parent
SKIPPED = 77
WINDOWS = {"desk": (1200, 900, False), "phone": (400, 800, True)}


class Failed(Exception):
    """Something is not as it should be."""


def expect(condition, sentence):
    if not condition:
        raise Failed(sentence)


# ---- The pages ----

def run(program, folder, *words, codes=(0,)):
    done = subprocess.run([str(program), *map(str, words)], cwd=folder, capture_output=True, text=True)
    expect(done.returncode in codes, f"{' '.join(map(str, words))}: exit code {done.returncode}\n{done.stderr}")


def make_pages(program, data, folder):
    """Paths by name."""
    rows = data / "credit.csv"
    run(program, folder, "demo", "-o", "report", "--quiet")
    run(program, folder, "train", rows, "--label", "risk", "-o", "credit.ow", "--quiet")
    run(program, folder, "explain", "credit.ow", rows, "--row", "1-40", "--target", "good", "--vary",
        "duration,amount,purpose", "--min-density", "q60", "--format", "html", "-o", "answers.html", "--quiet",
        codes=(0, 1))
    run(program, folder, "evaluate", "credit.ow", rows, "--limit", "40", "--target", "good", "--methods",
        "guided,two-step,nearest", "--background", rows, "-o", "comparison", "--quiet")
    run(program, folder, "audit", "credit.ow", rows, "--by", "age=25|40|60,personal_status", "--target", "good", "--limit", "300",
        "--format", "html", "-o", "audit.html", "--quiet")
    for language in ("en", "de"):
        run(program, folder, "letters", "credit.ow", rows, "--row", "2", "--target", "good", "--language", language, "-o", language, "--quiet")
    return {"demo": folder / "report/index.html", "explain": folder / "answers.html", "audit": folder / "audit.html",
            "evaluate": folder / "comparison/index.html", "letter": folder / "en/letter-000002.html", "Brief": folder / "de/letter-000002.html"}


# ---- Looking ----

def check_silence(browser, path):
    """Nothing went wrong, and nothing was asked for but the page."""
    for event in browser.events:
        what = event["params"]
        if event["method"] == "Network.requestWillBeSent":
            url = what["request"]["url"]
            expect(url == f"file://{path}" or url.startswith("data:"), f"asks for {url}")
        expect(event["method"] != "Runtime.exceptionThrown", f"a script fails: {what}")
        expect(event["method"] != "Runtime.consoleAPICalled", f"the console says {what}")
        if event["method"] == "Log.entryAdded":
            raise Failed(f"the browser says {what['entry']['text']}")


def check_access(browser, axe):
    findings = browser.evaluate((HERE / "accessibility.js").read_text())
    expect(not findings, "\n  ".join([f"{len(findings)} findings", *findings[:20]]))
    if axe is None:
        return
    browser.evaluate(f"{axe};0")
    findings = browser.evaluate("""axe.run().then(r => r.violations.flatMap(v => v.nodes.map(
        n => `axe, ${v.impact}: ${v.help} (${v.id}): ${n.target.join(" ")}`)))""")
    expect(not findings, "\n  ".join([f"{len(findings)} findings", *findings[:20]]))


# ---- Using ----

def check_turning(browser, cards, said, n_cards):
    """Pages of cards: each card is on exactly one, and what is typed is looked for on all of them."""
    seen = []
    while True:
        seen += browser.evaluate(f"[...{cards}].filter(c => c.offsetHeight > 0).map(c => c.querySelector('h3').textContent)")
        if browser.evaluate('document.querySelectorAll(".pager button")[1].disabled'):
            break
        browser.click('document.querySelectorAll(".pager button")[1]')
    expect(len(seen) == n_cards and len(set(seen)) == n_cards, f"{len(seen)} cards on all pages together, of {n_cards}")
    expect(browser.evaluate(said).endswith(f"{n_cards} of {n_cards}"), "the last page does not say that it is the last one")
    browser.click('document.querySelector("[data-filter] input")')
    browser.type(seen[0].upper())
    expect(browser.evaluate(f"{cards}[0].offsetHeight") > 0, "a card of another page is not found")
    browser.evaluate('document.querySelector("[data-filter] input").select()')
    browser.press("Delete", 46)
    expect(browser.evaluate(f"[...{cards}].filter(c => c.offsetHeight > 0).length") == 24, "the first page does not come back")


def check_filter(browser):
    """Cards by what is typed and by outcome; the number shown is told, and a screen reader hears it."""
    if not browser.evaluate('document.querySelector("[data-filter]") !== null'):
        return
    cards = 'document.querySelectorAll("article.card")'
    n_cards = browser.evaluate(f"{cards}.length")
    said = 'document.querySelector("[data-filter] output").textContent'
    expect(n_cards > 6, f"only {n_cards} cards")
    if n_cards > 24:
        check_turning(browser, cards, said, n_cards)
        return
    expect(browser.evaluate(said) == f"{n_cards} of {n_cards} shown", "not all cards are shown at first")
    shown = f"[...{cards}].filter(c => c.offsetHeight > 0)"

    title = browser.evaluate(f"{cards}[2].querySelector('h3').textContent")
    browser.click('document.querySelector("[data-filter] input")')
    browser.type(title.upper())
    fits = browser.evaluate(f"[...{cards}].filter(c => c.textContent.includes({title!r})).length")
    expect(browser.evaluate(f"{shown}.length") == fits, "typing a row's title does not leave its card")
    expect(browser.evaluate(said) == f"{fits} of {n_cards} shown", "the number shown is not told")
    browser.type(" of no card")
    expect(browser.evaluate(f"{shown}.length") == 0, "what no card has leaves some")
    browser.evaluate('document.querySelector("[data-filter] input").select()')
    browser.press("Delete", 46)
    expect(browser.evaluate(f"{shown}.length") == n_cards, "an empty field hides cards")

    options = browser.evaluate('[...document.querySelectorAll("[data-filter] option")].map(o => o.value)')
    for value in options[1:] + [""]:
        browser.evaluate(f"""(() => {{ const s = document.querySelector("[data-filter] select");
            s.value = {value!r}; s.dispatchEvent(new Event("change")); }})()""")
        want = browser.evaluate(f"[...{cards}].filter(c => c.matches({('.' + value if value else '*')!r})).length")
        expect(browser.evaluate(f"{shown}.length") == want, f"outcome {value!r} shows other cards")


def check_details(browser):
    """Each opens and closes with the mouse, and with the keyboard.  Pages have some; letters, which have no script, none."""
    n = browser.evaluate('document.querySelectorAll("details").length')
    expect((n > 0) == browser.evaluate('document.querySelector("script") !== null'), f"{n} parts to open")
    for i in range(n):
        details = f'document.querySelectorAll("details")[{i}]'
        before = browser.evaluate(f"{details}.open")
        height = browser.evaluate(f"{details}.offsetHeight")
        browser.click(f"{details}.querySelector('summary')")
        expect(browser.evaluate(f"{details}.open") != before, f"part {i} does not open")
        larger = browser.evaluate(f"{details}.offsetHeight") > height
        expect(larger != before, f"part {i} has nothing inside")
        browser.evaluate(f"{details}.querySelector('summary').focus()")
        browser.press("Enter", 13, "\r")
        expect(browser.evaluate(f"{details}.open") == before, f"part {i} does not obey the keyboard")
        browser.evaluate(f"{details}.open = true")


def check_contents(browser):
    """Every line of the contents leads to its heading."""
    n = browser.evaluate('document.querySelectorAll("nav a").length')
    for i in range(n):
        link = f'document.querySelectorAll("nav a")[{i}]'
        browser.evaluate("scrollTo(0, 0)")
        browser.click(link)
        top = browser.evaluate(f"document.getElementById({link}.hash.slice(1)).getBoundingClientRect().top")
        expect(-2 <= top <= browser.evaluate("innerHeight"), f"line {i} of the contents leads elsewhere")


def check_tables(browser):
    """One that is wider than its place can be moved with the keyboard."""
    n = browser.evaluate("""(window.wide = [...document.querySelectorAll(".scroll")].filter(
        s => s.scrollWidth > s.clientWidth + 1)).length""")
    for i in range(n):
        browser.evaluate(f"wide[{i}].focus()")
        expect(browser.evaluate(f"document.activeElement === wide[{i}]"), "a wide table takes no focus")
        browser.evaluate(f"wide[{i}].scrollLeft = 1e6")
        expect(browser.evaluate(f"wide[{i}].scrollLeft") > 0, "a wide table does not scroll")


def check_paper(browser):
    """Nothing is cut off at the right edge of a sheet."""
    wide = browser.evaluate("""[...document.querySelectorAll("table, figure, p")].filter(e => e.checkVisibility()
        && e.getBoundingClientRect().right > innerWidth + 1).map(e => e.textContent.trim().slice(0, 60))""")
    expect(not wide, f"wider than the paper: {wide}")


def check_page(browser, path, window, dark, axe):
    width, height, mobile = WINDOWS[window]
    browser.show(width, height, dark=dark, mobile=mobile)
    browser.open(path)
    check_access(browser, axe)
    if not dark:
        check_contents(browser)
        check_filter(browser)
        check_details(browser)
    browser.evaluate('document.querySelectorAll("details").forEach(d => { d.open = true; })')
    check_access(browser, axe)
    check_tables(browser)
    check_silence(browser, path)
    if window == "desk" and not dark:
        browser.show_paper()
        check_paper(browser)
        browser.show(width, height)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--program", type=Path, required=True)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--pictures", type=Path)
    parser.add_argument("--axe", type=Path)
    arguments = parser.parse_args()
    axe = arguments.axe.read_text() if arguments.axe else None
    program = find_browser()
    if program is None:
        print("skipped: there is no browser (chromium)")
        return SKIPPED
    result = 0
    with tempfile.TemporaryDirectory(prefix="ow-pages-") as folder, Browser(program) as browser:
        pages = make_pages(arguments.program.resolve(), arguments.data.resolve(), Path(folder))
        for name, path in pages.items():
            for window in WINDOWS:
                for dark in (False, True):
                    what = f"{name} on a {window}, {'dark' if dark else 'light'}"
                    try:
                        check_page(browser, path, window, dark, axe)
                        print(f"{what}: as it should be")
                    except Failed as failure:
                        print(f"{what}: {failure}")
                        result = 1
                    if arguments.pictures:
                        browser.picture(arguments.pictures / f"{name}-{window}-{'dark' if dark else 'light'}.png")
            if arguments.pictures:
                browser.print(arguments.pictures / f"{name}.pdf")
    return result


if __name__ == "__main__":
    sys.exit(main())
