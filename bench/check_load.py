#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""`otherwise serve` under many clients at once.

    check_load.py PROGRAM TABLE:LABEL [--clients 200] [--requests 20]

Learns a model, serves the table, and has each client send its requests one after the other on one connection: explanations, predictions and
lists in turn.  Prints how many were answered, how long they took, and the most memory that the server has used.  Then a client leaves
in the middle of a long explanation, and the time is taken until the next one has its answer.
"""
import argparse
import asyncio
import json
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests/serve"))

from served import Server  # noqa: E402


def request(server, method, path, document=None):
    body = json.dumps(document).encode() if document is not None else b""
    head = (f"{method} {path} HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\nAuthorization: Bearer {server.token}\r\n"
            f"Content-Type: application/json\r\n")
    if document is not None:
        head += f"Content-Length: {len(body)}\r\n"
    return head.encode() + b"\r\n" + body


def answer_time(server, after_another):
    """Seconds until an explanation is there, alone or right after a long one whose client leaves in the middle."""
    if after_another:
        with socket.create_connection(("127.0.0.1", server.port)) as left:
            left.sendall(request(server, "POST", "/api/explain",
                                 {"row": 2, "preferences": {"answers": 100, "prefer": "robust", "steps": True}}))
            time.sleep(0.02)
    begun = time.monotonic()
    server.post("/api/explain", {"row": 3})
    return time.monotonic() - begun


async def read_reply(reader):
    head = await reader.readuntil(b"\r\n\r\n")
    length = next(int(line.split(b":")[1]) for line in head.split(b"\r\n") if line.lower().startswith(b"content-length"))
    await reader.readexactly(length)
    return int(head.split(b" ")[1])


async def client(server, number, n_rows, n_requests, times, statuses):
    reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
    for i in range(n_requests):
        row = 1 + (number * n_requests + i) % n_rows
        asked = (request(server, "POST", "/api/explain", {"row": row, "preferences": {"answers": 4}}),
                 request(server, "POST", "/api/predict", {"row": row}),
                 request(server, "GET", f"/api/rows?from={row}&count=25"))[i % 3]
        begun = time.monotonic()
        writer.write(asked)
        status = await read_reply(reader)
        times.append(time.monotonic() - begun)
        statuses[status] = statuses.get(status, 0) + 1
    writer.close()


async def all_clients(server, n_rows, given, times, statuses):
    await asyncio.gather(*(client(server, i, n_rows, given.requests, times, statuses) for i in range(given.clients)))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program", type=Path)
    parser.add_argument("table")
    parser.add_argument("--clients", type=int, default=200)
    parser.add_argument("--requests", type=int, default=20)
    given = parser.parse_args()
    path, label = given.table.rsplit(":", 1)
    program, table = given.program.resolve(), Path(path).resolve()
    with tempfile.TemporaryDirectory(prefix="ow-load-") as name:
        folder = Path(name)
        subprocess.run([str(program), "train", str(table), "--label", label, "-o", "model.ow", "--quiet"], cwd=folder, check=True,
                       stdout=subprocess.DEVNULL)
        with Server(program, folder, "model.ow", table) as server:
            n_rows = server.get("/api/about")["rows"]
            times, statuses = [], {}
            begun = time.monotonic()
            asyncio.run(all_clients(server, n_rows, given, times, statuses))
            took = time.monotonic() - begun
            times.sort()
            with open(f"/proc/{server.process.pid}/status", encoding="ascii") as file:
                peak = next(line.split()[1] for line in file if line.startswith("VmHWM"))
            print(f"{given.clients} clients, {given.clients * given.requests} requests in {took:.1f} s ({len(times) / took:.0f} a second): "
                  f"statuses {statuses}; median {1e3 * times[len(times) // 2]:.0f} ms, 99th percentile "
                  f"{1e3 * times[int(0.99 * len(times))]:.0f} ms; at most {int(peak) / 1024:.0f} MB")
            alone = [answer_time(server, False) for _ in range(40)]
            after = [answer_time(server, True) for _ in range(40)]
            print(f"a request alone: median {1e3 * sorted(alone)[20]:.1f} ms; after one whose client has left: {1e3 * sorted(after)[20]:.1f} ms, "
                  f"longest {1e3 * max(after):.1f} ms")
    return 0


if __name__ == "__main__":
    sys.exit(main())
