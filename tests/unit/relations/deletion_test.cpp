// Effects of a deletion on the records that refer to the deleted one.
#include "unit/relations/scope.h"

namespace orlop::tests {
namespace {

class Deletion : public OnPlatform {
 protected:
  std::string naming(std::string_view field, const std::string& id) {
    return ", \"" + std::string(field) + "\": \"" + id + "\"";
  }
  std::string notes() {
    return "/organization/" + guarded_.organization() + "/cluster/" + id("clusterId") + "/testClusterNote";
  }
  std::string make_note(const std::string& more) { return guarded_.make(notes(), R"({"text": "a")" + more + "}"); }
  std::string path(const std::string& entry) { return "/testEntry/" + entry; }
};

TEST_F(Deletion, IsRefusedByDefault) {
  const std::string target = make_note("");
  const std::string user = make_note(naming("needed_id", target));
  expect(guarded_.ask("DELETE", notes() + "/" + target), 409, "is in use by test cluster note");
  expect(guarded_.ask("GET", notes() + "/" + target), 200, target);
  EXPECT_EQ(guarded_.ask("DELETE", notes() + "/" + user).status, 204);
  EXPECT_EQ(guarded_.ask("DELETE", notes() + "/" + target).status, 204);
}

TEST_F(Deletion, Cascades) {
  const std::string target = make_entry("A", "projectId");
  const std::string alias = make_entry("B", "containerId", naming("aliased_id", target));
  const std::string alias_of_alias = make_entry("C", "environmentId", naming("aliased_id", alias));
  const std::string other = make_entry("D", "containerId");
  const std::uint64_t before = guarded_.last_event();
  EXPECT_EQ(guarded_.ask("DELETE", path(target)).status, 204);
  EXPECT_EQ(guarded_.last_event(), before + 3);
  for (const std::string& gone : {target, alias, alias_of_alias})
    expect(guarded_.ask("GET", path(gone)), 404, "there is no");
  expect(guarded_.ask("GET", path(other)), 200, other);
}

TEST_F(Deletion, TheStrictestReferenceDecides) {
  const std::string target = make_note("");
  (void)make_note(naming("aliased_id", target) + naming("needed_id", target));
  expect(guarded_.ask("DELETE", notes() + "/" + target), 409, "is in use by");
}

// A record that is deleted with the target does not block the deletion; a record that remains does.
TEST_F(Deletion, WhatGoesRefusesNothing) {
  const std::string target = make_note("");
  const std::string alias = make_note(naming("aliased_id", target));
  const std::string goes_too = make_note(naming("aliased_id", alias) + naming("needed_id", target));
  EXPECT_EQ(guarded_.ask("DELETE", notes() + "/" + target).status, 204);
  expect(guarded_.ask("GET", notes() + "/" + goes_too), 404, "there is no");
  const std::string first = make_note("");
  const std::string second = make_note(naming("aliased_id", first));
  (void)make_note(naming("needed_id", second));
  expect(guarded_.ask("DELETE", notes() + "/" + first), 409, "is in use by");
  expect(guarded_.ask("GET", notes() + "/" + second), 200, second);
}

// Larger than one commit erases: the parts cascade too.
TEST_F(Deletion, OfALargeTreeDoesTheSame) {
  const std::string inside = make_entry("A", "environmentId");
  const std::string outside = make_entry("B", "projectId", naming("aliased_id", inside));
  const std::string environment = id("environmentId");
  for (int at = 0; at < 1100; ++at) {
    (void)guarded_.make("/testEntry", R"({"key": "K)" + std::to_string(at) + R"(", "entry_parent_id": ")" +
                                          environment + R"(", "entry_scope": "ENVIRONMENT"})");
  }
  EXPECT_LT(guarded_.ask("DELETE", "/environment/" + environment).status, 300);
  for (int at = 0; at < 50; ++at) (void)guarded_.engine().tick();
  expect(guarded_.ask("GET", path(inside)), 404, "there is no");
  expect(guarded_.ask("GET", path(outside)), 404, "there is no");
}

}  // namespace
}  // namespace orlop::tests
