#!/usr/bin/env bash
# Compose: Docker's and Podman's implementations give one file other values, and split a command at other blanks.
#
# Versions: Go github.com/compose-spec/compose-go/v2 2.16.2 (the library of docker compose); PyPI podman-compose 1.6.0.
# Needs Go and Python.
#
# Guess: the value of a variable is its text in the file, and a reference in a command is part of one argument.
# Seen:
#   - docker compose reads YAML 1.2 numbers and writes them anew: 1e3 is 1000, 0o17 is 15. podman-compose keeps both.
#   - podman-compose reads YAML 1.1: 22:15:00 is the number 80100, and on is true. docker compose keeps both.
#   - 012 is 10 and 1.10 is 1.1 for both.
#   - In a command, docker compose replaces ${LIST} first and then splits: three arguments. podman-compose splits first.
# Quotes around the value, and a list for the command, make both equal.
#
#> value     docker compose  podman-compose
#> 1e3       1000            1e3
#> 0o17      15              0o17
#> 22:15:00  22:15:00        80100
#> on        on              true
#> 012       10              10
#> 1.10      1.1             1.1
#> command: run ${LIST}, with LIST="a b c"
#> docker compose  ["run", "a", "b", "c"]
#> podman-compose  ["run", "a b c"]
set -euo pipefail
script=$(realpath "$0")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install -q --disable-pip-version-check podman-compose==1.6.0
go mod init finding 2>/dev/null
go get github.com/compose-spec/compose-go/v2/cli@v2.16.2 2>/dev/null

cat >compose.yaml <<'END'
services:
  app:
    image: alpine
    command: run ${LIST}
    environment:
      A: 1e3
      B: 0o17
      C: 22:15:00
      D: on
      E: 012
      F: 1.10
END

cat >main.go <<'END'
package main

import (
	"context"
	"fmt"

	"github.com/compose-spec/compose-go/v2/cli"
)

func main() {
	options, err := cli.NewProjectOptions([]string{"compose.yaml"}, cli.WithOsEnv, cli.WithName("finding"))
	if err != nil {
		panic(err)
	}
	project, err := options.LoadProject(context.Background())
	if err != nil {
		panic(err)
	}
	text, err := project.MarshalYAML()
	if err != nil {
		panic(err)
	}
	fmt.Print(string(text))
}
END

cat >compared.py <<'END'
import json
import re
import sys


def values(name):
    """The scalars of the variables as the output has them, without quotes, and the command."""
    text = open(name, encoding="utf-8").read()
    scalars = [re.search(rf"^      \"?{key}\"?: [\"']?(.*?)[\"']?$", text, re.MULTILINE)[1] for key in "ABCDEF"]
    arguments = re.search(r"^    command:\n((?: +- .*\n)+)", text, re.MULTILINE)[1]
    return scalars, [line.split("- ", 1)[1] for line in arguments.splitlines()]


written = [line.split(": ")[1] for line in open("compose.yaml", encoding="utf-8").read().splitlines()[-6:]]
docker, podman = values("docker"), values("podman")
print("value     docker compose  podman-compose")
for row in zip(written, docker[0], podman[0], strict=True):
    print(f"{row[0]:9} {row[1]:15} {row[2]}")
print('command: run ${LIST}, with LIST="a b c"')
print("docker compose ", json.dumps(docker[1]))
print("podman-compose ", json.dumps(podman[1]))
END

export LIST="a b c"
go run . >docker
venv/bin/podman-compose --dry-run config >podman # A dry run needs no podman.
python3 compared.py >seen
sed -n 's/^#> \{0,1\}//p' "$script" | diff - seen && cat seen
