"""No file names the host of a package registry or of a mirror: package managers know them, and a machine may use
others."""

import re
import unittest

import codebase

# Written in two parts, because this file is searched as well.
HOSTS = re.compile(
    "|".join(
        re.escape(host)
        for host in (
            "deb.debi" + "an.org",
            "snapshot.debi" + "an.org",
            "archive.ubun" + "tu.com",
            "ports.ubun" + "tu.com",
            "pypi." + "org",
            "pythonhos" + "ted.org",
            "npmjs." + "org",
            "npmjs." + "com",
            "crates." + "io",
            "proxy.gol" + "ang.org",
            "sum.gol" + "ang.org",
            "maven." + "org",
            "maven.apa" + "che.org",
            "rubygems." + "org",
        )
    ),
    re.IGNORECASE,
)
# Lock files are written by their programs.
LOCKS = ("package-lock.json", "go.sum")


def violations(path: str, source: str) -> list[str]:
    return [
        f"{path}:{number}: names the host {found.group()}"
        for number, line in enumerate(source.splitlines(), 1)
        if (found := HOSTS.search(line))
    ]


class Hosts(unittest.TestCase):
    def test_no_registry_is_named(self) -> None:
        found: list[str] = []
        for path in codebase.files():
            if not path.name.endswith(LOCKS):
                found += violations(codebase.shown(path), codebase.text_of(path))
        self.assertFalse(found, "\n" + "\n".join(found))

    def test_a_planted_host_is_found(self) -> None:
        self.assertEqual(len(violations("a.cmake", "set(url http://deb.debi" + "an.org/debian)\n")), 1)
        self.assertEqual(violations("a.cmake", "set(url http://example.org/debian)\n"), [])


if __name__ == "__main__":
    unittest.main()
