#!/usr/bin/env bash
# Kustomize: a configMapGenerator removes quotes from literals and keeps those of an env file; Compose removes both.
#
# Versions: Go sigs.k8s.io/kustomize/api 0.21.1, github.com/compose-spec/compose-go/v2 2.16.2. Needs Go.
#
# Guess: KEY="a b" in an env file is a b, as for a literal of the same generator and for Compose.
# Seen:
#   - From an env file, the quotes are part of the value, and so are a comment behind it and leading blanks.
#   - From a literal, a pair of quotes around the whole value is removed.
#   - Compose removes quotes, comments and blanks. A file that serves both gives the program two values.
#
#> line         Kustomize, envs  Kustomize, literals  Compose
#> A="x y"      ["x y"]          [x y]                [x y]
#> B='z'        ['z']            [z]                  [z]
#> C=1 # one    [1 # one]        [1 # one]            [1]
#> D= d         [ d]             [ d]                 [d]
#> E=""         [""]             []                   []
set -euo pipefail
script=$(realpath "$0")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
go mod init finding 2>/dev/null
go get sigs.k8s.io/kustomize/api/krusty@v0.21.1 github.com/compose-spec/compose-go/v2/dotenv@v2.16.2 2>/dev/null

cat >main.go <<'END'
package main

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/compose-spec/compose-go/v2/dotenv"
	"sigs.k8s.io/kustomize/api/krusty"
	"sigs.k8s.io/kustomize/kyaml/filesys"
)

var lines = []string{`A="x y"`, `B='z'`, `C=1 # one`, `D= d`, `E=""`}

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

// built returns the values of a config map that the generator makes.
func built(source string, entries any) map[string]any {
	files := filesys.MakeFsInMemory()
	must(0, files.WriteFile("/values.env", []byte(strings.Join(lines, "\n"))))
	generator := map[string]any{"name": "c", source: entries}
	kustomization := must(json.Marshal(map[string]any{"configMapGenerator": []any{generator}}))
	must(0, files.WriteFile("/kustomization.yaml", kustomization))
	resources := must(krusty.MakeKustomizer(krusty.MakeDefaultOptions()).Run(files, "/"))
	return must(resources.Resources()[0].Map())["data"].(map[string]any)
}

func main() {
	envs, literals := built("envs", []string{"values.env"}), built("literals", lines)
	compose := must(dotenv.UnmarshalBytesWithLookup([]byte(strings.Join(lines, "\n")), nil))
	fmt.Printf("%-12s %-16s %-20s %s\n", "line", "Kustomize, envs", "Kustomize, literals", "Compose")
	for _, line := range lines {
		key := line[:1]
		shown := func(value any) string { return fmt.Sprintf("[%v]", value) }
		fmt.Printf("%-12s %-16s %-20s %s\n", line, shown(envs[key]), shown(literals[key]), shown(compose[key]))
	}
}
END

go run . >seen
sed -n 's/^#> \{0,1\}//p' "$script" | diff - seen && cat seen
