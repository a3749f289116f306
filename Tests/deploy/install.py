# SPDX-License-Identifier: Apache-2.0
"""The Ansible roles make a kiosk and a D-TA of a throwaway root: this machine's own, with a layer above it that is in
memory.

usage: install.py PACKAGES, as root in a mount namespace of its own: test.sh. PACKAGES is a folder with the Debian
packages of this release. No systemd runs in that root, so the service is enabled and not started.
"""

import base64
import glob
import os
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../Scripts"))

from checks import Checks  # noqa: E402: the folder is named above
from examples import EXAMPLES, example  # noqa: E402

PLAYBOOKS = os.path.join(EXAMPLES, "ansible")
INVENTORY = """
kiosks:
  hosts: {localhost: {ansible_connection: local}}
  vars:
    ansible_python_interpreter: /usr/bin/python3
    login_kiosk_trusted: [login.example.com, shop.example.com -> login.example.com]
    login_kiosk_settings: {screen: {language: %s}}
    login_kiosk_display: %s
    login_kiosk_fleet_key: %s
"""
AUTHORITY = """
dta:
  hosts: {localhost: {ansible_connection: local}%s}
  vars:
    ansible_python_interpreter: /usr/bin/python3
    login_kiosk_dta_half: %d
    login_kiosk_dta_listen: 192.0.2.21:8490
    login_kiosk_dta_certificate: chain.pem
    login_kiosk_dta_key: key.pem
    login_kiosk_dta_backends: [192.0.2.11, 192.0.2.12]
    login_kiosk_dta_keepers: [192.0.2.5]
"""
DISPLAY = "usr/libexec/login-kiosk/login-kiosk-display"
SEALED = "etc/credstore.encrypted/fleet.key"
ENVIRONMENT = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "HOME": "/root", "LANG": "C.UTF-8", "LC_ALL": "C.UTF-8"}


def run(*command, **options):
    done = subprocess.run(
        command, env=ENVIRONMENT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False, **options)
    return done.returncode, done.stdout.decode(errors="replace")


def must(*command, **options):
    code, told = run(*command, **options)
    if code:
        raise AssertionError(f"{' '.join(command)}: exit {code}: {told}")
    return told


class Installation(Checks):
    def __init__(self, packages):
        super().__init__()
        release = re.search(r'VERSION_ID="(\w+)"', open("/etc/os-release", encoding="utf-8").read())[1]
        architecture = must("dpkg", "--print-architecture").strip()
        self.packages, self.displays, self.backends = [
            glob.glob(f"{packages}/{name}_*+deb{release}_{architecture}.deb")
            for name in ("login-kiosk", "login-kiosk-display", "login-kiosk-backend")]
        self.work = tempfile.mkdtemp()
        self.root = os.path.join(self.work, "root")
        must("mount", "-t", "tmpfs", "-o", "size=2g,mode=755", "work", self.work)

    def at(self, name):
        return os.path.join(self.root, name)

    def read(self, name):
        with open(self.at(name), "rb") as file:
            return file.read()

    def rules(self):
        places = {"cwd": PLAYBOOKS}
        for playbook, inventory in (("kiosks.yml", "inventory.yml"), ("dta.yml", "inventory-dta.yml")):
            code, told = run("ansible-playbook", "--syntax-check", "-i", inventory, playbook, **places)
            self.check(f"Ansible takes {playbook} and {inventory}", code == 0, told)
            if shutil.which("ansible-lint"):
                code, told = run("ansible-lint", "--offline", "--nocolor", playbook, **places)
                self.check(f"ansible-lint has nothing against {playbook}", code == 0 and "Passed" in told, told)
            else:
                print("skip  ansible-lint: not installed")

    def build(self):
        """The root, with one repository: a folder that has the package. What it depends on is there."""
        for folder in ("above", "work", "root"):
            os.mkdir(os.path.join(self.work, folder))
        layers = f"lowerdir=/,upperdir={self.work}/above,workdir={self.work}/work"
        must("mount", "-t", "overlay", "overlay", "-o", layers, self.root)
        for folder in ("proc", "dev"):
            must("mount", "--rbind", f"/{folder}", self.at(folder))
        must("mount", "-t", "tmpfs", "-o", "mode=755", "run", self.at("run"))
        os.mkdir(self.at("run/packages"))
        for package in [*self.packages[:1], *self.displays[:1], *self.backends[:1]]:
            shutil.copy(package, self.at("run/packages"))
        with open(self.at("run/packages/Packages"), "wb") as file:
            subprocess.run(["dpkg-scanpackages", "."], cwd=self.at("run/packages"), stdout=file,
                           stderr=subprocess.DEVNULL, check=True)
        for name in glob.glob(self.at("etc/apt/sources.list*")) + glob.glob(self.at("var/lib/apt/lists")):
            must("rm", "-rf", name)
        os.makedirs(self.at("etc/apt/sources.list.d"))
        os.makedirs(self.at("var/lib/apt/lists/partial"))
        with open(self.at("etc/apt/sources.list.d/here.list"), "w", encoding="utf-8") as file:
            file.write("deb [trusted=yes] file:/run/packages ./\n")
        shutil.copytree(PLAYBOOKS, self.at("run/play"))

    def say(self, language, key, display=False):
        with open(self.at("run/play/here.yml"), "w", encoding="utf-8") as file:
            file.write(INVENTORY % (language, str(display).lower(), base64.b64encode(key).decode()))

    def within(self, *command, **options):
        return run("chroot", self.root, *command, **options)

    def play(self, *options, playbook="kiosks.yml"):
        """The output of Ansible, and the number of its changes; None when it failed."""
        script = f'cd /run/play && exec ansible-playbook -i here.yml {playbook} "$@"'
        _, told = self.within("sh", "-c", script, "sh", *options)
        recap = re.search(r"^localhost .*changed=(\d+) .*failed=0 ", told, re.MULTILINE)
        return told, int(recap[1]) if recap else None

    def opened(self):
        """The fleet's key, as the service gets it."""
        return subprocess.run(["chroot", self.root, "systemd-creds", "decrypt", "--name=fleet.key", f"/{SEALED}", "-"],
                              capture_output=True, check=False).stdout

    def role(self):
        key = os.urandom(32)
        self.say("de", key)
        told, changed = self.play("--diff", "-vvv")
        self.check("the role makes a kiosk", changed, told)
        self.check("the trust list is the inventory's", self.read("etc/login-kiosk/trusted").decode().splitlines()[1:]
                   == ["login.example.com", "shop.example.com -> login.example.com"])
        code, shown = self.within("login-kiosk", "config", "show", "--json")
        self.check("the settings count", code == 0 and "50-fleet.yaml" in shown and '"de"' in shown, shown)
        sealed = self.read(SEALED)
        self.check("the fleet's key is sealed, and opens under its name", self.opened() == key and key not in sealed)
        self.check("it is in nothing that Ansible tells", base64.b64encode(key).decode() not in told)
        self.check("the service starts at the next boot",
                   os.path.islink(self.at("etc/systemd/system/multi-user.target.wants/login-kiosk.service")))

        told, changed = self.play()
        self.check("a second time it changes nothing", changed == 0, told)
        self.check("nor what is sealed", self.read(SEALED) == sealed)

        self.say("fr", key)
        told, changed = self.play()
        self.check("another setting is one change", changed == 1, told)
        key = os.urandom(32)
        self.say("fr", key)
        told, changed = self.play()
        self.check("so is another key", changed == 1 and self.opened() == key, told)
        self.check("a console needs nothing that draws", not os.path.exists(self.at(DISPLAY)))
        if self.displays:
            self.say("fr", key, display=True)
            told, changed = self.play()
            self.check("a panel is one change", changed == 1 and os.path.exists(self.at(DISPLAY)), told)
        self.say("fr", os.urandom(31))
        told, changed = self.play()
        self.check("a key of another length is refused", changed is None and "32 bytes" in told, told)
        self.say("xx", key)
        told, changed = self.play()
        self.check("settings that cannot be end the play, and name the file",
                   changed is None and "50-fleet.yaml" in told, told)

    def make_authority(self, half, others=""):
        with open(self.at("run/play/here.yml"), "w", encoding="utf-8") as file:
            file.write(AUTHORITY % (others, half))
        return self.play(playbook="dta.yml")

    def authority(self):
        must("openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-noenc",
             "-subj", "/CN=dta", "-keyout", self.at("run/play/key.pem"), "-out", self.at("run/play/chain.pem"))
        told, changed = self.make_authority(1)
        self.check("the other role makes a D-TA", changed, told)
        unit = "etc/systemd/system/login-kiosk-backend.service.d/dta.conf"
        command = " dta --half 1 --state /var/lib/login-kiosk-backend --listen 192.0.2.21:8490 "
        self.check("the unit serves its half where the inventory says", command in self.read(unit).decode())
        key = os.stat(self.at("etc/login-kiosk-dta/key.pem"))
        # It reads new files by itself, as docs/deployment.md has it: systemd would give it copies of its start.
        group = re.search(r"^login-kiosk-backend:\w*:(\d+):", self.read("etc/group").decode(), re.MULTILINE)[1]
        self.check("root changes its key, and its service alone reads it",
                   (key.st_uid, key.st_gid, key.st_mode & 0o777) == (0, int(group), 0o640), oct(key.st_mode))
        self.check("its service reads it in its place",
                   "--tls-key /etc/login-kiosk-dta/key.pem" in self.read(unit).decode()
                   and "LoadCredential" not in self.read(unit).decode(), self.read(unit).decode())
        # The same wall twice, for who uses Ansible and who does not.
        wall = example("dta1.nft", ("#ip saddr 192.0.2.5", "ip saddr { 192.0.2.5 }"))
        built = self.read("etc/nftables.conf").decode()
        self.check("its wall is deploy/fleet/dta1.nft", built.split("flush")[1] == wall.split("flush")[1], built)
        self.check("it starts at the next boot", all(
            os.path.islink(self.at(f"etc/systemd/system/{where}.target.wants/{name}.service"))
            for where, name in (("multi-user", "login-kiosk-backend"), ("sysinit", "nftables"))))
        told, changed = self.make_authority(1)
        self.check("a second time it changes nothing", changed == 0, told)
        told, changed = self.make_authority(3)
        self.check("a third half is refused", changed is None and "login_kiosk_dta_half (1 or 2)" in told, told)
        told, changed = self.make_authority(1, ", other: {ansible_connection: local}")
        self.check("two D-TAs in one hand are refused", changed is None and "has both halves" in told, told)

    def kiosk_and_authority(self):
        self.rules()
        if self.packages:
            self.build()
            self.role()
        else:
            print("skip  the roles on a machine: no packages of this Debian (make deb)")
        if self.packages and self.backends:
            self.authority()

    def all(self):
        self.part("Ansible", self.kiosk_and_authority)
        return self.verdict()


if __name__ == "__main__":
    if len(sys.argv) != 2 or os.getpid() != 1:
        print(__doc__, file=sys.stderr)
        sys.exit(64)
    sys.exit(Installation(sys.argv[1]).all())
