#!/usr/bin/env bash
# .dockerignore: Docker's library for Python leaves files out of a build that Docker puts in, and reverses character
# sets.
#
# Versions: Go github.com/moby/patternmatcher 0.6.1 (BuildKit and the docker command); PyPI docker 7.2.0; npm
# @balena/dockerignore 1.0.2. Needs Go, Python and Node.js 20.
#
# Guess: all three send the same files, since the file has one documented syntax.
# Seen:
#   - An exception with **, such as "!**/package.json" after "*", has no effect inside excluded folders in docker for
#     Python. With the exception "!app/web/package.json" the file is sent.
#   - [^a]* is "not a" for Go and npm, and [!a]* is "! or a". For Python, which uses fnmatch, each is the other.
#
#> *, !**/package.json       moby         app/package.json app/web/package.json package.json
#>                           docker-py    package.json
#>                           balena       app/package.json app/web/package.json package.json
#> *, !app/web/package.json  moby         app/web/package.json
#>                           docker-py    app/web/package.json
#>                           balena       app/web/package.json
#> [^a]*                     moby         app/main.py app/package.json app/web/package.json
#>                           docker-py    package.json
#>                           balena       app/main.py app/package.json app/web/package.json
#> [!a]*                     moby         package.json
#>                           docker-py    app/main.py app/package.json app/web/package.json
#>                           balena       package.json
set -euo pipefail
script=$(realpath "$0")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

python3 -m venv venv
venv/bin/pip install -q --disable-pip-version-check docker==7.2.0
npm install --silent --no-audit --no-fund @balena/dockerignore@1.0.2 >/dev/null
go mod init finding 2>/dev/null
go get github.com/moby/patternmatcher@v0.6.1 2>/dev/null

mkdir -p context/app/web
touch context/package.json context/app/main.py context/app/package.json context/app/web/package.json
files=$(cd context && find . -type f | sed 's,^\./,,' | sort)

cat >main.go <<'END'
package main

import (
	"fmt"
	"os"
	"strings"

	"github.com/moby/patternmatcher"
	"github.com/moby/patternmatcher/ignorefile"
)

func main() {
	patterns, err := ignorefile.ReadAll(strings.NewReader(os.Args[1]))
	if err != nil {
		panic(err)
	}
	matcher, err := patternmatcher.New(patterns)
	if err != nil {
		panic(err)
	}
	for _, file := range os.Args[2:] {
		if excluded, err := matcher.MatchesOrParentMatches(file); err != nil {
			panic(err)
		} else if !excluded {
			fmt.Print(" ", file)
		}
	}
	fmt.Println()
}
END

cat >files.py <<'END'
import os
import sys

from docker.utils import exclude_paths

sent = exclude_paths("context", sys.argv[1].splitlines(), dockerfile="none")
print("", *sorted(file for file in sent if os.path.isfile(os.path.join("context", file))))
END

cat >files.cjs <<'END'
const [ignored, ...files] = process.argv.slice(2);
console.log("", ...require("@balena/dockerignore")().add(ignored).filter(files));
END

# files PATTERN...: what each library sends.
files() {
  local lines shown=$1
  lines=$(printf '%s\n' "$@")
  [ $# = 1 ] || shown="$1, $2"
  printf '%-25s %-11s %s\n' "$shown" moby "$(go run . "$lines" $files)"
  printf '%-25s %-11s %s\n' "" docker-py "$(venv/bin/python files.py "$lines")"
  printf '%-25s %-11s %s\n' "" balena "$(node files.cjs "$lines" $files)"
}
{
  files '*' '!**/package.json'
  files '*' '!app/web/package.json'
  files '[^a]*'
  files '[!a]*'
} >seen
sed -n 's/^#> \{0,1\}//p' "$script" | diff - seen && cat seen
