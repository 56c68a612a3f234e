# SPDX-License-Identifier: MIT
"""A browser without a window, told what to do over a pipe (the DevTools protocol), with nothing but the standard library."""
import base64
import fcntl
import json
import os
import select
import shutil
import subprocess
import tempfile
import time

NAMES = ("chromium", "chromium-browser", "chromium-headless-shell", "google-chrome")


class BrowserError(Exception):
    """The browser did not do what it was asked."""


def find_browser():
    """The path of a browser that can be driven, or None."""
    return next((path for path in map(shutil.which, NAMES) if path), None)


class Browser:
    """One browser with one page.  Messages end with a NUL byte: its file 3 is read from, its file 4 written to."""

    def __init__(self, program, time_limit=300):
        self._time_limit = time_limit
        self._profile = tempfile.TemporaryDirectory(prefix="ow-browser-", ignore_cleanup_errors=True)
        reads, self._out = os.pipe()
        self._in, writes = os.pipe()
        # Its ends become files 3 and 4; from numbers above these, so that neither takes the other's place.
        theirs_in, theirs_out = (fcntl.fcntl(end, fcntl.F_DUPFD, 10) for end in (reads, writes))
        command = (f"exec 3<&{theirs_in} 4>&{theirs_out} {theirs_in}<&- {theirs_out}>&-; exec \"$@\"")
        self._process = subprocess.Popen(
            ["bash", "-c", command, "browser", program, "--headless", "--no-sandbox", "--disable-gpu",
             "--disable-dev-shm-usage", "--no-first-run", "--hide-scrollbars", "--disable-extensions",
             "--disable-background-networking", "--remote-debugging-pipe",
             f"--user-data-dir={self._profile.name}", "about:blank"],
            pass_fds=(theirs_in, theirs_out), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL)
        for end in (reads, writes, theirs_in, theirs_out):
            os.close(end)
        self._buffer = b""
        self._number = 0
        self._session = None
        self.events = []
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self._session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(f"{domain}.enable")

    def close(self):
        for end in (self._out, self._in):
            os.close(end)
        self._process.terminate()
        try:
            self._process.wait(10)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._profile.cleanup()

    def __enter__(self):
        return self

    def __exit__(self, *exception):
        self.close()

    # ---- Messages ----

    def _receive(self, deadline):
        while b"\0" not in self._buffer:
            ready, _, _ = select.select([self._in], [], [], max(0.0, deadline - time.monotonic()))
            if not ready:
                raise BrowserError("the browser does not answer")
            piece = os.read(self._in, 1 << 16)
            if not piece:
                raise BrowserError("the browser has gone away")
            self._buffer += piece
        message, self._buffer = self._buffer.split(b"\0", 1)
        return json.loads(message)

    def call(self, method, **parameters):
        """What the browser answers; what it tells meanwhile is added to events."""
        self._number += 1
        message = {"id": self._number, "method": method, "params": parameters}
        if self._session:
            message["sessionId"] = self._session
        os.write(self._out, json.dumps(message).encode() + b"\0")
        deadline = time.monotonic() + self._time_limit
        while True:
            answer = self._receive(deadline)
            if "id" not in answer:
                self.events.append(answer)
            elif answer["id"] == self._number:
                if "error" in answer:
                    raise BrowserError(f"{method}: {answer['error']['message']}")
                return answer["result"]

    def wait_for(self, event):
        """Until the browser has told of this event."""
        deadline = time.monotonic() + self._time_limit
        while not any(told["method"] == event for told in self.events):
            answer = self._receive(deadline)
            if "id" not in answer:
                self.events.append(answer)

    # ---- What people do ----

    def show(self, width, height, dark=False, mobile=False):
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height,
                  deviceScaleFactor=1, mobile=mobile)
        self.call("Emulation.setEmulatedMedia", media="", features=[
            {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}])

    def show_paper(self, width=720):
        """As it is printed, in a window as wide as a sheet of A4 between its margins."""
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=1000, deviceScaleFactor=1, mobile=False)
        self.call("Emulation.setEmulatedMedia", media="print")

    def open(self, path):
        """Opens a file; events are those of this page only."""
        self.events.clear()
        self.call("Page.navigate", url=f"file://{path}")
        self.wait_for("Page.loadEventFired")  # which may still be that of the page before
        is_there = f"document.readyState === 'complete' && decodeURIComponent(location.pathname) === {json.dumps(str(path))}"
        deadline = time.monotonic() + self._time_limit
        while not self.evaluate(is_there):
            if time.monotonic() > deadline:
                raise BrowserError(f"{path} is not opened")
            time.sleep(0.02)

    def evaluate(self, script):
        """The value of a JavaScript expression, as JSON has it."""
        answer = self.call("Runtime.evaluate", expression=script, returnByValue=True,
                           awaitPromise=True)
        if "exceptionDetails" in answer:
            details = answer["exceptionDetails"]
            raise BrowserError(details.get("exception", {}).get("description", details["text"]))
        return answer["result"].get("value")

    def click(self, element):
        """With the mouse, in the middle of what the JavaScript expression is."""
        place = self.evaluate(f"""(() => {{ const e = {element}; e.scrollIntoView({{block: "center"}});
            const r = e.getBoundingClientRect(); return [r.x + r.width / 2, r.y + r.height / 2]; }})()""")
        for kind in ("mousePressed", "mouseReleased"):
            self.call("Input.dispatchMouseEvent", type=kind, x=place[0], y=place[1],
                      button="left", clickCount=1)

    def type(self, text):
        """Into what has the focus."""
        self.call("Input.insertText", text=text)

    def press(self, key, code, text=""):
        """A key by its name, its number, and what it writes."""
        for kind in ("keyDown", "keyUp"):
            self.call("Input.dispatchKeyEvent", type=kind, key=key, code=key,
                      windowsVirtualKeyCode=code, text=text)

    def picture(self, path):
        """The whole page as a PNG file."""
        size = self.call("Page.getLayoutMetrics")["cssContentSize"]
        data = self.call("Page.captureScreenshot", format="png", captureBeyondViewport=True,
                         clip={"x": 0, "y": 0, "width": size["width"], "height": size["height"],
                               "scale": 1})["data"]
        with open(path, "wb") as file:
            file.write(base64.b64decode(data))

    def print(self, path):
        """As paper has it, a PDF file."""
        data = self.call("Page.printToPDF", printBackground=False)["data"]
        with open(path, "wb") as file:
            file.write(base64.b64decode(data))
