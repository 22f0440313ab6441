// A clone of a service has copies of its settings and of other cloned records.
#include "unit/relations/scope.h"

namespace orlop::tests {
namespace {

class Clones : public OnPlatform {};

TEST_F(Clones, HaveWhatIsCloned) {
  const std::string container = id("containerId");
  EXPECT_EQ(
      guarded_
          .ask("PUT", "/container/" + container + "/advancedSettings", R"({"hpa.cpu.average_utilization_percent": 80})")
          .status,
      201);
  (void)guarded_.make("/container/" + container + "/customDomain",
                      R"({"domain": "www.example.com", "generate_certificate": true})");
  const std::string target = make_entry("A", "containerId", R"(, "value": "one")");
  const std::string alias = make_entry("B", "containerId", R"(, "aliased_id": ")" + target + "\"");
  const std::string copy = guarded_.make("/container/" + container + "/clone",
                                         R"({"name": "copy", "environment_id": ")" + id("environmentId") + "\"}");
  expect(guarded_.ask("GET", "/container/" + copy + "/advancedSettings"), 200,
         R"("hpa.cpu.average_utilization_percent":80)");
  EXPECT_EQ(guarded_.ask("GET", "/container/" + copy + "/customDomain").body, R"({"results":[]})");
  const Value list = parsed(guarded_.ask("GET", "/testEntry?scope=CONTAINER&parent_id=" + copy));
  ASSERT_EQ(list.find("results")->items().size(), 2U);
  const Value& copied_alias = list.find("results")->items().back();
  EXPECT_EQ(copied_alias.text_or("key", ""), "B");
  EXPECT_NE(copied_alias.text_or("id", ""), alias);
  EXPECT_NE(copied_alias.text_or("aliased_id", ""), target);
  const std::string copied_target(copied_alias.text_or("aliased_id", ""));
  expect(guarded_.ask("GET", "/testEntry/" + copied_target), 200, R"("value":"one")");
  EXPECT_EQ(guarded_.ask("DELETE", "/testEntry/" + target).status, 204);
  expect(guarded_.ask("GET", "/testEntry/" + copied_target), 200, copied_target);
}

}  // namespace
}  // namespace orlop::tests
