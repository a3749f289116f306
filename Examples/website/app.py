# SPDX-License-Identifier: Apache-2.0
"""A web site whose visitors log in with a kiosk. docs/openid.md explains it.

    sudo apt install python3-flask python3-authlib python3-requests
    CLIENT_ID=... CLIENT_SECRET=... flask --app app run --port 5000
"""

import os

from authlib.integrations.flask_client import OAuth
from flask import Flask, redirect, session, url_for
from markupsafe import escape

app = Flask(__name__)
app.secret_key = os.urandom(32)
provider = os.environ.get("PROVIDER", "http://127.0.0.1:8480")
kiosk = OAuth(app).register(
    "kiosk", client_id=os.environ["CLIENT_ID"], client_secret=os.environ["CLIENT_SECRET"],
    server_metadata_url=f"{provider}/.well-known/openid-configuration", client_kwargs={"scope": "openid email"})


@app.get("/")
def home():
    user = session.get("user")
    return f"Hello {escape(user)}" if user else f"<a href='{url_for('login')}'>Log in</a>"


@app.get("/login")
def login():
    return kiosk.authorize_redirect(url_for("callback", _external=True))


@app.get("/callback")
def callback():
    session["user"] = kiosk.authorize_access_token()["userinfo"]["sub"]
    return redirect(url_for("home"))
