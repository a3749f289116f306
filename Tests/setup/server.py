#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Serves a folder at a free port of loopback, which it prints. The path /cut/ breaks off in the middle of a file that is
not asked for from a place on; both go on from such a place."""
import http.server
import os
import sys

folder = sys.argv[1]


class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        cuts = self.path.startswith("/cut/")
        path = os.path.join(folder, self.path.removeprefix("/cut").lstrip("/"))
        if not os.path.isfile(path):
            return self.send_error(404)
        with open(path, "rb") as file:
            content = file.read()
        begin = int(self.headers.get("Range", "bytes=0-")[6:].rstrip("-"))
        # Before the answer, as its reader goes on when the last byte has come, and may look here at once.
        with open(os.path.join(folder, "asked"), "a") as log:
            log.write(f"{self.path} {begin}\n")
        self.send_response(206 if begin else 200)
        if begin:
            self.send_header("Content-Range", f"bytes {begin}-{len(content) - 1}/{len(content)}")
        self.send_header("Content-Length", str(len(content) - begin))
        self.end_headers()
        end = len(content) // 2 if cuts and not begin and path.endswith(".gz") else len(content)
        self.wfile.write(content[begin:end])

    def log_message(self, *_):
        pass


server = http.server.HTTPServer(("127.0.0.1", 0), Handler)
print(server.server_address[1], flush=True)
server.serve_forever()
