// The validation context of a family's rules, on a unit.
#pragma once

#include <memory>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "model/family.h"
#include "ops/unit/unit.h"

namespace orlop {

class UnitContext final : public ValidationContext {
 public:
  // `record` carries the identity of the record that is made or edited.
  UnitContext(Unit& unit, const Record& record, const Value* previous)
      : unit_(unit), self_(record.id), parent_(record.parent), organization_(record.organization), previous_(previous) {}

  Id self() const override { return self_; }
  Instant now() const override { return unit_.now(); }

  Id parent() const override { return parent_; }
  const Family* parent_family() override;
  Id organization() const override { return organization_; }
  const Value* previous() const override { return previous_; }
  const Value* find(std::string_view family, const Id& id) override;
  std::vector<Id> all(std::string_view family) override;
  Id make_id() override { return unit_.make_id(); }
  const Value& value(ContextKey key) override;

  // From here on the context is that of `record`, which is read. What it has looked up stays known as long as the organization is the same.
  void turn_to(const Record& record);

  // The first error that a look-up met; rules cannot report it, so the caller asks afterwards.
  const Result<void>& outcome() const { return outcome_; }

 private:
  void note(Error error);

  Unit& unit_;
  Id self_;
  Id parent_;
  Id organization_;
  const Value* previous_;
  Result<void> outcome_;
  std::unordered_map<Id, std::shared_ptr<const Value>> found_;
  std::unordered_map<std::string_view, std::vector<Id>> lists_;  // by family name
  std::unordered_map<std::string_view, std::unique_ptr<Value>> values_;  // by the key's name
};

}  // namespace orlop
