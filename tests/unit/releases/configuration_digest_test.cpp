// The digest of a configuration: fixed values, what changes it and what does not.
#include "releases/configuration_digest.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>

#include "wire/json.h"

namespace orlop {
namespace {

std::string digest(const char* configuration) { return digest_of(released_part(parse_json(configuration).value())); }

// printf '%s' '{"image_name":"acme/web","tag":"1.0"}' | sha256sum
TEST(ConfigurationDigest, IsThatOfItsCanonicalText) {
  EXPECT_EQ(digest(R"({"tag": "1.0", "image_name": "acme/web"})"),
            "sha256:39c90d8a5addb1818c9be7cfda77e5400cd1df2bde7cac63661e20ef47674382");
  EXPECT_EQ(digest("{}"), "sha256:44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a");
}

TEST(ConfigurationDigest, HasMembersInTheOrderOfTheirBytes) {
  EXPECT_EQ(canonical_json(parse_json(R"({"b": [{"d": 1, "c": 0.5}], "a": null, "é": true, "Z": "\u00e9\n"})").value()),
            "{\"Z\":\"é\\n\",\"a\":null,\"b\":[{\"c\":0.5,\"d\":1}],\"é\":true}");
}

constexpr const char* base =
    R"({"id": "1", "tag": "1.0", "variables": [{"key": "A", "value": "1"}], "references": {"2": {"url": "u"}},
        "domains": [{"id": "3", "domain": "a.example.com"}], "git_repository": {"url": "g"}})";

TEST(ConfigurationDigest, LeavesOutWhatDoesNotChangeWhatRuns) {
  EXPECT_EQ(
      digest(R"({"id": "1", "created_at": "x", "updated_at": "y", "revision": 4, "description": "d", "icon_uri": "i",
        "metadata": {"a": 1}, "environment": {"name": "e"}, "project": {}, "organization": {}, "cluster": {},
        "deployment_stage": {}, "auto_deploy": true, "auto_preview": true, "maximum_cpu": 4,
        "tag": "1.0", "variables": [{"key": "A", "value": "1"}],
        "references": {"2": {"url": "u", "updated_at": "z", "description": "r"}},
        "domains": [{"id": "3", "domain": "a.example.com", "created_at": "c"}],
        "git_repository": {"url": "g", "deployed_commit_id": "1", "deployed_commit_date": "2",
                           "deployed_commit_contributor": "3", "deployed_commit_tag": "4"}})"),
      digest(base));
}

TEST(ConfigurationDigest, KeepsEverythingElse) {
  const std::string text(base);
  for (const auto& [from, to] : {std::pair{"1.0", "1.1"},
                                 {"\"A\"", "\"B\""},
                                 {"\"u\"", "\"v\""},
                                 {"a.ex", "b.ex"},
                                 {"\"g\"", "\"h\""},
                                 {"\"value\": \"1\"", "\"value\": \"2\""}}) {
    std::string changed = text;
    changed.replace(changed.find(from), std::string(from).size(), to);
    EXPECT_NE(digest(changed.c_str()), digest(base)) << from;
  }
  // Members of the same name that the user chose.
  EXPECT_NE(digest(R"({"values_override": {"created_at": 1}})"), digest(R"({"values_override": {"created_at": 2}})"));
}

}  // namespace
}  // namespace orlop
