#!/usr/bin/env bash
# ogen: the generated package does not compile if a schema has the name of a union and "Type".
#
# Version: Go github.com/ogen-go/ogen 1.25.0. Needs Go.
#
# Guess: names that the generator invents avoid those of the document.
# Seen: for a union Source, ogen declares a type SourceType that says which schema a value has. A schema SourceType,
# the usual name for the enumeration behind a discriminator, is declared with the same name. ogen ends with success
# and writes both; the compiler refuses the package. The same document with the schema named SourceKind compiles.
#
#> SourceType: ogen ends with 0, SourceType is declared 2 times, go build ends with 1
#> SourceKind: ogen ends with 0, SourceType is declared 1 times, go build ends with 0
set -euo pipefail
script=$(realpath "$0")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
export GOFLAGS=-mod=mod
GOBIN=$PWD go install github.com/ogen-go/ogen/cmd/ogen@v1.25.0 2>log || { cat log; exit 1; }
go mod init finding 2>/dev/null
go get github.com/ogen-go/ogen@v1.25.0 2>/dev/null

cat >api.yaml <<'END'
openapi: 3.0.3
info: {title: Sources, version: "1"}
paths:
  /source:
    get:
      operationId: getSource
      responses:
        "200":
          description: The source.
          content: {application/json: {schema: {$ref: "#/components/schemas/Source"}}}
components:
  schemas:
    Source:
      oneOf: [{$ref: "#/components/schemas/Git"}, {$ref: "#/components/schemas/Image"}]
    SourceType: {type: string, enum: [git, image]}
    Git:
      type: object
      required: [type, url]
      properties: {type: {$ref: "#/components/schemas/SourceType"}, url: {type: string}}
    Image:
      type: object
      required: [type, image]
      properties: {type: {$ref: "#/components/schemas/SourceType"}, image: {type: string}}
END

# generated NAME: generates and compiles the document with the enumeration under this name.
generated() {
  local made=0 built=0
  sed "s/SourceType/$1/" api.yaml >document.yaml
  # Only the types and a client: what a server adds makes no difference.
  cat >config.yaml <<'CONFIG'
generator:
  features:
    disable_all: true
    enable: [paths/client]
CONFIG
  ./ogen --config config.yaml --target "api-$1" --package api --clean document.yaml >log 2>&1 || made=$?
  go build "./api-$1" >>log 2>&1 || built=$?
  local declared
  declared=$(cat "api-$1"/*.go | grep -c '^type SourceType ')
  echo "$1: ogen ends with $made, SourceType is declared $declared times, go build ends with $built"
}
{
  generated SourceType
  generated SourceKind
} >seen
sed -n 's/^#> \{0,1\}//p' "$script" | diff - seen && cat seen
