# SPDX-License-Identifier: Apache-2.0
"""A web site with Django and django-allauth (PyPI)."""

import os
import sys

import django
from django.conf import settings
from django.core.management import call_command, execute_from_command_line

port = sys.argv[1]
settings.configure(
    DEBUG=True, SECRET_KEY=os.urandom(32).hex(), ALLOWED_HOSTS=["127.0.0.1"], ROOT_URLCONF="__main__", SITE_ID=1,
    DATABASES={"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": os.environ["HOME"] + "/allauth.sqlite"}},
    INSTALLED_APPS=[
        "django.contrib.auth", "django.contrib.contenttypes", "django.contrib.sessions", "django.contrib.messages", "allauth",
        "allauth.account", "allauth.socialaccount", "allauth.socialaccount.providers.openid_connect"],
    MIDDLEWARE=[
        "django.contrib.sessions.middleware.SessionMiddleware", "django.contrib.auth.middleware.AuthenticationMiddleware",
        "django.contrib.messages.middleware.MessageMiddleware", "allauth.account.middleware.AccountMiddleware"],
    TEMPLATES=[{"BACKEND": "django.template.backends.django.DjangoTemplates", "APP_DIRS": True, "OPTIONS": {
        "context_processors": ["django.template.context_processors.request", "django.contrib.messages.context_processors.messages"]}}],
    AUTHENTICATION_BACKENDS=["allauth.account.auth_backends.AuthenticationBackend"],
    LOGIN_REDIRECT_URL="/", SOCIALACCOUNT_LOGIN_ON_GET=True, SOCIALACCOUNT_AUTO_SIGNUP=True, ACCOUNT_EMAIL_VERIFICATION="none",
    SOCIALACCOUNT_PROVIDERS={"openid_connect": {"OAUTH_PKCE_ENABLED": True, "APPS": [{
        "provider_id": "kiosk", "name": "Kiosk", "client_id": os.environ["CLIENT_ID"], "secret": os.environ["CLIENT_SECRET"],
        "settings": {"server_url": os.environ["PROVIDER"]}}]}})
django.setup()

from django.http import HttpResponse  # noqa: E402: models need what was configured
from django.urls import include, path  # noqa: E402


def home(request):
    user = request.user
    return HttpResponse(f"Hello {user.email}" if user.is_authenticated else "<a href='/accounts/oidc/kiosk/login/'>Log in</a>")


urlpatterns = [path("", home), path("accounts/", include("allauth.urls"))]
call_command("migrate", verbosity=0)
execute_from_command_line([sys.argv[0], "runserver", "--noreload", port])
