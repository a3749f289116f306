#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A classic M-Pin server in plain Python, to compare with: both D-TAs, the RPS and a login of devices, in one process.

It speaks enough of the classic protocol for the swarm's kiosks: registration that is confirmed at once, time permits,
pass 1, pass 2, and the verdict. Each connection has a thread, as in Python's own HTTP server; the curve is
`curve.py`. The servers of 2015 were four such processes, with their arithmetic in C: `--without-cryptography` leaves
pairings and multiples out and calls each PIN right, which is the most that any faster arithmetic could give.

usage: classic.py PORT [--without-cryptography]
"""

import hashlib
import hmac
import http.server
import json
import secrets
import sys
import threading
import time
import urllib.parse

import curve

ADDRESS = "127.0.0.1"
# Devices that come later wait; what they left behind goes with the oldest.
MAXIMUM = 10_000


class Book(dict):
    """What one request leaves for another: the oldest goes when there are too many."""

    def keep(self, key, value):
        if len(self) >= MAXIMUM:
            self.pop(next(iter(self)), None)
        self[key] = value


class Server:
    def __init__(self, site, computes):
        self.site = site
        self.computes = computes
        self.registrations, self.passes, self.logins, self.failures = Book(), Book(), Book(), Book()
        self.lock = threading.Lock()
        self.key = secrets.token_bytes(32)
        self.shares = [secrets.randbelow(curve.R - 1) + 1 for _ in range(2)]
        self.generator = curve.lines(curve.G2)
        self.secret = curve.lines(
            curve.sum2(*(curve.mulg2(share, curve.G2) for share in self.shares)))
        # Without cryptography each device gets the same.
        self.some = [curve.encode(curve.mul1(share, curve.G1)) for share in self.shares]

    def signature(self, text):
        return hmac.new(self.key, text.encode(), hashlib.sha256).hexdigest()

    @staticmethod
    def today():
        return int(time.time()) // 86400

    def settings(self):
        rps = f"{self.site}/rps"
        return {
            "registerURL": f"{rps}/user", "signatureURL": f"{rps}/signature", "certivoxURL": f"{self.site}/dta/",
            "timePermitsURL": f"{rps}/timePermit", "timePermitsStorageURL": "", "appID": "classic",
            "mpinAuthServerURL": rps, "authenticateURL": f"{self.site}/mpinAuthenticate",
            "mobileAuthenticateURL": f"{rps}/authenticate", "requestOTP": False, "accessNumberDigits": 7,
            "accessNumberUseCheckSum": True, "cSum": 1, "setDeviceName": False, "useNFC": False,
            "useWebSocket": False, "usePermits": True}

    def share(self, number, digest):
        if not self.computes:
            return self.some[number]
        return curve.encode(curve.mul1(self.shares[number], curve.map_to_g1(digest)))

    def register(self, body):
        mpin_id = json.dumps({
            "mobile": 1, "issued": time.strftime("%Y-%m-%d %H:%M:%S.000000", time.gmtime()),
            "userID": body["userId"], "salt": secrets.token_hex(16)}).encode().hex()
        token = secrets.token_hex(16)
        with self.lock:
            self.registrations.keep(mpin_id, token)
        now = time.time()
        clock = [time.strftime("%Y-%m-%dT%H:%M:%S.000000", time.gmtime(at)) for at in (now, now + 3600)]
        return {"mpinId": mpin_id, "regOTT": token, "active": True, "nowTime": clock[0], "expireTime": clock[1]}

    def client_secret(self, mpin_id, token):
        with self.lock:
            if self.registrations.pop(mpin_id, None) != token:
                return 400
        digest = hashlib.sha256(bytes.fromhex(mpin_id)).digest()
        return {"clientSecretShare": self.share(0, digest), "params": f"hash_mpin_id={digest.hex()}"
                f"&signature={self.signature(digest.hex())}"}

    def permit(self, mpin_id):
        digest = hashlib.sha256(bytes.fromhex(mpin_id)).digest()
        return {"date": self.today(), "timePermit": self.share(0, curve.dated(self.today(), digest)),
                "signature": self.signature(digest.hex()), "storageId": digest.hex(), "message": "OK", "version": "0.3"}

    def pass1(self, body):
        y = secrets.token_bytes(32)
        with self.lock:
            self.passes.keep(body["mpin_id"], (curve.decode(body["UT"]), y, time.monotonic() + 15))
        return {"pass": 1, "y": y.hex(), "message": "OK", "version": "0.3"}

    def pass2(self, body):
        with self.lock:
            found = self.passes.pop(body["mpin_id"], None)
        if not found or found[2] < time.monotonic():
            return 500
        commitment, y, _ = found
        is_right = True
        if self.computes:
            digest = hashlib.sha256(bytes.fromhex(body["mpin_id"])).digest()
            base = curve.add1(curve.map_to_g1(digest), curve.map_to_g1(curve.dated(self.today(), digest)))
            point = curve.add1(curve.mul1(int.from_bytes(y, "big"), base), commitment)
            is_right = point is not None and curve.product_is_one(
                [(curve.decode(body["V"]), self.generator), (point, self.secret)])
        token = secrets.token_hex(16)
        with self.lock:
            self.logins.keep(token, (body["mpin_id"], is_right))
        return {"pass": 2, "version": "0.3", "authOTT": token}

    def verdict(self, body):
        with self.lock:
            mpin_id, is_right = self.logins.pop(body["mpinResponse"]["authOTT"], (None, False))
            if mpin_id is None:
                return 408
            failures = self.failures.get(mpin_id, 0)
            if is_right and failures < 3:
                self.failures.pop(mpin_id, None)
                return {"userId": json.loads(bytes.fromhex(mpin_id))["userID"]}
            self.failures.keep(mpin_id, failures + 1)
            return 410 if failures + 1 >= 3 else 401

    def answer(self, method, target, body):
        """An object, or a status that says why there is none."""
        url = urllib.parse.urlsplit(target)
        query = dict(urllib.parse.parse_qsl(url.query))
        match method, url.path.strip("/").split("/"):
            case "GET", ["service"]:
                return {"name": "classic", "url": self.site, "rps_prefix": "rps", "logo_url": "", "type": "online"}
            case "GET", ["rps", "clientSettings"]:
                return self.settings()
            case "PUT", ["rps", "user"]:
                return self.register(body)
            case "GET", ["rps", "signature", mpin_id]:
                return self.client_secret(mpin_id, query.get("regOTT"))
            case "GET", ["dta", "clientSecret"]:
                if not hmac.compare_digest(query["signature"], self.signature(query["hash_mpin_id"])):
                    return 401
                return {"clientSecret": self.share(1, bytes.fromhex(query["hash_mpin_id"])), "message": "OK"}
            case "GET", ["rps", "timePermit", mpin_id]:
                return self.permit(mpin_id)
            case "GET", ["dta", "timePermit"]:
                if not hmac.compare_digest(query["signature"], self.signature(query["hash_mpin_id"])):
                    return 401
                digest = curve.dated(self.today(), bytes.fromhex(query["hash_mpin_id"]))
                return {"timePermit": self.share(1, digest), "message": "OK"}
            case "POST", ["rps", "pass1"]:
                return self.pass1(body)
            case "POST", ["rps", "pass2"]:
                return self.pass2(body)
            case "POST", ["mpinAuthenticate"]:
                return self.verdict(body)
        return 404


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    # An idle connection ends; a request's body has a bound.
    timeout = 30
    # A reply is one packet.
    wbufsize = -1
    disable_nagle_algorithm = True
    MAXIMUM_BODY = 65536

    def respond(self):
        length = int(self.headers.get("Content-Length") or 0)
        if not 0 <= length <= self.MAXIMUM_BODY:
            self.close_connection = True
            return self.reply(413, b"")
        try:
            body = json.loads(self.rfile.read(length)) if length else {}
            answer = self.server.mpin.answer(self.command, self.path, body)
        except (ValueError, KeyError, TypeError):
            answer = 400
        if isinstance(answer, int):
            return self.reply(answer, b"")
        return self.reply(200, json.dumps(answer).encode())

    do_GET = do_PUT = do_POST = respond

    def reply(self, status, content):
        self.send_response_only(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)


class Listener(http.server.ThreadingHTTPServer):
    request_queue_size = 1024
    daemon_threads = True


if __name__ == "__main__":
    if len(sys.argv) not in (2, 3) or sys.argv[2:] not in ([], ["--without-cryptography"]):
        print(__doc__, file=sys.stderr)
        sys.exit(64)
    with Listener((ADDRESS, int(sys.argv[1])), Handler) as listener:
        listener.mpin = Server(f"http://{ADDRESS}:{listener.server_port}", len(sys.argv) == 2)
        print(f"serving {listener.mpin.site}", flush=True)
        listener.serve_forever()
