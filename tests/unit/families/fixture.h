// A small organization in which every family has one record, made of its sample: what rules look at in these tests.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/family.h"

namespace orlop {

class Fixture final : public ValidationContext {
 public:
  // The record of that family, made when it is asked for first; its id is the family's number.
  const Value& record_of(const Family& family);
  // The sample, or any body, with "{family}" replaced by the id of that family's record.
  static std::string filled(std::string_view body);
  static Id id_of(const Family& family);

  Id parent() const override { return {{2}}; }
  Id organization() const override { return {{1}}; }
  const Value* previous() const override { return before_; }
  const Value* find(std::string_view family, const Id& id) override;
  std::optional<Id> default_cluster() override { return default_cluster_; }
  std::vector<Id> all(std::string_view family) override;
  std::string_view kubernetes_version() const override { return "1.32"; }
  Id make_id() override { return {{0xAA, ++made_}}; }
  Id self() const override { return {{3}}; }
  Instant now() const override { return now_; }
  std::string_view brand() const override { return brand_; }
  bool has_open_catalogs() const override { return has_open_catalogs_; }

  void set_previous(const Value* previous) { before_ = previous; }
  void pass(Duration time) { now_ = now_ + time; }
  void set_open_catalogs(bool open) { has_open_catalogs_ = open; }
  void set_brand(std::string brand) { brand_ = std::move(brand); }
  void set_default_cluster(std::optional<Id> cluster) { default_cluster_ = cluster; }

 private:
  std::map<FamilyNumber, Value> records_;
  const Value* before_ = nullptr;
  std::optional<Id> default_cluster_;
  std::string brand_ = "platform";
  Instant now_;
  std::uint8_t made_ = 0;
  bool has_open_catalogs_ = false;
};

}  // namespace orlop
