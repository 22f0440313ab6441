#!/usr/bin/env bash
# Kubernetes: clients in Go, Python and Java read one quantity as different numbers, or refuse it.
#
# Versions: Go k8s.io/apimachinery 0.37.2 (the parser of the API server); PyPI kubernetes 37.0.2; Maven
# io.kubernetes:client-java-api 27.0.0, io.fabric8:kubernetes-model-core 8.0.0. Needs Go, Python and Java 17 with Maven.
#
# Guess: what one client accepts the API server accepts, with the same number.
# Seen:
#   - Python accepts 1K, 1e3Ki and 1_000, which the API server refuses, and reads them as numbers.
#   - fabric8 computes with 16 digits: 1Ei is 24 bytes too many.
#   - client-java reads 1Ei and 0.5n and then cannot write them. Go rounds 0.5n up to 1n.
#   - Go caps 9Ei at 2^63-1 when it reads it; the others do not.
#   - 1Gi plus one byte is 1073741825 in Go, and 1.000000000931323Gi with fabric8, which is no whole number of bytes.
#
#> quantity  Go                   Python                fabric8               client-java, written
#> 1K        refused              1000                  refused               refused
#> 1e3Ki     refused              1024000               refused               refused
#> 1_000     refused              1000                  refused               refused
#> 0.5n      0.000000001          0.0000000005          0.0000000005          fails
#> 1Ei       1152921504606846976  1152921504606846976   1152921504606847000   fails
#> 9Ei       9223372036854775807  10376293541461622784  10376293541461623000  fails
#> 1.5Gi     1610612736           1610612736            1610612736            1610612736
#> 1Gi + 1   1073741825           -                     1.000000000931323Gi   -
set -euo pipefail
script=$(realpath "$0")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

python3 -m venv venv
venv/bin/pip install -q --disable-pip-version-check kubernetes==37.0.2
go mod init finding 2>/dev/null
go get k8s.io/apimachinery/pkg/api/resource@v0.37.2 2>/dev/null
# Of the dependencies only what reading and writing a quantity needs.
for artifact in io.kubernetes:client-java-api:27.0.0 io.fabric8:kubernetes-model-core:8.0.0 \
  org.apache.commons:commons-lang3:3.20.0 com.google.code.gson:gson:2.14.0; do
  mvn -q dependency:copy -Dartifact="$artifact" -DoutputDirectory=jars >log 2>&1 || { cat log; exit 1; }
done

cat >main.go <<'END'
package main

import (
	"bufio"
	"fmt"
	"os"

	"k8s.io/apimachinery/pkg/api/resource"
)

func main() {
	lines := bufio.NewScanner(os.Stdin)
	for lines.Scan() {
		if quantity, err := resource.ParseQuantity(lines.Text()); err == nil {
			fmt.Println(quantity.AsDec())
		} else {
			fmt.Println("refused")
		}
	}
	sum := resource.MustParse("1Gi")
	sum.Add(resource.MustParse("1"))
	fmt.Println(sum.String())
}
END

cat >read.py <<'END'
import sys

from kubernetes.utils.quantity import parse_quantity

for line in sys.stdin:
    try:
        print(f"{parse_quantity(line.strip()):f}")
    except ValueError:
        print("refused")
print("-")
END

cat >Read.java <<'END'
import io.kubernetes.client.custom.Quantity;
import io.kubernetes.client.custom.QuantityFormatException;
import java.nio.file.*;

class Read {
  interface Question { String answer(); }

  static String answer(String failure, Question question) {
    try {
      return question.answer();
    } catch (IllegalArgumentException | QuantityFormatException error) {
      return failure;
    }
  }

  public static void main(String[] arguments) throws Exception {
    for (String line : Files.readAllLines(Path.of("quantities"))) {
      String fabric8 = answer("refused", () -> io.fabric8.kubernetes.api.model.Quantity.getAmountInBytes(
          new io.fabric8.kubernetes.api.model.Quantity(line)).toPlainString());
      boolean isRead = !answer("", () -> Quantity.fromString(line).getNumber().toPlainString()).isEmpty();
      String written = isRead ? answer("fails", () -> Quantity.fromString(line).toSuffixedString()) : "refused";
      System.out.println(fabric8 + " " + written);
    }
    var gibibyte = io.fabric8.kubernetes.api.model.Quantity.parse("1Gi");
    System.out.println(gibibyte.add(io.fabric8.kubernetes.api.model.Quantity.parse("1")) + " -");
  }
}
END

printf '%s\n' 1K 1e3Ki 1_000 0.5n 1Ei 9Ei 1.5Gi >quantities
go run . <quantities | sed 's/\.0*$//' >go
venv/bin/python read.py <quantities | sed 's/\.0*$//' >python
javac -nowarn -cp 'jars/*' Read.java 2>log || { cat log; exit 1; }
java -cp 'jars/*:.' Read | sed 's/\.0* / /' >java
{
  format='%-9s %-20s %-21s %-21s %s\n'
  printf "$format" quantity Go Python fabric8 "client-java, written"
  echo "1Gi + 1" >>quantities
  paste -d ' ' go python java | paste -d '|' quantities - | while IFS='|' read -r quantity numbers; do
    printf "$format" "$quantity" $numbers
  done
} >seen
sed -n 's/^#> \{0,1\}//p' "$script" | diff - seen && cat seen
