# SPDX-License-Identifier: Apache-2.0
"""A web site by Apache with mod_auth_openidc (Debian: apache2-bin, libapache2-mod-auth-openidc)."""

import os
import sys

port, home = sys.argv[1], os.environ["HOME"]
modules = ["mpm_event", "authn_core", "authz_core", "authz_user", "dir", "mime", "include", "auth_openidc"]
os.chmod(home, 0o755)
os.makedirs(f"{home}/pages/private")
with open(f"{home}/pages/index.html", "w", encoding="utf-8") as page:
    page.write("<a href='/private/'>Log in</a>")
with open(f"{home}/pages/private/index.shtml", "w", encoding="utf-8") as page:
    page.write('Hello <!--#echo var="REMOTE_USER" -->')
with open(f"{home}/apache.conf", "w", encoding="utf-8") as conf:
    for module in modules:
        conf.write(f"LoadModule {module}_module /usr/lib/apache2/modules/mod_{module}.so\n")
    conf.write(f"""
ServerName 127.0.0.1
Listen 127.0.0.1:{port}
User nobody
Group nogroup
DefaultRuntimeDir {home}
PidFile {home}/apache.pid
Mutex sem
ErrorLog /dev/stderr
TypesConfig /dev/null
AddType text/html .html .shtml
AddOutputFilter INCLUDES .shtml
DocumentRoot {home}/pages
DirectoryIndex index.html index.shtml
OIDCProviderMetadataURL {os.environ["PROVIDER"]}/.well-known/openid-configuration
OIDCClientID {os.environ["CLIENT_ID"]}
OIDCClientSecret {os.environ["CLIENT_SECRET"]}
OIDCRedirectURI http://127.0.0.1:{port}/private/callback
OIDCCryptoPassphrase {os.urandom(16).hex()}
OIDCScope "openid email"
OIDCPKCEMethod S256
OIDCRemoteUserClaim email
<Directory {home}/pages>
    Options +Includes
    Require all granted
</Directory>
<Location /private>
    AuthType openid-connect
    Require valid-user
</Location>
""")
# The first process stays in the foreground, and ends its children.
os.execv("/usr/sbin/apache2", ["apache2", "-D", "FOREGROUND", "-f", f"{home}/apache.conf"])
