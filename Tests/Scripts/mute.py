# SPDX-License-Identifier: Apache-2.0
"""A server that is ready and answers nothing else; prints each request's method and path.

usage: mute.py ADDRESS
"""

import re
import socket
import sys
import threading


def is_whole(request):
    header, end, body = request.partition(b"\r\n\r\n")
    length = re.search(rb"(?i)\r\ncontent-length: *([0-9]+)", header)
    return end and len(body) >= (int(length[1]) if length else 0)


def serve(connection):
    with connection:
        heard = b""
        # Unread bytes would be answered by a reset, which is no empty answer.
        while not is_whole(heard):
            chunk = connection.recv(65536)
            if not chunk:
                return
            heard += chunk
        request = heard.split(b" HTTP/")[0].decode()
        if request == "GET /readyz":
            connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
        else:
            print(request, flush=True)


with socket.create_server((sys.argv[1], 8480)) as listener:
    while True:
        threading.Thread(target=serve, args=listener.accept()[:1], daemon=True).start()
