# SPDX-License-Identifier: Apache-2.0
"""Servers where the service is expected, which are not the service; and their certificates."""

import os
import socket
import ssl
import threading

from world import NAME, path, run, write

PAST = ["-startdate", "20200101000000Z", "-enddate", "20200102000000Z"]
FUTURE = ["-startdate", "20980101000000Z", "-enddate", "20990101000000Z"]
KEY = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-noenc"]


def certificate(kind, names=f"DNS:{NAME}", dates=(), authority="ca", key=(), extensions="", digest="sha256"):
    """Makes a certificate of an authority. Returns the paths of chain and key.

    `names` is None for a certificate with the name in its subject only.
    """
    file, settings = path(f"front-{kind}"), path("front-settings")
    run("openssl", "req", "-new", "-subj", f"/CN={NAME}", *(key or KEY),
        "-keyout", file + ".key", "-out", file + ".csr")
    alternative = f"subjectAltName = {names}\n" if names else "basicConstraints = CA:FALSE\n"
    write(settings, f"""
[ca]
default_ca = authority
[authority]
database = {path("front-index")}
new_certs_dir = {path()}
rand_serial = yes
default_md = {digest}
default_days = 2
policy = names
x509_extensions = extensions
[names]
commonName = supplied
[extensions]
{extensions}{alternative}""")
    write(path("front-index"), "")
    run("openssl", "ca", "-batch", "-notext", "-config", settings, "-in", file + ".csr", "-out", file + ".crt",
        "-cert", path(authority + ".pem"), "-keyfile", path(authority + ".key"), *dates)
    return file + ".crt", file + ".key"


def another_authority():
    """One that the kiosk does not know, with the name of the one that it knows."""
    run("openssl", "req", "-x509", *KEY, "-subj", "/CN=fleet", "-days", "2",
        "-keyout", path("other.key"), "-out", path("other.pem"))


def below_a_server():
    """A certificate that a server's certificate signed, which is no authority's."""
    server = certificate("server")
    for source, target in zip(server, (path("server.pem"), path("server.key"))):
        os.replace(source, target)
    chain, key = certificate("below", authority="server")
    with open(chain, "a", encoding="ascii") as file, open(path("server.pem"), encoding="ascii") as upper:
        file.write(upper.read())
    return chain, key


def context(files, highest=None):
    """The server's side of TLS."""
    made = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    made.set_ciphers("DEFAULT:@SECLEVEL=0")
    made.load_cert_chain(*files)
    if highest:
        made.minimum_version, made.maximum_version = ssl.TLSVersion.TLSv1, highest
    return made


class Front:
    """Listens at port 443 of all a machine's addresses. `greet` is what it does with a connection; what it hears stays in
    `heard`."""

    def __init__(self, machine):
        both = socket.has_dualstack_ipv6()
        family = socket.AF_INET6 if both else socket.AF_INET
        self.listener = machine.within(
            lambda: socket.create_server(("", 443), family=family, dualstack_ipv6=both))
        self.greet = None
        self.connections, self.heard = 0, b""
        threading.Thread(target=self._serve, daemon=True).start()

    def reset(self, greet=None):
        self.greet, self.connections, self.heard = greet, 0, b""

    def _serve(self):
        while True:
            connection, _ = self.listener.accept()
            self.connections += 1
            threading.Thread(target=self._meet, args=(connection,), daemon=True).start()

    def _meet(self, connection):
        try:
            with connection:
                connection.settimeout(90)
                if self.greet:
                    self.greet(self, connection)
        except (OSError, ValueError):
            # The kiosk does not want to go on.
            pass

    def hear(self, connection):
        """The head of one request; empty when none comes."""
        head = b""
        while b"\r\n\r\n" not in head and (piece := connection.recv(4096)):
            head += piece
            self.heard += piece
        return head


def speaking_tls(tls, reply=None):
    """Answers every request with `reply`, and with nothing when there is none."""
    def greet(front, connection):
        with tls.wrap_socket(connection, server_side=True) as inside:
            while front.hear(inside) and reply:
                inside.sendall(reply)
    return greet


def plain(reply):
    """Speaks first, and without TLS."""
    def greet(front, connection):
        connection.sendall(reply)
        front.hear(connection)
    return greet


def mute(front, connection):
    """Takes a connection and says nothing."""
    front.hear(connection)


def page(status, body, *headers, kind="text/html"):
    """A reply of HTTP/1.1."""
    head = [f"HTTP/1.1 {status}", f"Content-Type: {kind}", f"Content-Length: {len(body)}", *headers]
    return ("\r\n".join(head) + "\r\n\r\n" + body).encode()
