#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Presses `otherwise serve` harder than check_server.py does: 10,000 connections at once, a body of 1 GB that is really sent, and
requests that come byte by byte on many connections.  Each is refused as it should be, logged, and followed by a request that is
answered as ever; memory stays below 200 MB.

    check_pressure.py --program PROGRAM [--connections N] [--bytes N]

Ends with 77 where a process may not open that many connections.
"""
import argparse
import json
import resource
import socket
import sys
import tempfile
import time
from pathlib import Path

from served import Failed, Server, expect, make_loans

MOST_MEGABYTES = 200


def memory(server):
    """The most that the server has had, in megabytes."""
    with open(f"/proc/{server.process.pid}/status", encoding="ascii") as file:
        return next(int(line.split()[1]) / 1024 for line in file if line.startswith("VmHWM"))


def check_alive(server, what):
    """Answered as ever, at the latest when the closed connections have been seen."""
    for _ in range(1000):
        try:
            if server.ask("GET", "/api/about")[0] == 200:
                break
        except OSError:
            time.sleep(0.01)
    else:
        raise Failed(f"{what}: no answer afterwards")
    json.loads(server.post("/api/explain", {"row": 1}))
    expect(memory(server) < MOST_MEGABYTES, f"{what}: {memory(server):.0f} MB")


def head(server, length):
    return (f"POST /api/explain HTTP/1.1\r\nHost: localhost:{server.port}\r\nAuthorization: Bearer {server.token}\r\n"
            f"Content-Type: application/json\r\nContent-Length: {length}\r\n\r\n").encode()


def connect_often(server, n):
    served = server.open_many(n)
    expect(served == min(n, 512), f"{served} of {n} connections are served")
    check_alive(server, f"{n} connections")
    print(f"{n} connections at once: {served} served, the others closed; {memory(server):.0f} MB")


def send_much(server, n):
    sent, reply = 0, b""
    with socket.create_connection(("127.0.0.1", server.port), timeout=300) as connection:
        connection.sendall(head(server, n))
        try:
            while sent < n:
                sent += connection.send(b"x" * (1 << 20))
        except OSError:
            pass
        try:
            reply = connection.recv(64)
        except OSError:
            pass
    check_alive(server, "a large body")
    print(f"a body of {n} bytes: {sent} bytes went, the reply begins with {reply[:12]!r}; {memory(server):.0f} MB")


def send_slowly(program, folder):
    """200 connections, a byte every now and then: none holds a place for longer than the time limit."""
    with Server(program, folder, "loans.ow", "loans.csv", "--timeout", "1") as server:
        connections = [socket.create_connection(("127.0.0.1", server.port), timeout=300) for _ in range(200)]
        for byte in head(server, 10)[:20]:
            for connection in connections:
                try:
                    connection.sendall(bytes([byte]))
                except OSError:
                    pass
            time.sleep(0.1)
        replies = []
        for connection in connections:
            try:
                replies.append(connection.recv(12))
            except OSError:
                replies.append(b"")
            connection.close()
        n = sum(reply == b"HTTP/1.1 408" for reply in replies)
        check_alive(server, "slow clients")
    # A client that writes into a connection that was closed may lose the reply.
    expect(all(reply in (b"HTTP/1.1 408", b"") for reply in replies) and "408" in server.log, f"{set(replies)}")
    print(f"200 clients that send a byte every 0.1 s: {n} got 408, the others were closed")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--program", required=True, type=Path)
    parser.add_argument("--connections", type=int, default=10000)
    parser.add_argument("--bytes", type=int, default=1 << 30)
    given = parser.parse_args()
    program = given.program.resolve()
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    if hard != resource.RLIM_INFINITY and hard < given.connections + 200:
        print(f"skipped: at most {hard} open files")
        return 77
    resource.setrlimit(resource.RLIMIT_NOFILE, (given.connections + 200, hard))
    with tempfile.TemporaryDirectory(prefix="ow-pressure-") as name:
        folder = Path(name)
        make_loans(program, folder)
        try:
            with Server(program, folder, "loans.ow", "loans.csv") as server:
                connect_often(server, given.connections)
                send_much(server, given.bytes)
            expect("beyond the limit of 512" in server.log, "connections beyond the limit are not logged")
            expect(" 413 " in server.log, "the large body is not logged")
            send_slowly(program, folder)
        except Failed as failure:
            print(failure, file=sys.stderr)
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
