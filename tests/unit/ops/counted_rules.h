// A family whose rules count their calls, and records below which its records are made.
#pragma once

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "model/registry.h"
#include "ops/commit/commit.h"
#include "ops/known_creations.h"
#include "ops/name.h"
#include "ops/verbs.h"
#include "sim/seeded_random_source.h"
#include "sim/virtual_clock.h"
#include "store/open.h"
#include "wire/json.h"
#include "wire/writer.h"

namespace orlop::tests {

using Rule = void (*)(Value& record, ValidationContext& context);
inline constexpr std::size_t counted_name_max = 40;

// The calls of the rules; one set of tests runs at a time.
inline int counted_calls = 0;
inline Rule counted_rule = nullptr;

inline constexpr Field counted_fields[] = {
    text("name", "Name.").required().unique_name().at_most(counted_name_max),
    text("note", "Free text.").nullable(),
    uuid("subject", "An ID."),
    list_of("list", FieldKind::text, "Texts."),
    text("secret", "A secret.").secret(),
    text("own", "Made of the ID of the record.").read_only(),
    text("above", "The ID of the parent, and another text.").read_only(),
    uuid("within", "The ID of the organization.").read_only(),
    reference("registry_id", "container_registry", "A registry that a rule refers to.").read_only(),
    reference("parent_id", "environment", "The parent, which is referred to.").read_only(),
};

inline void complete_counted(Value& record, ValidationContext& context) {
  ++counted_calls;
  record.set("own", Value("z" + to_text(context.self()) + ".internal"));
  record.set("above", Value(to_text(context.parent()) + "/" + to_text(context.self())));
  record.set("within", Value(to_text(context.organization())));
  record.set("parent_id", Value(to_text(context.parent())));
  if (counted_rule != nullptr) counted_rule(record, context);
}

inline std::uint32_t counted_plan_flags(const Value& record) { return record.find("list") == nullptr ? 5 : 9; }

inline Record blank_record(const Id& id, FamilyNumber family, const Id& parent, const Id& organization) {
  Record record;
  record.id = id;
  record.family = family;
  record.parent = parent;
  record.organization = organization;
  return record;
}

class CountedRules : public testing::Test {
 protected:
  static constexpr std::uint8_t organization = 0xA1;
  static constexpr std::uint8_t other_organization = 0xA2;
  static constexpr std::uint8_t registry = 0xB1;
  static constexpr std::uint8_t other_registry = 0xB2;
  static constexpr std::uint8_t late_registry = 0xD1;  // behind the environments
  static constexpr std::uint8_t environment = 0xC1;
  static constexpr std::uint8_t second_environment = 0xC2;
  static constexpr std::uint8_t third_environment = 0xC3;
  static constexpr std::uint8_t other_environment = 0xC4;

  CountedRules() {
    family_ = *find_family("database");
    family_.fields = counted_fields;
    family_.check = nullptr;
    family_.complete = complete_counted;
    family_.plan_flags = counted_plan_flags;
    set_rule(nullptr);
    write([](Unit& unit) {
      put(unit, organization, "organization", 0, organization, "{}");
      put(unit, other_organization, "organization", 0, other_organization, "{}");
      for (const std::uint8_t one : {registry, late_registry}) put(unit, one, "container_registry", organization, organization, R"({"name":"hub"})");
      put(unit, other_registry, "container_registry", other_organization, other_organization, R"({"name":"not ours"})");
      for (const std::uint8_t one : {environment, second_environment, third_environment}) put(unit, one, "environment", organization, organization, R"({"name":"production"})");
      put(unit, other_environment, "environment", other_organization, other_organization, R"({"name":"production"})");
    });
  }

  static Id id_of(std::uint8_t number) { return {{number, 1, 2, 3}}; }
  static void put(Unit& unit, std::uint8_t number, std::string_view family, std::uint8_t parent, std::uint8_t of, std::string body) {
    Record record = blank_record(id_of(number), find_family(family)->number, parent == 0 ? Id{} : id_of(parent), id_of(of));
    record.body = std::move(body);
    unit.put(std::move(record));
  }

  const Family& family() const { return family_; }
  Family& family() { return family_; }
  Committer& committer() { return committer_; }
  // What the rules do besides; it also makes the calls count from 0.
  static void set_rule(Rule rule) {
    counted_rule = rule;
    counted_calls = 0;
  }
  static int calls() { return counted_calls; }

  static Value body_of(std::string_view name, std::string_view members) {
    Value body = parse_json("{" + std::string(members) + "}").value();
    body.set("name", Value(name));
    return body;
  }
  Result<NewRecord> try_create(std::uint8_t parent, std::string_view name, std::string_view members = "", const Id& chosen = {}) {
    std::optional<NewRecord> made;
    const auto done = committer_.run([&](Unit& unit) -> Result<void> {
      unit.set_author("host");
      ORLOP_TRY(put, put_new_record(unit, family_, id_of(parent), body_of(name, members), chosen));
      made = std::move(put);
      return {};
    });
    if (!done) return done.error();
    return std::move(*made);
  }
  // In a unit of its own.
  NewRecord put_new(std::uint8_t parent, std::string_view name, std::string_view members = "", const Id& chosen = {}) {
    auto made = try_create(parent, name, members, chosen);
    EXPECT_TRUE(made.ok()) << name << ": " << made.error().message;
    return made ? std::move(*made) : NewRecord{};
  }
  Record create(std::uint8_t parent, std::string_view name, std::string_view members = "", const Id& chosen = {}) { return put_new(parent, name, members, chosen).record; }
  // For one of many rules, each of which has a body of its own.
  void create_for(std::size_t rule, int number) {
    create(environment, "n" + std::to_string(number) + " of " + std::to_string(rule), R"("subject":")" + to_text(Id{{static_cast<std::uint8_t>(rule)}}) + "\"");
  }
  // "": it was not refused.
  std::string refusal_of(std::uint8_t parent, std::string_view name, std::string_view members = "") {
    const auto made = try_create(parent, name, members);
    return made ? "" : made.error().message;
  }

  // What the rules make of a body that has nothing but the name.
  std::string text_of(const Record& record, std::string_view name) const {
    const std::string id = to_text(record.id);
    const std::string parent = to_text(record.parent);
    const std::string time = to_text(clock_now());
    Writer out;
    out.begin_object().field("id", id).field("created_at", time).field("updated_at", time).field("name", name).field("own", "z" + id + ".internal");
    out.field("above", parent + "/" + id).field("within", to_text(record.organization)).field("parent_id", parent).end_object();
    return std::move(out).take();
  }
  Instant clock_now() const { return start_; }

  template <typename Work>
  void write(const Work& work) {
    const auto done = committer_.run([&](Unit& unit) -> Result<void> { return work(unit), Result<void>(); });
    ASSERT_TRUE(done.ok()) << done.error().message;
  }
  void rename_registry(const std::string& name) {
    write([&](Unit& unit) {
      Record record = **unit.record(id_of(registry));
      record.body = R"({"name":")" + name + "\"}";
      unit.put(std::move(record));
    });
  }
  void erase(const Id& id) {
    write([&id](Unit& unit) { unit.erase(id); });
  }
  std::string last_detail() {
    std::string detail;
    EXPECT_TRUE(read()->events({.order = EventRange::Order::newest_first, .limit = 1}, [&](const Event& event) { return detail = event.detail.text(), true; }).ok());
    return detail;
  }
  // By the place of the name that was stored with the record.
  std::string seen_name(const Id& id) {
    HeldRecord held;
    write([&](Unit& unit) { EXPECT_TRUE(unit.seen_name(id, held).ok()); });
    return held.name;
  }
  std::unique_ptr<Transaction> read() { return std::move(store_->begin(Access::read)).value(); }
  std::optional<Id> find_by_name(std::uint8_t parent, std::string_view name) { return read()->find(name_key(family_, id_of(parent), id_of(organization), name)).value(); }

 private:
  static constexpr Instant start_{1'767'225'600'000};
  std::unique_ptr<Store> store_ = open_memory_store();
  VirtualClock clock_{start_};
  SeededRandomSource random_source_{7};
  Settings settings_;
  Committer committer_{*store_, clock_, random_source_, settings_, no_hooks};
  Family family_;
};

}  // namespace orlop::tests
