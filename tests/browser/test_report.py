"""The report in Chromium: painting, clicks, keys, search, dark mode, a narrow page, print, and 10,000 services.
scripts/check-browser runs it."""

from __future__ import annotations

import os
import pathlib
import shutil
import sys
from collections.abc import Iterator
from typing import Any

import pytest

import orlop
from orlop.reporting.run_data import Trace
from orlop.reporting.run_report import Report
from orlop.simulation.scenarios import document
from orlop.simulation.scenarios.play import play

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / "python"))
from reported_runs import CRASHES, WELL, traced  # noqa: E402

sync_api = pytest.importorskip("playwright.sync_api")
SCENARIOS = pathlib.Path(__file__).resolve().parents[2] / "examples" / "scenarios"
CHROMIUM = (
    os.environ.get("ORLOP_CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser") or "chromium"
)
WIDE, NARROW = {"width": 1280, "height": 900}, {"width": 420, "height": 900}
# Counts, for each colour of the state chart, the pixels that are near it.
COLOURS = """() => {
  const canvas = document.querySelector('.gantt canvas'), data = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data;
  const found = {deployed: 0, failed: 0, working: 0}, near = (at, red, green, blue) => Math.abs(data[at] - red) + Math.abs(data[at + 1] - green) + Math.abs(data[at + 2] - blue) < 12;
  for (let at = 0; at < data.length; at += 4) {
    found.deployed += near(at, 0x2e, 0x9e, 0x5b); found.failed += near(at, 0xd6, 0x45, 0x3d); found.working += near(at, 0x2f, 0x7d, 0xe1);
  }
  return found;
}"""


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with sync_api.sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield running
        running.close()


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> pathlib.Path:
    """Report of two runs of a scenario, compared."""
    scenario = document.read(str(SCENARIOS / "flaky_registry.yml"))
    traces = [
        Trace(f"seed {seed}", run.events, run.subjects) for seed in (4, 13) for run in [play(scenario, seed, "names")]
    ]
    path = tmp_path_factory.mktemp("report") / "report.html"
    Report("flaky registry", *traces).save(path)
    return path


@pytest.fixture
def page(browser: Any, report: pathlib.Path) -> Iterator[Any]:
    yield from opened(browser, report)


def opened(browser: Any, path: pathlib.Path, **context: Any) -> Iterator[Any]:
    """Opens the page; fails if it writes to the console, raises, or requests anything but itself."""
    made = browser.new_context(**{"viewport": WIDE, "color_scheme": "light", **context})
    page = made.new_page()
    said: list[str] = []
    page.on(
        "console", lambda message: None if "getImageData" in message.text else said.append(message.text)
    )  # Chromium's hint on getImageData, which only these tests call
    page.on("pageerror", lambda error: said.append(str(error)))
    page.on(
        "request", lambda request: said.append(request.url) if not request.url.startswith(("file:", "data:")) else None
    )
    page.goto(path.as_uri())
    page.wait_for_selector("html[data-ready]")
    yield page
    made.close()
    assert said == []


def status(page: Any) -> str:
    text: str = page.locator("[role=status]").inner_text()
    return text


def painted(page: Any) -> None:
    """Waits for two frames, after which pending changes are painted."""
    page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")


def test_states_are_painted_in_their_colours(page: Any) -> None:
    found = page.evaluate(COLOURS)
    assert found["deployed"] > 20_000 and found["failed"] > 500 and found["working"] > 100, found


def test_search_and_filters(page: Any) -> None:
    assert page.locator("#count").inner_text() == "11 of 11 services"
    page.fill("#search", "web-1")
    assert page.locator("#count").inner_text() == "2 of 11 services"
    page.fill("#search", "no such service")
    assert page.locator("#count").inner_text() == "0 of 11 services" and page.evaluate(COLOURS)["deployed"] == 0
    page.fill("#search", "")
    page.check("#failed")
    assert page.locator("#count").inner_text() == "2 of 11 services"
    page.uncheck("#failed")
    page.select_option("#environment", "production")
    assert page.locator("#count").inner_text() == "10 of 11 services"
    page.select_option("#environment", "")
    page.select_option("#state", "DEPLOYMENT_ERROR")
    assert page.locator("#count").inner_text() == "2 of 11 services"


def test_hover_shows_reason_and_log(page: Any) -> None:
    page.fill("#search", "web-5")
    box = page.locator(".gantt .u-over").bounding_box()
    page.mouse.move(box["x"] + box["width"] * 0.26, box["y"] + 30)
    tip = page.locator(".tip")
    assert tip.is_visible()
    assert (
        "web-5 (container)" in tip.inner_text()
        and "DEPLOYMENT_ERROR for " in tip.inner_text()
        and "the registry answered 503" in tip.inner_text()
    )
    page.mouse.move(5, 5)
    assert not tip.is_visible()


def test_a_click_selects_and_keys_move(page: Any) -> None:
    box = page.locator(".gantt .u-over").bounding_box()
    page.mouse.click(box["x"] + box["width"] * 0.5, box["y"] + 30)  # the first row: europe
    assert "europe (cluster)" in status(page) and page.locator(".detail").is_visible()
    chart = page.locator(".gantt")
    chart.focus()
    chart.press("ArrowDown")
    assert status(page).startswith("web-1 (container)"), "headings are passed over"
    chart.press("ArrowRight")
    after = status(page)
    chart.press("ArrowLeft")
    assert status(page) != after
    chart.press("End")
    assert status(page).startswith("web-10 ")
    chart.press("Home")
    assert status(page).startswith("europe ")
    chart.press("Escape")


def test_keys_zoom_all_charts(page: Any) -> None:
    chart, queue = page.locator(".gantt"), page.locator("figure canvas").first
    before, queue_before = chart.screenshot(), queue.screenshot()
    chart.focus()
    chart.press("+")
    painted(page)
    assert chart.screenshot() != before and queue.screenshot() != queue_before
    chart.press("0")
    painted(page)
    assert queue.screenshot() == queue_before


def test_dragging_zooms_and_a_double_click_shows_all(page: Any) -> None:
    over, queue = page.locator(".gantt .u-over"), page.locator("figure canvas").first
    before = queue.screenshot()
    box = over.bounding_box()
    page.mouse.move(box["x"] + 200, box["y"] + 70)
    page.mouse.down()
    page.mouse.move(box["x"] + 400, box["y"] + 70, steps=4)
    page.mouse.up()
    painted(page)
    assert queue.screenshot() != before
    page.mouse.dblclick(box["x"] + 300, box["y"] + 70)
    painted(page)
    shown = queue.screenshot()
    page.locator(".gantt").press("0")
    painted(page)
    assert queue.screenshot() == shown, "the double click has shown all already"


def test_groups_fold(page: Any) -> None:
    box = page.locator(".gantt .u-over").bounding_box()
    before = page.evaluate(COLOURS)["deployed"]
    page.mouse.click(box["x"] - 100, box["y"] + 50)  # the heading of production
    assert page.evaluate(COLOURS)["deployed"] < before / 4


def test_the_comparison_names_the_first_difference(page: Any) -> None:
    section = page.locator("section[aria-label='Comparison: seed 4 and seed 13']")
    assert "After 6 equal events: " in section.inner_text() and "Services that differ (11)" in section.inner_text()


def test_screen_readers_have_a_table_and_names(page: Any) -> None:
    assert page.locator(".gantt").get_attribute("aria-label") == "States of services over time"
    assert page.locator("figure [role=img]").count() == 2 and page.locator("main").count() == 1
    page.click("summary:has-text('Services as a table')")
    rows = page.locator("details:has-text('Services as a table') tbody tr")
    assert rows.count() == 11 and "web-1" in rows.nth(1).inner_text()
    unnamed = page.evaluate(
        "[...document.querySelectorAll('input, select, button')].filter((field) => !(field.labels?.length || "
        "field.textContent.trim())).length"
    )
    assert unnamed == 0


def test_dark_and_light(browser: Any, report: pathlib.Path) -> None:
    for page in opened(browser, report, color_scheme="dark"):
        background = "getComputedStyle(document.body).backgroundColor"
        assert page.evaluate(background) == "rgb(18, 22, 28)"
        page.click("#theme")
        assert page.evaluate(background) == "rgb(255, 255, 255)"


def test_a_narrow_page_does_not_scroll_sideways(browser: Any, report: pathlib.Path) -> None:
    for page in opened(browser, report, viewport=NARROW):
        assert page.evaluate("document.documentElement.scrollWidth") == NARROW["width"]
        assert page.evaluate(COLOURS)["deployed"] > 5_000


def test_print_opens_the_table(browser: Any, report: pathlib.Path) -> None:
    for page in opened(browser, report):
        page.evaluate("dispatchEvent(new Event('beforeprint'))")
        page.emulate_media(media="print")
        assert page.locator("details:has-text('Services as a table') tbody tr").count() == 11
        assert not page.locator(".controls").is_visible()
        assert len(page.pdf()) > 20_000


def test_names_are_never_read_as_html(browser: Any, tmp_path: pathlib.Path) -> None:
    with orlop.Simulation() as simulation:
        acme = simulation.organizations.create(name="<img src=x onerror=console.log(1)>", plan="FREE")
        acme.clusters.create(name="<b>bold</b>", region="eu-west-3", cloud_provider="AWS").deploy().wait()
        simulation.report(title="</title><script>console.log(2)</script>").save(tmp_path / "page.html")
    for page in opened(browser, tmp_path / "page.html"):
        assert page.locator("h1").inner_text() == "</title><script>console.log(2)</script>"
        page.locator(".gantt").focus()
        page.locator(".gantt").press("Home")
        assert "<b>bold</b>" in page.locator(".detail").inner_text() and page.locator(".detail b").count() == 0


def test_ten_thousand_services_stay_usable(browser: Any, tmp_path: pathlib.Path) -> None:
    scenario = document.read(str(SCENARIOS / "contact_is_lost.yml"))
    run = play(scenario, 1, "names")
    events: list[dict[str, Any]] = []
    for number in range(2_500):
        events += [
            {**event, "subject": f"{number} {event['subject']}"}
            for event in run.events
            if event["kind"].startswith(("service.", "cluster."))
        ]
    events.sort(key=lambda event: str(event["at"]))
    Report("large", Trace("", events, {})).save(tmp_path / "large.html")
    for page in opened(browser, tmp_path / "large.html"):
        assert page.locator("#count").inner_text() == "10000 of 10000 services"
        frames = page.evaluate("""async () => {
          const host = document.querySelector('.gantt'), times = [];
          for (let step = 0; step < 30; step++) {
            host.scrollTop = step * 6000;
            const begin = performance.now();
            await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
            times.push(performance.now() - begin);
          }
          return times.sort((left, right) => left - right)[15];
        }""")
        assert frames < 500, f"two frames of scrolling took {frames} ms"
        page.fill("#search", "2499 ")
        assert page.locator("#count").inner_text() == "4 of 10000 services"


def test_nodes_use_and_cost_are_charts_that_zoom_with_the_others(browser: Any, tmp_path: pathlib.Path) -> None:
    run = play(document.read(str(SCENARIOS / "platform.yml")), 1, "names")
    Report("a platform", Trace("seed 1", run.events, run.subjects)).save(tmp_path / "report.html")
    for page in opened(browser, tmp_path / "report.html"):
        captions = page.locator("figcaption").all_inner_texts()
        assert captions[1:6] == [
            "Nodes of europe",
            "Use of europe, in percent",
            "Nodes of tests",
            "Use of tests, in percent",
            "Cost of the nodes an hour",
        ]
        assert "nodes for 9.98" in page.locator("h1 + p").inner_text()
        over = page.locator("figure", has_text="Nodes of europe").locator(".u-over")
        over.scroll_into_view_if_needed()
        over.hover()
        page.wait_for_function(
            "() => [...document.querySelectorAll('figure')].some((each) => /Nodes of "
            "europe/.test(each.textContent) && /ready:?\\s*[1-5]/.test(each.textContent))"
        )
        canvas = page.locator("figure", has_text="Cost of the nodes").locator("canvas")
        before = canvas.evaluate("canvas => canvas.toDataURL()")
        page.get_by_role("button", name="Zoom in").click()
        page.wait_for_function(
            "([canvas, before]) => canvas.toDataURL() !== before", arg=[canvas.element_handle(), before]
        )


def test_running_states_halves_and_the_answer_are_shown(browser: Any, tmp_path: pathlib.Path) -> None:
    traces = [traced(CRASHES, "seed 1"), traced(WELL, "seed 2")]
    Report("crashes", *traces, verdict="Not as expected: it crashed.").save(tmp_path / "report.html")
    for page in opened(browser, tmp_path / "report.html"):
        answer = page.locator("[aria-label=Answer]").inner_text()
        assert (
            answer.startswith("Not as expected: it crashed.")
            and "seed 1: 1 of 2 deployments did not succeed." in answer
            and "seed 2: all 2 deployments succeeded." in answer
        )
        legends = page.locator(".legend").all_inner_texts()
        assert "upper half of a bar: seed 1" in legends[0] and "lower half: seed 2" in legends[0]
        assert "RUNNING" in legends[2] and "ERROR" in legends[2]
        page.select_option("#state", "running: ERROR")
        assert page.locator("#count").inner_text() == "1 of 3 services"
        assert page.evaluate(COLOURS)["failed"] > 500, "the running state ERROR is painted"
        box = page.locator(".gantt .u-over").bounding_box()
        page.mouse.move(box["x"] + box["width"] * 0.2, box["y"] + 48)
        tip = page.locator(".tip").inner_text()
        assert (
            "upper half, seed 1: DEPLOYED for " in tip
            and "running state: RUNNING 20m00s, ERROR 39m00s" in tip
            and "lower half, seed 2: DEPLOYED for " in tip
        )
        page.click("summary:has-text('Services as a table')")
        assert "ERROR" in page.locator("details:has-text('Services as a table') tbody tr").first.inner_text()
