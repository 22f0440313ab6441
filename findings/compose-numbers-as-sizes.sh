#!/usr/bin/env bash
# Compose: `mem_limit: 1e9` and `mem_limit: 0.5e9` are no limit at all for docker compose, without a message.
#
# Versions: Go github.com/compose-spec/compose-go/v2 2.16.2, the library of docker compose.
# Needs Go.
#
# Guess: a size is a number of bytes, or a text with a unit; another form is refused.
# Seen:
#   - A YAML number with an exponent or a fraction is accepted, and the limit is 0: none.
#   - The same in quotes is that number of bytes, and in quotes a unit may follow: "1e3k".
#   - A whole number is bytes, in any form that YAML has: 0x10 is 16, 010 is 8.
#
#> mem_limit: 1000000000   1000000000
#> mem_limit: 1e9          0
#> mem_limit: 0.5e9        0
#> mem_limit: "1e9"        1000000000
#> mem_limit: "1e3k"       1024000
#> mem_limit: 0x10         16
#> mem_limit: 010          8
#> mem_limit: 1g           1073741824
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
	"fmt"
	"os"

	"github.com/compose-spec/compose-go/v2/cli"
)

func limit() string {
	options, err := cli.NewProjectOptions([]string{"compose.yaml"}, cli.WithName("finding"))
	if err != nil {
		panic(err)
	}
	project, err := options.LoadProject(context.Background())
	if err != nil {
		return "refused: " + err.Error()
	}
	return fmt.Sprint(int64(project.Services["app"].MemLimit))
}

func main() {
	for _, size := range []string{"1000000000", "1e9", "0.5e9", "\"1e9\"", "\"1e3k\"", "0x10", "010", "1g"} {
		line := "mem_limit: " + size
		text := "services:\n  app:\n    image: alpine\n    " + line + "\n"
		if err := os.WriteFile("compose.yaml", []byte(text), 0o600); err != nil {
			panic(err)
		}
		fmt.Printf("%-23s %s\n", line, limit())
	}
}
END

go run . >seen
sed -n 's/^#> \{0,1\}//p' "$script" | diff - seen && cat seen
