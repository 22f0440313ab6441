"""Every decision has a date, a status and a plain title, and is in the index under one subject."""

import collections
import re
import typing
import unittest

import codebase

FOLDER = codebase.ROOT / "docs" / "decisions"
TITLE = re.compile(r"# (?P<number>\d+)\. (?P<title>\S.*)")
DATE = re.compile(r"Date: \d{4}-\d{2}-\d{2}(, changed \d{4}-\d{2}-\d{2})?")
STATUS = re.compile(r"Status: (?P<status>accepted|superseded by (?P<by>\d+)( \(\[[^\]]+\]\([^)]+\)\))?)")
# A title states the decision. A clause as its subject hides who does what.
CLAUSE = re.compile(r"(What|Who|Whose|Of|That|Those)\b|One (that|which|who|whose|of|in|to|by|for)\b")
SUBJECT = re.compile(r"## (?P<subject>\S.*)")
ROW = re.compile(r"\| \[(?P<number>\d+)\]\((?P<file>[^)]+)\) \| (?P<title>.+?)( \(superseded by (?P<by>\d+)\))? \|")


class Row(typing.NamedTuple):
    subject: str
    number: int
    title: str
    by: str | None


def number_of(name: str) -> int:
    return int(name.split("-")[0])


def index_rows(text: str) -> dict[str, list[Row]]:
    rows: dict[str, list[Row]] = collections.defaultdict(list)
    subject = ""
    for line in text.splitlines():
        if match := SUBJECT.fullmatch(line):
            subject = match["subject"]
        elif match := ROW.fullmatch(line):
            rows[match["file"]].append(Row(subject, int(match["number"]), match["title"], match["by"]))
    return rows


def page_violations(name: str, text: str, numbers: set[int]) -> list[str]:
    lines = [line for line in text.splitlines() if line][:3] + ["", "", ""]
    found = []
    title = TITLE.fullmatch(lines[0])
    if not title or int(title["number"]) != number_of(name):
        found.append(f"{name}: the first line must be `# {number_of(name)}. TITLE`, not `{lines[0]}`")
    elif clause := CLAUSE.match(title["title"]):
        found.append(f'{name}: the title must be a statement; it begins with the clause "{clause[0]} …"')
    if not DATE.fullmatch(lines[1]):
        found.append(f"{name}: the second line must be `Date: YYYY-MM-DD`, not `{lines[1]}`")
    status = STATUS.fullmatch(lines[2])
    if not status:
        allowed = "`Status: accepted` or `Status: superseded by NUMBER`"
        found.append(f"{name}: the third line must be {allowed}, not `{lines[2]}`")
    elif status["by"] and (int(status["by"]) not in numbers or int(status["by"]) == number_of(name)):
        found.append(f"{name}: it is superseded by {status['by']}, which is no other decision")
    return found


def index_violations(name: str, text: str, rows: list[Row]) -> list[str]:
    if len(rows) != 1:
        return [f"{name}: docs/decisions/README.md must list it under one subject, not {len(rows)}"]
    row, title, status = rows[0], TITLE.match(text), STATUS.search(text)
    found = []
    if not row.subject:
        found.append(f"{name}: docs/decisions/README.md lists it above the first subject")
    if row.number != number_of(name):
        found.append(f"{name}: docs/decisions/README.md gives it the number {row.number}")
    if title and row.title != title["title"]:
        found.append(f"{name}: docs/decisions/README.md has the title `{row.title}`, the page `{title['title']}`")
    if status and row.by != status["by"]:
        by = status["by"] or row.by
        found.append(f"{name}: docs/decisions/README.md and the page must agree on `superseded by {by}`")
    return found


def violations(pages: dict[str, str], index: str) -> list[str]:
    rows = index_rows(index)
    counts = collections.Counter(map(number_of, pages))
    found = [
        f"docs/decisions: {count} decisions have the number {number}" for number, count in counts.items() if count > 1
    ]
    found += [f"docs/decisions/README.md: there is no {name}" for name in rows if name not in pages]
    for name, text in pages.items():
        found += page_violations(name, text, set(counts)) + index_violations(name, text, rows.get(name, []))
    return found


def decisions() -> dict[str, str]:
    return {path.name: codebase.text_of(path) for path in sorted(FOLDER.glob("*.md")) if path.name != "README.md"}


PAGES = {
    "1-a.md": "# 1. Stores are files\n\nDate: 2026-11-20\n\nStatus: superseded by 2\n\n**Context.** Old.\n",
    "2-b.md": "# 2. Stores have a contract\n\nDate: 2026-11-21, changed 2026-11-22\n\nStatus: accepted\n",
}
INDEX = """# Decisions

## Stores

| [1](1-a.md) | Stores are files (superseded by 2) |
| [2](2-b.md) | Stores have a contract |

## Builds
"""


class Decisions(unittest.TestCase):
    def test_every_decision_has_a_date_a_status_and_a_subject(self) -> None:
        self.assertGreater(len(decisions()), 100)
        found = violations(decisions(), codebase.text_of(FOLDER / "README.md"))
        self.assertFalse(found, "\n" + "\n".join(found))

    def test_lawful_decisions_pass(self) -> None:
        self.assertEqual(violations(PAGES, INDEX), [])
        for title in ("One port for all systems", "Ofline", "Thatch", "The one that commits waits"):
            page = PAGES["2-b.md"].replace("Stores have a contract", title)
            self.assertEqual(violations(PAGES | {"2-b.md": page}, INDEX.replace("Stores have a contract", title)), [])

    def test_planted_faults_in_pages_are_found(self) -> None:
        planted = {
            "Date: 2026-11-21, changed 2026-11-22": ("", "Date: yesterday", "**Date.** 2026-11-21."),
            "Status: accepted": (
                "",
                "Status: draft",
                "Status: superseded by 3",
                "Status: superseded by 2",
                "Status: superseded",
            ),
            "# 2. ": ("# ", "# 3. "),
            "# 2. Stores have a contract": tuple(
                f"# 2. {title}"
                for title in (
                    "What is stored has a contract",
                    "Who stores",
                    "Of a store",
                    "That which is stored",
                    "Those that store",
                    "One that stores",
                )
            ),
        }
        for right, wrongs in planted.items():
            for wrong in wrongs:
                page = PAGES["2-b.md"].replace(right, wrong)
                self.assertTrue(page_violations("2-b.md", page, {1, 2}), page)

    def test_planted_faults_in_the_index_are_found(self) -> None:
        row = "| [2](2-b.md) | Stores have a contract |\n"
        planted = (
            INDEX.replace(row, ""),
            INDEX + row,
            row + INDEX.replace(row, ""),
            INDEX.replace("have a contract", "have none"),
            INDEX.replace(" (superseded by 2)", ""),
            INDEX.replace("[2](2-b.md)", "[7](2-b.md)"),
            INDEX.replace("2-b.md", "3-c.md"),
        )
        for index in planted:
            self.assertTrue(violations(PAGES, index), index)

    def test_a_number_is_given_once(self) -> None:
        pages = PAGES | {"2-c.md": PAGES["2-b.md"]}
        self.assertTrue(any("2 decisions have the number 2" in one for one in violations(pages, INDEX)))


if __name__ == "__main__":
    unittest.main()
