// Values that are a secret by a flag beside them.
#include "unit/relations/scope.h"

namespace orlop::tests {
namespace {

class Secrets : public OnPlatform {};

TEST_F(Secrets, AreNullInEveryAnswer) {
  const std::string made = make_entry("A", "containerId", R"(, "value": "canary-1", "is_secret": true)");
  const std::string container = id("containerId");
  for (const std::string& path : {"/testEntry/" + made, "/testEntry?scope=CONTAINER&parent_id=" + container, "/container/" + container + "/testSecretEntry"}) {
    const Reply reply = guarded_.ask("GET", path);
    expect(reply, 200, "\"A\"");
    EXPECT_EQ(reply.body.find("canary-1"), std::string::npos) << reply.body;
  }
  expect(guarded_.ask("GET", "/testEntry/" + made), 200, R"("value":null)");
  expect(guarded_.ask("POST", "/testEntry", entry("B", "containerId", R"(, "value": "canary-2", "is_secret": true)")), 201, R"("value":null)");
  expect(guarded_.ask("POST", "/testEntry", entry("C", "containerId", R"(, "value": "plain")")), 201, R"("value":"plain")");
}

TEST_F(Secrets, AreKeptByAnEditThatLeavesThemOut) {
  const std::string path = "/testEntry/" + make_entry("A", "containerId", R"(, "value": "canary", "is_secret": true)");
  for (const char* body : {R"({"key": "A"})", R"({"key": "A", "value": null})", R"({"key": "A", "value": null, "is_secret": true})"}) {
    const std::uint64_t before = guarded_.last_event();
    expect(guarded_.ask("PUT", path, body), 200, R"("value":null)");
    EXPECT_EQ(guarded_.last_event(), before) << "nothing has changed: " << body;
  }
  const std::uint64_t before = guarded_.last_event();
  expect(guarded_.ask("PUT", path, R"({"key": "A", "value": "another"})"), 200, R"("value":null)");
  EXPECT_EQ(guarded_.last_event(), before + 1);
}

TEST_F(Secrets, DoNotBecomePublic) {
  const std::string path = "/testEntry/" + make_entry("A", "containerId", R"(, "value": "canary", "is_secret": true)");
  const Reply refused = guarded_.ask("PUT", path, R"({"key": "A", "is_secret": false})");
  expect(refused, 400, "value must be given when is_secret becomes false");
  EXPECT_EQ(refused.body.find("canary"), std::string::npos);
  expect(guarded_.ask("PUT", path, R"({"key": "A", "is_secret": false, "value": null})"), 400, "value must be given");
  expect(guarded_.ask("PUT", path, R"({"key": "A", "is_secret": false, "value": "open"})"), 200, R"("value":"open")");
  expect(guarded_.ask("PUT", path, R"({"key": "A", "is_secret": true, "value": "sealed"})"), 200, R"("value":null)");
}

}  // namespace
}  // namespace orlop::tests
