#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Asks `otherwise serve` what it should answer, and what it should refuse.

    check_server.py --program PROGRAM
"""
import argparse
import json
import re
import resource
import socket
import subprocess
import sys
import tempfile
from pathlib import Path

from exchanges import check_exchanges
from served import Failed, Server, expect, make_loans

TIMES = re.compile(r'"time_ms": [0-9.e+-]+')


def explain(program, folder, *words):
    done = subprocess.run([str(program), "explain", "loans.ow", "loans.csv", "--format", "json", *words],
                          cwd=folder, capture_output=True, text=True)
    expect(done.returncode in (0, 1), f"explain {words}: {done.returncode} {done.stderr}")
    return done.stdout


def without_times(text):
    return TIMES.sub("", text)


# ---- What it answers ----

def check_rows(server):
    about = server.get("/api/about")
    n = about["rows"]
    expect(n > 20, f"only {n} rows")
    names = [column["name"] for column in about["columns"]]
    listed = server.get(f"/api/rows?count=200&sort=density_percentile&order=down")
    percentiles = [row["density_percentile"] for row in listed["rows"]]
    expect(percentiles == sorted(percentiles, reverse=True), "rows are not sorted by percentile")
    first = server.get("/api/rows?count=3&from=1")
    expect([row["row"] for row in first["rows"]] == [2, 3, 4], f"rows 2 to 4 are {first['rows']}")
    expect(list(first["rows"][0]["values"]) == names, "a row does not have the columns")
    by_class = [server.get(f"/api/rows?count=1&class={name}")["total"] for name in about["classes"]]
    expect(sum(by_class) == n, f"classes have {by_class} of {n} rows")
    expect(server.get("/api/rows?search=17")["rows"][0]["row"] == 17, "row 17 is not found by its number")
    row = server.get("/api/rows/3")
    expect(row["values"] == first["rows"][1]["values"], "a row differs from itself in the list")
    for column in about["columns"]:
        counted = sum(column["counts"])
        expect(counted <= n, f"{column['name']} is counted {counted} times")


def check_predictions(server, program, folder):
    said = subprocess.run([str(program), "predict", "loans.ow", "loans.csv", "--json"], cwd=folder,
                          capture_output=True, text=True, check=True).stdout.splitlines()
    for number in (1, 5):
        got, want = json.loads(server.post("/api/predict", {"row": number})), json.loads(said[number - 1])
        # Rows that are predicted in one call share vector lanes, which may change last digits.
        near = all(abs(got["proba"][name] - want["proba"][name]) < 1e-5 for name in want["proba"])
        expect(near and got["class"] == want["class"] and got.keys() == want.keys(), f"predict: {got} instead of {want}")
    row = server.get("/api/rows/1")["values"]
    name, value = next(pair for pair in row.items() if isinstance(pair[1], (int, float)))
    before = json.loads(server.post("/api/predict", {"row": 1}))
    after = json.loads(server.post("/api/predict", {"row": 1, "values": {name: value * 3 + 100}}))
    same = json.loads(server.post("/api/predict", {"values": row}))
    expect(before["proba"] != after["proba"], "an edit changes nothing")
    expect(before["proba"] == same["proba"], "a row given by its values is another one")
    json.loads(server.post("/api/predict", {"row": 1, "values": {name: None}}))


def check_reasons(server, program, folder):
    said = json.loads(server.post("/api/reasons", {"row": 3}))
    told = subprocess.run([str(program), "reasons", "loans.ow", "loans.csv", "--row", "3", "--json"], cwd=folder,
                          capture_output=True, text=True, check=True).stdout
    expect(said == json.loads(told), f"reasons: {said} instead of {told}")


def check_same_answers(server, program, folder):
    """Byte for byte those of explain, but for the times, by options and by --preferences."""
    about = server.get("/api/about")
    numbers = [column for column in about["columns"] if "levels" not in column]
    levels = [column for column in about["columns"] if "levels" in column]
    low, high = numbers[0]["low"], numbers[0]["high"]
    cases = [({}, []),
             ({"answers": 3, "prefer": "typical", "steps": True},
              ["--answers", "3", "--prefer", "typical", "--steps"]),
             ({"immutable": [numbers[-1]["name"]], "max_changes": 1, "prob": [0.6, 1]},
              ["--immutable", numbers[-1]["name"], "--max-changes", "1", "--prob", "0.6:1"]),
             ({"range": {numbers[0]["name"]: [low, (low + high) / 2]},
               "allow": {levels[0]["name"]: levels[0]["levels"][:1]},
               "cost": {numbers[0]["name"]: 4}, "monotone": {numbers[1]["name"]: "up"}},
              ["--range", f"{numbers[0]['name']}={low}:{(low + high) / 2}",
               "--allow", f"{levels[0]['name']}={levels[0]['levels'][0]}",
               "--cost", f"{numbers[0]['name']}=4", "--monotone", f"{numbers[1]['name']}=up"])]
    for preferences, words in cases:
        (folder / "p.json").write_text(json.dumps(preferences))
        for number in (1, 2, 3, 4):
            got = without_times(server.post("/api/explain", {"row": number, "preferences": preferences}))
            for options in (words, ["--preferences", "p.json"]):
                want = without_times(explain(program, folder, "--row", str(number), *options))
                expect(got == want, f"row {number}, {options}:\n{got}\ninstead of\n{want}")


# ---- What it refuses ----

def raw(server, data, shut=False):
    """What comes back for these bytes, up to the end of the connection."""
    with socket.create_connection(("127.0.0.1", server.port), timeout=300) as connection:
        try:
            connection.sendall(data)
            if shut:
                connection.shutdown(socket.SHUT_WR)
        except (BrokenPipeError, ConnectionResetError):
            pass
        got = b""
        while True:
            piece = connection.recv(1 << 16)
            if not piece:
                return got
            got += piece


def expect_status(server, data, status):
    got = raw(server, data)
    first = got.split(b"\r\n")[0]
    expect(first.startswith(f"HTTP/1.1 {status} ".encode()), f"{data[:80]!r}: {first!r} instead of {status}")


def check_refusals(server):
    right = server.headers()
    json_type = {**right, "Content-Type": "application/json"}
    host = f"Host: 127.0.0.1:{server.port}\r\n"
    token = f"Authorization: Bearer {server.token}\r\n"
    cases = [
        (401, "GET", "/", None, {}),
        (401, "GET", "/api/rows", None, {"Authorization": "Bearer " + "0" * 32}),
        (401, "GET", "/?token=" + "0" * 32, None, {}),
        (401, "POST", "/api/explain", "{}", {"Content-Type": "application/json"}),
        (403, "GET", "/api/rows", None, {**right, "Host": "example.org"}),
        (403, "POST", "/api/explain", "{}", {**json_type, "Origin": "http://example.org"}),
        (403, "GET", "/", None, {**right, "Origin": "null"}),
        (404, "GET", "/../../etc/passwd", None, right),
        (404, "GET", "/%2e%2e/%2e%2e/etc/passwd", None, right),
        (404, "GET", "//etc/passwd", None, right),
        (404, "GET", "/api/rows/0", None, right),
        (404, "GET", "/api/rows/99999999999999999999999", None, right),
        (404, "GET", "/api/rows/1x", None, right),
        (404, "GET", "/loans.csv", None, right),
        (405, "GET", "/api/explain", None, right),
        (405, "POST", "/api/about", "{}", json_type),
        (415, "POST", "/api/explain", "{}", {**right, "Content-Type": "text/plain"}),
        (400, "POST", "/api/explain", "{", json_type),
        (400, "POST", "/api/explain", "[" * 100000, json_type),
        (400, "POST", "/api/explain", "[]", json_type),
        (400, "POST", "/api/explain", b'{"row": "\xff"}', json_type),
        (422, "POST", "/api/explain", '{"row": 0}', json_type),
        (422, "POST", "/api/explain", '{"rows": 1}', json_type),
        (422, "POST", "/api/predict", '{"values": {"no such column": 1}}', json_type),
        (422, "POST", "/api/explain", '{"row": 1, "preferences": {"immutable": ["nope"]}}', json_type),
        (422, "POST", "/api/explain", '{"row": 1, "preferences": {"nope": 1}}', json_type),
        (422, "GET", "/api/rows?sort=nope", None, right),
        (422, "GET", "/api/rows?count=many", None, right),
        (422, "GET", "/api/rows?count=201", None, right),
        (422, "GET", "/api/rows?from=-1", None, right),
        (422, "GET", "/api/rows?order=sideways", None, right),
    ]
    for status, method, path, body, headers in cases:
        got, _, text = server.ask(method, path, body, headers)
        expect(got == status, f"{method} {path} {body!r:.60} {headers}: {got} instead of {status}: {text!r}")
        expect("error" in json.loads(text), f"{path}: no sentence")
    big = f"POST /api/explain HTTP/1.1\r\n{host}{token}Content-Length: 1073741824\r\n\r\n"
    expect_status(server, big.encode() + b"x" * (1 << 20), 413)
    expect_status(server, f"POST / HTTP/1.1\r\n{host}{token}Transfer-Encoding: chunked\r\n\r\n".encode(), 501)
    expect_status(server, b"GET /" + b"a" * 100000, 414)
    expect_status(server, f"GET / HTTP/1.1\r\n{host}X: ".encode() + b"a" * 100000, 431)
    expect_status(server, b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03 hello\r\n\r\n", 400)
    expect_status(server, b"GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", 400)


def check_headers(server):
    status, headers, _ = server.ask("GET", f"/?token={server.token}", headers={})
    expect(status == 303 and headers["Location"] == "/", f"the address: {status} {headers}")
    cookie = headers["Set-Cookie"]
    expect("HttpOnly" in cookie and "SameSite=Strict" in cookie, f"cookie: {cookie}")
    status, headers, text = server.ask("GET", "/", headers={"Cookie": cookie.split(";")[0]})
    expect(status == 200 and b"<script src" in text, f"the page with its cookie: {status}")
    policy = headers["Content-Security-Policy"]
    expect("default-src 'none'" in policy and "unsafe" not in policy, f"policy: {policy}")
    expect(b"http://" not in text and b"https://" not in text, "the page names another server")
    expect(headers["X-Content-Type-Options"] == "nosniff", "no nosniff")


def check_connections(server):
    """Several requests on one connection, one after the other and all at once."""
    connection = server.connect()
    for _ in range(3):
        status, _, _ = server.ask("GET", "/api/rows/1", connection=connection)
        expect(status == 200, f"a kept connection: {status}")
    connection.close()
    line = f"GET /api/rows/%d HTTP/1.1\r\nHost: localhost:{server.port}\r\nAuthorization: Bearer {server.token}\r\n"
    last = (line % 3) + "Connection: close\r\n\r\n"
    got = raw(server, ((line % 1) + "\r\n" + (line % 2) + "\r\n" + last).encode())
    rows = [int(n) for n in re.findall(rb'"row":(\d+)', got)]
    expect(rows == [1, 2, 3], f"three requests at once give the rows {rows}")


# ---- Under pressure ----

def check_slow_clients(program, folder):
    """A request that comes byte by byte, or not to its end, is closed with 408; a server whose queue has no room says 503."""
    with Server(program, folder, "loans.ow", "loans.csv", "--timeout", "0.5", "--queue", "0") as server:
        got = raw(server, b"GET / HTT")
        expect(got.startswith(b"HTTP/1.1 408 "), f"half a request: {got[:40]!r}")
        got = raw(server, b"POST /api/explain HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{")
        expect(got.startswith(b"HTTP/1.1 408 "), f"half a body: {got[:40]!r}")
        status, headers, _ = server.ask("GET", "/api/about")
        expect(status == 503 and headers["Retry-After"] == "1", f"a full queue: {status}")
    expect("408" in server.log and "503" in server.log, f"not logged: {server.log}")


def check_many_connections(program, folder):
    """Those beyond the limit are closed; the others are served afterwards."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    most = 4096 if hard == resource.RLIM_INFINITY else min(hard, 4096)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))
    n = min(most - 100, 1500)
    with Server(program, folder, "loans.ow", "loans.csv") as server:
        served = server.open_many(n)
        expect(0 < served <= 512, f"{served} of {n} connections are served")
        expect(n <= 512 or served == 512, f"{served} of {n} connections are served")
        # Whoever comes afterwards finds room again, at the latest when the closed ones have been seen.
        for _ in range(1000):
            try:
                if server.ask("GET", "/api/about")[0] == 200:
                    break
            except OSError:
                continue
        else:
            raise Failed("no room after all connections have gone")
    resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    if n > 512:
        expect("beyond the limit of 512" in server.log, f"not logged: {server.log}")


def check_left_clients(server):
    """A client that leaves takes its request along: the next one is answered, and the server lives."""
    body = json.dumps({"row": 1, "preferences": {"answers": 100, "prefer": "robust", "steps": True}})
    for _ in range(20):
        with socket.create_connection(("127.0.0.1", server.port), timeout=300) as connection:
            connection.sendall((f"POST /api/explain HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\n"
                                f"Authorization: Bearer {server.token}\r\nContent-Type: application/json\r\n"
                                f"Content-Length: {len(body)}\r\n\r\n{body}").encode())
    server.post("/api/explain", {"row": 1})


def check_state(program, folder):
    """What was kept is there after kill -9."""
    state = {"stars": [{"row": 2, "class": "granted", "changes": []}], "preferences": {"immutable": ["age"]},
             "corrections": [{"row": 2, "class": "refused", "values": {}, "changes": {"income": 30}}]}
    with_state = ("loans.ow", "loans.csv", "--state", "state.json")
    server = Server(program, folder, *with_state)
    server.__enter__()
    for wrong in ({"stars": 1}, {"corrections": [1]}, {"preferences": {"immutable": ["nope"]}}, {"x": 1}):
        got = server.put("/api/state", wrong)
        expect(got == 422, f"{wrong} is taken as a state: {got}")
    expect(server.put("/api/state", state) == 200, "the state is not taken")
    server.process.kill()
    server.process.wait()
    server.process.stdout.close()
    with Server(program, folder, *with_state) as again:
        expect(again.get("/api/state") == state, f"after kill -9: {again.get('/api/state')}")
    with Server(program, folder, *with_state, "--read-only") as fixed:
        expect(fixed.put("/api/state", {}) == 403, "--read-only takes a state")
    return [*server.exchanges, *again.exchanges, *fixed.exchanges]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--program", required=True, type=Path)
    program = parser.parse_args().program.resolve()
    with tempfile.TemporaryDirectory(prefix="ow-serve-") as name:
        folder = Path(name)
        make_loans(program, folder)
        try:
            with Server(program, folder, "loans.ow", "loans.csv") as server:
                check_rows(server)
                check_predictions(server, program, folder)
                check_reasons(server, program, folder)
                check_same_answers(server, program, folder)
                check_refusals(server)
                check_headers(server)
                check_connections(server)
                check_left_clients(server)
            for status in ("400", "401", "403", "404", "405", "413", "414", "415", "422", "431", "501"):
                expect(f" {status} " in server.log, f"no line of the log has {status}:\n{server.log}")
            expect(server.token not in server.log, "the log has the token")
            check_slow_clients(program, folder)
            check_many_connections(program, folder)
            check_exchanges([*server.exchanges, *check_state(program, folder)])
        except Failed as failure:
            print(failure, file=sys.stderr)
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
