"""Every script can be run, can be parsed, stops at its first failure, and states its purpose."""

import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

import codebase


def violations(path: pathlib.Path) -> list[str]:
    name = path.name
    text = codebase.text_of(path)
    found = []
    if not text.startswith("#!/usr/bin/env bash\n# "):
        found.append(f"{name}: does not begin with `#!/usr/bin/env bash` and a comment that says what it is for")
    if not os.access(path, os.X_OK):
        found.append(f"{name}: cannot be run")
    if "set -euo pipefail" not in text:
        found.append(f"{name}: goes on after a failure (set -euo pipefail)")
    parsed = subprocess.run(["bash", "-n", path], capture_output=True, text=True)
    if parsed.returncode != 0:
        found.append(f"{name}: {parsed.stderr.strip()}")
    return found


class Scripts(unittest.TestCase):
    def test_every_script_is_sound(self) -> None:
        scripts = [
            path
            for path in codebase.files("scripts", ".ci", "tests/install", "tests/without_sqlite")
            if path.suffix == ""
        ]
        self.assertGreater(len(scripts), 5)
        found = [violation for path in scripts for violation in violations(path)]
        self.assertFalse(found, "\n" + "\n".join(found))

    def test_every_script_explains_itself(self) -> None:
        for path in codebase.files("scripts"):
            if path.suffix == "":
                helped = subprocess.run([path, "--help"], capture_output=True, text=True)
                self.assertEqual(helped.returncode, 0, path)
                self.assertIn(f"usage: scripts/{path.name}", helped.stdout)

    def test_planted_faults_are_found(self) -> None:
        good = "#!/usr/bin/env bash\n# Says hello.\nset -euo pipefail\necho hello\n"
        for planted in (good.replace("# Says", "Says"), good.replace("-euo", "-e"), good + "if true; then\n"):
            with tempfile.TemporaryDirectory() as place:
                path = pathlib.Path(place, "script")
                path.write_text(planted)
                path.chmod(0o755)
                self.assertEqual(len(violations(path)), 1, planted)
                path.write_text(good)
                self.assertEqual(violations(path), [])
                path.chmod(0o644)
                self.assertEqual(len(violations(path)), 1)

    def test_the_newest_compiler_is_that_of_apt(self) -> None:
        offers = (
            "clang-9 - C\nclang-19 - C\nclang-format-22 - formats\nclang-14 - C\ng++-12 - C++\ng++-9 - "
            "C++\ng++-12-multilib - C++\n"
        )
        # A fake search of apt-cache, a fake apt-get that creates the command, and a machine that has two commands.
        apt_cache = f"#!/bin/sh\nprintf '%s' '{offers}' | grep -E \"$3\"\n".replace('$3"', '${3%?}( |$)"')
        apt_get = (
            '#!/bin/sh\nfor package; do :; done\ntouch "$PLACE/$package" && chmod +x "$PLACE/$package" && '
            'echo "installs $package"\n'
        )
        for has_apt, command, expected in (
            (True, "clang", "installs clang-19\nclang-19"),
            (True, "g++", "g++-12"),
            (True, "rustc", ""),
            (False, "clang", "clang-14"),
            (False, "g++", "g++-12"),
        ):
            with self.subTest(has_apt=has_apt, command=command), tempfile.TemporaryDirectory() as place:
                commands = {
                    "clang-14": "#!/bin/sh\n",
                    "clang-format-22": "#!/bin/sh\n",
                    "g++-12": "#!/bin/sh\n",
                    "sudo": '#!/bin/sh\nexec "$@"\n',
                }
                if has_apt:
                    commands |= {"apt-cache": apt_cache, "apt-get": apt_get}
                for name in ("bash", "sh", "cut", "sort", "tail", "grep", "dirname", "env", "id", "touch", "chmod"):
                    pathlib.Path(place, name).symlink_to(shutil.which(name) or name)
                for name, text in commands.items():
                    path = pathlib.Path(place, name)
                    path.write_text(text, encoding="utf-8")
                    path.chmod(0o755)
                script = (
                    f'. "{codebase.ROOT}/scripts/common.sh"; set -euo pipefail; find_newest "$1"; printf "%s" "$newest"'
                )
                done = subprocess.run(
                    ["bash", "-c", script, "find", command],
                    capture_output=True,
                    text=True,
                    env={"PATH": place, "PLACE": place},
                    check=False,
                )
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assertEqual(
                    "\n".join(line for line in done.stdout.splitlines() if line and not line.startswith("==>")),
                    expected,
                )


if __name__ == "__main__":
    unittest.main()
