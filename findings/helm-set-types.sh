#!/usr/bin/env bash
# Helm: --set gives 0.5 as a text, [] as a text, {} as a list with an empty text, and nothing for a path without a
# name.
#
# Version: Go helm.sh/helm/v4 4.3.2 (the module of the helm command; 3.22.0 answers the same). Needs Go.
#
# Guess: --set types a value as a values file does, since whole numbers, true and null have their types.
# Seen:
#   - Only whole numbers that fit 64 bits are numbers: 0.5 and 1e3 are texts, so a chart whose values.schema.json
#     requires a number refuses --set ratio=0.5. --set-json gives the number.
#   - {} is [""] and {1,} is [1,""]. [] is the text "[]": --set has no empty list and no empty map.
#   - True and NULL count as true and null, unlike yes.
#   - .a=1 is accepted and sets nothing. a..b=1 is refused.
#   - a.b=1,a=2 replaces the map by 2; a=1,a.b=2 is refused.
#
#> --set        value            in a values file
#> a=5          {"a":5}          {"a":5}
#> a=0.5        {"a":"0.5"}      {"a":0.5}
#> a=1e3        {"a":"1e3"}      {"a":1000}
#> a=NULL       {"a":null}       {"a":null}
#> a={}         {"a":[""]}       {"a":{}}
#> a={1,}       {"a":[1,""]}
#> a=[]         {"a":"[]"}       {"a":[]}
#> .a=1         {}
#> a..b=1       refused
#> a.b=1,a=2    {"a":2}
#> a=1,a.b=2    refused
#> ratio: number by --set 0.5: refused by the schema; by --set-json 0.5: accepted
set -euo pipefail
script=$(realpath "$0")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
export GOFLAGS=-mod=mod
go mod init finding 2>/dev/null
go get helm.sh/helm/v4/pkg/strvals@v4.3.2 2>/dev/null

cat >main.go <<'END'
package main

import (
	"encoding/json"
	"fmt"
	"strings"

	"helm.sh/helm/v4/pkg/chart/common/util"
	"helm.sh/helm/v4/pkg/strvals"
	"sigs.k8s.io/yaml"
)

func shown(value any, err error) string {
	if err != nil {
		return "refused"
	}
	text, _ := json.Marshal(value)
	return string(text)
}

// fits returns whether the values are valid for a chart whose ratio is a number.
func fits(values map[string]any, err error) string {
	if err != nil {
		panic(err)
	}
	schema := []byte(`{"properties": {"ratio": {"type": "number"}}}`)
	if util.ValidateAgainstSingleSchema(values, schema) != nil {
		return "refused by the schema"
	}
	return "accepted"
}

func main() {
	fmt.Printf("%-12s %-16s %s\n", "--set", "value", "in a values file")
	for _, set := range strings.Fields("a=5 a=0.5 a=1e3 a=NULL a={} a={1,} a=[] .a=1 a..b=1 a.b=1,a=2 a=1,a.b=2") {
		inFile := ""
		if key, value, _ := strings.Cut(set, "="); key == "a" && !strings.Contains(value, ",") {
			var values map[string]any
			err := yaml.Unmarshal([]byte("a: "+value), &values)
			inFile = shown(values, err)
		}
		values, err := strvals.Parse(set)
		fmt.Println(strings.TrimSpace(fmt.Sprintf("%-12s %-16s %s", set, shown(values, err), inFile)))
	}
	byJSON := map[string]any{}
	err := strvals.ParseJSON("ratio=0.5", byJSON)
	bySet := fits(strvals.Parse("ratio=0.5"))
	fmt.Printf("ratio: number by --set 0.5: %s; by --set-json 0.5: %s\n", bySet, fits(byJSON, err))
}
END

go run . >seen
sed -n 's/^#> \{0,1\}//p' "$script" | diff - seen && cat seen
