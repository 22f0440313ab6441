// Records in several representations, and lists that hold what lies above.
#include "unit/relations/scope.h"

namespace orlop::tests {
namespace {

class Representations : public OnPlatform {
 protected:
  std::string open() { return "/container/" + id("containerId") + "/testPublicEntry"; }
  std::string sealed() { return "/container/" + id("containerId") + "/testSecretEntry"; }
};

TEST_F(Representations, AreOfTheSameRecords) {
  const std::string made = guarded_.make(open(), R"({"key": "A", "value": "one"})");
  const std::string secret = guarded_.make(sealed(), R"({"key": "B", "value": "two"})");
  expect(guarded_.ask("GET", "/testEntry/" + made), 200, R"("value":"one","is_secret":false)");
  expect(guarded_.ask("GET", "/testEntry/" + secret), 200, R"("value":null,"is_secret":true)");
  expect(guarded_.ask("GET", open() + "/" + made), 200, R"("key":"A","value":"one"})");
  const Reply list = guarded_.ask("GET", sealed());
  expect(list, 200, secret);
  EXPECT_EQ(list.body.find(made), std::string::npos);
  EXPECT_EQ(list.body.find("value"), std::string::npos);
  expect(guarded_.ask("POST", open(), R"({"key": "B"})"), 409, "is taken");
  expect(guarded_.ask("PUT", open() + "/" + made, R"({"key": "A", "value": "three"})"), 200, R"("value":"three"})");
}

TEST_F(Representations, ShowOnlyTheirOwn) {
  const std::string secret = guarded_.make(sealed(), R"({"key": "B", "value": "two"})");
  expect(guarded_.ask("GET", open() + "/" + secret), 404, "there is no");
  expect(guarded_.ask("PUT", open() + "/" + secret, R"({"key": "B", "value": "public"})"), 404, "there is no");
  expect(guarded_.ask("DELETE", open() + "/" + secret), 404, "there is no");
  EXPECT_EQ(guarded_.ask("DELETE", sealed() + "/" + secret).status, 204);
}

TEST_F(Representations, HaveTheirOwnParentsVerbsAndStatuses) {
  EXPECT_EQ(guarded_.ask("POST", sealed(), R"({"key": "A", "value": "x"})").status, 200);
  EXPECT_EQ(guarded_.ask("POST", open(), R"({"key": "B", "value": "x"})").status, 201);
  EXPECT_EQ(guarded_.ask("GET", "/application/" + id("applicationId") + "/testSecretEntry").status, 404);
  EXPECT_EQ(guarded_.ask("GET", "/application/" + id("applicationId") + "/testPublicEntry").status, 200);
  EXPECT_EQ(guarded_.ask("PUT", sealed() + "/" + std::string(nowhere), "{}").status, 405);
}

TEST_F(Representations, ListsHoldWhatIsInherited) {
  const std::string of_project = make_entry("A", "projectId");
  const std::string of_environment = make_entry("A", "environmentId");
  const std::string of_container = make_entry("A", "containerId");
  const std::string of_application = make_entry("A", "applicationId");
  const std::string list = guarded_.ask("GET", open()).body;
  const std::size_t places[] = {list.find(of_project), list.find(of_environment), list.find(of_container)};
  EXPECT_LT(places[0], places[1]);
  EXPECT_LT(places[1], places[2]);
  EXPECT_NE(places[2], std::string::npos);
  EXPECT_EQ(list.find(of_application), std::string::npos);
  const std::string above = guarded_.ask("GET", "/testEntry?scope=PROJECT&parent_id=" + id("projectId")).body;
  EXPECT_NE(above.find(of_project), std::string::npos);
  EXPECT_EQ(above.find(of_environment), std::string::npos);
  expect(guarded_.ask("GET", open() + "?page=2&page_size=2"), 200, R"("total_count":3)");
}

}  // namespace
}  // namespace orlop::tests
