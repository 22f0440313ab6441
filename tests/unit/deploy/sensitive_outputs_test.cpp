// Sensitive outputs are stored apart from the others, and are passed to the services of later stages.
#include "deploy/driver/sensitive_outputs.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace orlop {
namespace {

SecretValues secrets(const std::vector<std::string>& values) { return SecretValues(values); }

TEST(SensitiveOutputs, AreSplitOffAndJoined) {
  const std::string given =
      R"({"HOST":"a","TOKEN":{"value":"canary-4711","sensitive":true},"PLAIN":{"value":"b","sensitive":false},)"
      R"("LIST":{"value":["canary"],"sensitive":true}})";
  const SplitOutputs split = split_outputs(given);
  EXPECT_EQ(split.open,
            R"({"HOST":"a","TOKEN":{"value":null,"sensitive":true},"PLAIN":{"value":"b","sensitive":false},"LIST":)"
            R"({"value":null,"sensitive":true}})");
  EXPECT_EQ(split.values, R"({"TOKEN":"canary-4711","LIST":["canary"]})");
  EXPECT_EQ(join_outputs(split.open, split.values), given);
  EXPECT_EQ(join_outputs(split.open, R"({"TOKEN":"other"})"),
            R"({"HOST":"a","TOKEN":{"value":"other","sensitive":true},"PLAIN":{"value":"b","sensitive":false},"LIST":)"
            R"({"value":null,"sensitive":true}})");
}

TEST(SensitiveOutputs, AreOnlyThoseThatAreMarked) {
  for (const char* given : {"", "{}", R"({"A":"sensitive"})", R"({"A":{"sensitive":true}})",
                            R"({"A":{"value":"b","sensitive":"yes"}})", R"(["sensitive"])", "sensitive"}) {
    EXPECT_EQ(split_outputs(given).open, given);
    EXPECT_EQ(split_outputs(given).values, "");
  }
}

TEST(SensitiveOutputs, AreTheOnlyOnesThatAreNotMasked) {
  EXPECT_EQ(
      masked_outputs(
          R"({"URL":"https://u:canary-4711@h","canary-4711":1,"DEEP":[{"a":{"b":"canary-4711"}}],"NUMBER":4711471147})",
          secrets({"canary-4711", "4711471147"})),
      R"({"URL":"https://u:***@h","***":1,"DEEP":[{"a":{"b":"***"}}],"NUMBER":"***"})");
  EXPECT_EQ(masked_outputs(R"({"TOKEN":{"value":"canary-4711","sensitive":true}})", secrets({"canary-4711"})),
            std::nullopt);
  EXPECT_EQ(masked_outputs(R"({"A":"b"})", secrets({"canary-4711"})), std::nullopt);
  EXPECT_EQ(masked_outputs("no JSON: canary-4711", secrets({"canary-4711"})), "no JSON: ***");
}

TEST(SensitiveOutputs, AreMaskedInTheOthers) {
  EXPECT_EQ(masked_outputs(R"({"TOKEN":{"value":"canary-4711","sensitive":true},"URL":"https://x/?token=canary-4711"})",
                           secrets({})),
            R"({"TOKEN":{"value":"canary-4711","sensitive":true},"URL":"https://x/?token=***"})");
}

TEST(SecretValues, HoldTheSecretsInDocuments) {
  const auto found_in = [](const std::string& document, const std::string& text) {
    SecretValues values;
    values.add(document);
    return SecretMask(std::move(values).take()).masked(text).value_or(text);
  };
  const std::string account =
      R"({"type": "service_account", "project_id": "acme-production", "private_key": "line one of it\nline two of )"
      R"(it", "client_email": "robot@acme"})";
  EXPECT_EQ(found_in(account, "as line two of it in acme-production"), "as *** in acme-production");
  const std::string kubeconfig = "apiVersion: v1\nusers:\n- name: production\n  user:\n    token: \"canary-4711\"\n";
  EXPECT_EQ(found_in(kubeconfig, "Bearer canary-4711 in production"), "Bearer *** in production");
  EXPECT_EQ(found_in("DB_HOST=database\nDB_PASSWORD=hunter22\n", "hunter22@database"), "***@database");
  EXPECT_EQ(found_in(R"({"auths":{"r.example.com":{"auth":"dXNlcjpwYXNz"}}})", "auth dXNlcjpwYXNz at r.example.com"),
            "auth *** at r.example.com");
}

}  // namespace
}  // namespace orlop
