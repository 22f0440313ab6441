// Members that are copied from a referenced record.
#include "unit/relations/scope.h"

namespace orlop::tests {
namespace {

class Copies : public OnPlatform {};

TEST_F(Copies, FollowTheirSource) {
  const std::string tokens = "/organization/" + guarded_.organization() + "/gitToken";
  const std::string token = guarded_.make(tokens, R"({"name": "first", "type": "GITHUB", "token": "x"})");
  const std::string notes = "/container/" + id("containerId") + "/testNote";
  const std::string note =
      guarded_.make(notes, R"({"key": "A", "token_name": "ignored", "token_id": ")" + token + "\"}");
  expect(guarded_.ask("GET", notes + "/" + note), 200, R"("token_name":"first")");
  EXPECT_EQ(guarded_.ask("PUT", tokens + "/" + token, R"({"name": "second", "type": "GITHUB"})").status, 200);
  expect(guarded_.ask("GET", notes + "/" + note), 200, R"("token_name":"second")");
  expect(guarded_.ask("GET", notes), 200, R"("token_name":"second")");
  expect(guarded_.ask("PUT", notes + "/" + note, R"({"key": "A"})"), 200, R"("key":"A")");
  EXPECT_EQ(guarded_.ask("GET", notes + "/" + note).body.find("token_name"), std::string::npos)
      << "without a source there is no copy";
}

}  // namespace
}  // namespace orlop::tests
