// The validation context of a family's rules, on a unit.
#pragma once

#include <memory>
#include <unordered_map>

#include "model/family.h"
#include "catalogs/kubernetes_version.h"
#include "ops/unit.h"

namespace orlop {

class UnitContext final : public ValidationContext {
 public:
  // `record` carries the identity of the record that is made or edited.
  UnitContext(Unit& unit, const Record& record, const Value* previous)
      : unit_(unit), self_(record.id), parent_(record.parent), organization_(record.organization), previous_(previous) {}

  Id self() const override { return self_; }
  Instant now() const override { return unit_.now(); }

  Id parent() const override { return parent_; }
  Id organization() const override { return organization_; }
  const Value* previous() const override { return previous_; }
  const Value* find(std::string_view family, const Id& id) override;
  std::optional<Id> default_cluster() override;
  std::vector<Id> all(std::string_view family) override;
  std::string_view kubernetes_version() const override { return first_kubernetes_version(unit_.settings().kubernetes_versions); }
  Id make_id() override { return unit_.make_id(); }
  std::span<const std::string> webhook_allow() const override { return unit_.settings().webhook_allow; }
  std::string_view brand() const override { return unit_.settings().brand; }
  bool has_open_catalogs() const override { return unit_.settings().catalogs == Catalogs::open; }
  std::string_view author() const override { return unit_.author(); }

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
};

}  // namespace orlop
