#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Opens the page of `otherwise serve` in a browser and uses it as people do.

    check_serve.py --program PROGRAM --data FOLDER [--pictures FOLDER] [--axe axe.min.js] [--latency N [--of MODEL TABLE]]

The whole way from the list to saved preferences, once by mouse and once by keyboard; what explain says under the saved preferences
is what the page shows.  Texts of the table that look like markup stay texts.
--latency measures N edits, from the event to all answers new, and prints quantiles.  Ends with 77 where there is no browser.
"""
import argparse
import csv
import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "serve"))

from check_pages import check_access, check_paper, SKIPPED  # noqa: E402
from devtools import Browser, find_browser  # noqa: E402
from served import Failed, Server, expect  # noqa: E402

PATIENCE = 15000  # looks, 20 ms apart, before something that does not happen is a failure
TAB, ENTER, SPACE = ("Tab", 9), ("Enter", 13, "\r"), (" ", 32, " ")
LEFT, RIGHT, DOWN = ("ArrowLeft", 37), ("ArrowRight", 39), ("ArrowDown", 40)


class Page:
    """The page of one server in a browser."""

    def __init__(self, browser, server):
        self.browser, self.server = browser, server
        # What the page before this one still asks for is not this one's.
        browser.call("Page.navigate", url="about:blank")
        browser.evaluate("0")
        browser.events.clear()
        browser.call("Page.navigate", url=server.address)
        self.wait("document.querySelectorAll('#rows tbody tr').length > 0", "no rows appear")

    def get(self, script):
        return self.browser.evaluate(script)

    def wait(self, script, sentence):
        """Until it is so."""
        for _ in range(PATIENCE):
            if self.get(f"!!({script})"):
                return
            time.sleep(0.02)
        raise Failed(f"{sentence}\n{self.get('document.body.innerText')[:2000]}")

    def awaited(self):
        """The requests that the page waits for."""
        own, awaited = f"http://127.0.0.1:{self.server.port}/api/", {}
        for event in self.browser.events:
            what = event["params"]
            if event["method"] == "Network.requestWillBeSent" and what["request"]["url"].startswith(own):
                awaited[what["requestId"]] = what["request"]["url"]
            if event["method"] in ("Network.loadingFinished", "Network.loadingFailed"):
                awaited.pop(what["requestId"], None)
        return list(awaited.values())

    def settle(self):
        """Until answers, verdict, the cheapest plan and reasons have followed and are shown: nothing moves any more."""
        self.wait("document.getElementById('answers').getAttribute('aria-busy') === 'false'", "no answers come")
        for _ in range(PATIENCE):
            # What has come is shown in the tasks that wait.
            self.get("new Promise(done => setTimeout(() => setTimeout(done)))")
            if not self.awaited():
                return
            time.sleep(0.02)
        raise Failed(f"no reply to {self.awaited()}")

    def text(self, selector):
        return self.get(f"document.querySelector({selector!r})?.innerText")

    def click(self, selector):
        self.browser.click(f"document.querySelector({selector!r})")

    def click_button(self, words, within="#row"):
        self.browser.click(f"[...document.querySelectorAll('{within} button')].find(b => b.textContent === {words!r})")

    def field(self, column):
        return f"[data-column=\"{column}\"]"

    def tab_to(self, script):
        """Presses Tab until what has the focus is so."""
        for _ in range(400):
            if self.get(f"(e => {script})(document.activeElement)"):
                return
            self.browser.press(*TAB)
        raise Failed(f"Tab does not reach {script}")


def check_silence(page):
    """No message of the browser, and no request to anywhere else."""
    own = f"http://127.0.0.1:{page.server.port}/"
    for event in page.browser.events:
        what = event["params"]
        if event["method"] == "Network.requestWillBeSent":
            url = what["request"]["url"]
            expect(url.startswith((own, "data:", "blob:")), f"asks for {url}")
        expect(event["method"] != "Runtime.exceptionThrown", f"a script fails: {what}")
        expect(event["method"] != "Runtime.consoleAPICalled", f"the console says {what}")
        if event["method"] == "Log.entryAdded":
            raise Failed(f"the browser says {what['entry']['text']}")


def changed(page):
    return page.get("[...document.querySelectorAll('#plan tbody th')].map(e => e.innerText)")


def saved(page, folder, act, name="preferences.json"):
    """Saves the preferences, or corrections, by doing act; what the file has."""
    path = folder / name
    path.unlink(missing_ok=True)
    page.browser.call("Page.setDownloadBehavior", behavior="allow", downloadPath=str(folder))
    act()
    for _ in range(PATIENCE):
        try:
            return json.loads(path.read_text())
        except (FileNotFoundError, json.JSONDecodeError):  # not there, or not whole
            time.sleep(0.02)
    raise Failed(f"{name} does not appear")


def check_same_as_explain(page, program, folder, number):
    """The answer that is shown is explain's under the saved preferences."""
    done = subprocess.run([str(program), "explain", "credit.ow", "credit.csv", "--row", str(number), "--preferences",
                           "preferences.json", "--format", "json"], cwd=folder, capture_output=True, text=True)
    found = json.loads(done.stdout)["results"][0]
    # Numbers and texts of the JSON that the page has got, against explain's.
    own = page.get("JSON.stringify(result)")
    for document in (found, mine := json.loads(own)):
        for answer in [*document["counterfactuals"], (document["surer"] or {}).get("counterfactual")]:
            if answer:
                answer.pop("time_ms")
    expect(found == mine, f"explain:\n{found}\nthe page:\n{mine}")
    # The tab of the cheapest plan: no other one has less effort, nor has explain's answer.
    done = subprocess.run([str(program), "explain", "credit.ow", "credit.csv", "--row", str(number), "--preferences",
                           "preferences.json", "--prefer", "cheapest", "--format", "json"], cwd=folder, capture_output=True, text=True)
    cheap = json.dumps(json.loads(done.stdout)["results"][0]["counterfactuals"][0])
    page.wait("cheapest !== undefined", "the cheapest plan does not come")  # it may come behind the others
    efforts = page.get(f"plansOf(result).map(([title, answer]) => [title, costOf(answer), costOf({cheap})])")
    told = [own for title, own, _ in efforts if "heapest" in title]
    expect(len(told) == 1 and all(told[0] <= min(own, other) + 1e-9 for _, own, other in efforts), f"the cheapest plan: {efforts}")


# ---- The ways ----

def by_mouse(page, program, folder):
    page.click("#search")
    page.browser.type("2")
    page.wait("document.querySelectorAll('#rows tbody tr').length === 1", "the search for row 2 finds other rows")
    page.click("#rows tbody a")
    page.wait("document.querySelector('#plan')", "no answers of row 2")
    page.settle()
    expect(page.text("#row-title") == "Row 2", f"the title is {page.text('#row-title')}")
    expect("says bad" in page.text("#verdict"), f"verdict: {page.text('#verdict')}")
    first = changed(page)
    expect(len(first) == 1, f"the least answer changes {first}")
    # Locked, it is not in the answers any more.
    page.click(page.field(first[0]) + " summary")
    page.click(page.field(first[0]) + " .possible input[type=checkbox]")
    page.settle()
    page.wait(f"![...document.querySelectorAll('#plan tbody th')].some(e => e.innerText === {first[0]!r})",
              f"{first[0]} is locked and still changes")
    second = page.text("#plan table")
    # "Not like this" gives another kind.
    page.click_button("Not like this")
    page.wait("!document.getElementById('excluded').hidden", "nothing is excluded")
    page.settle()
    page.wait(f"document.querySelector('#plan table')?.innerText !== {second!r}", "the excluded answer is there again")
    page.click_button("Star")
    page.click_button("Accept")
    # "This should not change the decision" is kept as a correction, and saved for train --corrections.
    page.click_button("This should not change the decision")
    noted = page.get("corrections[0]")
    expect(noted["row"] == 2 and noted["class"] == "bad" and list(noted["changes"]) == changed(page), f"correction: {noted}")
    page.click("#tab-1")
    expect(page.get("document.getElementById('tab-1').ariaSelected") == "true", "the second tab does not open")
    preferences = saved(page, folder, lambda: page.click("#save"))
    expect(preferences["immutable"] == first and len(preferences["rules"]) == 1, f"saved: {preferences}")
    page.settle()
    check_same_as_explain(page, program, folder, 2)
    # An edit is followed; taking an answer's values makes the decision the wanted one.
    page.get("""(() => { const s = document.getElementById("target"); s.value = "=good"; s.dispatchEvent(new Event("input")); })()""")
    page.settle()
    page.click("#tab-0")
    page.click_button("Take these values")
    page.wait("document.querySelector('#verdict strong').innerText === 'good'", "the answer's values do not change the decision")
    page.wait("document.getElementById('answers').innerText.includes('already')", "the answers do not follow")
    page.click("#reset")
    page.wait("document.querySelector('#verdict strong').innerText === 'bad'", "edits are not undone")
    page.click("#back")
    page.wait("!document.getElementById('list').hidden", "the list does not come back")
    expect(page.text("#stars").count("Row 2") == 2 and "accepted" in page.text("#stars"), "star and accepted plan are not in the list")
    expect("Row 2 stays bad although" in page.text("#corrected").replace("\n", " "), page.text("#corrected"))
    document = saved(page, folder, lambda: page.click("#save-corrections"), "corrections.json")
    expect(document == {"corrections": [noted]}, f"saved corrections: {document}")
    done = subprocess.run([str(program), "train", "credit.csv", "--label", "risk", "-o", "corrected.ow", "--quiet", "--corrections",
                           "corrections.json"], cwd=folder, capture_output=True, text=True)
    expect(done.returncode == 0, f"train does not take the saved corrections: {done.stderr}")


def by_keyboard(page, program, folder):
    """From the list to the saved file with Tab, Enter, Space and arrows only: scripts look, and change nothing."""
    press = page.browser.press
    page.tab_to("e.id === 'by-class'")
    press(*DOWN)
    page.wait("document.querySelector('#rows tbody td').innerText === document.getElementById('by-class').value",
              "the arrow does not choose a decision")
    while page.get("document.getElementById('by-class').value") != "bad":
        press(*DOWN)
    page.wait("document.querySelector('#rows tbody td').innerText === 'bad'", "the list does not follow the arrow")
    page.tab_to("e.innerText === 'Row 5'")
    press(*ENTER)
    page.wait("document.querySelector('#row-title').innerText === 'Row 5'", "Enter does not open the row")
    page.settle()
    expect(page.get("document.activeElement.id") == "row-title", "the focus does not go to the row that was opened")
    page.tab_to("e.id === 'forget'")
    press(*ENTER)
    page.settle()
    # An edit, and back.
    before = page.text("#verdict")
    page.tab_to("e.type === 'range'")
    press(*RIGHT)
    page.wait(f"document.getElementById('verdict').innerText !== {before!r}", "the slider does not follow the arrow")
    press(*LEFT)
    page.wait(f"document.getElementById('verdict').innerText === {before!r}", "the slider does not go back")
    # What is possible: one column locked, one hard to change.
    page.tab_to("e.tagName === 'SUMMARY' && e.parentElement.parentElement.dataset.column === 'amount'")
    press(*ENTER)
    page.tab_to("e.type === 'checkbox' && e.closest('.field')?.dataset.column === 'amount'")
    press(*SPACE)
    page.wait("document.activeElement.checked", "Space does not lock the column")
    page.tab_to("e.tagName === 'SUMMARY' && e.parentElement.parentElement.dataset.column === 'savings'")
    press(*ENTER)
    page.tab_to("e.tagName === 'SELECT' && e.closest('.possible') && e.closest('.field').dataset.column === 'savings'")
    press(*DOWN)
    # The wanted decision, tabs, and the file.
    page.tab_to("e.id === 'target'")
    while page.get("document.activeElement.value") != "=good":
        press(*DOWN)
    page.settle()
    page.tab_to("e.id === 'tab-0'")
    press(*RIGHT)
    page.wait("document.activeElement.id === 'tab-1' && document.activeElement.ariaSelected === 'true'", "the arrow does not change tabs")
    page.tab_to("e.id === 'save'")
    preferences = saved(page, folder, lambda: press(*ENTER))
    expect((preferences["target"], preferences["immutable"], preferences["cost"]) == ("good", ["amount"], {"savings": 2}),
           f"saved by keyboard: {preferences}")
    check_same_as_explain(page, program, folder, 5)


def block(page):
    """So much locked that no answer is left."""
    page.get("setPreferences({...emptyPreferences(), max_changes: 1, immutable: ['duration', 'checking_status', 'amount', 'savings', "
             "'employment', 'purpose', 'property', 'housing', 'job', 'other_debtors', 'installment_rate', 'other_plans', 'existing_credits', 'telephone']})")
    page.settle()
    page.wait("document.getElementById('lift')", "nothing is said to be in the way")


def check_in_the_way(page):
    """Everything locked: what is in the way is named, and the button lifts it."""
    page.get("""(() => { setPreferences(emptyPreferences()); history.pushState(null, "", "/?row=2"); go(); })()""")
    page.wait("document.querySelector('#row-title').innerText === 'Row 2' && document.querySelector('#plan')", "row 2 does not open")
    block(page)
    expect("In the way" in page.text("#answers"), page.text("#answers"))
    page.click("#lift")
    page.wait("document.querySelector('#plan') || document.getElementById('lift') === null", "lifting it changes nothing")
    page.settle()
    # A kind that was excluded can be allowed again by the same button.
    page.get("""setPreferences({...emptyPreferences(), rules: ["duration changed => age changed", "age same"], max_changes: null})""")
    page.settle()
    expect(page.get("""typeof liftOf('rule age same')""") == "function", "a rule of the page's cannot be lifted")
    expect(page.get("""liftOf('rule no rule of mine')""") is None, "a rule of the schema's can be lifted")
    page.get("setPreferences(emptyPreferences())")
    page.settle()


def check_views(page, folder, axe):
    views = {"list": "/", "row": "/?row=2", "compare": "/?row=2", "blocked": "/?row=2", "nothing-to-do": "/?row=2"}
    for name, address in views.items():
        page.get(f"(() => {{ history.pushState(null, '', {address!r}); go(); }})()")
        page.wait("location.search === '' || document.getElementById('answers').childElementCount > 0", f"{address} does not open")
        if name != "list":
            page.settle()
        if name == "compare":
            page.get("document.querySelectorAll('#form details').forEach(d => d.open = true)")
            page.browser.click("[...document.querySelectorAll('[role=tab]')].at(-1)")
        if name == "blocked":
            block(page)
        if name == "nothing-to-do":
            page.get("setPreferences({...emptyPreferences(), target: 'bad', rules: ['duration not up']})")
            page.settle()
            page.wait("document.getElementById('answers').innerText.includes('already')", "bad is not what row 2 is already")
        for size, window in {"desk": (1300, 900, False), "phone": (400, 800, True)}.items():
            for dark in (False, True):
                page.browser.show(*window[:2], dark=dark, mobile=window[2])
                check_access(page.browser, axe)
                if folder is not None:
                    page.browser.picture(folder / f"serve-{name}-{size}-{'dark' if dark else 'light'}.png")
        page.browser.show_paper(1045 if name == "list" else 720)  # the list is printed across
        check_paper(page.browser)
        if folder is not None:
            page.browser.print(folder / f"serve-{name}.pdf")
    page.get("setPreferences(emptyPreferences())")
    page.browser.show(1300, 900)


def check_markup(browser, program, folder):
    """A table whose texts look like markup."""
    bad = '<img src=x onerror="window.broken=1">'
    kinds, classes = ("<script>window.broken=1</script>", "plain & simple"), ("good", "<i>bad</i>")
    with open(folder / "bad.csv", "w", newline="", encoding="utf-8") as file:
        table = csv.writer(file)
        table.writerow(["name", "<b>kind</b>", "size", "risk"])
        for i in range(120):
            table.writerow([f"{bad} {i}", kinds[i % 2], i % 17, classes[(i % 17 > 8) ^ (i % 11 == 0)]])
    subprocess.run([str(program), "train", "bad.csv", "--label", "risk", "-o", "bad.ow", "--quiet"], cwd=folder, check=True,
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    with Server(program, folder, "bad.ow", "bad.csv") as server:
        page = Page(browser, server)
        expect("<script>" in page.text("#rows"), "the list does not show the text")
        page.click("#rows tbody a")
        page.wait("document.querySelectorAll('#form .field').length > 0", "the row does not open")
        page.settle()
        expect(page.get("window.broken") is None, "a text of the table has run")
        expect(page.get("document.querySelectorAll('#rows img, #rows script, #form img, #form b').length") == 0, "a text became markup")
        check_silence(page)


def measure_latency(page, n):
    """Milliseconds from an edit to all tabs new."""
    page.get("(() => { setPreferences(emptyPreferences()); history.pushState(null, '', '/?row=2'); go(); })()")
    page.wait("document.querySelector('#plan')", "row 2 does not open")
    times = page.get(f"""(async () => {{
        const slider = document.querySelector("#form input[type=range]"), times = [];
        for (let i = 0; i < {n}; i++) {{
          slider.value = Number(slider.min) + (i * 7919) % (slider.max - slider.min);
          const begun = performance.now();
          slider.dispatchEvent(new Event("input"));
          while ($("answers").getAttribute("aria-busy") === "true") await new Promise(done => setTimeout(done, 0));
          times.push(performance.now() - begun);
        }}
        return times.sort((a, b) => a - b); }})()""")
    print(f"{n} edits: median {times[n // 2]:.1f} ms, 95th percentile {times[int(0.95 * n)]:.1f} ms, longest {times[-1]:.1f} ms")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--program", required=True, type=Path)
    parser.add_argument("--data", required=True, type=Path)
    parser.add_argument("--pictures", type=Path)
    parser.add_argument("--axe", type=Path)
    parser.add_argument("--latency", type=int, default=0)
    parser.add_argument("--of", nargs=2, metavar=("MODEL", "TABLE"), help="measure the latency of these, and do nothing else")
    given = parser.parse_args()
    if find_browser() is None:
        print("no browser is installed")
        return SKIPPED
    program = given.program.resolve()
    axe = given.axe.read_text() if given.axe else None
    if given.of:
        with Browser(find_browser()) as browser, Server(program, Path.cwd(), *given.of) as server:
            browser.show(1300, 900)
            measure_latency(Page(browser, server), given.latency or 100)
        return 0
    with tempfile.TemporaryDirectory(prefix="ow-serve-") as name, Browser(find_browser()) as browser:
        folder = Path(name)
        (folder / "credit.csv").write_bytes((given.data / "credit.csv").read_bytes())
        subprocess.run([str(program), "train", "credit.csv", "--label", "risk", "-o", "credit.ow", "--quiet"], cwd=folder,
                       check=True, stdout=subprocess.DEVNULL)
        browser.show(1300, 900)
        try:
            with Server(program, folder, "credit.ow", "credit.csv") as server:
                page = Page(browser, server)
                by_mouse(page, program, folder)
                check_silence(page)
                page = Page(browser, server)
                by_keyboard(page, program, folder)
                check_in_the_way(page)
                check_views(page, given.pictures, axe)
                check_silence(page)
                if given.latency:
                    measure_latency(page, given.latency)
            check_markup(browser, program, folder)
        except Failed as failure:
            print(failure, file=sys.stderr)
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
