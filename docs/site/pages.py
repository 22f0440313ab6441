"""Hooks of the documentation's site. The documents at the root of the project and the public headers become pages, and
the navigation follows the tables of links that the README of each folder shows, so that no second list has to be
kept."""

import pathlib
import posixpath
import re

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

ROOT = pathlib.Path(__file__).resolve().parents[2]
# What lies outside of docs/, and its page.
PAGES = {
    "README.md": "index.md",
    "ARCHITECTURE.md": "architecture.md",
    "CONTRIBUTING.md": "contributing.md",
    "CHANGELOG.md": "changelog.md",
}
HEADERS = {
    f"include/orlop/{name}": f"headers/{name}.md"
    for name in (
        "orlop.h",
        "simulation.h",
        "driver.h",
        "ports.h",
        "feed.h",
        "batch.h",
        "workloads.h",
        "storage.h",
        "enums.h",
        "orlop.hpp",
    )
}
FOLDERS = {"Guide": "guide", "Reference": "reference", "Internals": "internals", "Measurements": "measurements"}
SUBJECT = re.compile(r"^## (.+)$", re.MULTILINE)
API_PAGE = (
    "# HTTP API\n\nEvery operation that the engine serves, from "
    '[openapi.json](openapi.json).\n\n<swagger-ui src="openapi.json"/>\n'
)
LINK = re.compile(r"\[(?P<text>[^\]]*)\]\((?P<target>[^)#\s]+)(?P<anchor>#[^)\s]*)?\)")


def linked_pages(folder: str) -> list[str]:
    """The pages of a folder of docs/ in the order in which its README links to them."""
    text = (ROOT / "docs" / folder / "README.md").read_text(encoding="utf-8")
    pages = [f"{folder}/README.md"]
    for link in LINK.finditer(text):
        page = posixpath.normpath(f"{folder}/{link['target']}")
        if page.endswith(".md") and page.startswith(folder) and page not in pages:
            pages.append(page)
    return pages


def decisions() -> list[str | dict[str, list[str]]]:
    """The index of the decisions, then the pages of each of its subjects."""
    text = (ROOT / "docs" / "decisions" / "README.md").read_text(encoding="utf-8")
    parts = SUBJECT.split(text)
    pages: list[str | dict[str, list[str]]] = ["decisions/README.md"]
    for subject, rows in zip(parts[1::2], parts[2::2], strict=True):
        pages.append({subject: [f"decisions/{link['target']}" for link in LINK.finditer(rows)]})
    return pages


def source_of(page: str) -> str:
    """The path of a page's document in the project."""
    return next((source for source, name in PAGES.items() if name == page), f"docs/{page}")


def page_link(link: re.Match[str], page: str) -> str:
    """A link of a document as its page needs it: to a page of the site, or plain text where the site has none for its
    target."""
    if ":" in link["target"]:
        return link[0]
    target = posixpath.normpath(posixpath.join(posixpath.dirname(source_of(page)), link["target"]))
    other = PAGES.get(target) or HEADERS.get(target) or target.removeprefix("docs/")
    if other == target and not target.startswith("docs/"):
        return link["text"]
    return f"[{link['text']}]({posixpath.relpath(other, posixpath.dirname(page) or '.')}{link['anchor'] or ''})"


def header_page(path: str) -> str:
    code = (ROOT / path).read_text(encoding="utf-8")
    language = "cpp" if path.endswith(".hpp") else "c"
    return f"# {path.removeprefix('include/')}\n\n```{language}\n{code}```\n"


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    folders = {title: linked_pages(folder) for title, folder in FOLDERS.items()}
    config.nav = [
        {"Home": "index.md"},
        {"Guide": folders["Guide"]},
        {"Reference": folders["Reference"]},
        {"HTTP API": "api.md"},
        {"Interface by family": "reference/coverage.md"},
        {"Python API": "reference/python.md"},
        {"C and C++ API": [{path.removeprefix("include/"): page} for path, page in HEADERS.items()]},
        {"Internals": folders["Internals"]},
        {"Decisions": decisions()},
        {"Measurements": folders["Measurements"]},
        {"Project": ["architecture.md", "contributing.md", "changelog.md"]},
    ]
    return config


def on_files(files: Files, config: MkDocsConfig) -> Files:
    for document, page in PAGES.items():
        files.append(File.generated(config, page, content=(ROOT / document).read_text(encoding="utf-8")))
    for path, page in HEADERS.items():
        files.append(File.generated(config, page, content=header_page(path)))
    files.append(File.generated(config, "api.md", content=API_PAGE))
    files.append(File.generated(config, "assets/site.css", abs_src_path=str(ROOT / "docs/site/site.css")))
    files.append(File.generated(config, "assets/mermaid.min.js", abs_src_path=str(ROOT / "build/docs/mermaid.min.js")))
    return files


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    name = page.file.src_uri
    if name == "api.md" or name.startswith("headers/"):
        return markdown
    return LINK.sub(lambda link: page_link(link, name), markdown)
