# SPDX-License-Identifier: Apache-2.0
"""PostgreSQL with a folder of its own; for root as the package's user, because it refuses root."""

import glob
import os
import pwd
import signal
import subprocess

from patience import end, until
from programs import ENVIRONMENT, run


def launch_here(*command, **options):
    return subprocess.Popen(command, env=ENVIRONMENT, **options)


class PostgreSQL:
    OWNER = "postgres"

    def __init__(self, folder):
        self.folder, self.data = folder, f"{folder}/data"
        self.programs = sorted(glob.glob("/usr/lib/postgresql/*/bin"), key=lambda name: int(name.split("/")[4]))[-1]
        self.process = None
        self.user = []
        os.mkdir(folder, 0o700)
        if os.geteuid() == 0:
            owner = pwd.getpwnam(self.OWNER)
            self.user = ["setpriv", f"--reuid={owner.pw_uid}", f"--regid={owner.pw_gid}", "--clear-groups", "--"]
            self.give(folder)

    def give(self, file):
        """Makes a file the server's."""
        if self.user:
            owner = pwd.getpwnam(self.OWNER)
            os.chown(file, owner.pw_uid, owner.pw_gid)

    def run(self, program, *arguments):
        return run(*self.user, f"{self.programs}/{program}", *arguments, cwd="/")

    def initialize(self):
        """A cluster that takes everybody who comes by the folder, and nobody else."""
        self.run("initdb", "--no-sync", "--auth-local=trust", "--auth-host=reject", "--encoding=UTF8", "--locale=C",
                 f"--username={self.OWNER}", f"--pgdata={self.data}")

    def start(self, log, *options, launch=launch_here):
        self.process = launch(
            *self.user, f"{self.programs}/postgres", "-D", self.data, "-k", self.folder, "-c", "shared_buffers=32MB",
            *options, cwd="/", stdout=open(log, "ab"), stderr=subprocess.STDOUT)
        until(lambda: subprocess.run(
            [*self.user, f"{self.programs}/pg_isready", "--quiet", f"--host={self.folder}"],
            cwd="/", check=False).returncode == 0, "PostgreSQL")

    def sql(self, text, database="postgres", *options):
        return self.run("psql", "-h", self.folder, "-U", self.OWNER, "-d", database, *options, "-c", text)

    def stop(self):
        """As an administrator does who does not wait for those who are connected."""
        if self.process:
            end(self.process, signal.SIGINT)
