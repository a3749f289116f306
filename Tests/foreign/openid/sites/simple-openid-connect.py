# SPDX-License-Identifier: Apache-2.0
"""A web site with simple-openid-connect (PyPI)."""

import os
import sys

from flask import Flask, redirect, request, session
from simple_openid_connect.client import OpenidClient
from simple_openid_connect.data import TokenSuccessResponse

app = Flask(__name__)
app.secret_key = os.urandom(32)
port = int(sys.argv[1])
client = OpenidClient.from_issuer_url(
    url=os.environ["PROVIDER"], authentication_redirect_uri=f"http://127.0.0.1:{port}/callback",
    client_id=os.environ["CLIENT_ID"], client_secret=os.environ["CLIENT_SECRET"], scope="openid email")


@app.get("/")
def home():
    return f"Hello {session['user']}" if "user" in session else "<a href='/login'>Log in</a>"


@app.get("/login")
def login():
    return redirect(client.authorization_code_flow.start_authentication())


@app.get("/callback")
def callback():
    tokens = client.authorization_code_flow.handle_authentication_result(current_url=request.url)
    assert isinstance(tokens, TokenSuccessResponse), tokens
    claims = client.decode_id_token(tokens.id_token)
    person = client.fetch_userinfo(tokens.access_token)
    assert person.sub == claims.sub, (person, claims)
    session["user"] = person.email
    return redirect("/")


app.run(port=port)
