#!/usr/bin/env bash
# Compose: a project whose build has an SSH key with a path cannot be written as JSON by docker compose's library.
#
# Versions: Go github.com/compose-spec/compose-go/v2 2.16.2, the library of docker compose.
# Needs Go.
#
# Guess: a project that loads is written as YAML and as JSON, as `docker compose config --format json` does.
# Seen: for the key `deploy=./key` the library writes `"deploy": /…/key`, which Go's encoder refuses. Without a path the
# key is a text. The YAML output has both.
#
#> ssh: [default]         JSON: "ssh":["default"]
#> ssh: [deploy=/a/key]   JSON: invalid character ':' after top-level value
#> ssh: [deploy=/a/key]   YAML: - 'deploy: /a/key'
set -euo pipefail
script=$(realpath "$0")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
go mod init finding 2>/dev/null
go get github.com/compose-spec/compose-go/v2/cli@v2.16.2 2>/dev/null

cat >main.go <<'END'
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"regexp"
	"strings"

	"github.com/compose-spec/compose-go/v2/cli"
	"github.com/compose-spec/compose-go/v2/types"
)

func loaded(keys string) *types.Project {
	text := "services:\n  app:\n    build:\n      context: .\n      " + keys + "\n"
	if err := os.WriteFile("compose.yaml", []byte(text), 0o600); err != nil {
		panic(err)
	}
	options, err := cli.NewProjectOptions([]string{"compose.yaml"}, cli.WithName("finding"))
	if err != nil {
		panic(err)
	}
	project, err := options.LoadProject(context.Background())
	if err != nil {
		panic(err)
	}
	return project
}

func main() {
	for _, keys := range []string{"ssh: [default]", "ssh: [deploy=/a/key]"} {
		text, err := json.Marshal(loaded(keys))
		seen := string(regexp.MustCompile(`"ssh":\[[^]]*\]`).Find(text))
		if err != nil {
			seen = err.Error()[strings.Index(err.Error(), "invalid"):]
		}
		fmt.Printf("%-22s JSON: %s\n", keys, seen)
	}
	text, err := loaded("ssh: [deploy=/a/key]").MarshalYAML()
	if err != nil {
		panic(err)
	}
	for _, line := range strings.Split(string(text), "\n") {
		if strings.Contains(line, "deploy") {
			fmt.Printf("%-22s YAML: %s\n", "ssh: [deploy=/a/key]", strings.TrimSpace(line))
		}
	}
}
END

go run . >seen
sed -n 's/^#> \{0,1\}//p' "$script" | diff - seen && cat seen
