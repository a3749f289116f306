# SPDX-License-Identifier: Apache-2.0
"""A web site with idpyoidc (PyPI)."""

import os
import sys

from flask import Flask, redirect, request, session
from idpyoidc.client.rp_handler import RPHandler

app = Flask(__name__)
app.secret_key = os.urandom(32)
port = int(sys.argv[1])
site = f"http://127.0.0.1:{port}"
handler = RPHandler(base_url=site, client_configs={"kiosk": {
    "issuer": os.environ["PROVIDER"], "client_id": os.environ["CLIENT_ID"], "client_secret": os.environ["CLIENT_SECRET"],
    "redirect_uris": [f"{site}/callback"], "client_type": "oidc",
    "preference": {"response_types_supported": ["code"], "scopes_supported": ["openid", "email"],
                   "token_endpoint_auth_methods_supported": ["client_secret_basic"]},
    "add_ons": {"pkce": {"function": "idpyoidc.client.oauth2.add_on.pkce.add_support",
                         "kwargs": {"code_challenge_length": 64, "code_challenge_method": "S256"}}},
    "services": {
        "discovery": {"class": "idpyoidc.client.oidc.provider_info_discovery.ProviderInfoDiscovery"},
        "authorization": {"class": "idpyoidc.client.oidc.authorization.Authorization"},
        "accesstoken": {"class": "idpyoidc.client.oidc.access_token.AccessToken"},
        "userinfo": {"class": "idpyoidc.client.oidc.userinfo.UserInfo"}}}})


@app.get("/")
def home():
    return f"Hello {session['user']}" if "user" in session else "<a href='/login'>Log in</a>"


@app.get("/login")
def login():
    return redirect(handler.begin("kiosk"))


@app.get("/callback")
def callback():
    done = handler.finalize(handler.issuer2rp[os.environ["PROVIDER"]].context.issuer, request.args.to_dict())
    assert "error" not in done, done
    session["user"] = done["userinfo"]["email"]
    return redirect("/")


app.run(port=port)
