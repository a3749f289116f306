#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Sends what the OpenID Foundation's certification suite sends for the profiles Basic, Config, Form Post and
RP-Initiated Logout, to the real backend; the kiosk types the PIN. Checks are named after the suite's test modules.

usage: profiles.py PROGRAMS
"""

import html
import json
import os
import re
import sys
import time
import urllib.parse

import requests
from joserfc import jwk, jwt

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "../../Scripts"))

from checks import Checks  # noqa: E402: the folder is named above
from patience import until  # noqa: E402
from story import LIMIT, USER, story  # noqa: E402

CALLBACK, AFTER = "https://app.example/callback", "https://app.example/bye"
CHECKS = []


def check(profile):
    def add(function):
        CHECKS.append((profile, function))
        return function
    return add


class Suite:
    def __init__(self, person, client):
        self.person, self.provider = person, person.backend.site
        self.id, self.secret = client["client_id"], client["client_secret"]
        self.metadata = requests.get(f"{self.provider}/.well-known/openid-configuration", timeout=LIMIT).json()
        self.browser = requests.Session()

    def ask(self, browser=None, method="GET", **changes):
        """The answer to an authorization request; a field that is None is left out."""
        fields = {"client_id": self.id, "redirect_uri": CALLBACK, "response_type": "code", "scope": "openid",
                  "state": "state-of-this", "nonce": "nonce-of-this", **changes}
        fields = {name: value for name, value in fields.items() if value is not None}
        browser, address = browser or self.browser, self.metadata["authorization_endpoint"]
        if method == "POST":
            moved = browser.post(address, data=fields, allow_redirects=False, timeout=LIMIT)
            return browser.get(urllib.parse.urljoin(address, moved.headers["location"]), allow_redirects=False,
                               timeout=LIMIT)
        return browser.get(address, params=fields, allow_redirects=False, timeout=LIMIT)

    def answer(self, reply):
        """The fields with which the browser goes back to the application."""
        assert reply.status_code == 303, (reply.status_code, reply.text)
        location = reply.headers["location"]
        assert location.startswith(CALLBACK + "?"), location
        fields = dict(urllib.parse.parse_qsl(location[len(CALLBACK) + 1:]))
        assert fields["state"] == "state-of-this" and fields["iss"] == self.metadata["issuer"], fields
        return fields

    def code(self, browser=None, **changes):
        """A code, after a PIN if a page asks for it."""
        browser = browser or self.browser
        reply = self.ask(browser, **changes)
        if reply.status_code == 200:
            reply = self.person.pass_page(browser, reply, follow=False)
        return self.answer(reply)["code"]

    def token_request(self, fields, post=False):
        proof = {"data": {**fields, "client_id": self.id, "client_secret": self.secret}} if post else {
            "data": fields, "auth": (self.id, self.secret)}
        return requests.post(self.metadata["token_endpoint"], timeout=LIMIT, **proof)

    def redeem(self, code, post=False, **more):
        reply = self.token_request(
            {"grant_type": "authorization_code", "code": code, "redirect_uri": CALLBACK, **more}, post)
        return reply.json() if reply.ok else reply

    def claims(self, tokens, nonce="nonce-of-this"):
        """The claims of a valid ID token. OpenID Connect Core, section 3.1.3.7."""
        keys = jwk.KeySet.import_key_set(requests.get(self.metadata["jwks_uri"], timeout=LIMIT).json())
        claims = jwt.decode(tokens["id_token"], keys, algorithms=["RS256"]).claims
        jwt.JWTClaimsRegistry(leeway=5, exp={"essential": True}, iat={"essential": True}).validate(claims)
        assert claims["iss"] == self.metadata["issuer"] and claims["aud"] == self.id, claims
        assert claims.get("nonce") == nonce, claims
        return claims

    def userinfo(self, tokens):
        reply = requests.get(self.metadata["userinfo_endpoint"], timeout=LIMIT,
                             headers={"Authorization": f"Bearer {tokens['access_token']}"})
        assert reply.ok, reply.status_code
        return reply.json()

    def log_in(self, **changes):
        tokens = self.redeem(self.code(**changes))
        return tokens, self.claims(tokens)

    def leave(self, **fields):
        return self.browser.get(self.metadata["end_session_endpoint"], params=fields, allow_redirects=False,
                                timeout=LIMIT)

    def is_logged_in(self):
        return "code" in self.answer(self.ask(prompt="none"))

    def press_button(self, page):
        """A person presses the only button of a page."""
        fields = dict(re.findall(r'<(?:input|button)[^>]* name="([^"]+)" value="([^"]*)"', page.text))
        action = urllib.parse.urljoin(page.url, re.search(r'<form method="post" action="([^"]+)"', page.text)[1])
        origin = "{0.scheme}://{0.netloc}".format(urllib.parse.urlsplit(page.url))
        return self.browser.post(action, data={name: html.unescape(value) for name, value in fields.items()},
                                 headers={"Origin": origin}, allow_redirects=False, timeout=LIMIT)


@check("Config")
def discovery_endpoint_verification(suite):
    metadata = suite.metadata
    assert metadata["issuer"] == suite.provider
    for name in ("authorization_endpoint", "token_endpoint", "userinfo_endpoint", "jwks_uri"):
        assert metadata[name].startswith(suite.provider + "/"), name
    assert {"code"} <= set(metadata["response_types_supported"]) and "openid" in metadata["scopes_supported"]
    assert metadata["subject_types_supported"] and "RS256" in metadata["id_token_signing_alg_values_supported"]
    assert {"sub", "iss", "auth_time"} <= set(metadata["claims_supported"])
    keys = requests.get(metadata["jwks_uri"], timeout=LIMIT).json()["keys"]
    assert keys and all(key["use"] == "sig" and key["kid"] and "d" not in key for key in keys), keys
    assert len({key["kid"] for key in keys}) == len(keys)


@check("Basic")
def prompt_none_not_logged_in(suite):
    assert suite.answer(suite.ask(prompt="none"))["error"] == "login_required"


@check("Basic")
def server(suite):
    tokens, claims = suite.log_in()
    assert tokens["token_type"] == "Bearer" and tokens["expires_in"] > 0
    assert 0 < len(claims["sub"]) <= 255 and claims["exp"] > claims["iat"] >= time.time() - 60


@check("Basic")
def response_type_missing(suite):
    assert suite.answer(suite.ask(response_type=None))["error"] in ("invalid_request", "unsupported_response_type")


@check("Basic")
def userinfo(suite):
    tokens, claims = suite.log_in()
    address, token = suite.metadata["userinfo_endpoint"], tokens["access_token"]
    header = {"Authorization": f"Bearer {token}"}
    for reply in (requests.get(address, headers=header, timeout=LIMIT),
                  requests.post(address, headers=header, timeout=LIMIT),
                  requests.post(address, data={"access_token": token}, timeout=LIMIT)):
        assert reply.ok and reply.json()["sub"] == claims["sub"], (reply.status_code, reply.text)


@check("Basic")
def ensure_request_without_nonce_succeeds_for_code_flow(suite):
    suite.claims(suite.redeem(suite.code(nonce=None)), nonce=None)


@check("Basic")
def scopes(suite):
    wanted = {"profile": {"preferred_username"}, "email": {"email", "email_verified"}, "address": set(), "phone": set()}
    for scope in [*wanted, " ".join(wanted)]:
        tokens, claims = suite.log_in(scope=f"openid {scope}")
        person = suite.userinfo(tokens)
        assert person["sub"] == claims["sub"]
        for name in scope.split():
            assert wanted[name] <= set(person), (scope, person)
    suite.log_in(scope="email openid")


@check("Basic")
def harmless_parameters(suite):
    for fields in ({"display": "page"}, {"display": "popup"}, {"extra": "foobar"}, {"login_hint": USER},
                   {"ui_locales": "se"}, {"claims_locales": "se"}, {"acr_values": "1 2"},
                   {"claims": json.dumps({"userinfo": {"name": {"essential": True}}})}):
        suite.log_in(**fields)


@check("Basic")
def prompt_login(suite):
    _, before = suite.log_in()
    until(lambda: int(time.time()) > before["auth_time"], "the next second, as auth_time has no parts of one")
    assert suite.ask(prompt="login").status_code == 200
    _, after = suite.log_in(prompt="login")
    assert after["auth_time"] > before["auth_time"] and after["sub"] == before["sub"]


@check("Basic")
def prompt_none_logged_in(suite):
    _, before = suite.log_in()
    _, after = suite.log_in(prompt="none")
    assert (after["sub"], after["auth_time"]) == (before["sub"], before["auth_time"])


@check("Basic")
def max_age(suite):
    _, before = suite.log_in(max_age="10000")
    until(lambda: time.time() > before["auth_time"] + 2, "a login that is older than one second")
    _, after = suite.log_in(max_age="1")
    assert after["auth_time"] > before["auth_time"]


@check("Basic")
def id_token_hint(suite):
    tokens, before = suite.log_in()
    _, after = suite.log_in(prompt="none", id_token_hint=tokens["id_token"])
    assert after["sub"] == before["sub"]


@check("Basic")
def codereuse(suite):
    code = suite.code()
    tokens = suite.redeem(code)
    again = suite.redeem(code)
    assert again.status_code == 400 and again.json()["error"] == "invalid_grant", again.text
    reply = requests.get(suite.metadata["userinfo_endpoint"], timeout=LIMIT,
                         headers={"Authorization": f"Bearer {tokens['access_token']}"})
    assert reply.status_code == 401, reply.status_code


@check("Basic")
def ensure_registered_redirect_uri(suite):
    for uri in (CALLBACK + "/x", CALLBACK + "?x=1", "https://evil.example/"):
        page = suite.ask(redirect_uri=uri)
        assert page.status_code == 400 and "redirect_uri" in page.text and "location" not in page.headers, page.text


@check("Basic")
def ensure_post_request_succeeds(suite):
    suite.claims(suite.redeem(suite.answer(suite.ask(method="POST"))["code"]))


@check("Basic")
def server_client_secret_post(suite):
    suite.claims(suite.redeem(suite.code(), post=True))


@check("Basic")
def request_objects_are_rejected_as_unsupported(suite):
    for fields, error in (({"request": "eyJhbGciOiJub25lIn0.e30."}, "request_not_supported"),
                          ({"request_uri": "https://app.example/r"}, "request_uri_not_supported")):
        assert suite.answer(suite.ask(**fields))["error"] == error


@check("Basic")
def refresh_token(suite):
    tokens, claims = suite.log_in(scope="openid offline_access", prompt="consent")
    again = suite.token_request({"grant_type": "refresh_token", "refresh_token": tokens["refresh_token"]}).json()
    after = suite.claims(again, nonce=None)
    assert after["sub"] == claims["sub"] and after["auth_time"] == claims["auth_time"]
    assert suite.userinfo(again)["sub"] == claims["sub"]
    # RFC 7009: the tokens made by it end with it.
    done = requests.post(suite.metadata["revocation_endpoint"], auth=(suite.id, suite.secret), timeout=LIMIT,
                         data={"token": tokens["refresh_token"]})
    assert done.status_code == 200, done.text
    assert suite.token_request(
        {"grant_type": "refresh_token", "refresh_token": tokens["refresh_token"]}).json()["error"] == "invalid_grant"
    assert requests.get(suite.metadata["userinfo_endpoint"], timeout=LIMIT,
                        headers={"Authorization": f"Bearer {again['access_token']}"}).status_code == 401


@check("Basic")
def ensure_request_with_valid_pkce_succeeds(suite):
    # RFC 7636, appendix B.
    code = suite.code(code_challenge="E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM", code_challenge_method="S256")
    suite.claims(suite.redeem(code, code_verifier="dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"))


@check("Form Post")
def server_with_form_post(suite):
    assert "form_post" in suite.metadata["response_modes_supported"]
    suite.code()
    for wish, name in ({}, "code"), ({"scope": "email"}, "error"):
        page = suite.ask(response_mode="form_post", **wish)
        assert page.status_code == 200 and f'action="{CALLBACK}"' in page.text, page.text
        fields = dict(re.findall(r'<input[^>]* name="([^"]+)" value="([^"]*)"', page.text))
        assert name in fields and html.unescape(fields["state"]) == "state-of-this", fields
        if name == "code":
            suite.claims(suite.redeem(fields["code"]))


@check("RP-Initiated Logout")
def discovery_end_session_endpoint_verification(suite):
    assert suite.metadata["end_session_endpoint"].startswith(suite.provider + "/")


@check("RP-Initiated Logout")
def rp_initiated_logout(suite):
    tokens, _ = suite.log_in()
    reply = suite.leave(id_token_hint=tokens["id_token"], post_logout_redirect_uri=AFTER, state="s &t")
    assert reply.headers.get("location") == AFTER + "?state=s%20%26t", (reply.status_code, reply.text)
    assert not suite.is_logged_in()


@check("RP-Initiated Logout")
def no_state(suite):
    tokens, _ = suite.log_in()
    assert suite.leave(id_token_hint=tokens["id_token"], post_logout_redirect_uri=AFTER).headers["location"] == AFTER
    assert not suite.is_logged_in()


@check("RP-Initiated Logout")
def no_post_logout_redirect_uri(suite):
    tokens, _ = suite.log_in()
    reply = suite.leave(id_token_hint=tokens["id_token"], state="s")
    assert reply.status_code == 200 and "location" not in reply.headers
    assert not suite.is_logged_in()


@check("RP-Initiated Logout")
def the_person_is_asked_without_a_hint(suite):
    """no-id-token-hint, no-params, only-state."""
    suite.log_in()
    named = {"client_id": suite.id, "post_logout_redirect_uri": AFTER, "state": "s"}
    for fields, target in (({}, None), ({"state": "s"}, None), (named, AFTER + "?state=s")):
        page = suite.leave(**fields)
        assert page.status_code == 200 and suite.is_logged_in(), fields
        done = suite.press_button(page)
        assert done.headers.get("location") == target and done.ok, (done.status_code, done.text)
        assert not suite.is_logged_in()
        suite.log_in()


@check("RP-Initiated Logout")
def nobody_is_sent_to_an_unknown_address(suite):
    """bad-post-logout-redirect-uri, query-added-to-post-logout-redirect-uri, bad- and modified-id-token-hint, and an
    address without anything that names the application."""
    tokens, _ = suite.log_in()
    head, body, mark = tokens["id_token"].split(".")
    for fields in ({"id_token_hint": tokens["id_token"], "post_logout_redirect_uri": AFTER + "/x"},
                   {"id_token_hint": tokens["id_token"], "post_logout_redirect_uri": AFTER + "?x=1"},
                   {"id_token_hint": f"{head}.{body}.{'A' * len(mark)}", "post_logout_redirect_uri": AFTER},
                   {"id_token_hint": "bad", "post_logout_redirect_uri": AFTER}, {"post_logout_redirect_uri": AFTER}):
        page = suite.leave(state="s", **fields)
        assert page.status_code == 400 and "location" not in page.headers and suite.is_logged_in(), fields


if len(sys.argv) != 2:
    sys.exit(__doc__)
checks = Checks()
with story(sys.argv[1], "https://app.example/unused", "--browser-session", "3600", "--refresh-token-lifetime",
           "3600") as person:
    added = person.backend.command("applications", "add", "Suite", "--redirect-uri", CALLBACK,
                                   "--post-logout-redirect-uri", AFTER, "--json")
    suite = Suite(person, json.loads(added)["application"])
    for profile, function in CHECKS:
        checks.attempt(f"{profile}: {function.__name__}", lambda: function(suite))
sys.exit(checks.verdict())
