#!/usr/bin/env bash
# Terraform files: python-hcl2 8 returns strings and labels with their quotes, and heredocs with their markers.
#
# Version: PyPI python-hcl2 8.1.4, beside 7.3.1. Needs Python.
#
# Guess: loads() returns values, as json.loads() does and as version 7 did: name = "app" is app.
# Seen: version 8 returns text that can be written back. A lookup by a label finds nothing, and a block has two
# members more. strip_string_quotes=True gives strings and labels, and leaves a heredoc with its markers, where
# version 7 had the text; that needs preserve_heredocs=False as well.
#
#> 7.3.1
#>   name: "app"
#>   script: "one\ntwo"
#>   resource: [{"aws_instance": {"web": {"ami": "ami-1"}}}]
#> 8.1.4
#>   name: "\"app\""
#>   script: "\"<<EOT\none\ntwo\nEOT\""
#>   resource: [{"\"aws_instance\"": {"\"web\"": {"ami": "\"ami-1\"", "__comments__": [{"value": "first"}], "__is_block__": true}}}]
#> 8.1.4, strip_string_quotes
#>   name: "app"
#>   script: "<<EOT\none\ntwo\nEOT"
#>   resource: [{"aws_instance": {"web": {"ami": "ami-1", "__comments__": [{"value": "first"}], "__is_block__": true}}}]
#> 8.1.4, strip_string_quotes, no preserve_heredocs
#>   name: "app"
#>   script: "one\ntwo"
#>   resource: [{"aws_instance": {"web": {"ami": "ami-1", "__comments__": [{"value": "first"}], "__is_block__": true}}}]
set -euo pipefail
script=$(realpath "$0")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
cat >main.tf <<'END'
name = "app"
script = <<EOT
one
two
EOT
resource "aws_instance" "web" {
  ami = "ami-1" # first
}
END

cat >read.py <<'END'
import json
import sys
from importlib.metadata import version

import hcl2


def show(name, **options):
    with open("main.tf", encoding="utf-8") as file:
        document = hcl2.load(file, **options)
    print(name)
    for key, value in document.items():
        print(f"  {key}: {json.dumps(value)}")


show(version("python-hcl2"))
if version("python-hcl2").startswith("8"):
    show("8.1.4, strip_string_quotes", serialization_options=hcl2.SerializationOptions(strip_string_quotes=True))
    options = hcl2.SerializationOptions(strip_string_quotes=True, preserve_heredocs=False)
    show("8.1.4, strip_string_quotes, no preserve_heredocs", serialization_options=options)
END

for version in 7.3.1 8.1.4; do
  python3 -m venv "venv-$version"
  "venv-$version/bin/pip" install -q --disable-pip-version-check "python-hcl2==$version"
  "venv-$version/bin/python" read.py
done >seen
sed -n 's/^#> \{0,1\}//p' "$script" | diff - seen && cat seen
