"""Takes a picture of the upper part of a report: screenshot.py REPORT PICTURE. scripts/screenshot runs it."""

from __future__ import annotations

import os
import pathlib
import shutil
import sys

from playwright.sync_api import sync_playwright  # type: ignore[import-not-found, unused-ignore]

CHROMIUM = (
    os.environ.get("ORLOP_CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser") or "chromium"
)


def main(report: str, picture: str) -> None:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": 1100, "height": 780}, color_scheme="light")
        page.goto(pathlib.Path(report).resolve().as_uri())
        page.wait_for_selector("html[data-ready]")
        page.screenshot(path=picture)
        browser.close()


if __name__ == "__main__":
    main(*sys.argv[1:])
