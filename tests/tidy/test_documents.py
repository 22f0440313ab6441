"""Every block of code in a document names a file that the tests run, and equals it. Files that documents name exist.

`python3 tests/tidy/test_documents.py --write` updates the blocks that show a whole file."""

import pathlib
import re
import sys
import unittest
from collections.abc import Iterator

import codebase

# A mark on the line before its block: `<!-- file: PATH -->` shows the whole file, `<!-- part of: PATH -->` some lines
# of it.
BLOCK = re.compile(r"^```(?P<language>\S*)[^\n]*\n(?P<code>.*?)^```$", re.MULTILINE | re.DOTALL)
MARK = re.compile(r"<!-- (?P<kind>file|part of): (?P<path>\S+) -->\n\Z")
LONE_MARK = re.compile(r"^<!-- (?:file|part of): (?P<path>\S+) -->\n(?!```)", re.MULTILINE)
LINK = re.compile(r"\]\((?!https?://|#|mailto:)(?P<target>[^)#\s]+)")
NAMED = re.compile(r"`(?P<path>(?:bindings|core|docs|examples|include|python|scripts|stores|tests)/[\w./-]+)`")
HISTORY = ("CHANGELOG.md", "docs/decisions/")  # these name files as they were
# Drawings and printed output are not code.
NO_CODE = {"mermaid", "text"}


def shell_lines(code: str) -> Iterator[str]:
    for line in code.splitlines():
        if line.strip() and not line.startswith("#"):
            yield line.split("#")[0].strip()


def block_violations(language: str, code: str, before: str) -> list[str]:
    mark = MARK.search(before)
    if not mark:
        if language == "sh":
            return [
                f"no script of ours: {line}"
                for line in shell_lines(code)
                if not (codebase.ROOT / line.split()[0]).is_file() and not line.startswith(("git clone ", "cd "))
            ]
        return (
            [] if language in NO_CODE else [f"a block of {language or 'code'} without `<!-- file: PATH -->` before it"]
        )
    source = codebase.ROOT / mark["path"]
    if not source.is_file():
        return [f"there is no {mark['path']}"]
    text = codebase.text_of(source)
    if mark["kind"] == "file":
        return [] if text == code else [f"differs from {mark['path']}"]
    return [] if code.strip("\n") in text else [f"is no part of {mark['path']}"]


def violations(path: str, text: str) -> list[str]:
    found = []
    for block in BLOCK.finditer(text):
        number = text.count("\n", 0, block.start()) + 1
        for reason in block_violations(block["language"], block["code"], text[: block.start()]):
            found.append(f"{path}:{number}: {reason}")
    for mark in LONE_MARK.finditer(text):
        found.append(f"{path}: nothing of {mark['path']} is shown: a block must follow its mark")
    prose = BLOCK.sub("", text)
    for named in NAMED.finditer("" if path.startswith(HISTORY) else prose):
        if not (codebase.ROOT / named["path"]).exists():
            found.append(f"{path}: names {named['path']}, which is not there")
    for link in LINK.finditer(prose):
        target = (codebase.ROOT / path).parent / link["target"]
        if not target.exists():
            found.append(f"{path}: a link to {link['target']}, which is not there")
    return found


def documents() -> list[pathlib.Path]:
    return [path for path in codebase.files(suffixes={".md"}) if not codebase.is_generated(codebase.text_of(path))]


def refreshed(text: str) -> str:
    def block(match: re.Match[str]) -> str:
        mark = MARK.search(text[: match.start()])
        if not mark or mark["kind"] != "file" or not (codebase.ROOT / mark["path"]).is_file():
            return match.group()
        return f"```{match['language']}\n{codebase.text_of(codebase.ROOT / mark['path'])}```"

    return BLOCK.sub(block, text)


class Documents(unittest.TestCase):
    def test_every_block_is_a_file_and_every_link_leads_somewhere(self) -> None:
        found: list[str] = []
        self.assertTrue(documents())
        for path in documents():
            found += violations(codebase.shown(path), codebase.text_of(path))
        self.assertFalse(found, "\n" + "\n".join(found))

    def test_planted_blocks_are_found(self) -> None:
        planted = (
            "```c\nint main(void) {}\n```\n",
            "<!-- file: LICENSE -->\n```text\nnot the licence\n```\n",
            "<!-- file: no/such/file -->\n```c\n```\n",
            "<!-- part of: LICENSE -->\n```text\nnot a line of the licence\n```\n",
            "<!-- file: LICENSE -->\n\nText.\n",
            "```sh\nscripts/absent\n```\n",
            "[a guide](docs/absent.md)\n",
            "the file `core/absent.cpp`\n",
        )
        for text in planted:
            self.assertTrue(violations("README.md", text), text)

    def test_lawful_blocks_are_not(self) -> None:
        lawful = (
            "<!-- part of: LICENSE -->\n```text\nApache License\n```\n",
            "```sh\nscripts/demo   # the whole of it\n```\n",
            "```mermaid\nflowchart LR\n```\n",
            "`core/engine.cpp`, `scripts/test --all` and `core/*.h`\n",
            "[the licence](LICENSE) and [a page](https://example.com/a)\n",
        )
        for text in lawful:
            self.assertEqual(violations("README.md", text), [])

    def test_a_stale_block_is_brought_up_to_date(self) -> None:
        stale = "<!-- file: LICENSE -->\n```text\nold\n```\n"
        self.assertTrue(violations("README.md", stale))
        self.assertFalse(violations("README.md", refreshed(stale)))


if __name__ == "__main__":
    if sys.argv[1:] == ["--write"]:
        for document in documents():
            document.write_text(refreshed(codebase.text_of(document)), encoding="utf-8")
    else:
        unittest.main()
