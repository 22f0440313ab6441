// Singles: one record of a parent, with the defaults until a PUT stores one.
#include "unit/relations/scope.h"

namespace orlop::tests {
namespace {

constexpr std::string_view defaults = R"({"build.timeout":1800,"build.mode":"safe","build.note":null})";

class Singles : public OnPlatform {
 protected:
  std::string path() { return "/container/" + id("containerId") + "/testSettings"; }
};

TEST_F(Singles, AnswerTheDefaultsUntilOneIsStored) {
  const std::uint64_t before = (void(path()), guarded_.last_event());
  EXPECT_EQ(guarded_.ask("GET", path()).body, defaults);
  EXPECT_EQ(guarded_.ask("GET", "/environment/" + id("environmentId") + "/testSettings").body, defaults);
  EXPECT_EQ(guarded_.ask("GET", "/defaultTestSettings").body, defaults);
  EXPECT_EQ(guarded_.last_event(), before) << "reading stores nothing";
}

TEST_F(Singles, AreReplacedAsAWhole) {
  EXPECT_EQ(guarded_.ask("PUT", path(), R"({"build.timeout": 60, "build.note": "x"})").status, 201);
  EXPECT_EQ(guarded_.ask("GET", path()).body, R"({"build.timeout":60,"build.mode":"safe","build.note":"x"})");
  expect(guarded_.ask("PUT", path(), R"({"build.mode": "fast"})"), 201,
         R"({"build.timeout":1800,"build.mode":"fast","build.note":null})");
  EXPECT_EQ(guarded_.ask("GET", "/environment/" + id("environmentId") + "/testSettings").body, defaults);
  const std::uint64_t before = guarded_.last_event();
  EXPECT_EQ(guarded_.ask("PUT", path(), R"({"build.mode": "fast"})").status, 201);
  EXPECT_EQ(guarded_.last_event(), before) << "nothing has changed";
}

TEST_F(Singles, RefuseWhatNoFieldTakes) {
  expect(guarded_.ask("PUT", path(), R"({"build.timeout": 0})"), 400, "build.timeout must be");
  expect(guarded_.ask("PUT", path(), R"({"build": {}})"), 400, "is not a field of TestSettings");
  expect(guarded_.ask("PUT", path(), "null"), 400, "must be an object");
  expect(guarded_.ask("PUT", path(), "[]"), 400, "must be an object");
  expect(guarded_.ask("PUT", path(), ""), 400, "a JSON body is required");
  EXPECT_EQ(guarded_.ask("POST", path(), "{}").status, 405);
  EXPECT_EQ(guarded_.ask("DELETE", path()).status, 405);
  expect(guarded_.ask("GET", "/container/" + std::string(nowhere) + "/testSettings"), 404, "there is no container");
  expect(guarded_.ask("PUT", "/container/" + id("environmentId") + "/testSettings", "{}"), 404,
         "there is no container");
}

TEST_F(Singles, GoWithTheirParent) {
  EXPECT_EQ(guarded_.ask("PUT", path(), R"({"build.timeout": 60})").status, 201);
  EXPECT_EQ(guarded_.ask("DELETE", "/container/" + id("containerId")).status, 204);
  EXPECT_EQ(guarded_.ask("GET", path()).status, 404);
}

}  // namespace
}  // namespace orlop::tests
