"""An engine in virtual time: the same platform, with a clock that jumps and chance that comes from a seed."""

from __future__ import annotations

import contextlib
import math
import time
from typing import TYPE_CHECKING, Any

from . import _core
from .arguments import milliseconds, number, texts
from .engine import Engine, datetime_of
from .errors import Closed, Error, Misuse, WaitTimeout
from .live import Live
from .options import SimulationOptions
from .wire import encode_outputs

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping
    from datetime import datetime
    from typing import Literal


_SPEED_MAX = 1e9
_MOVES_EVERY = 0.02  # seconds of the world: how far virtual time may be behind in `Simulation.run`

def _check_speed(speed: float) -> None:
    if not 0 <= number("speed", speed) <= _SPEED_MAX:
        raise Misuse(f"speed must be 0 to {_SPEED_MAX:g}, not {speed}")


class Clock(Live):
    """Virtual time. It stands still but for `advance`, `Simulation.run_until_idle` and everything named `wait`.

    A `wait` moves it to the end of what is waited for, or by its `timeout` if that comes first.
    """

    def __init__(self, core: _core.Engine) -> None:
        self._core = core

    def now(self) -> datetime:
        """The time, in UTC."""
        return datetime_of(self._core.now())

    def advance(self, *, seconds: float = 0, minutes: float = 0, hours: float = 0, days: float = 0) -> None:
        """Moves time on, and does on the way all that falls due."""
        given = {"seconds": (seconds, 1), "minutes": (minutes, 60), "hours": (hours, 3600), "days": (days, 86_400)}
        self._core.advance(milliseconds("the time", sum(number(name, count) * unit for name, (count, unit) in given.items())))

    def __repr__(self) -> str:
        return f"<Clock {_core.format_time(self._core.now())}>"


class Rules(Live):
    """How the steps go: how long they take, and whether they fail. Of several rules that fit a step the last one answers."""

    def __init__(self, core: _core.Engine) -> None:
        self._core = core

    def add(
        self,
        *,
        kind: str = "",
        step: str = "",
        name: str = "",
        attempt: int = 0,
        times: int = 0,
        after: str | float = 0,
        fails: str = "",
        outcome: Literal["usual", "credentials_refused", "silence"] = "usual",
        running: str = "",
        outputs: Mapping[str, Any] | None = None,
        delay: str | float = 0,
        jitter: str | float = 0,
        cancel_after: str | float = 0,
    ) -> None:
        """A rule for the steps of this family (`kind`), `step`, `name` and `attempt`; what is left out fits all.

        The step takes `after` ("30s") and succeeds, or fails for the reason `fails`; `times` is how many steps the rule answers
        before it is used up (0: no bound). It begins after `delay`, takes up to `jitter` longer by chance, and a cancel of it
        takes `cancel_after`. `outcome` may also be that credentials are refused, or silence: only a deadline ends it then.
        `running` is what the workload is said to do afterwards, `outputs` what a job gives.
        """
        self._core.add_rule(
            kind, step, name, attempt, times, milliseconds("after", after), fails, outcome, running, encode_outputs(outputs),
            milliseconds("delay", delay), milliseconds("jitter", jitter), milliseconds("cancel_after", cancel_after),
        )  # fmt: skip

    def clear(self) -> None:
        """Forgets all rules."""
        self._core.clear_rules()


class Git(Live):
    """What git providers say of their repositories. Of several rules that fit one, the last answers; where none does, nobody can tell."""

    def __init__(self, core: _core.Engine) -> None:
        self._core = core

    def add(self, *, provider: str = "", url: str = "", events: Iterable[str] | None = ()) -> None:
        """The repositories of this provider and address (* stands for any text) have a hook that tells of `events`; None: they have none."""
        self._core.add_hook(provider, url, None if events is None else texts("events", events))

    def clear(self) -> None:
        """Forgets all rules."""
        self._core.clear_hooks()


class Receivers(Live):
    """What the receivers of webhooks answer. Of several rules that fit one, the last answers; where none does, it is 200."""

    def __init__(self, core: _core.Engine) -> None:
        self._core = core

    def add(self, *, url: str = "", status: int = 200, text: str = "", times: int = 0) -> None:
        """Receivers at this address (* stands for any text) answer `status`, 0 if they cannot be reached; `times` as in `Rules.add`."""
        self._core.add_receiver(url, status, text, times)

    def clear(self) -> None:
        """Forgets all rules."""
        self._core.clear_receivers()


class Simulation(SimulationOptions, Engine):
    """An engine in virtual time whose runs can be repeated: ids and durations follow from `seed`.

    The options are those of `Engine` but for driver, clock and random_source: the driver is scripted, time is virtual, and random numbers follow
    from the seed. `rules` script its driver; `git` and `receivers` script the ports where no `git_provider` or `webhook_sender` is given.
    On an existing store the clock starts at its last event if that is later than `start`; with the `snapshot` of another simulation, at the time of
    the snapshot. The same seed then continues as that simulation would; its rules are added again by the caller.
    """

    def _open(self, options: dict[str, Any]) -> None:
        if options["start"] is not None:
            start = options["start"]
            options["start"] = _core.parse_time(start, "start")
            if options["start"] <= 0:
                raise Misuse(f"start must be later than 1970-01-01T00:00:00Z, not {start!r}")
        self.seed = 0 if options["seed"] is None else options["seed"]
        super()._open({**options, "simulation": True})
        self.clock = Clock(self._core)
        self.rules = Rules(self._core)
        self.git = Git(self._core)
        self.receivers = Receivers(self._core)

    def run_until_idle(self) -> float:
        """Does all that is to be done, however far away it lies. The virtual seconds that passed."""
        return self._core.run_until_idle()

    def run(self, speed: float = 1.0) -> None:
        """Lets virtual time pass, `speed` times as fast as that of the world, until `stop` or `close`."""
        _check_speed(speed)
        last = time.monotonic()
        owed = 0.0  # milliseconds of virtual time
        try:
            while not self._stopping.is_set():
                self._stopping.wait(_MOVES_EVERY)
                now = time.monotonic()
                owed += (now - last) * speed * 1000
                last = now
                self._core.advance(int(owed))
                owed %= 1
        except Closed:
            pass
        finally:
            self._stopping.clear()

    @contextlib.contextmanager
    def serve(
        self, host: str = "127.0.0.1", port: int = 0, *, origins: Iterable[str] = (), allow_hosts: Iterable[str] = (), speed: float = 0
    ) -> Iterator[str]:
        """As `Engine.serve`; virtual time passes `speed` times as fast as that of the world meanwhile, or stands still."""
        from .server import beside

        _check_speed(speed)
        with super().serve(host, port, origins=origins, allow_hosts=allow_hosts) as url:
            if speed == 0:
                yield url
            else:
                with beside(lambda: self.run(speed), self.stop, "orlop-time"):
                    yield url

    def _drive(self, is_done: Callable[[], bool], timeout: float | None, what: str) -> None:
        passed = 0.0
        while True:
            wanted = self._core.tick()
            if is_done():
                return
            if wanted is None:
                raise Error(f"{what} cannot come to an end: nothing is left to be done")
            if timeout is not None and passed + wanted > timeout:
                # The time that was waited for passes, so that a caller who waits again comes to the end.
                self._core.advance(max(0, math.ceil((timeout - passed) * 1000)))
                if is_done():
                    return
                raise WaitTimeout(f"{what} did not come to an end within {timeout:g} s of virtual time")
            passed += wanted
            self._core.advance(round(wanted * 1000))
