#include "sim/rules/allowance.h"

#include <algorithm>

#include "sim/invalid_member.h"
#include "sim/rules/distribution.h"

namespace orlop {
namespace {

constexpr std::string_view counted = "counted";
constexpr std::string_view counted_since = "counted_since";

}  // namespace

Result<void> Allowance::read_over(const Value& given, const std::string& path) {
  const std::int64_t count = given.as_integer();
  if (given.type() != Value::Type::integer || count < 1 || count > UINT32_MAX) {
    return invalid_member(path,
                          "must be a whole number of 1 to " + std::to_string(UINT32_MAX) + ", not " + shown(given));
  }
  over = static_cast<std::uint32_t>(count);
  return {};
}

Result<void> Allowance::read_per(const Value& given, const std::string& path) {
  ORLOP_TRY(duration, read_duration(given, path));
  if (duration.milliseconds == 0)
    return invalid_member(path, "must be a duration of at least 1 ms, not " + shown(given));
  per = duration;
  return {};
}

Result<void> Allowance::check(const std::string& prefix) const {
  if (per && over == 0) return invalid_member(prefix + "over", "is required where per is given");
  return {};
}

bool AllowanceUse::goes_over(const Allowance& allowance, Instant now) {
  if (allowance.over == 0) return true;
  if (count_ == 0 || (allowance.per && now >= since_ + *allowance.per)) {
    since_ = now;
    count_ = 0;
  }
  return ++count_ > allowance.over;
}

void AllowanceUse::write(Writer& out, const Allowance& allowance) const {
  if (allowance.over == 0) return;
  out.field(counted, count_);
  if (count_ != 0) out.field(counted_since, since_);
}

AllowanceUse AllowanceUse::read(const Value& given) {
  AllowanceUse use;
  use.count_ = static_cast<std::uint64_t>(std::max<std::int64_t>(given.integer_or(counted, 0), 0));
  use.since_ = parse_instant(given.text_or(counted_since, "")).value_or(Instant());
  return use;
}

void AllowanceUse::erase_members(Value& given) {
  given.erase(counted);
  given.erase(counted_since);
}

}  // namespace orlop
