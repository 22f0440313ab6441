// A small organization with one record of every family, created from its sample, for the rules under test.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/brand.h"
#include "model/family.h"

namespace orlop {

class Fixture final : public ValidationContext {
 public:
  // Returns the record of that family, created at the first call; its id is the family's number.
  const Value& record_of(const Family& family);
  // Returns the sample, or any body, with "{family}" replaced by the id of that family's record.
  static std::string filled(std::string_view body);
  static Id id_of(const Family& family);

  Id parent() const override { return {{2}}; }
  const Family* parent_family() override { return nullptr; }
  Id organization() const override { return {{1}}; }
  const Value* previous() const override { return before_; }
  bool may_have_data() override { return before_ != nullptr && is_deployed_; }
  bool is_json(std::string_view text) const override;
  const Value* find(std::string_view family, const Id& id) override;
  std::vector<Id> all(std::string_view family) override;
  Id make_id() override { return {{0xAA, ++made_}}; }
  Id self() const override { return {{3}}; }
  Instant now() const override { return now_; }
  std::string_view brand() const override { return brand_; }
  const Value& value(ContextKey key) override { return values_[key.name]; }

  void set_previous(const Value* previous) { before_ = previous; }
  void set_deployed(bool deployed) { is_deployed_ = deployed; }
  void pass(Duration time) { now_ = now_ + time; }
  void set_open_catalogs(bool open) { values_["open_catalogs"] = Value(open); }
  void set_brand(std::string brand) { brand_ = std::move(brand); }
  void set_default_cluster(std::optional<Id> cluster) {
    values_["default_cluster"] = cluster ? Value(to_text(*cluster)) : Value();
  }

 private:
  std::map<FamilyNumber, Value> records_;
  std::map<FamilyNumber, Value> stored_;  // the records as they are found: with their ids first
  const Value* before_ = nullptr;
  std::map<std::string_view, Value> values_ = {
      {"author", Value("ann")}, {"kubernetes_version", Value("1.32")}, {"open_catalogs", Value(false)}};
  std::string brand_{brand_default};
  Instant now_;
  std::uint8_t made_ = 0;
  bool is_deployed_ = false;
};

}  // namespace orlop
