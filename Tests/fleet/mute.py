# SPDX-License-Identifier: Apache-2.0
"""A server that is ready and answers nothing else; prints each request's method and path.

usage: mute.py ADDRESS
"""

import socket
import sys
import threading


def serve(connection):
    with connection:
        header = b""
        while b"\r\n\r\n" not in header:
            chunk = connection.recv(65536)
            if not chunk:
                return
            header += chunk
        request = header.split(b" HTTP/")[0].decode()
        if request == "GET /readyz":
            connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
        else:
            print(request, flush=True)


with socket.create_server((sys.argv[1], 8480)) as listener:
    while True:
        threading.Thread(target=serve, args=listener.accept()[:1], daemon=True).start()
