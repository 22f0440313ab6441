#!/usr/bin/env bash
# Compose: `{A:, B: 1}` has the key `A:` for docker compose, the key `A` for Python's YAML, and is no YAML for libyaml.
#
# Versions: Go github.com/compose-spec/compose-go/v2 2.16.2 (the library of docker compose, with go.yaml.in/yaml/v4
# 4.0.0-rc.4); PyPI PyYAML 6.0.3, whose wheel holds libyaml 0.2.5.
# Needs Go and Python.
#
# Guess: a variable without a value is passed from the caller, in braces too: environment: {A:, B: 1}.
# Seen:
#   - docker compose makes a variable of the name "A:", without a message. The caller's A is not passed.
#   - PyYAML's own parser reads the key A. Its faster parser, which is libyaml, refuses the file.
#   - With a blank behind the colon, {A: , B: 1}, all three read the key A.
#
#> file          docker compose      PyYAML            libyaml
#> {A:, B: 1}    A:, B=1             A, B              found unexpected ':'
#> {A: , B: 1}   A=caller, B=1       A, B              A, B
set -euo pipefail
script=$(realpath "$0")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install -q --disable-pip-version-check PyYAML==6.0.3
go mod init finding 2>/dev/null
go get github.com/compose-spec/compose-go/v2/cli@v2.16.2 2>/dev/null

cat >main.go <<'END'
package main

import (
	"context"
	"fmt"
	"os"
	"sort"
	"strings"

	"github.com/compose-spec/compose-go/v2/cli"
)

func main() {
	options, err := cli.NewProjectOptions(os.Args[1:], cli.WithOsEnv, cli.WithName("finding"))
	if err != nil {
		panic(err)
	}
	project, err := options.LoadProject(context.Background())
	if err != nil {
		panic(err)
	}
	found := []string{}
	for key, value := range project.Services["app"].Environment {
		if value != nil {
			key += "=" + *value
		}
		found = append(found, key)
	}
	sort.Strings(found)
	fmt.Println(strings.Join(found, ", "))
}
END

cat >compared.py <<'END'
import os
import pathlib
import subprocess

import yaml

print("file          docker compose      PyYAML            libyaml")
for written in ("{A:, B: 1}", "{A: , B: 1}"):
    text = f"services:\n  app:\n    image: alpine\n    environment: {written}\n"
    pathlib.Path("compose.yaml").write_text(text)
    seen = [subprocess.check_output(["./finding", "compose.yaml"], text=True, env={**os.environ, "A": "caller"}).strip()]
    for loader in (yaml.SafeLoader, yaml.CSafeLoader):
        try:
            seen.append(", ".join(yaml.load(text, loader)["services"]["app"]["environment"]))
        except yaml.MarkedYAMLError as error:
            seen.append(error.problem)
    print(f"{written:13} {seen[0]:19} {seen[1]:17} {seen[2]}")
END

go build -o finding . 2>/dev/null
venv/bin/python compared.py >seen
sed -n 's/^#> \{0,1\}//p' "$script" | diff - seen && cat seen
