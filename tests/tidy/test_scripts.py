"""Every script can be run, can be parsed, stops at its first failure, and says what it is for."""

import os
import pathlib
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
        scripts = [path for path in codebase.files("scripts", ".ci", "tests/install") if path.suffix == ""]
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


if __name__ == "__main__":
    unittest.main()
