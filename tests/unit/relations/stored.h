// A store with an organization, a project, two environments on a cluster and two services in each, created by units of
// work without an engine.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "commit/commit.h"
#include "endpoints/operation_registry.h"
#include "model/registry.h"
#include "records/write_record.h"
#include "sim/seeded_random_source.h"
#include "sim/virtual_clock.h"
#include "store/open.h"
#include "wire/json.h"

namespace orlop::tests {

class Stored : public testing::Test {
 protected:
  // Ids that units have marked as out of date.
  static std::vector<Id>& marked() {
    static std::vector<Id> ids;
    return ids;
  }

  Stored() : store_(open_memory_store()), committer_(*store_, clock_, random_, settings_, hooks()) {
    organization_ = make("organization", {}, R"({"name": "o", "plan": "FREE"})");
    cluster_ = make("cluster", organization_, R"({"name": "c", "region": "eu-west-3", "cloud_provider": "AWS"})");
    project_ = make("project", organization_, R"({"name": "p"})");
    first_ = environment("one");
    second_ = environment("two");
    for (const Id& environment : {first_, second_}) {
      for (const char* name : {"a", "b"}) services_.push_back(make("application", environment, application(name)));
    }
    marked().clear();
  }

  static Hooks hooks() {
    Hooks made;
    made.created = after_create;
    made.edited = [](Unit&, const Id& subject) {
      marked().push_back(subject);
      return Result<void>();
    };
    return made;
  }

  Id environment(const std::string& name) {
    return make("environment", project_, R"({"name": ")" + name + R"(", "cluster": ")" + to_text(cluster_) + "\"}");
  }
  static std::string application(const std::string& name) {
    return R"({"name": ")" + name +
           R"(", "git_repository": {"url": "https://git.example/acme/shop.git", "provider": "GITHUB"}, )"
           R"("healthchecks": {}})";
  }

  Id make(std::string_view family, const Id& parent, const std::string& body) {
    Id made;
    run([&](Unit& unit) -> Result<void> {
      ORLOP_TRY(value, parse_stored(body));
      ORLOP_TRY(record, create_record(unit, *find_family(family), parent, value));
      made = record.id;
      return {};
    });
    return made;
  }
  void edit(const Id& id, const std::string& body) {
    run([&](Unit& unit) -> Result<void> {
      ORLOP_TRY(record, unit.record(id));
      ORLOP_TRY(value, parse_stored(body));
      const auto edited = edit_record(unit, *find_family(record->family), *record, value);
      return edited ? Result<void>() : Result<void>(edited.error());
    });
  }
  void remove(const Id& id) {
    run([&](Unit& unit) -> Result<void> {
      ORLOP_TRY(record, unit.record(id));
      return remove_tree(unit, *record);
    });
  }
  void run(const Committer::Work& work) {
    const auto done = committer_.run(work);
    EXPECT_TRUE(done) << (done ? "" : done.error().message);
  }

  std::unique_ptr<Store> store_;
  VirtualClock clock_{{1'767'225'600'000}};
  SeededRandomSource random_{7};
  Settings settings_;
  Committer committer_;
  Id organization_, cluster_, project_, first_, second_;
  std::vector<Id> services_;
};

}  // namespace orlop::tests
