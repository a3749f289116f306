# SPDX-License-Identifier: Apache-2.0
"""The plugs, how each is pulled and put back, and what the people before the kiosks may be told meanwhile."""

import os
import shutil
import signal
import time

from people import AGAIN, LOGIN, WRONG
from world import end, until


class Plug:
    """The screens that a person with a right PIN may see, one with a wrong PIN, and one whose device waits for the browser.

    Unless a plug promises more: a verdict that is true, or to try again.
    """

    right = {LOGIN, AGAIN}
    wrong = {WRONG, AGAIN}
    waiting = {LOGIN, AGAIN}
    # Whether it is pulled once more while PINs are checked. What people are told then is any of these.
    is_pulled_late = False

    def pull(self, fleet, backend):
        """Pulls it. `backend` is the one that a device waits at, or any."""

    def at_once(self, fleet):
        """The events as soon as the keys are pressed."""

    def mend(self, fleet):
        """Makes everything as it was, when people have seen how their logins ended."""
        fleet.await_backends()


class KilledBackend(Plug):
    name = "a backend is killed"
    # HAProxy asks the other one. But what the killed one had taken is answered by nobody.
    right, wrong = {LOGIN}, {WRONG}
    is_pulled_late = True

    def pull(self, fleet, backend):
        self.backend = backend
        end(backend.process, signal.SIGKILL)

    def mend(self, fleet):
        self.backend.start()
        super().mend(fleet)


class NoBackend(Plug):
    name = "all backends are killed, and started again"
    # HAProxy says that nothing was done, and when to ask again. So the kiosk does, and the person waits.
    right, wrong = {LOGIN}, {WRONG}

    def pull(self, fleet, backend):
        for each in fleet.backends:
            end(each.process, signal.SIGKILL)

    def at_once(self, fleet):
        for each in fleet.backends:
            if each.process.poll() is not None:
                each.start()

    def mend(self, fleet):
        self.at_once(fleet)
        super().mend(fleet)


class StoppedBackend(Plug):
    name = "a backend is told to stop, and drains"
    right, wrong, waiting = {LOGIN}, {WRONG}, {LOGIN}

    def pull(self, fleet, backend):
        self.backend = backend
        backend.process.send_signal(signal.SIGTERM)

    def mend(self, fleet):
        states = []

        def has_ended():
            state = fleet.balancer.states()[self.backend.name]
            if self.backend.process.poll() is None:
                states.append(state)
            return self.backend.process.poll() is not None

        until(has_ended, f"{self.backend.name} to end")
        fleet.check("HAProxy has taken it out before it ends", states[-1:] == ["DOWN"], states[-3:])
        fleet.check("it ends with exit code 0", self.backend.process.returncode == 0, self.backend.process.returncode)
        self.backend.start()
        super().mend(fleet)


class RestartedDatabase(Plug):
    name = "PostgreSQL is restarted"
    is_pulled_late = True

    def pull(self, fleet, backend):
        fleet.database.stop()

    def at_once(self, fleet):
        fleet.database.start()

    def mend(self, fleet):
        if fleet.database.process.poll() is not None:
            fleet.database.start()
        super().mend(fleet)


class CrashedDatabase(RestartedDatabase):
    name = "PostgreSQL is killed, and forgets what is UNLOGGED"

    def pull(self, fleet, backend):
        fleet.database.crash()


class LostDatabase(Plug):
    """Its standby is promoted, and stays what is written to."""

    name = "PostgreSQL is killed, and its standby promoted"

    def pull(self, fleet, backend):
        fleet.database.crash()

    def at_once(self, fleet):
        fleet.database, fleet.standby = fleet.standby, fleet.database
        fleet.database.sql("SELECT pg_promote()")


class SilentDatabase(LostDatabase):
    """No backend is told that its connections have ended."""

    name = "PostgreSQL's machine is gone, and its standby promoted"

    def pull(self, fleet, backend):
        fleet.database.machine.fall_silent()
        super().pull(fleet, backend)


class PausedDatabase(Plug):
    name = "PostgreSQL stands still for ten seconds"
    is_pulled_late = True

    def pull(self, fleet, backend):
        fleet.database.pause()

    def at_once(self, fleet):
        time.sleep(10)
        fleet.database.go_on()

    def mend(self, fleet):
        fleet.database.go_on()
        super().mend(fleet)


class UnpluggedKiosk(Plug):
    name = "the network cable of kiosk2 is pulled"
    right, wrong, waiting = {AGAIN}, {WRONG}, {AGAIN}

    def pull(self, fleet, backend):
        fleet.machines["kiosk2"].unplug()

    def mend(self, fleet):
        fleet.machines["kiosk2"].plug_in()
        super().mend(fleet)


class AuthorityPlug:
    """A D-TA that is away: 1 is asked by the backends, 2 by the devices as well.

    Who is registered logs in. Who registers, or has no permit of today yet, is told to try again.
    """

    # Whether a backend is started while it is away.
    starts_a_backend = False
    has_other_half = False

    def __init__(self, number):
        self.number = number

    @property
    def name(self):
        return f"D-TA {self.number} {self.what}"

    def pull(self, fleet, authority):
        """Pulls it."""

    def mend(self, fleet, authority):
        """Puts it back."""


class KilledAuthority(AuthorityPlug):
    what = "is killed"
    starts_a_backend = True

    def pull(self, fleet, authority):
        end(authority.process, signal.SIGKILL)

    def mend(self, fleet, authority):
        authority.start()


class PausedAuthority(AuthorityPlug):
    what = "stands still for ten seconds"

    def pull(self, fleet, authority):
        self.began = time.monotonic()
        authority.process.send_signal(signal.SIGSTOP)

    def mend(self, fleet, authority):
        time.sleep(max(0, self.began + 10 - time.monotonic()))
        authority.process.send_signal(signal.SIGCONT)


class UnpluggedAuthority(AuthorityPlug):
    what = "has no network"

    def pull(self, fleet, authority):
        authority.machine.unplug()

    def mend(self, fleet, authority):
        authority.machine.plug_in()


class ForgetfulAuthority(AuthorityPlug):
    """Its half was lost, and its keeper has it make another one."""

    what = "comes back with another half"
    starts_a_backend = has_other_half = True

    def pull(self, fleet, authority):
        end(authority.process)
        shutil.copytree(authority.folder, authority.folder + "-before")
        os.remove(f"{authority.folder}/master")
        authority.launch()
        until(lambda: authority.process.poll() is not None, f"{authority.name} to end")
        fleet.check("it does not start in place of the half that it had, and says where that is said",
                    authority.process.returncode != 0 and authority.count(f"remove {authority.folder}/issuer"),
                    authority.process.returncode)
        # So its keeper does, and has not told the backends' keeper.
        os.remove(f"{authority.folder}/issuer")
        authority.start()

    def mend(self, fleet, authority):
        seen = sum(backend.count_of("other-half") for backend in fleet.backends)
        fleet.check("the backends' logs name the other half", seen > 0, seen)
        end(authority.process)
        shutil.rmtree(authority.folder)
        os.rename(authority.folder + "-before", authority.folder)
        authority.start()


AUTHORITY_PLUGS = [
    plug(number) for plug in (KilledAuthority, PausedAuthority, UnpluggedAuthority, ForgetfulAuthority)
    for number in (1, 2)
]

PLUGS = [
    KilledBackend(), NoBackend(), StoppedBackend(), RestartedDatabase(), CrashedDatabase(), PausedDatabase(),
    UnpluggedKiosk(),
]
