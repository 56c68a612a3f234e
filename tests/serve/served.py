# SPDX-License-Identifier: MIT
"""A server of `otherwise serve` for tests: starts it, asks it, and ends it."""
import http.client
import json
import re
import signal
import socket
import subprocess
import tempfile
from pathlib import Path

LOANS = Path(__file__).resolve().parent.parent / "cli/loans.awk"
ADDRESS = re.compile(r"^http://127\.0\.0\.1:(\d+)/\?token=([0-9a-f]{32})$")


class Failed(Exception):
    """Something is not as it should be."""


def expect(condition, sentence):
    if not condition:
        raise Failed(sentence)


def make_loans(program, folder):
    """A small table, loans.csv, and its model, loans.ow."""
    with open(folder / "loans.csv", "wb") as file:
        subprocess.run(["awk", "-f", str(LOANS)], stdout=file, check=True)
    subprocess.run([str(program), "train", "loans.csv", "--label", "loan", "--unlock", "all", "-o",
                    "loans.ow", "--quiet"], cwd=folder, stdout=subprocess.DEVNULL, check=True)


class Server:
    """Runs while it is entered; `log` has what it said on standard error once it has been left, `exchanges` what it was asked by
    `ask` and answered: (method, path, body, status, text)."""

    def __init__(self, program, folder, model, table, *options):
        # Clients of a busy machine are slow; the case that wants a short time says so.
        patience = () if "--timeout" in options else ("--timeout", "600")
        self.command = [str(program), "serve", str(model), str(table), *patience, *options]
        self.folder = folder
        self.log = None
        self.exchanges = []

    def __enter__(self):
        self._errors = tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace")
        self.process = subprocess.Popen(self.command, cwd=self.folder, stdout=subprocess.PIPE,
                                        stderr=self._errors, text=True)
        self.address = self.process.stdout.readline().rstrip("\n")
        match = ADDRESS.match(self.address)
        if match is None:
            self.process.kill()
            self.process.wait()
            self._errors.seek(0)
            raise Failed(f"the first line is no address: {self.address!r}\n{self._errors.read()}")
        self.port, self.token = int(match[1]), match[2]
        return self

    def __exit__(self, *exception):
        # Not SIGINT, which shells have background jobs ignore.
        self.process.send_signal(signal.SIGTERM)
        code = self.process.wait(300)
        self.process.stdout.close()
        self._errors.seek(0)
        self.log = self._errors.read()
        self._errors.close()
        if exception[0] is None:
            expect(code == 0, f"the server ends with {code}\n{self.log}")

    def connect(self):
        return http.client.HTTPConnection("127.0.0.1", self.port, timeout=300)

    def headers(self):
        return {"Authorization": f"Bearer {self.token}"}

    def ask(self, method, path, body=None, headers=None, connection=None):
        """Status, headers and body of the reply."""
        own = connection or self.connect()
        own.request(method, path, body=body, headers=self.headers() if headers is None else headers)
        reply = own.getresponse()
        text = reply.read()
        if connection is None:
            own.close()
        self.exchanges.append((method, path, body, reply.status, text))
        return reply.status, reply.headers, text

    def open_many(self, n):
        """Opens n connections, asks on each for a row, and closes all of them at the end (one closed earlier would make
        room for another that the server has not taken yet); how many were answered."""
        connections = [socket.create_connection(("127.0.0.1", self.port), timeout=300) for _ in range(n)]
        request = f"GET /api/rows/1 HTTP/1.1\r\nHost: localhost:{self.port}\r\nAuthorization: Bearer {self.token}\r\n\r\n"
        served = 0
        for connection in connections:
            try:
                connection.sendall(request.encode())
                served += connection.recv(12) == b"HTTP/1.1 200"
            except OSError:
                pass
        for connection in connections:
            connection.close()
        return served

    def get(self, path):
        status, _, text = self.ask("GET", path)
        expect(status == 200, f"{path}: {status} {text!r}")
        return json.loads(text)

    def post(self, path, document):
        """The text of the reply."""
        status, _, text = self.ask("POST", path, json.dumps(document),
                                   {**self.headers(), "Content-Type": "application/json"})
        expect(status == 200, f"{path}: {status} {text!r}")
        return text.decode()

    def put(self, path, document):
        """The status of the reply."""
        return self.ask("PUT", path, json.dumps(document), {**self.headers(), "Content-Type": "application/json"})[0]
