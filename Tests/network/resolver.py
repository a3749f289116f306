# SPDX-License-Identifier: Apache-2.0
"""A resolver of names, which answers as it is told to."""

import ipaddress
import socket
import struct
import threading

A, AAAA, CNAME = 1, 28, 5
SERVER_FAILURE, NO_SUCH_NAME = 2, 3


class Query:
    """A question, and what can be answered."""

    def __init__(self, message):
        self.number = message[:2]
        end = message.index(b"\0", 12) + 1
        self.name = message[12:end]
        labels, place = [], 0
        while self.name[place]:
            labels.append(self.name[place + 1:place + 1 + self.name[place]].decode("latin-1"))
            place += 1 + self.name[place]
        self.text = ".".join(labels)
        self.kind = struct.unpack(">H", message[end:end + 2])[0]
        self.question = message[12:end + 4]

    def reply(self, *records, code=0, number=None):
        """`records` are pairs of a kind and its data. They are valid for no second."""
        head = (number or self.number) + struct.pack(">HHHHH", 0x8180 | code, 1, len(records), 0, 0)
        return head + self.question + b"".join(
            b"\xc0\x0c" + struct.pack(">HHIH", kind, 1, 0, len(data)) + data for kind, data in records)

    def addresses(self, *texts, **options):
        """The addresses of the family that was asked for."""
        packed = [ipaddress.ip_address(text).packed for text in texts]
        length = {A: 4, AAAA: 16}.get(self.kind)
        return self.reply(*[(self.kind, data) for data in packed if len(data) == length], **options)


class Resolver:
    """Answers by UDP at an address. `answer` makes the replies to a query, each of them is sent."""

    def __init__(self, address):
        self.socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.socket.bind((address, 53))
        self.answer = lambda query: []
        # The names, as often as they were asked for.
        self.asked = []
        threading.Thread(target=self._serve, daemon=True).start()

    def _serve(self):
        while True:
            message, sender = self.socket.recvfrom(4096)
            try:
                query = Query(message)
            except (ValueError, struct.error):
                continue
            self.asked.append(query.text)
            replies = self.answer(query)
            for reply in replies:
                self.socket.sendto(reply, sender)


# What resolvers do, by name. `right` and `wrong` are addresses: of the service, and of a server of somebody else.

def honest(right, _):
    return lambda query: [query.addresses(right)]


def silent(*_):
    return lambda query: []


def denying(*_):
    return lambda query: [query.reply(code=NO_SUCH_NAME)]


def failing(*_):
    return lambda query: [query.reply(code=SERVER_FAILURE)]


def empty(*_):
    return lambda query: [query.reply()]


def babbling(*_):
    return lambda query: [query.number + b"\x81\x80" + b"\xff" * 200]


def circling(*_):
    """The name is another name for itself."""
    return lambda query: [query.reply((CNAME, b"\xc0\x0c"))]


def lying(_, wrong):
    return lambda query: [query.addresses(wrong)]


def answering_for(*addresses):
    """The name leads to these."""
    return lambda *_: lambda query: [query.addresses(*addresses)]


def answered_by_a_stranger(right, wrong):
    """Somebody else is faster, and does not know the number of the question."""
    return lambda query: [
        query.addresses(wrong, number=bytes(255 - byte for byte in query.number)), query.addresses(right)]


def rebinding(right, wrong):
    """The service at first, and then somebody else."""
    seen = {}

    def answer(query):
        seen[query.kind] = seen.get(query.kind, 0) + 1
        return [query.addresses(right if seen[query.kind] == 1 else wrong)]

    return answer


def naming_both(right, wrong):
    return lambda query: [query.addresses(wrong, right)]
