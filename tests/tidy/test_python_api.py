"""The page of the Python API is generated from the sources of the package, and everything public has a docstring."""

import contextlib
import importlib.util
import io
import pathlib
import shutil
import tempfile
import types
import unittest

import codebase


def generator() -> types.ModuleType:
    found = importlib.util.spec_from_file_location("python_api", codebase.ROOT / "docs/site/python_api.py")
    assert found is not None and found.loader is not None
    module = importlib.util.module_from_spec(found)
    found.loader.exec_module(module)
    return module


def checked(planted: dict[str, tuple[str, str]]) -> tuple[int, str]:
    """Runs the generator on a copy of the package in which one text of each file is replaced by another; returns its
    status and output."""
    module = generator()
    said = io.StringIO()
    with tempfile.TemporaryDirectory() as place:
        package = pathlib.Path(place, "orlop")
        shutil.copytree(module.PACKAGE, package)
        for name, (old, new) in planted.items():
            path = package / name
            text = path.read_text(encoding="utf-8")
            assert old in text, f"{name} has no {old!r} any more"
            path.write_text(text.replace(old, new, 1), encoding="utf-8")
        module.PACKAGE = package
        with contextlib.redirect_stderr(said):
            return module.main(["--check"]), said.getvalue()


class PythonApi(unittest.TestCase):
    def test_the_page_is_up_to_date_and_complete(self) -> None:
        self.assertEqual(checked({}), (0, ""))

    def test_a_method_without_a_docstring_is_found(self) -> None:
        old = "    def clear(self) -> None:\n"
        self.assertIn(
            "Rules.fresh",
            checked({"simulation/rules.py": (old, "    def fresh(self) -> None:\n        pass\n\n" + old)})[1],
        )

    def test_an_attribute_without_a_text_is_found(self) -> None:
        status, said = checked(
            {"drivers/driver.py": ("        self._reporter = ", "        self.colour = 1\n        self._reporter = ")}
        )
        self.assertEqual(status, 1)
        self.assertIn("Step.colour", said)

    def test_a_changed_signature_makes_the_page_stale(self) -> None:
        status, said = checked(
            {
                "engine/base_engine.py": (
                    "def tick(self) -> float | None:",
                    "def tick(self, often: bool = False) -> float | None:",
                )
            }
        )
        self.assertEqual(status, 1)
        self.assertIn("stale", said)

    def test_an_option_makes_the_page_stale(self) -> None:
        status, said = checked({"generated/options.py": ("history_kept: int = 50", "history_kept: int = 51")})
        self.assertEqual(status, 1)
        self.assertIn("stale", said)

    def test_a_name_in_no_section_is_found(self) -> None:
        self.assertIn(
            "orlop.Nameless", checked({"__init__.py": ('    "Closed",\n', '    "Closed",\n    "Nameless",\n')})[1]
        )


if __name__ == "__main__":
    unittest.main()
