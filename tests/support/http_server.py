#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A small web server on the loopback address that misbehaves on request:

    http_server.py FOLDER PORT_FILE

Writes its port to PORT_FILE, serves FOLDER under /plain/, and ends by itself after an hour.

    /plain/F      the file; ranges are answered
    /cut/F        breaks off after a third of what is left, each time
    /whole/F      knows no ranges, and breaks off the first time
    /moved/F      redirects to /plain/F
    /loop/F       redirects to itself
    /wrong/F      as many bytes, but others
    /long/F       the file with one byte more
    /busy/F       503 twice, then the file
    anything else 404
"""
import os
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

LIFETIME = 3600
seen = {}


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.0"

    def log_message(self, *_):
        pass

    def answer(self, code, **headers):
        self.send_response(code)
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), str(value))
        self.end_headers()

    def send(self, body, ranges, share=1):
        """The body from where the client wants it, and of that the first part."""
        start = 0
        wanted = self.headers.get("Range")
        if ranges and wanted:
            start = int(wanted.split("=")[1].split("-")[0])
            if start >= len(body):
                self.answer(416, Content_Range=f"bytes */{len(body)}")
                return
            self.answer(206, Content_Length=len(body) - start,
                        Content_Range=f"bytes {start}-{len(body) - 1}/{len(body)}")
        else:
            self.answer(200, Content_Length=len(body))
        left = body[start:]
        self.wfile.write(left[:max(1, int(len(left) * share))])

    def do_GET(self):
        _, way, name = self.path.split("/", 2)
        file = Path(sys.argv[1]) / name
        count = seen[self.path] = seen.get(self.path, 0) + 1
        if way == "moved":
            self.answer(302, Location=f"/plain/{name}")
        elif way == "loop":
            self.answer(302, Location=self.path)
        elif not file.is_file():
            self.answer(404)
        elif way == "busy" and count < 3:
            self.answer(503)
        elif way in ("plain", "busy"):
            self.send(file.read_bytes(), True)
        elif way == "cut":
            body = file.read_bytes()
            self.send(body, True, 1 if count > 6 else 1 / 3)
        elif way == "whole":
            self.send(file.read_bytes(), False, 0.5 if count == 1 else 1)
        elif way == "wrong":
            self.send(bytes(len(file.read_bytes())), True)
        elif way == "long":
            self.send(file.read_bytes() + b"\n", True)
        else:
            self.answer(404)


def main():
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    part = Path(sys.argv[2] + ".part")
    part.write_text(str(server.server_port))
    os.rename(part, sys.argv[2])
    timer = threading.Timer(LIFETIME, server.shutdown)
    timer.daemon = True
    timer.start()
    server.serve_forever()


if __name__ == "__main__":
    main()
