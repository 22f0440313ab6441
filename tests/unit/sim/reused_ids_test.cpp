// Records whose ID is one that another record had before, and which their body, or a record that their rules read, holds: the next records keep that text.
#include <gtest/gtest.h>

#include <string>

#include "unit/ops/counted_rules.h"
#include "unit/sim/twins.h"

namespace orlop {
namespace {

using tests::CountedRules;
using tests::Simulation;
using tests::Twins;

constexpr Id reused{{0xE1}};

TEST_F(CountedRules, KeepAnIdInTheBodyThatWasTheirOwn) {
  const std::string member = R"("note":"see )" + to_text(reused) + "\"";
  create(environment, "a", member);
  for (const char* name : {"b", "c"}) {
    create(environment, name, member, reused);
    erase(reused);
  }
  const Record next = create(environment, "d", member);
  EXPECT_NE(next.body.find(member), std::string::npos) << next.body;
}

TEST_F(CountedRules, KeepAnIdInAReadRecordThatWasTheirOwn) {
  set_rule([](Value& record, ValidationContext& context) { record.set("note", Value(context.find("container_registry", id_of(registry))->text_or("name", ""))); });
  constexpr Id other{{0xE2}};
  create(environment, "a");
  rename_registry(to_text(reused));
  create(environment, "b", "", reused);
  rename_registry(to_text(other));
  create(environment, "c", "", other);
  rename_registry(to_text(reused));
  const Record next = create(environment, "d");
  EXPECT_NE(next.body.find(R"("note":")" + to_text(reused)), std::string::npos) << next.body;
}

// IDs are the same again once the state before is restored.
TEST(RestoredCreations, KeepAnIdInTheBodyThatWasTheirOwn) {
  Twins twins;
  const std::string organization = "/organization/" + twins.make("/organization", Twins::body_of("acme", R"("plan":"FREE")"));
  const std::string cluster = twins.make(organization + "/cluster", R"({"name":"europe","region":"eu-west-3","cloud_provider":"AWS"})");
  const std::string project = twins.make(organization + "/project", Twins::body_of("shop", ""));
  const std::string path = "/environment/" + twins.make("/project/" + project + "/environment", Twins::body_of("production", "")) + "/application";
  const auto members = [](const std::string& id) { return R"("healthchecks":{},"arguments":["--self",")" + id + R"("],"git_repository":{"url":"https://github.com/acme/web.git","provider":"GITHUB"})"; };
  const auto restore = [&twins](std::uint64_t number) { twins.each([number](Simulation& one) { EXPECT_TRUE(one->go_back(number).ok()); }); };
  const auto save = [&twins] { twins.each([](Simulation& one) { EXPECT_TRUE(one->save().ok()); }); };
  save();
  twins.make(path, Twins::body_of("a", members("unknown")));
  const std::string id = twins.make(path, Twins::body_of("b", members("unknown")));
  restore(1);
  twins.make(path, Twins::body_of("a", members(id)));
  save();
  EXPECT_EQ(twins.make(path, Twins::body_of("b", members(id))), id);
  restore(2);
  EXPECT_EQ(twins.make(path, Twins::body_of("b", members(id))), id);
  const Reply next = twins.ask("POST", path, Twins::body_of("c", members(id)));
  EXPECT_NE(next.body.find(id), std::string::npos) << next.body;
  twins.compare("a restored state");
}

// The ID that a body holds counts for the host only.
TEST(RestoredCreations, KeepAnIdInTheBodyThatTheHostHasChosen) {
  Twins twins;
  const std::string organization = "/organization/" + twins.make("/organization", Twins::body_of("acme", R"("plan":"FREE")"));
  const std::string cluster = twins.make(organization + "/cluster", R"({"name":"europe","region":"eu-west-3","cloud_provider":"AWS"})");
  const std::string project = twins.make(organization + "/project", Twins::body_of("shop", ""));
  const std::string path = "/environment/" + twins.make("/project/" + project + "/environment", Twins::body_of("production", "")) + "/database";
  const std::string id = to_text(reused);
  const std::string members = R"("id":")" + id + R"(","description":"first )" + id + R"(","type":"POSTGRESQL","version":"16","mode":"CONTAINER")";
  for (const char* name : {"a", "b", "c"}) {
    EXPECT_EQ(twins.make(path, Twins::body_of(name, members)), id);
    EXPECT_LT(twins.ask("DELETE", "/database/" + id).status, 300);
  }
  const Reply next = twins.ask("POST", path, Twins::body_of("d", members), "Token none");
  EXPECT_NE(next.body.find("first " + id), std::string::npos) << next.body;
  twins.compare("chosen IDs");
}

}  // namespace
}  // namespace orlop
