#!/usr/bin/env bash
# JSON Patch (RFC 6902): four libraries apply the same patches with other results, and one of them loses data silently.
#
# Versions: PyPI jsonpatch 1.33; npm fast-json-patch 3.1.1 and rfc6902 5.1.2; Go github.com/evanphx/json-patch/v5 5.9.11 (that of the Kubernetes API server).
# Needs Python, Node.js and Go.
#
# Guess: the RFC is short and has a test suite, so that its libraries agree.
# Seen:
#   - A value moved into itself, which section 4.4 forbids, is an error in three of them. npm rfc6902 reports success, and the value is gone.
#   - npm rfc6902 cannot replace the whole document (path ""), appends an item whose index is past the end, and reports success for an index of -1 that changes nothing.
#   - evanphx/json-patch reads -1 as the last item. Its test finds 1 unlike 1.0, though section 4.6 compares numbers by value, and finds an absent member equal to null.
#   - Only Python refuses an index with a leading zero, as RFC 6901 asks for.
# A patch that is to mean one thing everywhere has indices from 0 to the length, and no test of numbers or of null.
#
#>                   jsonpatch  fast-json-patch  rfc6902      evanphx
#> whole document    {"b":2}    {"b":2}          error        {"b":2}
#> move into itself  error      error            {}           error
#> add past the end  error      error            {"a":[1,9]}  error
#> index -1          error      error            {"a":[1]}    {"a":[9]}
#> index 00          error      {"a":[9,1]}      {"a":[9,1]}  {"a":[9,1]}
#> 1 is 1.0          {"a":1}    {"a":1}          {"a":1}      error
#> absent is null    error      error            error        {"a":1}
set -euo pipefail
script=$(realpath "$0")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install -q --disable-pip-version-check jsonpatch==1.33
npm init -y >/dev/null
npm install --silent --no-audit --no-fund fast-json-patch@3.1.1 rfc6902@5.1.2 >/dev/null
go mod init finding 2>/dev/null
go get github.com/evanphx/json-patch/v5@v5.9.11 2>/dev/null

cat >cases.json <<'END'
[
  ["whole document", {"a": 1}, [{"op": "replace", "path": "", "value": {"b": 2}}]],
  ["move into itself", {"a": {"b": 1}}, [{"op": "move", "from": "/a", "path": "/a/c"}]],
  ["add past the end", {"a": [1]}, [{"op": "add", "path": "/a/2", "value": 9}]],
  ["index -1", {"a": [1]}, [{"op": "replace", "path": "/a/-1", "value": 9}]],
  ["index 00", {"a": [1]}, [{"op": "add", "path": "/a/00", "value": 9}]],
  ["1 is 1.0", {"a": 1}, [{"op": "test", "path": "/a", "value": 1.0}]],
  ["absent is null", {"a": 1}, [{"op": "test", "path": "/b", "value": null}]]
]
END

cat >apply.py <<'END'
import json

import jsonpatch

for name, document, patch in json.load(open("cases.json")):
    try:
        print(json.dumps(jsonpatch.apply_patch(document, patch), separators=(",", ":")))
    except (jsonpatch.JsonPatchException, jsonpatch.JsonPointerException):
        print("error")
END

cat >apply.js <<'END'
const fs = require("fs");
const fast = require("fast-json-patch");
const rfc6902 = require("rfc6902");
const by = {
  fast(document, patch) {
    return fast.applyPatch(document, patch, true).newDocument;
  },
  rfc6902(document, patch) {
    const failed = rfc6902.applyPatch(document, patch).find((result) => result !== null);
    if (failed) throw failed;
    return document;
  },
};
for (const [, document, patch] of JSON.parse(fs.readFileSync("cases.json"))) {
  try {
    console.log(JSON.stringify(by[process.argv[2]](document, patch)));
  } catch {
    console.log("error");
  }
}
END

cat >main.go <<'END'
package main

import (
	"encoding/json"
	"fmt"
	"os"

	jsonpatch "github.com/evanphx/json-patch/v5"
)

func main() {
	text, _ := os.ReadFile("cases.json")
	var cases [][]json.RawMessage
	if err := json.Unmarshal(text, &cases); err != nil {
		panic(err)
	}
	for _, each := range cases {
		patch, err := jsonpatch.DecodePatch(each[2])
		if err != nil {
			panic(err)
		}
		document := each[1]
		if applied, err := patch.Apply(document); err != nil {
			fmt.Println("error")
		} else {
			var made any
			_ = json.Unmarshal(applied, &made)
			text, _ := json.Marshal(made)
			fmt.Println(string(text))
		}
	}
}
END

venv/bin/python apply.py >python.txt
node apply.js fast >fast.txt
node apply.js rfc6902 >rfc6902.txt
go mod tidy >/dev/null 2>&1
go run . >go.txt
venv/bin/python - >seen <<'END'
import json

columns = [[each[0] for each in json.load(open("cases.json"))]]
columns += [open(f"{name}.txt").read().splitlines() for name in ("python", "fast", "rfc6902", "go")]
rows = [["", "jsonpatch", "fast-json-patch", "rfc6902", "evanphx"], *zip(*columns)]
widths = [max(len(row[at]) for row in rows) for at in range(5)]
for row in rows:
    print("  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip())
END
sed -n 's/^#> \{0,1\}//p' "$script" | diff - seen && cat seen
