// Matches that a rule lets pass before it applies: a quota, or a rate.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/instant.h"
#include "base/result.h"
#include "model/value.h"
#include "wire/writer.h"

namespace orlop {

// The rule applies to matches beyond `over`: in each window of `per`, which begins with a match; without it in all.
struct Allowance {
  std::uint32_t over = 0;  // 0: the rule applies to every match
  std::optional<Duration> per;

  // Read a member `over` or `per`; `path` names it in messages. Error invalid.
  Result<void> read_over(const Value& given, const std::string& path);
  Result<void> read_per(const Value& given, const std::string& path);
  // Checks both members together; `prefix` begins messages ("rules[3]."). Error invalid.
  Result<void> check(const std::string& prefix) const;
};

// Used part of an allowance.
class AllowanceUse {
 public:
  // Counts a match. Returns whether it exceeds the allowance; without one every match does.
  bool goes_over(const Allowance& allowance, Instant now);
  // Write and read the members "counted" and "counted_since" of an object, if there is an allowance. Unreadable values
  // count as nothing used.
  void write(Writer& out, const Allowance& allowance) const;
  static AllowanceUse read(const Value& given);
  static void erase_members(Value& given);

 private:
  std::uint64_t count_ = 0;
  Instant since_;
};

}  // namespace orlop
