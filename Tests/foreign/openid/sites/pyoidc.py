# SPDX-License-Identifier: Apache-2.0
"""A web site with pyoidc (PyPI: oic)."""

import os
import sys

from flask import Flask, redirect, request, session
from oic import rndstr
from oic.oic import Client
from oic.oic.message import AuthorizationResponse, RegistrationResponse
from oic.utils.authn.client import CLIENT_AUTHN_METHOD

app = Flask(__name__)
app.secret_key = os.urandom(32)
port = int(sys.argv[1])
client = Client(client_authn_method=CLIENT_AUTHN_METHOD)
client.provider_config(os.environ["PROVIDER"])
client.store_registration_info(RegistrationResponse(
    client_id=os.environ["CLIENT_ID"], client_secret=os.environ["CLIENT_SECRET"]))
client.redirect_uris = [f"http://127.0.0.1:{port}/callback"]


@app.get("/")
def home():
    return f"Hello {session['user']}" if "user" in session else "<a href='/login'>Log in</a>"


@app.get("/login")
def login():
    session["state"], session["nonce"] = rndstr(), rndstr()
    return redirect(client.construct_AuthorizationRequest(request_args={
        "response_type": "code", "scope": ["openid", "email"], "redirect_uri": client.redirect_uris[0],
        "state": session["state"], "nonce": session["nonce"]}).request(client.authorization_endpoint))


@app.get("/callback")
def callback():
    answer = client.parse_response(AuthorizationResponse, info=request.query_string.decode(), sformat="urlencoded")
    assert answer["state"] == session["state"], answer
    tokens = client.do_access_token_request(
        state=answer["state"], request_args={"code": answer["code"]}, authn_method="client_secret_basic")
    assert tokens["id_token"]["nonce"] == session["nonce"], tokens
    session["user"] = client.do_user_info_request(state=answer["state"])["email"]
    return redirect("/")


app.run(port=port)
