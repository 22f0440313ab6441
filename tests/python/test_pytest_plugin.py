"""The pytest plugin: fixtures, markers, options, messages of failures, the guard, and xdist."""

from __future__ import annotations

import os
import pathlib
import shlex
import textwrap

import pytest

pytest_plugins = ["pytester"]

SCENARIO = """\
rules:
  - {step: deploy, after: 1m}
resources:
  - {family: organization, name: acme, plan: FREE}
  - {family: cluster, name: europe, region: eu-west-3, cloud_provider: AWS}
  - {family: project, name: shop}
  - {family: environment, name: production, cluster_id: "{europe}"}
  - {family: database, name: stock, type: POSTGRESQL, version: "16", mode: CONTAINER}
actions:
  - {at: 5m, deploy: production}
"""


def outcome(pytester: pytest.Pytester, text: str, *arguments: str) -> pytest.RunResult:
    """Runs a file of tests with this plugin alone: loading the other installed plugins takes longer than the tests."""
    pytester.makepyfile(textwrap.dedent(text))
    os.environ["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"
    try:
        return pytester.runpytest_subprocess("-p", "orlop.simulation.pytest_plugin", *arguments)
    finally:
        del os.environ["PYTEST_DISABLE_PLUGIN_AUTOLOAD"]


def test_markers_give_seed_scenario_and_rules(pytester: pytest.Pytester) -> None:
    pathlib.Path(pytester.path, "shop.yml").write_text(SCENARIO)
    outcome(
        pytester,
        """
        import pytest

        pytestmark = pytest.mark.orlop(seed=5)

        def test_the_module_has_a_seed(orlop_sim):
            assert orlop_sim.seed == 5

        @pytest.mark.orlop(scenario="shop.yml", rules=[{"step": "deploy", "name": "stock", "fails": "no space"}])
        def test_a_scenario_furnishes(orlop_sim, orlop_scenario):
            assert orlop_sim.seed == 5 and orlop_scenario.named["production"].state == "READY"
            orlop_scenario.run()
            assert orlop_scenario.named["stock"].state == "DEPLOYMENT_ERROR" and orlop_scenario.refused == []

        @pytest.mark.orlop(seed=6, rules="realistic")
        def test_a_pack(orlop_sim):
            assert orlop_sim.seed == 6 and orlop_sim.rules.to_dict()["pack"] == "realistic"

        @pytest.mark.orlop(rules={"transitions": {"cluster": "manual"}})
        def test_a_document(orlop_sim):
            assert orlop_sim.transitions["cluster"] == "manual"
        """,
    ).assert_outcomes(passed=4)


def test_the_url_answers_and_time_passes(pytester: pytest.Pytester) -> None:
    outcome(
        pytester,
        """
        import json, urllib.request
        import pytest

        def clock(url):
            return json.load(urllib.request.urlopen(url + "/-/sim/clock"))["now"]

        def test_time_stands_still(orlop_url, orlop_sim):
            assert clock(orlop_url) == clock(orlop_url) == "2026-01-01T00:00:00.000Z" and orlop_url.startswith("http://127.0.0.1:")

        @pytest.mark.orlop(speed=1e6)
        def test_time_passes(orlop_url):
            while clock(orlop_url) < "2026-01-01T01":
                pass
        """,
    ).assert_outcomes(passed=2)


WRONG_MARKERS = {
    "1": "the marker orlop takes names only, such as orlop(seed=1), not 1",
    "sed=1": "the marker orlop takes seed, scenario, rules, speed, guard, allow_hosts, not 'sed'",
    "seed=-1": 'seed of the marker orlop must be "random" or a whole number of 0 to 9223372036854765807, not -1',
    "seed=True": 'seed of the marker orlop must be "random" or a whole number of 0 to 9223372036854765807, not True',
    "seed='x'": "seed of the marker orlop must be \"random\" or a whole number of 0 to 9223372036854765807, not 'x'",
    "scenario='none.yml'": "the scenario 'none.yml' of the marker orlop is neither at",
    "scenario=3": "scenario of the marker orlop must be the path of a file, not 3",
    "allow_hosts='127.0.0.1'": "allow_hosts of the marker orlop must be a list of hosts",
    "allow_hosts=['http://db:5432/']": 'without a scheme or a path, such as ["127.0.0.1", "localhost:5432"], not '
    "['http://db:5432/']",
    "allow_hosts=['']": "localhost:5432\"], not ['']",
    "rules=5": "rules of the marker orlop must be a list of rules, a document of rules or the name of a pack, not 5",
    "guard='no'": "guard of the marker orlop must be True or False, not 'no'",
    "speed='fast'": "speed of the marker orlop must be a number of 0 to 1e+09, not 'fast'",
    "speed=True": "speed of the marker orlop must be a number of 0 to 1e+09, not True",
    "speed=-1": "speed of the marker orlop must be a number of 0 to 1e+09, not -1",
    "speed=float('nan')": "speed of the marker orlop must be a number of 0 to 1e+09, not nan",
    "speed=10**10": "speed of the marker orlop must be a number of 0 to 1e+09, not 10000000000",
    "rules='slow'": 'pack must be instant, realistic or chaos, not "slow"',
    "rules=[{'stpe': 'x'}]": "stpe is not a member of a rule",
}


def test_a_wrong_marker_is_named(pytester: pytest.Pytester) -> None:
    tests = [
        f"@pytest.mark.orlop({marker})\ndef test_{number}(orlop_sim):\n    pass\n"
        for number, marker in enumerate(WRONG_MARKERS)
    ]
    result = outcome(pytester, "import pytest\n\n" + "\n".join(tests), "--tb=line")
    result.assert_outcomes(errors=len(WRONG_MARKERS))
    for said in WRONG_MARKERS.values():
        assert said in result.stdout.str(), said


def test_a_marker_is_checked_also_at_a_test_that_does_not_use_it(pytester: pytest.Pytester) -> None:
    markers = {
        marker: said for marker, said in WRONG_MARKERS.items() if marker.split("=")[0] in ("1", "sed", "speed", "guard")
    }
    tests = [f"@pytest.mark.orlop({marker})\ndef test_{number}():\n    pass\n" for number, marker in enumerate(markers)]
    result = outcome(
        pytester, "import pytest\n\n" + "\n".join([*tests, "def test_without():\n    pass\n"]), "--tb=line"
    )
    result.assert_outcomes(errors=len(markers), passed=1)
    for said in markers.values():
        assert said in result.stdout.str(), said


def test_runs_have_the_next_seeds_and_a_failure_names_its_own(pytester: pytest.Pytester) -> None:
    text = """
        def test_it(orlop_sim):
            acme = orlop_sim.organizations.create(name="acme", plan="FREE")
            assert orlop_sim.seed != 12

        def test_without():
            pass
    """
    result = outcome(pytester, text, "--orlop-runs", "5", "--orlop-seed", "10", "--orlop-reports", "reports")
    result.assert_outcomes(passed=5, failed=1)
    result.stdout.fnmatch_lines(
        [
            "*run again with: pytest test_runs_have_the_next_seeds_and_a_failure_names_its_own.py::test_it "
            "--orlop-seed=12",
            "the last of 1 events, at 2026-01-01T00:00:00+00:00:",
            "*organization.created acme*",
            "the report of the run: *reports*test_it_run2_-*.html",
        ]
    )
    assert len(list(pathlib.Path(pytester.path, "reports").glob("*.html"))) == 1
    again = outcome(pytester, text, "--orlop-seed=12")
    again.assert_outcomes(passed=1, failed=1)


@pytest.mark.parametrize("arguments", [("--orlop-runs", "0"), ("--orlop-seed", "x")])
def test_wrong_options_are_named(arguments: tuple[str, str], pytester: pytest.Pytester) -> None:
    result = outcome(pytester, "def test_it(orlop_sim):\n    pass\n", *arguments)
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    assert f"{arguments[0]} must be" in result.stderr.str()


def test_the_environment_variable_still_counts(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ORLOP_SEED", "7")
    outcome(pytester, "def test_it(orlop_sim):\n    assert orlop_sim.seed == 7\n").assert_outcomes(passed=1)


REPEATED = """
    import pytest

    @pytest.mark.parametrize("value", ["it's", "run1-a", "$HOME", "a/b", "a b"])
    def test_it(orlop_sim, value):
        assert orlop_sim.seed != 1

    @pytest.fixture(params=["x-y"])
    def before(request):
        pass

    def test_another(before, orlop_sim):
        assert orlop_sim.seed != 1
"""


def test_the_command_repeats_a_run_whatever_its_id(pytester: pytest.Pytester) -> None:
    result = outcome(pytester, REPEATED, "--orlop-runs", "2", "--orlop-reports", "reports")
    result.assert_outcomes(passed=6, failed=6)
    commands = [
        shlex.split(line.partition("run again with: pytest ")[2])
        for line in result.outlines
        if "run again with" in line
    ]
    again = outcome(pytester, REPEATED, *[command[0] for command in commands], "--orlop-seed=1")
    again.assert_outcomes(failed=6)
    assert {command[1] for command in commands} == {"--orlop-seed=1"} and len(
        list(pathlib.Path(pytester.path, "reports").iterdir())
    ) == 6


def test_the_command_is_for_the_folder_in_which_pytest_ran(
    pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytester.makeini("[pytest]")
    folder = pytester.mkdir("inside")
    (folder / "test_it.py").write_text("def test_it(orlop_sim):\n    assert 0\n")
    monkeypatch.chdir(folder)
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
    pytester.runpytest_subprocess("-p", "orlop.simulation.pytest_plugin", "test_it.py").stdout.fnmatch_lines(
        ["*run again with: pytest test_it.py::test_it --orlop-seed=0"]
    )


def test_a_fixture_that_fails_shows_the_last_events(pytester: pytest.Pytester) -> None:
    text = """
        import pytest

        @pytest.fixture
        def platform(orlop_sim):
            orlop_sim.organizations.create(name="acme", plan="FREE")
            raise RuntimeError

        def test_it(platform):
            pass
    """
    result = outcome(pytester, text, "--orlop-reports", "reports")
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines(
        ["the last of 1 events, *", "*organization.created acme*", "the report of the run: *.html"]
    )


def test_it_works_with_xdist(pytester: pytest.Pytester) -> None:
    result = outcome(
        pytester,
        "def test_it(orlop_sim):\n    assert orlop_sim.seed % 4\n",
        "-p",
        "xdist",
        "-n",
        "2",
        "--orlop-runs",
        "8",
        "--orlop-reports",
        "reports",
    )
    result.assert_outcomes(passed=6, failed=2)
    assert "--orlop-seed=0" in result.stdout.str() and "--orlop-seed=4" in result.stdout.str()
    assert len(list(pathlib.Path(pytester.path, "reports").iterdir())) == 2


GUARDED = """
    import contextlib, http.server, socket, threading, urllib.request
    import pytest

    @pytest.fixture(scope="module")
    def elsewhere():
        with socket.create_server(("127.0.0.1", 0)) as server:
            yield server.getsockname()[1]

    def test_a_connection_elsewhere(orlop_sim, elsewhere):
        socket.create_connection(("127.0.0.1", elsewhere))

    def test_one_that_is_swallowed(orlop_sim, elsewhere):
        with contextlib.suppress(Exception):
            socket.create_connection(("127.0.0.1", elsewhere))

    def test_one_of_a_thread(orlop_sim, elsewhere):
        thread = threading.Thread(target=lambda: socket.socket().connect_ex(("127.0.0.1", elsewhere)))
        thread.start()
        thread.join()

    def test_a_name(orlop_sim):
        with contextlib.suppress(Exception):
            urllib.request.urlopen("http://example.com/")

    def test_an_address_of_a_name(orlop_sim):
        with contextlib.suppress(Exception):
            socket.gethostbyname("example.com")

    def test_all_addresses_of_a_name(orlop_sim):
        with contextlib.suppress(Exception):
            socket.gethostbyaddr("example.com")

    def test_a_datagram(orlop_sim):
        with contextlib.suppress(Exception), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sock:
            sock.sendto(b"x", ("127.0.0.1", 9))

    def test_a_message(orlop_sim):
        with contextlib.suppress(Exception), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sock:
            sock.sendmsg([b"x"], [], 0, ("127.0.0.1", 9))
"""
ALLOWED = """
    import contextlib, socket, urllib.request
    import pytest

    @pytest.fixture(scope="module")
    def elsewhere():
        with socket.create_server(("127.0.0.1", 0)) as server:
            yield server.getsockname()[1]

    def test_the_simulation(orlop_url):
        assert urllib.request.urlopen(orlop_url + "/openapi.json").status == 200
        assert urllib.request.urlopen(orlop_url.replace("127.0.0.1", "localhost") + "/openapi.json").status == 200

    def test_a_second_server(orlop_sim):
        with orlop_sim.serve() as url:
            assert urllib.request.urlopen(url + "/openapi.json").status == 200

    @pytest.mark.orlop(allow_hosts=["127.0.0.1"])
    def test_an_allowed_host(orlop_sim, elsewhere):
        socket.create_connection(("127.0.0.1", elsewhere)).close()

    @pytest.mark.orlop(allow_hosts=["LocalHost"])
    def test_an_allowed_name(orlop_sim, elsewhere):
        socket.create_connection(("localhost", elsewhere)).close()

    @pytest.mark.orlop(allow_hosts=["localhost:9", "[::1]:9"])
    def test_an_allowed_port(orlop_sim):
        for family, host in ((socket.AF_INET, "127.0.0.1"), (socket.AF_INET6, "::1")):
            with contextlib.suppress(OSError):
                socket.socket(family).connect((host, 9))

    @pytest.mark.orlop(guard=False)
    def test_without_a_guard(orlop_sim, elsewhere):
        socket.create_connection(("127.0.0.1", elsewhere)).close()

    def test_without_a_simulation(elsewhere):
        socket.create_connection(("127.0.0.1", elsewhere)).close()

    @pytest.mark.orlop(allow_hosts=["name.invalid:80"])
    def test_names_of_this_machine_and_an_allowed_one(orlop_sim):
        for name in ("localhost", socket.gethostname(), "name.invalid"):
            with contextlib.suppress(OSError):
                socket.gethostbyname(name)
        socket.getfqdn(), socket.getfqdn("127.0.0.1")

    def test_a_socket_of_this_machine(orlop_sim):
        one, two = socket.socketpair()
        one.close(), two.close()
"""


def test_the_guard_fails_tests_that_talk_to_others(pytester: pytest.Pytester) -> None:
    result = outcome(pytester, GUARDED)
    counts = result.parseoutcomes()
    assert counts.get("failed", 0) + counts.get("errors", 0) >= 5, counts
    text = result.stdout.str()
    for test in (
        "test_a_connection_elsewhere",
        "test_one_that_is_swallowed",
        "test_one_of_a_thread",
        "test_a_name",
        "test_an_address_of_a_name",
        "test_all_addresses_of_a_name",
        "test_a_datagram",
        "test_a_message",
    ):
        assert f"ERROR test_the_guard_fails_tests_that_talk_to_others.py::{test}" in text, test
    assert (
        "the test tried to connect to 127.0.0.1:" in text
        and "the test tried to look up example.com" in text
        and "tried to send to 127.0.0.1:9" in text
    )


def test_the_guard_can_be_switched_off(pytester: pytest.Pytester) -> None:
    outcome(pytester, GUARDED.split("def test_a_name")[0], "--orlop-no-guard").assert_outcomes(passed=3)


def test_what_is_allowed_passes(pytester: pytest.Pytester) -> None:
    outcome(pytester, ALLOWED).assert_outcomes(passed=9)


def test_a_scenario_is_needed_for_its_fixture(pytester: pytest.Pytester) -> None:
    result = outcome(pytester, "def test_it(orlop_scenario):\n    pass\n")
    assert result.ret != 0 and "orlop_scenario needs @pytest.mark.orlop(scenario=" in result.stdout.str()
