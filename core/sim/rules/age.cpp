#include "sim/rules/age.h"

#include <algorithm>

#include "base/text/utf8.h"
#include "sim/invalid_member.h"
#include "sim/rules/distribution.h"

namespace orlop {
namespace {

// In the order of AgeCondition::Of.
constexpr std::string_view subjects_of_age[] = {"credentials", "references", "environment"};

bool is_record_as_old(const Value* record, std::string_view time, const AgeCondition& condition, Instant now) {
  const auto since = record == nullptr ? std::nullopt : parse_instant(record->text_or(time, ""));
  return since && now >= *since + condition.least;
}

}  // namespace

Result<std::vector<AgeCondition>> read_ages(const Value& given, const std::string& path) {
  if (!given.is_object())
    return invalid_member(path, "must be an object like {\"credentials\": \"12h\"}, not " + shown(given));
  std::vector<AgeCondition> ages;
  for (const Member& member : given.members()) {
    const std::string below = path + "." + std::string(beginning(member.name.view(), 64));
    const auto found = std::ranges::find(subjects_of_age, member.name.view());
    if (found == std::end(subjects_of_age))
      return invalid_member(below, "is none of credentials, references and environment");
    ORLOP_TRY(least, read_duration(member.value, below));
    ages.push_back({static_cast<AgeCondition::Of>(found - std::begin(subjects_of_age)), least});
  }
  return ages;
}

bool is_as_old(const AgeCondition& condition, const Value& configuration, Instant now) {
  switch (condition.of) {
    case AgeCondition::Of::credentials:
      return is_record_as_old(configuration.find_path({"cluster", "credentials"}), "updated_at", condition, now);
    case AgeCondition::Of::environment:
      return is_record_as_old(configuration.find("environment"), "created_at", condition, now);
    case AgeCondition::Of::references: break;
  }
  const Value* const references = configuration.find("references");
  return references != nullptr && std::ranges::any_of(references->members(), [&](const Member& member) {
           return is_record_as_old(&member.value, "updated_at", condition, now);
         });
}

}  // namespace orlop
