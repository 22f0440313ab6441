#!/usr/bin/env bash
# Kubernetes: the API's own type for quantities writes some in canonical form and leaves others as they were sent.
#
# Version: Go k8s.io/apimachinery 0.37.2 (the type of the API server). Needs Go.
#
# Its documentation says that a quantity is put in canonical form before it is serialized, without a plus sign or
# fractional digits, that numbers over 2^63-1 are capped, and that 0.1m is rounded up to 1m.
# Guess: equal quantities are equal texts once they have passed through the type.
# Seen: a whole number keeps a plus sign, a trailing point, leading zeros and any exponent. An addition of zero makes it
# canonical. Binary quantities are capped, and lose their suffix; decimal ones are not. 0.1m stays what it is.
# A comparison of what was sent with what is stored has to parse both.
#
#> sent                  read and written      and after the addition of 0
#> "1000"                "1k"                  "1k"
#> "1024Mi"              "1Gi"                 "1Gi"
#> "0.5"                 "500m"                "500m"
#> "0.1m"                "100u"                "100u"
#> 5.0                   "5"                   "5"
#> "+5"                  "+5"                  "5"
#> "5."                  "5."                  "5"
#> "005"                 "005"                 "5"
#> "5e0"                 "5e0"                 "5"
#> "1E3"                 "1E3"                 "1e3"
#> "9Ei"                 "9223372036854775807" "9223372036854775807"
#> "9300000000000000000" "9300P"               "9300P"
set -euo pipefail
script=$(realpath "$0")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
go mod init finding 2>/dev/null
go get k8s.io/apimachinery/pkg/api/resource@v0.37.2 2>/dev/null

cat >main.go <<'END'
package main

import (
	"encoding/json"
	"fmt"
	"os"

	"k8s.io/apimachinery/pkg/api/resource"
)

func written(quantity resource.Quantity) string {
	text, err := json.Marshal(quantity)
	if err != nil {
		panic(err)
	}
	return string(text)
}

func main() {
	fmt.Printf("%-21s %-21s %s\n", "sent", "read and written", "and after the addition of 0")
	for _, sent := range os.Args[1:] {
		var quantity resource.Quantity
		if err := json.Unmarshal([]byte(sent), &quantity); err != nil {
			panic(err)
		}
		sum := quantity.DeepCopy()
		sum.Add(resource.MustParse("0"))
		fmt.Printf("%-21s %-21s %s\n", sent, written(quantity), written(sum))
	}
}
END

go run . '"1000"' '"1024Mi"' '"0.5"' '"0.1m"' \
  5.0 '"+5"' '"5."' '"005"' '"5e0"' '"1E3"' '"9Ei"' '"9300000000000000000"' >seen
sed -n 's/^#> \{0,1\}//p' "$script" | diff - seen && cat seen
