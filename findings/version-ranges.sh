#!/usr/bin/env bash
# Version ranges: "~> 1.2" is 1.2.x for Helm and npm, and everything from 1.2 to below 2 for Terraform.
#
# Versions: Go github.com/Masterminds/semver/v3 3.5.0 (Helm), github.com/hashicorp/go-version 1.9.0 (Terraform); npm
# semver 7.8.6. Needs Go and Node.js 20.
#
# Guess: libraries that share an operator give it one meaning, or one of them refuses it.
# Seen:
#   - All three accept "~> 1.2", an operator of Terraform. For Helm it is another name of ~.
#   - != 1.2 excludes all of 1.2.x for Helm, and only 1.2.0 for Terraform.
#   - An operator before * has a meaning of its own in Helm: ~*, >* and !=* match 3.0.0 as * does, ^* and <* do not.
#     npm takes ^* for * and lets >* match nothing.
#   - Behind a lower bound that is a pre-release, Helm takes the pre-releases of all later versions; the others take
#     only those of the same version.
#
#> range            version        Helm     Terraform  npm
#> ~> 1.2           1.9.0          false    true       false
#> != 1.2           1.2.5          false    true       refused
#> >*               3.0.0          true     refused    false
#> !=*              3.0.0          true     refused    refused
#> ~*               3.0.0          true     refused    true
#> ^*               3.0.0          false    refused    true
#> <*               3.0.0          false    refused    false
#> >=1.2.0-beta.1   1.5.0-alpha.1  true     false      false
#> >=1.2.0-beta.1   1.2.0-beta.2   true     true       true
set -euo pipefail
script=$(realpath "$0")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund semver@7.8.6 >/dev/null
go mod init finding 2>/dev/null
go get github.com/Masterminds/semver/v3@v3.5.0 github.com/hashicorp/go-version@v1.9.0 2>/dev/null

cat >cases <<'END'
~> 1.2|1.9.0
!= 1.2|1.2.5
>*|3.0.0
!=*|3.0.0
~*|3.0.0
^*|3.0.0
<*|3.0.0
>=1.2.0-beta.1|1.5.0-alpha.1
>=1.2.0-beta.1|1.2.0-beta.2
END

cat >main.go <<'END'
package main

import (
	"bufio"
	"fmt"
	"os"
	"strings"

	"github.com/Masterminds/semver/v3"
	"github.com/hashicorp/go-version"
)

func helm(constraint, number string) string {
	parsed, err := semver.NewConstraint(constraint)
	if err != nil {
		return "refused"
	}
	return fmt.Sprint(parsed.Check(semver.MustParse(number)))
}

func terraform(constraint, number string) string {
	parsed, err := version.NewConstraint(constraint)
	if err != nil {
		return "refused"
	}
	return fmt.Sprint(parsed.Check(version.Must(version.NewVersion(number))))
}

func main() {
	lines := bufio.NewScanner(os.Stdin)
	for lines.Scan() {
		constraint, number, _ := strings.Cut(lines.Text(), "|")
		fmt.Println(helm(constraint, number), terraform(constraint, number))
	}
}
END

cat >npm.cjs <<'END'
const semver = require("semver");
for (const line of require("fs").readFileSync(0, "utf8").trim().split("\n")) {
  const [range, version] = line.split("|");
  console.log(semver.validRange(range) === null ? "refused" : semver.satisfies(version, range));
}
END

{
  printf '%-16s %-14s %-8s %-10s %s\n' range version Helm Terraform npm
  paste -d ' ' <(go run . <cases) <(node npm.cjs <cases) >answers
  paste -d '|' cases answers | while IFS='|' read -r range version answers; do
    printf '%-16s %-14s %-8s %-10s %s\n' "$range" "$version" $answers
  done
} >seen
sed -n 's/^#> \{0,1\}//p' "$script" | diff - seen && cat seen
