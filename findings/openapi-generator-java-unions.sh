#!/usr/bin/env bash
# OpenAPI Generator: a Java client cannot read an object whose read-only union is absent, and does not look at the
# discriminator of a union.
#
# Version: OpenAPI Generator 7.25.0 (Maven org.openapitools:openapi-generator-cli), generator java, library native.
# Needs Java 17 and Maven.
#
# Guess: an optional member may be absent, and a discriminator decides which schema of a oneOf a value has.
# Seen:
#   - Without useOneOfDiscriminatorLookup, which is off by default, the client tries the class of each schema, and
#     does not check required members: an object with the discriminator aws and an arn matches Gcp too, which requires
#     a project.
#   - Read-only members become parameters of the constructor that reads JSON, which gives null to the union if the
#     member is absent. The union refuses null. The same document without readOnly gives a client that reads the
#     object.
#
#> default:  {"id":"a"}: read
#> default:  {"id":"a","outputs":{"kind":"aws","arn":"b"}}: Failed deserialization for Outputs: 2 classes match result, expected 1
#> lookup:   {"id":"a"}: read
#> lookup:   {"id":"a","outputs":{"kind":"aws","arn":"b"}}: read
#> readOnly: {"id":"a"}: Outputs cannot be null
#> readOnly: {"id":"a","outputs":{"kind":"aws","arn":"b"}}: read
set -euo pipefail
script=$(realpath "$0")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
# run COMMAND...: shows its output only if it fails.
run() { "$@" >log 2>&1 || { cat log; exit 1; }; }
version=7.25.0
run mvn -q dependency:copy -Dartifact=org.openapitools:openapi-generator-cli:$version -DoutputDirectory="$PWD"

cat >api.yaml <<'END'
openapi: 3.0.3
info: {title: Clusters, version: "1"}
paths:
  /cluster:
    get:
      operationId: getCluster
      responses:
        "200":
          description: The cluster.
          content: {application/json: {schema: {$ref: "#/components/schemas/Cluster"}}}
components:
  schemas:
    Cluster:
      type: object
      required: [id]
      properties:
        id: {type: string}
        outputs: {allOf: [{$ref: "#/components/schemas/Outputs"}], readOnly: true}
    Outputs:
      oneOf: [{$ref: "#/components/schemas/Aws"}, {$ref: "#/components/schemas/Gcp"}]
      discriminator: {propertyName: kind, mapping: {aws: "#/components/schemas/Aws", gcp: "#/components/schemas/Gcp"}}
    Aws: {type: object, required: [kind, arn], properties: {kind: {type: string}, arn: {type: string}}}
    Gcp: {type: object, required: [kind, project], properties: {kind: {type: string}, project: {type: string}}}
END
sed 's/, readOnly: true//' api.yaml >writable.yaml

cat >Read.java <<'END'
import org.openapitools.client.ApiClient;
import org.openapitools.client.model.Cluster;

class Read {
  public static void main(String[] arguments) {
    for (int i = 1; i < arguments.length; i++) {
      String result = "read";
      try {
        ApiClient.createDefaultObjectMapper().readValue(arguments[i], Cluster.class);
      } catch (Exception error) {
        result = error.getMessage().lines().findFirst().get().replaceFirst("^Unexpected IOException .*?\\): ", "");
      }
      System.out.printf("%-9s %s: %s%n", arguments[0], arguments[i], result);
    }
  }
}
END

# client NAME DOCUMENT OPTION...: generates a client and reads two objects with it.
client() {
  local name=$1 document=$2
  shift 2
  run java -jar openapi-generator-cli-$version.jar generate -i "$document" -g java --library native -o client "$@"
  run mvn -q -f client/pom.xml -Dmaven.test.skip=true -Dmdep.outputFile="$PWD/classpath" \
    compile dependency:build-classpath
  run javac -cp "client/target/classes:$(cat classpath)" Read.java
  java -cp ".:client/target/classes:$(cat classpath)" Read "$name" \
    '{"id":"a"}' '{"id":"a","outputs":{"kind":"aws","arn":"b"}}'
  rm -r client
}
{
  client default: writable.yaml
  client lookup: writable.yaml --additional-properties useOneOfDiscriminatorLookup=true
  client readOnly: api.yaml --additional-properties useOneOfDiscriminatorLookup=true
} >seen
sed -n 's/^#> \{0,1\}//p' "$script" | diff - seen && cat seen
