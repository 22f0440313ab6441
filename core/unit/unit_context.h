// Validation context of a family's rules, over a unit.
#pragma once

#include <forward_list>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "base/flat_map.h"
#include "model/family.h"
#include "unit/unit.h"

namespace orlop {

class UnitContext final : public ValidationContext {
 public:
  // `record` has the identity of the record that is created or edited.
  UnitContext(Unit& unit, const Record& record, const Value* previous)
      : unit_(unit),
        self_(record.id),
        family_(record.family),
        parent_(record.parent),
        organization_(record.organization),
        previous_(previous) {}

  Id self() const override { return self_; }
  Instant now() const override { return unit_.now(); }
  bool has_passed(Instant end) override;
  std::string_view brand() const override { return unit_.settings().brand; }
  const TimeZones* time_zones() const override { return unit_.settings().zones.get(); }

  Id parent() const override { return parent_; }
  const Family* parent_family() override;
  Id organization() const override { return organization_; }
  const Value* previous() const override { return previous_; }
  const Value* find(std::string_view family, const Id& id) override;
  bool has(std::string_view family, const Id& id) override { return named(family, id) != nullptr; }
  Value members_of(std::string_view family, const Id& id, std::span<const std::string_view> names) override;
  std::vector<Id> all(std::string_view family) override;
  std::size_t sibling_count() override;
  bool may_have_data() override;
  bool is_json(std::string_view text) const override;
  Id make_id() override { return unit_.make_id(); }
  const Value& value(ContextKey key) override;

  // Changes the context to `record`, which is being read. Cached look-ups remain while the organization is the same.
  void turn_to(const Record& record);

  // First error of a look-up. Rules cannot report it, so that the caller checks it afterwards.
  const Result<void>& outcome() const { return outcome_; }

 private:
  void note(Error error);
  // Returns the record `id` if it is of `family` and of this organization, else null. Valid until the next call.
  const Record* named(std::string_view family, const Id& id);

  Unit& unit_;
  Id self_;
  FamilyNumber family_;
  Id parent_;
  Id organization_;
  const Value* previous_;
  Result<void> outcome_;
  std::optional<std::size_t> siblings_;
  FlatMap<Id, Shared<Record>> named_;  // null: no such record in the organization
  FlatMap<Id, std::shared_ptr<const Value>> found_;
  // Short lists with linear search: by family name, and by the key's name.
  std::vector<std::pair<std::string_view, std::vector<Id>>> lists_;
  std::forward_list<std::pair<std::string_view, Value>> values_;
};

}  // namespace orlop
