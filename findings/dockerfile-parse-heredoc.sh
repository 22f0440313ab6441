#!/usr/bin/env bash
# Dockerfile: dockerfile-parse takes the lines of a heredoc for instructions, and reports one of them as the base
# image.
#
# Versions: PyPI dockerfile-parse 2.0.1; Go github.com/moby/buildkit 0.34.2 (the parser of Docker). Needs Go and
# Python.
#
# Guess: the heredoc of RUN and COPY is part of its instruction; ${V:-default} is the default
# if V is unset, and V's value otherwise.
# Seen:
#   - BuildKit reads two instructions, dockerfile-parse six. Its base image is a part of the text in the heredoc.
#   - dockerfile-parse replaces the name in ${V:-default} and keeps the rest: the value ends with ":-default}".
#
#> BuildKit: FROM, COPY
#> dockerfile-parse: FROM, COPY, REPORTS, FROM, TO, EOF
#> base image: 09:00
#> MODE: fast:-slow}
set -euo pipefail
script=$(realpath "$0")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

python3 -m venv venv
venv/bin/pip install -q --disable-pip-version-check dockerfile-parse==2.0.1
go mod init finding 2>/dev/null
go get github.com/moby/buildkit/frontend/dockerfile/parser@v0.34.2 2>/dev/null

cat >Dockerfile <<'END'
FROM alpine:3.20
COPY <<EOF /motd
Reports are written
FROM 09:00
TO 17:00
EOF
END

cat >main.go <<'END'
package main

import (
	"fmt"
	"os"

	"github.com/moby/buildkit/frontend/dockerfile/parser"
)

func main() {
	result, err := parser.Parse(os.Stdin)
	if err != nil {
		panic(err)
	}
	separator := "BuildKit: "
	for _, node := range result.AST.Children {
		fmt.Print(separator, node.Value)
		separator = ", "
	}
	fmt.Println()
}
END

cat >read.py <<'END'
import io

from dockerfile_parse import DockerfileParser

parser = DockerfileParser("Dockerfile")
print("dockerfile-parse:", ", ".join(part["instruction"] for part in parser.structure))
print("base image:", parser.baseimage)
text = b"FROM alpine:3.20\nENV BASE=fast\nENV MODE=${BASE:-slow}\n"
print("MODE:", DockerfileParser(fileobj=io.BytesIO(text)).envs["MODE"])
END

go run . <Dockerfile >seen
venv/bin/python read.py >>seen
sed -n 's/^#> \{0,1\}//p' "$script" | diff - seen && cat seen
