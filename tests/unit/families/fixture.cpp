#include "unit/families/fixture.h"

#include <gtest/gtest.h>

#include <utility>

#include "model/registry.h"
#include "model/validate.h"
#include "wire/json.h"

namespace orlop {

Id Fixture::id_of(const Family& family) { return {{0xFA, static_cast<std::uint8_t>(family.number)}}; }

std::string Fixture::filled(std::string_view body) {
  std::string text(body);
  for (const Family* family : all_families()) {
    const std::string placeholder = "{" + std::string(family->name) + "}";
    for (std::size_t at = text.find(placeholder); at != std::string::npos; at = text.find(placeholder)) {
      text.replace(at, placeholder.size(), to_text(id_of(*family)));
    }
  }
  return text;
}

const Value& Fixture::record_of(const Family& family) {
  if (const auto known = records_.find(family.number); known != records_.end()) return known->second;
  const Value* before = std::exchange(before_, nullptr);
  Value record = Value::object();
  if (!family.sample.empty()) {
    auto body = parse_json(filled(family.sample));
    EXPECT_TRUE(body) << family.name << ": the sample is not JSON";
    Violations violations;
    if (body) record = make_record(family, *body, Purpose::create, *this, violations);
    for (const Violation& violation : violations)
      ADD_FAILURE() << family.name << ": " << violation.field << " " << violation.reason;
  }
  before_ = before;
  return records_.emplace(family.number, std::move(record)).first->second;
}

std::vector<Id> Fixture::all(std::string_view name) {
  const Family* family = find_family(name);
  return family == nullptr ? std::vector<Id>() : std::vector<Id>{id_of(*family)};
}

bool Fixture::is_json(std::string_view text) const { return parse_json(text).ok(); }

const Value* Fixture::find(std::string_view name, const Id& id) {
  const Family* family = find_family(name);
  if (family == nullptr || id != id_of(*family)) return nullptr;
  const auto [stored, is_new] = stored_.try_emplace(family->number, record_of(*family));
  if (is_new) stored->second.members().insert(stored->second.members().begin(), {"id", Value(to_text(id))});
  return &stored->second;
}

}  // namespace orlop
