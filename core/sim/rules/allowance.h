// What a rule lets pass before it applies: a quota, or a rate.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/instant.h"
#include "base/result.h"
#include "model/value.h"
#include "wire/writer.h"

namespace orlop {

// The rule applies to what goes over so many matches: in each window of `per`, which begins with a match; without it in
// all.
struct Allowance {
  std::uint32_t over = 0;  // 0: the rule applies to every match
  std::optional<Duration> per;

  // A member `over` or `per`; `path` names it in messages. Error invalid.
  Result<void> read_over(const Value& given, const std::string& path);
  Result<void> read_per(const Value& given, const std::string& path);
  // What holds between both; `prefix` begins messages ("rules[3]."). Error invalid.
  Result<void> check(const std::string& prefix) const;
};

// How much of an allowance is used.
class AllowanceUse {
 public:
  // Counts a match. Whether it goes over the allowance; without one every match does.
  bool goes_over(const Allowance& allowance, Instant now);
  // The members "counted" and "counted_since" of an object, if there is an allowance, and back. What cannot be read is
  // taken as nothing used.
  void write(Writer& out, const Allowance& allowance) const;
  static AllowanceUse read(const Value& given);
  static void erase_members(Value& given);

 private:
  std::uint64_t count_ = 0;
  Instant since_;
};

}  // namespace orlop
