# SPDX-License-Identifier: Apache-2.0
"""The plugs, how each is pulled and put back, and what the people before the kiosks may be told meanwhile."""

import signal
import time

from people import AGAIN, LOGIN, WRONG
from world import end, until


class Plug:
    """What a person with a right PIN may see, one with a wrong PIN, and one whose device waits for the browser.

    Unless a plug promises more: a verdict that is true, or to try again.
    """

    right = {LOGIN, AGAIN}
    wrong = {WRONG, AGAIN}
    waiting = {LOGIN, AGAIN}
    # Whether it is pulled once more while PINs are judged. What people are told then is any of these.
    is_pulled_late = False

    def pull(self, fleet, backend):
        """Pulls it. `backend` is the one that a device waits at, or any."""

    def at_once(self, fleet):
        """What happens as soon as the keys are pressed."""

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
        fleet.check("HAProxy sends it nothing more before it ends", states[-1:] == ["DOWN"], states[-3:])
        fleet.check("it ends in peace", self.backend.process.returncode == 0, self.backend.process.returncode)
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


PLUGS = [
    KilledBackend(), NoBackend(), StoppedBackend(), RestartedDatabase(), CrashedDatabase(), PausedDatabase(),
    UnpluggedKiosk(),
]
