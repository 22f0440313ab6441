"""The pytest plugin: a simulation for each test, its URL, and a report on it after a failure."""

from __future__ import annotations

import contextlib
import os
import re
import secrets
import shlex
import tempfile
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .guard import Guard
    from .scenarios.play import ScenarioRun
    from .simulation import Simulation

_MARKER = (
    "orlop(seed=None, scenario=None, rules=(), speed=0, guard=True, allow_hosts=()): the simulation of a "
    "test: its seed, a scenario file, rules, speed of orlop_url, and hosts that it may connect to"
)
_DEFAULTS: dict[str, Any] = {"seed": None, "scenario": None, "rules": (), "speed": 0, "guard": True, "allow_hosts": ()}
_SEED_MAX = 2**63 - 1
_RUNS_MAX = 10_000
_EVENTS_SHOWN = 10
_NAME_MAX = 120


class _Used(NamedTuple):
    """The simulation of a test."""

    simulation: Simulation
    run: ScenarioRun | None
    guard: Guard | None


_USED = pytest.StashKey[_Used]()


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("orlop", "simulations of orlop")
    group.addoption(
        "--orlop-seed",
        metavar="N",
        help='seed of every orlop_sim: a number, or "random" (default: that of the marker, or $ORLOP_SEED, or 0)',
    )
    group.addoption(
        "--orlop-runs",
        type=int,
        default=1,
        metavar="N",
        help="runs of each test that uses orlop_sim, each with the next seed (default: 1)",
    )
    group.addoption(
        "--orlop-reports",
        metavar="DIR",
        help="folder of the reports of failed tests (default: orlop in pytest's cache)",
    )
    group.addoption("--orlop-no-guard", action="store_true", help="lets tests with orlop_sim connect to any host")


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", _MARKER)
    runs, seed = config.getoption("--orlop-runs"), config.getoption("--orlop-seed")
    if not 1 <= runs <= _RUNS_MAX:
        raise pytest.UsageError(f"--orlop-runs must be 1 to {_RUNS_MAX}, not {runs}")
    if seed is not None:
        _number("--orlop-seed", seed)
    if config.getoption("--orlop-reports") == "":
        raise pytest.UsageError("--orlop-reports must be a folder, not empty")


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Repeats each test that uses a simulation `--orlop-runs` times."""
    runs = metafunc.config.getoption("--orlop-runs")
    if runs > 1 and "_orlop_run" in metafunc.fixturenames:
        metafunc.parametrize("_orlop_run", range(runs), indirect=True, ids=[f"run{number}" for number in range(runs)])


@pytest.fixture
def _orlop_run(request: pytest.FixtureRequest) -> int:
    """Number of the run of this test, from 0."""
    return int(getattr(request, "param", 0))


@pytest.fixture
def orlop_sim(request: pytest.FixtureRequest, _orlop_run: int) -> Iterator[Simulation]:
    """A `Simulation` in memory for one test; closed after it.

    Its seed is that of `--orlop-seed`, or of the marker `orlop`, or of the environment variable ORLOP_SEED, or 0;
    "random" draws one. With `--orlop-runs` each run of the test has the next seed. A `scenario` of the marker creates
    its resources, rules and options in the simulation. Its `invariants` are checked at each instant. While the test
    runs, it can connect to no host but its simulation, unless the marker allows it.
    """
    from .guard import Guard

    given = _marked(request.node)
    seed = _seed_of(request.config, given["seed"]) + _orlop_run
    hosts = _hosts(given["allow_hosts"])
    guard = Guard(hosts) if given["guard"] and not request.config.getoption("--orlop-no-guard") else None
    simulation, run = _opened(request.node, given, seed)
    simulation.invariants.is_on = True
    request.node.stash[_USED] = _Used(simulation, run, guard)
    with simulation:
        if guard is None:
            yield simulation
        else:
            with guard:
                yield simulation
    if guard is not None and guard.attempts:
        pytest.fail(
            f"the test tried to {guard.attempts[0]}, which is not the simulation"
            + (f", and {len(guard.attempts) - 1} more" if len(guard.attempts) > 1 else ""),
            pytrace=False,
        )


@pytest.fixture
def orlop_url(request: pytest.FixtureRequest, orlop_sim: Simulation) -> Iterator[str]:
    """The URL at which `orlop_sim` answers over HTTP during the test. Time advances `speed` times as fast as real time,
    with the marker's `speed`, or not at all without it."""
    with orlop_sim.serve(speed=_marked(request.node)["speed"]) as url:
        yield url


@pytest.fixture
def orlop_scenario(request: pytest.FixtureRequest, orlop_sim: Simulation) -> ScenarioRun:
    """The scenario of the marker: `named` holds its resources by name, `run()` executes its actions."""
    used: _Used = request.node.stash[_USED]
    if used.run is None:
        raise pytest.UsageError("orlop_scenario needs @pytest.mark.orlop(scenario=…) at the test")
    return used.run


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Checks the markers, also of tests that do not use their settings."""
    _marked(item)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]) -> Iterator[None]:
    """Adds to the report of a failed test: the seed, the command that repeats it, the last events, and the file with
    the report of the run."""
    report: pytest.TestReport = yield  # type: ignore[assignment]
    used = item.stash.get(_USED, None)
    if report.failed and used is not None and call.when != "teardown":  # the simulation is closed after that
        report.sections.append(("orlop", "\n".join(_account(item, used))))
    elif report.failed and used is not None:
        report.sections.append(("orlop", _repeat(item, used)))
    return report  # type: ignore[return-value]


def _account(item: pytest.Item, used: _Used) -> list[str]:
    from ..errors import Error
    from .traces.subjects import subjects_of_events

    lines = [_repeat(item, used)]
    try:
        events = used.simulation.events()
        names = subjects_of_events(events)
        lines.append(f"the last of {len(events)} events, at {used.simulation.now().isoformat()}:")
        for event in events[-_EVENTS_SHOWN:]:
            name = names[event["subject"]].name if event["subject"] in names else event["subject"]
            lines.append(f"  {event['at']} {event['kind']} {name} {event.get('detail') or ''}".rstrip())
        lines.append(f"the report of the run: {_report(item, used)}")
    except (Error, OSError) as error:  # the test closed it, or the disk is full
        lines.append(f"there is no more about it: {error}")
    return lines


def _repeat(item: pytest.Item, used: _Used) -> str:
    seed = used.simulation.seed
    head, bracket, ids = item.nodeid.partition("[")
    run = getattr(getattr(item, "callspec", None), "params", {}).get("_orlop_run")
    if run is not None:  # the seed repeats it without --orlop-runs, and then its id has no run
        ids = re.sub(rf"^run{run}-|-run{run}(?=[\]-])|^run{run}\]", "", ids, count=1)
    with contextlib.suppress(ValueError):  # on another drive
        head = os.path.relpath(item.path, item.config.invocation_params.dir) + head[head.find("::") :]
    node = head + (bracket + ids if ids else "")
    return f"the simulation's seed was {seed}: run again with: pytest {shlex.quote(node)} --orlop-seed={seed}"


def _report(item: pytest.Item, used: _Used) -> Path:
    from ..reporting.run_report import Report

    folder = _folder(item.config)
    folder.mkdir(parents=True, exist_ok=True)
    name = re.sub(r"[^\w.-]+", "_", item.nodeid)[-_NAME_MAX:]
    # The checksum separates ids that differ only in replaced characters.
    path = folder / f"{name}-{zlib.crc32(item.nodeid.encode(errors='replace')):08x}.html"
    Report.of(used.simulation, title=f"{item.name}, seed {used.simulation.seed}").save(path)
    return path


def _folder(config: pytest.Config) -> Path:
    given = config.getoption("--orlop-reports")
    if given:
        return Path(config.rootpath, given)
    cache = getattr(config, "cache", None)
    return (
        Path(cache.mkdir("orlop"))
        if cache is not None
        else Path(tempfile.gettempdir(), f"orlop-reports-{os.getuid() if hasattr(os, 'getuid') else 0}")
    )


def _marked(item: pytest.Item) -> dict[str, Any]:
    """Returns the arguments of the markers at the test, its class and its module; the nearest one has precedence."""
    found = dict(_DEFAULTS)
    for marker in reversed(list(item.iter_markers("orlop"))):
        if marker.args:
            raise pytest.UsageError(f"the marker orlop takes names only, such as orlop(seed=1), not {marker.args[0]!r}")
        for name, value in marker.kwargs.items():
            if name not in _DEFAULTS:
                raise pytest.UsageError(f"the marker orlop takes {', '.join(_DEFAULTS)}, not {name!r}")
            found[name] = value
    if not isinstance(found["guard"], bool):
        raise pytest.UsageError(f"guard of the marker orlop must be True or False, not {found['guard']!r}")
    _check_speed(found["speed"])
    return found


def _check_speed(speed: object) -> None:
    from ..options.arguments import SPEED_MAX, shown

    if not isinstance(speed, int | float) or isinstance(speed, bool) or not 0 <= speed <= SPEED_MAX:
        raise pytest.UsageError(f"speed of the marker orlop must be a number of 0 to {SPEED_MAX:g}, not {shown(speed)}")


def _hosts(given: object) -> tuple[str, ...]:
    if (
        isinstance(given, str)
        or not isinstance(given, list | tuple | set | frozenset)
        or not all(isinstance(host, str) and host and "/" not in host for host in given)
    ):
        raise pytest.UsageError(
            f"allow_hosts of the marker orlop must be a list of hosts without a scheme or a path, such as "
            f'["127.0.0.1", "localhost:5432"], not {given!r}'
        )
    return tuple(given)


def _seed_of(config: pytest.Config, marked: object) -> int:
    # The option repeats a run, so it precedes a marker.
    given = config.getoption("--orlop-seed")
    if given is None and marked is not None:
        return _number("seed of the marker orlop", marked)
    if given is None:
        return _number("the environment variable ORLOP_SEED", os.environ.get("ORLOP_SEED", "0"))
    return _number("--orlop-seed", given)


def _number(what: str, given: object) -> int:
    if given == "random":
        return secrets.randbits(32)
    try:
        found = int(given) if isinstance(given, str) else given
    except ValueError:
        found = None
    if not isinstance(found, int) or isinstance(found, bool) or not 0 <= found <= _SEED_MAX - _RUNS_MAX:
        raise pytest.UsageError(
            f'{what} must be "random" or a whole number of 0 to {_SEED_MAX - _RUNS_MAX}, not {given!r}'
        )
    return found


def _opened(item: pytest.Item, given: Mapping[str, Any], seed: int) -> tuple[Simulation, ScenarioRun | None]:
    """Returns the simulation of a test, with the resources of the marker's scenario and the marker's rules."""
    from .simulation import Simulation

    if given["scenario"] is None:
        simulation, run = Simulation(seed=seed), None
    else:
        from .scenarios.document import read
        from .scenarios.play import furnished

        simulation, run = furnished(read(str(_scenario_path(item, given["scenario"]))), seed)
    rules = given["rules"]
    try:
        if isinstance(rules, str):
            simulation.rules.pack(rules)  # type: ignore[arg-type]
        elif isinstance(rules, Mapping):
            simulation.rules.load(rules)
        elif isinstance(rules, list | tuple):
            simulation.rules.load({"rules": list(rules)})
        elif rules is not None:
            raise pytest.UsageError(
                f"rules of the marker orlop must be a list of rules, a document of rules or the name of a pack, "
                f"not {rules!r}"
            )
    except BaseException:
        simulation.close()
        raise
    return simulation, run


def _scenario_path(item: pytest.Item, given: object) -> Path:
    """Returns the file, relative to the folder of the test or to pytest's root."""
    if not isinstance(given, str | os.PathLike):
        raise pytest.UsageError(f"scenario of the marker orlop must be the path of a file, not {given!r}")
    places = [item.path.parent / given, item.config.rootpath / given]
    for path in places:
        if path.is_file():
            return path
    raise pytest.UsageError(
        f"the scenario {os.fspath(given)!r} of the marker orlop is neither at {places[0]} nor at {places[1]}"
    )
